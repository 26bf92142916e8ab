/** The records that leave, as values in the order of the fields. */
import { sheetRef } from '../../commits/sheet-ref.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { type ListQuery, streamRows } from '../../records/index.ts'

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

/** Rows in pieces of some hundreds. */
export async function* rowsOf({ sheet, fields, query }: ExportedSheet, messages: boolean): AsyncGenerator<ExportRow[]> {
  let rest = ''
  const only = { ...query, fields: fields.map(({ key }) => key) }
  for await (const bytes of streamRows(sheetRef(sheet), only, { messages })) {
    // Buffers end with a line's end; what does not is kept, should that change.
    const lines = (rest + bytes.toString('utf8')).split('\n')
    rest = lines.pop()!
    yield lines.map((line) => JSON.parse(line))
  }
}
