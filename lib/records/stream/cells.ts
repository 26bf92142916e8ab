import { MESSAGES } from '../format/column-names.ts'
import { processStore, type Store } from '../log/store.ts'
import { createCellReader, seek } from '../segments/cells.ts'
import { createMessageLookup } from '../segments/open.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import { formatMessages } from './csv.ts'
import { openSource, type SelectedSegment, streamSegments } from './stream.ts'

export type AddCell = (bytes: Buffer, from: number, to: number) => void

export interface CellBatch {
  rows: number
  /** Passes the cells of rows [from, to) of a field, by its position in the sheet. */
  visit(field: number, from: number, to: number, add: AddCell): void
  messages(from: number, to: number): string[]
}

const EMPTY = Buffer.alloc(0)

export async function* streamCells(
  sheet: SheetRef,
  { sort: _, ...query }: ListQuery,
  { messages = false } = {},
  store: Store = processStore,
): AsyncGenerator<CellBatch> {
  const source = await openSource(sheet, query, store)
  const requestedKeys = query.fields && new Set(query.fields)
  const fields = sheet.fields.filter(({ key }) => !requestedKeys || requestedKeys.has(key))
  const columns = fields.map(({ key }) => source.rules.byKey.get(key)!.column)
  for await (const { open, rows } of streamSegments(source, query, messages ? [...columns, MESSAGES] : columns))
    yield {
      ...createCellBatch(open, rows, columns),
      messages(from, to) {
        const getMessages = createMessageLookup(open, source.rules)
        return rows.slice(from, to).map((row) => formatMessages(fields, (key) => getMessages(row)?.get(key)))
      },
    }
}

export const createCellBatch = (
  open: SelectedSegment['open'],
  rows: readonly number[],
  columns: readonly string[],
): CellBatch => ({
  rows: rows.length,
  visit: (field, from, to, add) => visitCells(open, columns[field]!, rows.slice(from, to), add),
  messages: () => [],
})

function visitCells(open: SelectedSegment['open'], column: string, rows: readonly number[], add: AddCell): void {
  const reader = createCellReader(open, column, rows)
  for (let i = 0; i < rows.length; i++)
    if (reader && seek(reader, i, rows[i]!)) add(reader.bytes, reader.from, reader.to)
    else add(EMPTY, 0, 0)
}
