/** Reads nested formats as records in two passes: the first collects tables and columns, the second reads the rows. */

import { MAX_TABLES_PER_FILE } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { CellBuffer } from '../cell-buffer.ts'
import type { Part, Source } from '../source.ts'

export interface Sink {
  start(table: string): void
  /** An empty text only declares the column. */
  value(column: string, text: string): void
  end(): void
}

export type RecordParser = (file: FileBytes, sink: Sink) => AsyncGenerator<number>

interface TableColumns {
  columnIndexes: Map<string, number>
  records: number
}

export async function openRecords(file: FileBytes, parse: RecordParser): Promise<Source> {
  const tables = await collectColumns(file, parse)
  if (tables.size === 0) throw unprocessable(message('files.noRecords'))
  return {
    tables: [...tables].map(([name, { columnIndexes }]) => ({
      ...(name === '' ? {} : { name }),
      header: [...columnIndexes.keys()],
      headerRow: 0,
      headerLines: 0,
      width: Math.max(1, columnIndexes.size),
    })),
    parts: () => readParts(file, parse, tables),
  }
}

async function collectColumns(file: FileBytes, parse: RecordParser): Promise<Map<string, TableColumns>> {
  const tables = new Map<string, TableColumns>()
  let current: TableColumns = { columnIndexes: new Map(), records: 0 }
  for await (const _ of parse(file, {
    start(table) {
      let tableColumns = tables.get(table)
      if (!tableColumns) {
        tableColumns = { columnIndexes: new Map(), records: 0 }
        tables.set(table, tableColumns)
        if (tables.size > MAX_TABLES_PER_FILE + 1)
          throw unprocessable(message('files.tooManyTables', { count: MAX_TABLES_PER_FILE }))
      }
      tableColumns.records++
      current = tableColumns
    },
    value(column) {
      if (current.columnIndexes.has(column)) return
      current.columnIndexes.set(column, current.columnIndexes.size)
      if (current.columnIndexes.size > MAX_FIELDS_PER_SHEET)
        throw unprocessable(
          message('files.tooManyRecordColumns', {
            record: current.records,
            count: current.columnIndexes.size,
            maximum: MAX_FIELDS_PER_SHEET,
          }),
        )
    },
    end() {},
  }));
  return tables
}

async function* readParts(
  file: FileBytes,
  parse: RecordParser,
  tables: ReadonlyMap<string, TableColumns>,
): AsyncGenerator<Part> {
  const buffers = [...tables.values()].map(({ columnIndexes }) => new CellBuffer(Math.max(1, columnIndexes.size)))
  const tableBuffers = new Map(
    [...tables].map(([name, columns], i) => [name, { columns, buffer: buffers[i]!, rows: 0 }]),
  )
  let current: { columns: TableColumns; buffer: CellBuffer; rows: number } | undefined
  let done = 0
  const drainBuffers = function* (includesPartial: boolean): Generator<Part> {
    for (const [table, buffer] of buffers.entries()) {
      if (buffer.length === 0 || !(includesPartial || buffer.isFull)) continue
      yield { table, rows: buffer.rows(), done }
      buffer.drop()
    }
  }
  for await (const bytesDone of parse(file, {
    start(table) {
      current = tableBuffers.get(table)
    },
    value(column, text) {
      if (current && text !== '') current.buffer.text(current.columns.columnIndexes.get(column)!, text)
    },
    end() {
      current?.buffer.endRow(++current.rows)
    },
  })) {
    done = bytesDone / Math.max(1, file.size)
    yield* drainBuffers(false)
  }
  yield* drainBuffers(true)
}
