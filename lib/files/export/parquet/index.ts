import { toSheetRef } from '../../../commits/sheet-ref.ts'
import {
  type ByteWriter,
  type CellBatch,
  copyRange,
  type RowFormat,
  reserve,
  streamCells,
} from '../../../records/index.ts'
import { type ExportedSheet, type RowsOptions, streamExportRows } from '../rows.ts'
import { ParquetTable } from './table.ts'

export async function* writeParquet(sheet: ExportedSheet, options: RowsOptions): AsyncGenerator<Uint8Array> {
  const table = new ParquetTable(sheet.fields, { hasMessages: options.messages })
  yield* sheet.query.sort ? writeSorted(table, sheet, options) : writeInOrder(table, sheet, options)
  yield table.finish()
}

async function* writeInOrder(
  table: ParquetTable,
  { sheet, fields, query }: ExportedSheet,
  { messages, onRows }: RowsOptions,
): AsyncGenerator<Uint8Array> {
  const fieldQuery = { ...query, fields: fields.map(({ key }) => key) }
  for await (const batch of streamCells(toSheetRef(sheet), fieldQuery, { messages })) {
    await onRows(batch.rows)
    for (let from = 0; from < batch.rows; ) {
      const to = Math.min(batch.rows, from + table.room)
      addRows(table, batch, from, to, messages)
      if (table.isFull) yield table.takeGroup()
      from = to
    }
  }
}

function addRows(table: ParquetTable, batch: CellBatch, from: number, to: number, hasMessages: boolean): void {
  for (let field = 0; field < table.fieldCount; field++)
    batch.visit(field, from, to, (json, start, end) => table.addCell(field, json, start, end))
  table.endRows(to - from, hasMessages ? batch.messages(from, to) : undefined)
}

async function* writeSorted(
  table: ParquetTable,
  sheet: ExportedSheet,
  options: RowsOptions,
): AsyncGenerator<Uint8Array> {
  for await (const piece of streamExportRows(sheet, createBinaryFormat(options.messages), options))
    for (let at = 0; at < piece.length; ) {
      at = addRow(table, piece, at, options.messages)
      if (table.isFull) yield table.takeGroup()
    }
}

const LENGTH_BYTES = 4

const createBinaryFormat = (hasMessages: boolean): RowFormat => ({
  writeRow(out, cells, _, text) {
    for (const { bytes, from, to } of cells) {
      writeLength(out, to - from)
      copyRange(out, bytes, from, to)
    }
    if (!hasMessages) return
    const messages = Buffer.from(text)
    writeLength(out, messages.length)
    copyRange(out, messages, 0, messages.length)
  },
})

function writeLength(out: ByteWriter, length: number): void {
  reserve(out, LENGTH_BYTES)
  out.length = out.bytes.writeUInt32LE(length, out.length)
}

function addRow(table: ParquetTable, bytes: Buffer, start: number, hasMessages: boolean): number {
  let at = start
  const next = (): number => {
    const from = at + LENGTH_BYTES
    at = from + bytes.readUInt32LE(at)
    return from
  }
  for (let field = 0; field < table.fieldCount; field++) table.addCell(field, bytes, next(), at)
  table.endRows(1, hasMessages ? [bytes.toString('utf8', next(), at)] : undefined)
  return at
}
