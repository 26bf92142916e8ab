/** `npm run corpus -- --columns [part of a name]`: compares the suggested columns with those meant, without a server. */
import { toTextFields } from '../../lib/files/extract/columns.ts'
import { suggest } from '../../lib/mapping/suggest.ts'
import { MAX_CHECKED_TEXTS } from '../../schemas/programs/limits.ts'
import { Field } from '../../schemas/sheets/fields.ts'
import { readTables } from '../../test/support/read-tables.ts'
import type { MessyFile } from './files.ts'

export interface ColumnCounts {
  fields: number
  found: number
  missed: string[]
  wrong: string[]
  removed: number
  filled: string[]
}

export async function compareColumns(files: readonly MessyFile[]): Promise<ColumnCounts> {
  const counts: ColumnCounts = { fields: 0, found: 0, missed: [], wrong: [], removed: 0, filled: [] }
  for (const [at, file] of files.entries())
    try {
      const read = await readColumns(file)
      compareFile(file, read, counts)
      removeColumn(file, read, at, counts)
    } catch (error) {
      counts.fields += file.fields.length
      counts.missed.push(`${file.name}: ${(error as Error).message}`)
    }
  return counts
}

interface ReadFile {
  columns: Field[]
  destination: Field[]
  samples: Map<string, unknown[]>
}

async function readColumns(file: MessyFile): Promise<ReadFile> {
  const [table] = await readTables(file.name, file.bytes)
  const columns = toTextFields(table!.columns, table!.labels).map((field) => Field.parse(field))
  const rows = table!.rows.slice(0, MAX_CHECKED_TEXTS)
  const samples = new Map(columns.map(({ key }, at) => [key, rows.map((row) => row[at])]))
  return { columns, destination: Field.array().parse(file.fields), samples }
}

const findMeant = ({ columns }: MessyFile, key: string): string | undefined => columns[key]?.replace(/\s+/g, ' ').trim()

function compareFile(file: MessyFile, { columns, destination, samples }: ReadFile, counts: ColumnCounts): void {
  const edges = suggest(columns, destination, { samples })
  const suggested = new Map(edges.map((edge) => [edge.destinationField.key, edge]))
  for (const { key, label } of file.fields) {
    const meant = findMeant(file, key)
    const edge = suggested.get(key)
    const name = `${file.name}: ${key} (${label})`
    counts.fields++
    if (edge?.sourceField.key === meant) counts.found++
    else if (edge) counts.wrong.push(`${name} from ${edge.sourceField.key} ${edge.metadata?.confidence}, not ${meant}`)
    else counts.missed.push(`${name} from ${meant}`)
  }
}

/** Removes the column of one field: then the field should have none. Another one in each file, by its position. */
function removeColumn(
  file: MessyFile,
  { columns, destination, samples }: ReadFile,
  at: number,
  counts: ColumnCounts,
): void {
  const keys = file.fields.map(({ key }) => key).filter((key) => samples.has(findMeant(file, key) ?? ''))
  const key = keys[at % keys.length]!
  const removed = findMeant(file, key)
  const others = columns.filter((column) => column.key !== removed)
  const edge = suggest(others, destination, { samples }).find(({ destinationField }) => destinationField.key === key)
  counts.removed++
  if (edge) counts.filled.push(`${file.name}: ${key} from ${edge.sourceField.key} without ${removed}`)
}
