/** Records as JSON arrays, one per line, in field order. Without keys, a field can have any key. */
import { copyRange, writeByte, writeBytes, writeString } from '../columns/byte-writer.ts'
import { MESSAGES } from '../format/column-names.ts'
import { processStore, type Store } from '../log/store.ts'
import { createCellReader, seek } from '../segments/cells.ts'
import { createMessageLookup } from '../segments/open.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import { formatMessages } from './csv.ts'
import { openSource, streamLines } from './stream.ts'

export interface RowsOptions {
  /** Adds a last value with the record's messages as text, or null. */
  messages?: boolean
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44
const NEWLINE = 10
const NULL = Buffer.from('null')

/** Streams records in buffers of at least 256 KB; all selected ones unless a page is requested. */
export async function* streamRows(
  sheet: SheetRef,
  query: ListQuery = {},
  { messages = false }: RowsOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const requestedKeys = query.fields && new Set(query.fields)
  const fields = sheet.fields.filter(({ key }) => !requestedKeys || requestedKeys.has(key))
  const columns = fields.map(({ key }) => source.rules.byKey.get(key)!.column)
  yield* streamLines(source, query, {
    names: messages ? [...columns, MESSAGES] : columns,
    lines: async (open, rows) => {
      const cells = columns.map((column) => createCellReader(open, column, rows))
      const getMessages = messages ? createMessageLookup(open, source.rules) : undefined
      return (out, i) => {
        const row = rows[i]!
        writeByte(out, OPEN)
        cells.forEach((cell, column) => {
          if (column > 0) writeByte(out, COMMA)
          if (cell && seek(cell, i, row)) copyRange(out, cell.bytes, cell.from, cell.to)
          else writeBytes(out, NULL)
        })
        if (getMessages) {
          const rowMessages = getMessages(row)
          const text = formatMessages(fields, (key) => rowMessages?.get(key))
          writeString(out, `${cells.length > 0 ? ',' : ''}${text === '' ? 'null' : JSON.stringify(text)}`)
        }
        writeByte(out, CLOSE)
        writeByte(out, NEWLINE)
      }
    },
  })
}
