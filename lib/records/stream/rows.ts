/** Streams records in a format of the caller, which reads cells as bytes of JSON. */
import type { ByteWriter } from '../columns/byte-writer.ts'
import { MESSAGES } from '../format/column-names.ts'
import { processStore, type Store } from '../log/store.ts'
import { createCellReader, seek } from '../segments/cells.ts'
import { createMessageLookup, type MessageLookup } from '../segments/open.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import { formatMessages } from './csv.ts'
import { openSource, streamLines } from './stream.ts'

/** Bytes [from, to), as JSON.stringify writes the value; none for an empty cell. */
export interface CellRange {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
}

export interface RowFormat {
  /**
   * The cells are in field order, and valid only during the call. `at` is the number of the row in the stream, from 0:
   * sorted rows are not written in their order.
   */
  writeRow(
    out: ByteWriter,
    cells: readonly CellRange[],
    at: number,
    messages: string,
    getCellMessages: GetCellMessages,
  ): void
}

export type GetCellMessages = (column: number) => string

interface RowsOptions {
  messages?: boolean
  bufferBytes?: number | undefined
}

const EMPTY_CELL: CellRange = { bytes: Buffer.alloc(0), from: 0, to: 0 }

/** Streams records in buffers; all selected ones unless a page is requested. */
export async function* streamRows(
  sheet: SheetRef,
  query: ListQuery,
  { writeRow }: RowFormat,
  { messages = false, bufferBytes }: RowsOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const requestedKeys = query.fields && new Set(query.fields)
  const fields = sheet.fields.filter(({ key }) => !requestedKeys || requestedKeys.has(key))
  const columns = fields.map(({ key }) => source.rules.byKey.get(key)!.column)
  yield* streamLines(source, query, {
    names: messages ? [...columns, MESSAGES] : columns,
    bufferBytes,
    lines: async (open, rows) => {
      const readers = columns.map((column) => createCellReader(open, column, rows))
      const cells = readers.map((reader): CellRange => reader ?? EMPTY_CELL)
      const getMessages = messages ? createMessageLookup(open, source.rules) : undefined
      let rowMessages: ReturnType<MessageLookup>
      const getCellMessages: GetCellMessages = (column) =>
        rowMessages
          ?.get(fields[column]!.key)
          ?.map(({ message }) => message)
          .join('\n') ?? ''
      return (out, i, at) => {
        const row = rows[i]!
        for (let c = 0; c < readers.length; c++) {
          const reader = readers[c]
          if (reader) cells[c] = seek(reader, i, row) ? reader : EMPTY_CELL
        }
        rowMessages = getMessages?.(row)
        const text = rowMessages ? formatMessages(fields, (key) => rowMessages?.get(key)) : ''
        writeRow(out, cells, at, text, getCellMessages)
      }
    },
  })
}
