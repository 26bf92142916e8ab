/**
 * Records as rows of values alone: a JSON array a line, in the order of the fields. No key stands in it, so that a field of any
 * key is there; cells are copied from the column texts as bytes.
 */
import { copy, copyPart, put, write } from '../bytes/bytes.ts'
import { cellReader, seek } from '../bytes/cells.ts'
import { processStore, type Store } from '../log/store.ts'
import { effectiveMessages } from '../read/reader.ts'
import type { ListQuery, SheetRef } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'
import { messagesText } from './csv.ts'
import { openSource, streamLines } from './stream.ts'

export interface RowsOptions {
  /** A last value with the record's messages as text, null where it has none. */
  messages?: boolean
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44
const NEWLINE = 10
const NULL = Buffer.from('null')

/**
 * Selected records, a line each, in buffers of 256 KB and more; `query.fields` says in which columns, all of them without it.
 * Without `pageSize` and `pageNumber` all selected records come.
 * @throws ApiError invalid for a field or commit the sheet has not
 */
export async function* streamRows(
  sheet: SheetRef,
  query: ListQuery = {},
  { messages = false }: RowsOptions = {},
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const source = await openSource(sheet, query, store)
  const wanted = query.fields && new Set(query.fields)
  const fields = sheet.fields.filter(({ key }) => !wanted || wanted.has(key))
  const columns = fields.map(({ key }) => source.rules.byKey.get(key)!.column)
  yield* streamLines(source, query, {
    names: messages ? [...columns, MESSAGES] : columns,
    lines: async (open, rows) => {
      const cells = columns.map((column) => cellReader(open, column, rows))
      const messagesOf = messages ? effectiveMessages(open, source.rules) : undefined
      return (out, i) => {
        const row = rows[i]!
        put(out, OPEN)
        cells.forEach((cell, column) => {
          if (column > 0) put(out, COMMA)
          if (cell && seek(cell, i, row)) copyPart(out, cell.bytes, cell.from, cell.to)
          else copy(out, NULL)
        })
        if (messagesOf) {
          const told = messagesOf(row)
          const text = messagesText(fields, (key) => told?.get(key))
          write(out, `${cells.length > 0 ? ',' : ''}${text === '' ? 'null' : JSON.stringify(text)}`)
        }
        put(out, CLOSE)
        put(out, NEWLINE)
      }
    },
  })
}
