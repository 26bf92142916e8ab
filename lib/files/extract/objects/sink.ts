/**
 * Records as formats of nested data have them: values under names, in any order, of tables known by name. Read twice: once
 * to learn the tables and their columns, once for the rows.
 */
import { TABLES_PER_FILE } from '../../../../schemas/files.ts'
import { FIELDS_PER_SHEET } from '../../../../schemas/sheet.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { CellBuffer } from '../cell-buffer.ts'
import type { Part, Source } from '../source.ts'

/** What a parser tells of the records it meets. */
export interface Sink {
  /** @param table its name; empty where the file has but one */
  start(table: string): void
  /** A value of the record that was begun; an empty one says that there is such a column. */
  value(column: string, text: string): void
  end(): void
}

/** Parses a file into a sink; gives after each piece the bytes that are read. */
export type RecordParser = (file: FileBytes, sink: Sink) => AsyncGenerator<number>

interface Columns {
  places: Map<string, number>
  records: number
}

/** @throws ApiError unprocessable for what cannot be parsed, and for a file without records */
export async function openRecords(file: FileBytes, parse: RecordParser): Promise<Source> {
  const tables = await columnsOf(file, parse)
  if (tables.size === 0) throw unprocessable('The file has no records.')
  return {
    tables: [...tables].map(([name, { places }]) => ({
      ...(name === '' ? {} : { name }),
      header: [...places.keys()],
      headerRow: 0,
      width: Math.max(1, places.size),
    })),
    parts: () => partsOf(file, parse, tables),
  }
}

async function columnsOf(file: FileBytes, parse: RecordParser): Promise<Map<string, Columns>> {
  const tables = new Map<string, Columns>()
  let open: Columns = { places: new Map(), records: 0 }
  for await (const _ of parse(file, {
    start(table) {
      let found = tables.get(table)
      if (!found) {
        found = { places: new Map(), records: 0 }
        tables.set(table, found)
        if (tables.size > TABLES_PER_FILE + 1)
          throw unprocessable(`The file has more than ${TABLES_PER_FILE} tables; at most that many become sheets.`)
      }
      found.records++
      open = found
    },
    value(column) {
      if (open.places.has(column)) return
      open.places.set(column, open.places.size)
      if (open.places.size > FIELDS_PER_SHEET)
        throw unprocessable(
          `With record ${open.records} there are ${open.places.size} columns; a sheet has at most ${FIELDS_PER_SHEET}.`,
        )
    },
    end() {},
  }));
  return tables
}

async function* partsOf(
  file: FileBytes,
  parse: RecordParser,
  tables: ReadonlyMap<string, Columns>,
): AsyncGenerator<Part> {
  const buffers = [...tables.values()].map(({ places }) => new CellBuffer(Math.max(1, places.size)))
  const places = new Map([...tables].map(([name, columns], i) => [name, { columns, buffer: buffers[i]!, rows: 0 }]))
  let open: { columns: Columns; buffer: CellBuffer; rows: number } | undefined
  let done = 0
  const taken = function* (all: boolean): Generator<Part> {
    for (const [table, buffer] of buffers.entries()) {
      if (buffer.length === 0 || !(all || buffer.isFull)) continue
      yield { table, rows: buffer.rows(), done }
      buffer.drop()
    }
  }
  for await (const bytesDone of parse(file, {
    start(table) {
      open = places.get(table)
    },
    value(column, text) {
      if (open && text !== '') open.buffer.text(open.columns.places.get(column)!, text)
    },
    end() {
      open?.buffer.endRow(++open.rows)
    },
  })) {
    done = bytesDone / Math.max(1, file.size)
    yield* taken(false)
  }
  yield* taken(true)
}
