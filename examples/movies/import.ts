/** Imports the same file twice: as it is written, and with its values read as meant. */
import type { Client } from '../airports/client.ts'
import { Progress } from '../airports/progress.ts'
import { type Counts, extractFile, followJob, startMapping } from '../airports/steps.ts'
import { MOVIES_SHEET } from './movies.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export interface MessyImport {
  asWritten: Counts
  asMeant: Counts
  /** After one edit of the largest group of errors. */
  edited: Counts
  /** The effect of the readings, by field. */
  columns: { destinationField: string; converted: number; examples: { before: unknown; after: unknown }[] }[]
  seconds: number
}

const PAGE_SIZE = 1000

/** Writes the texts of the file as they are. */
async function copyRecords(client: Client, from: Json, to: Json, fields: ReadonlyMap<string, string>): Promise<void> {
  for (let page = 1; ; page++) {
    const { records } = await client.get(`/sheets/${from.id}/records?pageSize=${PAGE_SIZE}&pageNumber=${page}`)
    if (records.length === 0) return
    const rows = records.map(({ values }: Json) =>
      Object.fromEntries([...fields].map(([source, key]) => [key, { value: values[source].value }])),
    )
    await client.post(`/sheets/${to.id}/records`, rows)
  }
}

const countRecords = async (client: Client, sheet: Json): Promise<Counts> =>
  (await client.get(`/sheets/${sheet.id}/counts?byField=true`)).counts

/** A person decides what a whole group of errors means: unrated movies have no rating. */
async function editLargestGroup(client: Client, sheet: Json): Promise<void> {
  const [group] = await client.get(`/sheets/${sheet.id}/quality`)
  const replacements = group.examples.map(({ value }: Json) => ({ from: value, to: null }))
  const edit = { type: 'replace', fieldKey: group.fieldKey, replacements }
  const { version } = await client.post(`/sheets/${sheet.id}/quality/preview-edit`, edit)
  await client.post(`/sheets/${sheet.id}/quality/edit`, { version, edit })
}

export async function importMessyFile(client: Client, environmentId: string, path: string): Promise<MessyImport> {
  const importing = new Progress('Importing a messy file')
  const space = await client.post('/spaces', { environmentId, name: 'Movies' })
  const sheets = [MOVIES_SHEET, { ...MOVIES_SHEET, name: 'Movies as written', slug: 'as-written' }]
  const workbook = await client.post('/workbooks', { spaceId: space.id, name: 'Movies', sheets })
  const [sheet, sheetAsWritten] = workbook.sheets
  const { source } = await extractFile(client, space.id, environmentId, path, importing)
  const { job, plan } = await startMapping(client, source, { ...sheet, workbookId: workbook.id }, importing)
  const fields = new Map<string, string>(
    plan.fieldMapping.map(({ sourceField, destinationField }: Json) => [sourceField.key, destinationField.key]),
  )
  await copyRecords(client, source, sheetAsWritten, fields)
  const { columns } = await client.post(`/jobs/${job.id}/preview`)
  await client.post(`/jobs/${job.id}/execute`)
  await followJob(client, job.id, importing)
  const [asWritten, asMeant] = [await countRecords(client, sheetAsWritten), await countRecords(client, sheet)]
  await editLargestGroup(client, sheet)
  const edited = await countRecords(client, sheet)
  const seconds = importing.done(`${asWritten.error} records with errors as written, ${asMeant.error} as imported`)
  return {
    asWritten,
    asMeant,
    edited,
    columns: columns.map(({ destinationField, converted, examples }: Json) => ({
      ...{ destinationField, converted, examples: examples.converted },
    })),
    seconds,
  }
}
