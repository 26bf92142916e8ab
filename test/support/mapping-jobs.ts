import { expect } from 'vitest'
import { findEvents, waitForJob } from './activity.ts'
import { pluck } from './api.ts'
import { call, must, spaceId } from './fresh-account.ts'

export const textField = (key: string, more: object = {}) => ({ key, type: 'string', ...more })
export const FILE = ['Vorname', 'Nachname', 'E-Mail', 'Betrag', 'Alles'].map((key) => textField(key))
export const CONTACTS = [
  textField('first_name'),
  textField('last_name'),
  textField('email', { constraints: [{ type: 'required' }] }),
  { key: 'amount', type: 'number' },
  textField('reference', { constraints: [{ type: 'required' }], label: 'Reference' }),
]
const ROWS = [
  ['Ada', 'Lovelace', 'ADA@EXAMPLE.COM', '1.234,50 €', 'x'],
  ['Blaise', 'Pascal', 'blaise@example.com', '7', 'y'],
]

interface Sheets {
  workbookId: string
  source: string
  destination: string
  others: string[]
}

interface SheetOptions {
  fields?: object[]
  destination?: object[]
  in?: string
  by?: typeof call
  rows?: readonly (readonly unknown[])[]
  others?: object[]
}

export async function createSheets({
  fields = FILE,
  destination = CONTACTS,
  in: space = spaceId,
  by = call,
  rows = ROWS,
  others = [],
}: SheetOptions = {}): Promise<Sheets> {
  const workbook = await must(
    'POST',
    '/workbooks',
    {
      spaceId: space,
      name: 'Import',
      sheets: [
        { name: 'File', slug: 'file', fields },
        { name: 'Contacts', slug: 'contacts', fields: destination },
        ...others,
      ],
    },
    by,
  )
  const [source, to, ...otherIds] = pluck(workbook.sheets, 'id')
  const keys = (fields as { key: string }[]).map(({ key }) => key)
  const records = rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, { value: row[index] }])))
  if (records.length > 0) await must('POST', `/sheets/${source}/records`, records, by)
  return { workbookId: workbook.id, source, destination: to, others: otherIds }
}

export const buildMappingJob = (
  { workbookId, source, destination }: Omit<Sheets, 'others'>,
  config: object = {},
  more: object = {},
) => ({
  type: 'workbook',
  operation: 'map',
  source: workbookId,
  managed: true,
  destination: workbookId,
  config: { sourceSheetId: source, destinationSheetId: destination, ...config },
  ...more,
})
export const executeJob = async (jobId: string, by = call) => {
  await must('POST', `/jobs/${jobId}/execute`, undefined, by)
  const job = await waitForJob(jobId, by)
  expect(job.info).not.toBe('')
  return job
}
export const readValues = async (sheetId: string, ...keys: string[]) =>
  (await must('GET', `/sheets/${sheetId}/records`)).records.map(
    ({ values }: { values: Record<string, { value: unknown }> }) => keys.map((key) => values[key]!.value),
  )
export const listProgramEvents = (programId: string) => findEvents('domain=program', { programId })
export interface ProgramRule {
  id: string
  type: string
  config: { sourceField: string; destinationField: string }
}
export const getAssignedFields = (rules: ProgramRule[]) =>
  rules.filter(({ type }) => type === 'assign').map(({ config }) => [config.sourceField, config.destinationField])
export const getEdges = (plan: {
  fieldMapping: { sourceField: { key: string }; destinationField: { key: string } }[]
}) => plan.fieldMapping.map(({ sourceField, destinationField }) => [sourceField.key, destinationField.key])

export const SOURCE = { name: 'File', fields: FILE }
export const DESTINATION = { name: 'Contacts', slug: 'contacts', fields: CONTACTS }
export const createProgram = (more: object = {}) =>
  must('POST', '/mapping', { source: SOURCE, destination: DESTINATION, save: true, ...more })
