import { waitForJob } from './activity.ts'
import { type Caller, call, must, spaceId } from './fresh-account.ts'
import { buildMappingJob, createSheets, executeJob, readValues } from './mapping-jobs.ts'

export const text = (key: string) => ({ key, type: 'string' })
export const CONTACTS = [
  text('name'),
  text('city'),
  { key: 'birthday', type: 'date' },
  { key: 'amount', type: 'number' },
]
export const COLUMNS = ['Name', 'Ort', 'Geburtsdatum', 'Betrag']
export const JUNE = [
  ['Ada', 'Muenchen', '01/02/1980', '1.234,50 €'],
  ['Blaise', 'Wien', '02/03/1981', '12,50 €'],
]
export const JULY = [
  ['Carl', 'Muenchen', '04/05/1982', '7,25 €'],
  ['Dora', 'Wien', '31/12/1983', '8,00 €'],
]
export const ASSIGNED = ['name', 'city', 'birthday', 'amount'].map((key, index) => ({
  name: key,
  type: 'assign',
  config: { sourceField: COLUMNS[index], destinationField: key },
}))
export const RULES = [
  ...ASSIGNED,
  {
    name: 'Day first',
    type: 'read',
    config: {
      sourceField: 'destination!birthday',
      destinationField: 'birthday',
      reading: { type: 'date', orders: { '/': 'dmy' } },
    },
  },
]

interface File {
  rows?: readonly (readonly unknown[])[]
  columns?: readonly string[]
  destination?: object[]
  in?: string
}

export const createFile = ({
  rows = JULY,
  columns = COLUMNS,
  destination = CONTACTS,
  in: space = spaceId,
}: File = {}) => createSheets({ fields: columns.map(text), destination, rows, in: space })
export type Sheets = Awaited<ReturnType<typeof createFile>>

/** A slug of its own keeps the automatic recipes of one test from the others. */
export async function createFileFor(slug: string, file: File = {}): Promise<Sheets> {
  const sheets = await createFile(file)
  await must('PATCH', `/sheets/${sheets.destination}`, { slug })
  return sheets
}

export async function importFile(sheets: Sheets, config: object = {}, by: Caller = call) {
  const { id } = await must('POST', '/jobs', buildMappingJob(sheets, config), by)
  const { plan } = await must('GET', `/jobs/${id}/plan`, undefined, by)
  return { job: await executeJob(id, by), plan }
}

export const AMOUNT = { type: 'read', fieldKey: 'amount', reading: { type: 'number', decimalMark: ',', units: ['€'] } }
export const MUNICH = { type: 'replace', fieldKey: 'city', replacements: [{ from: 'Muenchen', to: 'München' }] }
export const edit = (sheetId: string, change: object, query = '') =>
  must('POST', `/sheets/${sheetId}/quality/edit?${query}`, { edit: change })
export const keep = (jobId: string, body: object = {}, by: Caller = call) =>
  by('POST', `/jobs/${jobId}/recipe`, { name: 'Old system', ...body })

export async function workOn(slug: string, by: Caller = call) {
  const sheets = await createFileFor(slug, { rows: JUNE })
  const { job } = await importFile(sheets, { mappingRules: RULES }, by)
  await edit(sheets.destination, AMOUNT)
  const fix = { type: 'sheet', operation: 'edit-values', source: sheets.destination, trigger: 'immediate' }
  await waitForJob((await must('POST', '/jobs', { ...fix, config: { edit: MUNICH } })).id)
  return { sheets, jobId: job.id as string }
}

export async function keepWork(slug: string, body: object = {}) {
  const { sheets, jobId } = await workOn(slug)
  const { data } = (await keep(jobId, body)).body
  return { sheets, jobId, recipeId: data.program.id as string, ...data }
}

export const STEPS = [
  'Put “Name” into “name”',
  'Put “Ort” into “city”',
  'Put “Geburtsdatum” into “birthday”',
  'Put “Betrag” into “amount”',
  'Read “birthday” as dates with the day before the month',
  'Read “amount” as numbers with the decimal mark “,”',
  'In “city”, replace “Muenchen” by “München”',
]
export const READ = [
  ['Carl', 'München', '1982-05-04', 7.25],
  ['Dora', 'Wien', '1983-12-31', 8],
]
export const readAll = (sheetId: string) => readValues(sheetId, 'name', 'city', 'birthday', 'amount')
export const pickTexts = (steps: { text: string }[]) => steps.map((step) => step.text)
export const listProblems = (steps: { text: string; problem?: string }[]) =>
  steps.flatMap((step) => (step.problem ? [[step.text, step.problem]] : []))
