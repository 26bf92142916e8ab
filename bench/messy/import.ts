/** Imports a messy file over HTTP with the mapping as suggested, and compares each cell with what the file means. */
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../examples/airports/client.ts'
import { createSheet, jobs, runJob, uploadAndExtract } from '../../test/support/large-jobs.ts'
import type { Meant, MessyFile } from './files.ts'

export interface Counts {
  files: number
  cells: number
  asMeant: number
  rows: number
  valid: number
  wrong: string[]
  /** Cells that stayed empty or with an error although they have a meaning. */
  missed: string[]
}

export const createCounts = (): Counts => ({
  files: 0,
  cells: 0,
  asMeant: 0,
  rows: 0,
  valid: 0,
  wrong: [],
  missed: [],
})

export function addCounts(sum: Counts, counts: Counts): void {
  for (const key of ['files', 'cells', 'asMeant', 'rows', 'valid'] as const) sum[key] += counts[key]
  sum.wrong.push(...counts.wrong)
  sum.missed.push(...counts.missed)
}

interface Cell {
  value: unknown
  valid: boolean
}
interface ImportedRecord {
  valid: boolean
  values: Record<string, Cell>
}

async function importRecords(client: Client, spaceId: string, file: MessyFile): Promise<ImportedRecord[]> {
  const [source, destination] = await Promise.all([
    uploadAndExtract(client, spaceId, file.bytes, file.name),
    createSheet(client, spaceId, file.fields),
  ])
  await runJob(client, jobs.map(source, destination))
  return (await client.get(`/sheets/${destination.sheetId}/records?pageSize=1000`)).records
}

const isUnreadable = (meant: Meant | undefined): meant is { unreadable: string } =>
  typeof meant === 'object' && meant !== null && 'unreadable' in meant

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

function compareCell(cell: Cell | undefined, meant: Meant, { isAsked, isText }: { isAsked: boolean; isText: boolean }) {
  const value = isEmpty(cell?.value) ? null : cell!.value
  if (isUnreadable(meant)) return value === null ? 'missed' : cell!.valid ? 'wrong' : 'as meant'
  if (isDeepStrictEqual(value, meant)) return 'as meant'
  if (value === null) return 'missed'
  if (isAsked && !cell!.valid) return 'as meant'
  // A text such as `-` that stays in a text field is not converted, nor one with its repeated spaces.
  const staysText = isText && (meant === null || String(value).replace(/ {2,}/g, ' ') === meant)
  return cell!.valid && !staysText ? 'wrong' : 'missed'
}

/** One record too many must not shift all others. */
function removeExtraRecord(records: ImportedRecord[], { rows }: MessyFile): void {
  const isMatch = (record: ImportedRecord, row: Record<string, Meant>): boolean =>
    Object.entries(row).filter(([key, meant]) => isDeepStrictEqual(record.values[key]?.value ?? null, meant)).length *
      2 >
    Object.keys(row).length
  const extra = rows.findIndex((row, index) => !isMatch(records[index]!, row) && isMatch(records[index + 1]!, row))
  if (extra >= 0) records.splice(extra, 1)
}

export async function importMessyFile(client: Client, spaceId: string, file: MessyFile): Promise<Counts> {
  const counts = { ...createCounts(), files: 1 }
  const records = await importRecords(client, spaceId, file).catch((error: Error) => {
    counts.missed.push(`${file.name}: ${error.message}`)
    return []
  })
  const texts = new Set(file.fields.filter(({ type }) => type === 'string').map(({ key }) => key))
  const isRequired = new Set(
    file.fields.filter(({ constraints }) => constraints?.some(({ type }) => type === 'required')).map(({ key }) => key),
  )
  if (records.length > file.rows.length) {
    counts.wrong.push(`${file.name}: ${records.length} records, not ${file.rows.length}`)
    removeExtraRecord(records, file)
  }
  file.rows.forEach((row, index) => {
    const record = records[index]
    for (const [key, meant] of Object.entries(row)) {
      const cell = record?.values[key]
      const result = compareCell(cell, meant, { isAsked: file.asked.includes(key), isText: texts.has(key) })
      counts.cells++
      if (result === 'as meant') counts.asMeant++
      else {
        const text = `${file.name}, row ${index + 1}, ${key}: ${JSON.stringify(cell?.value)}, not ${JSON.stringify(meant)}`
        counts[result].push(text)
      }
    }
    const hasMeaning = Object.entries(row).every(
      ([key, meant]) => !isUnreadable(meant) && !file.asked.includes(key) && !(meant === null && isRequired.has(key)),
    )
    if (!hasMeaning) return
    counts.rows++
    if (record?.valid) counts.valid++
  })
  return counts
}
