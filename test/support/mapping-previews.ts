import { call, must } from './fresh-account.ts'
import { buildMappingJob, createSheets, textField } from './mapping-jobs.ts'
import { readRecords } from './resources.ts'

export const FIELDS = ['name', 'born', 'paid', 'plan'].map((key) => textField(key))
export const DESTINATION = [
  textField('name', { constraints: [{ type: 'required' }, { type: 'unique' }] }),
  { key: 'born', type: 'date' },
  { key: 'paid', type: 'number' },
  { key: 'plan', type: 'enum', config: { options: [{ value: 'free' }, { value: 'pro', label: 'Professional' }] } },
]
type Rows = readonly (readonly unknown[])[]
export const ROWS: Rows = [
  ['Ada', '10/12/1815', '1.234,50', 'Professional'],
  ['Blaise', '19/06/1623', '7', 'free'],
  ['Ada', 'before the war', 'nine', 'gold'],
  [null, null, null, null],
]

export async function createJob(rows = ROWS, config: object = {}, by = call) {
  const sheets = await createSheets({ fields: FIELDS, destination: DESTINATION, rows })
  return { ...sheets, jobId: (await must('POST', '/jobs', buildMappingJob(sheets, config), by)).id as string }
}
export const preview = (jobId: string, by = call) => must('POST', `/jobs/${jobId}/preview`, undefined, by)
export const execute = (jobId: string, token: unknown, by = call) =>
  by('POST', `/jobs/${jobId}/execute`, { preview: token })
export const readLanded = async (sheetId: string) =>
  (await readRecords(sheetId)).map(({ values, valid }: { values: object; valid: boolean }) => ({ values, valid }))
export const toRecord = (row: readonly unknown[]) =>
  Object.fromEntries(FIELDS.map(({ key }, i) => [key, { value: row[i] }]))
