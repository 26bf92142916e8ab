/** The records that leave, as values in the order of the fields. */
import { sheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type ListQuery, messagesText, streamJsonl } from '../../records/index.ts'

export type ExportField = StoredSheet['config']['fields'][number]

export interface ExportedSheet {
  sheet: StoredSheet
  fields: readonly ExportField[]
  query: ListQuery
}

/** A last column with messages is called so. */
export const MESSAGES_HEADER = 'Messages'

/** A record's values; with `messages` their text as a last one. */
export type ExportRow = unknown[]

interface Line {
  [key: string]: unknown
  __i?: Record<string, { message: string }[]>
}

/** Rows in pieces of some hundreds. */
export async function* rowsOf({ sheet, fields, query }: ExportedSheet, messages: boolean): AsyncGenerator<ExportRow[]> {
  const options = { includeEmptyCells: true, includeMessages: messages, noContext: true }
  let rest = ''
  for await (const bytes of streamJsonl(sheetRef(sheet), { ...query, fields: fields.map(({ key }) => key) }, options)) {
    // Buffers end with a line's end; what does not is kept, should that change.
    const lines = (rest + bytes.toString('utf8')).split('\n')
    rest = lines.pop()!
    yield lines.map((line) => rowOf(JSON.parse(line), fields, messages))
  }
}

function rowOf(line: Line, fields: readonly ExportField[], messages: boolean): ExportRow {
  const row: ExportRow = fields.map(({ key }) => cellValue(line[key]))
  const { __i: told = {} } = line
  if (messages) row.push(messagesText(fields, (key) => told[key]) || null)
  return row
}

/** An object stands as a cell, so that it is told from one. */
function cellValue(value: unknown): unknown {
  if (value === undefined) return null
  return isObject(value) && 'value' in value ? value.value : value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
