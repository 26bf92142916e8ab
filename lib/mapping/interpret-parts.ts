/** Reads the texts of JSON Lines. All lines of a request are the evidence. */
import type { Field } from '../../schemas/sheets/fields.ts'
import type { CellInputs, JsonlPart } from '../records/index.ts'
import { interpretRecords } from './interpret-records.ts'

interface WrittenRecord {
  values?: CellInputs | null | undefined
}

export async function* interpretParts(
  fields: readonly Field[],
  parts: AsyncIterable<JsonlPart>,
  thisYear: number,
): AsyncGenerator<JsonlPart> {
  const all: JsonlPart[] = []
  for await (const part of parts) all.push(part)
  const read = interpretRecords(fields, all.flatMap(listRecords), thisYear)
  let at = 0
  for (const part of all) {
    const { length } = listRecords(part)
    yield replaceRecords(part, read.slice(at, at + length))
    at += length
  }
}

function listRecords(part: JsonlPart): WrittenRecord[] {
  if ('updates' in part) return part.updates
  if (!('inserts' in part)) return []
  const { keys, rows } = part.inserts
  return rows.map((row) => ({ values: Object.fromEntries(keys.map((key, index) => [key, { value: row[index] }])) }))
}

function replaceRecords(part: JsonlPart, records: readonly WrittenRecord[]): JsonlPart {
  if ('updates' in part) return { updates: part.updates.map((update, index) => ({ ...update, ...records[index] })) }
  if (!('inserts' in part)) return part
  const { keys } = part.inserts
  return {
    inserts: { ...part.inserts, rows: records.map(({ values }) => keys.map((key) => values?.[key]?.value ?? null)) },
  }
}
