/** Writes records as a Parquet file: columns typed by field, row group by row group. */
import type { SchemaElement } from 'hyparquet'
import type { Writer } from 'hyparquet-writer'
import { copyRange, type RowFormat, writeString } from '../../records/index.ts'
import { makeUnique } from './names.ts'
import {
  type ColumnKind,
  convertCell,
  getColumnKind,
  holdsAnyValue,
  INVALID,
  toSchemaElement,
} from './parquet-columns.ts'
import { type ExportedSheet, MESSAGES_HEADER, type RowsOptions, streamExportRows } from './rows.ts'

const ROWS_PER_GROUP = 10_000
/** A column of JSON texts: the values by field key that their columns cannot hold. */
const INVALID_COLUMN = '_invalid'
const CREATED_BY = 'Wharf'

export async function* writeParquet(sheet: ExportedSheet, options: RowsOptions): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const table = new Table(sheet, options.messages)
  const bytes: Writer = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: table.schema, createdBy: CREATED_BY })
  for await (const piece of streamExportRows(sheet, createArrayFormat(options.messages), options)) {
    for (const row of parseRows(piece)) {
      table.add(row)
      if (table.rows < ROWS_PER_GROUP) continue
      void writer.write({ columnData: table.takeColumns(), rowGroupSize: ROWS_PER_GROUP })
      yield takeBytes(bytes)
    }
  }
  if (table.rows > 0) void writer.write({ columnData: table.takeColumns(), rowGroupSize: ROWS_PER_GROUP })
  void writer.finish()
  yield takeBytes(bytes)
}

const NULL = Buffer.from('null')
const [COMMA, OPEN, NEWLINE] = [',', '[', '],\n']

function createArrayFormat(messages: boolean): RowFormat {
  return {
    writeRow(out, cells, _, text) {
      writeString(out, OPEN)
      for (let c = 0; c < cells.length; c++) {
        if (c > 0) writeString(out, COMMA)
        const { bytes, from, to } = cells[c]!
        if (from === to) copyRange(out, NULL, 0, NULL.length)
        else copyRange(out, bytes, from, to)
      }
      if (messages) writeString(out, `${cells.length > 0 ? COMMA : ''}${text === '' ? 'null' : JSON.stringify(text)}`)
      writeString(out, NEWLINE)
    },
  }
}

const parseRows = (piece: Buffer): unknown[][] =>
  piece.length === 0 ? [] : JSON.parse(`[${piece.toString('utf8', 0, piece.length - 2)}]`)

class Table {
  readonly schema: SchemaElement[]
  readonly #keys: readonly string[]
  readonly #kinds: readonly ColumnKind[]
  readonly #hasInvalid: boolean
  readonly #hasMessages: boolean
  #columns: unknown[][]

  constructor({ fields }: ExportedSheet, hasMessages: boolean) {
    this.#keys = fields.map(({ key }) => key)
    this.#kinds = fields.map(getColumnKind)
    this.#hasInvalid = !this.#kinds.every(holdsAnyValue)
    this.#hasMessages = hasMessages
    const usedNames = new Set(this.#keys)
    const elements = this.#keys.map((key, at) => toSchemaElement(key, this.#kinds[at]!))
    if (this.#hasInvalid) elements.push(toSchemaElement(makeUnique(usedNames, INVALID_COLUMN), 'text'))
    if (hasMessages) elements.push(toSchemaElement(makeUnique(usedNames, MESSAGES_HEADER), 'text'))
    this.schema = [{ name: 'root', num_children: elements.length }, ...elements]
    this.#columns = elements.map(() => [])
  }

  get rows(): number {
    return this.#columns[0]?.length ?? 0
  }

  add(row: readonly unknown[]): void {
    const invalid: string[] = []
    for (const [at, kind] of this.#kinds.entries()) {
      const value = convertCell(row[at], kind)
      if (value === INVALID) invalid.push(`${JSON.stringify(this.#keys[at])}:${JSON.stringify(row[at])}`)
      this.#columns[at]!.push(value === INVALID ? null : value)
    }
    let next = this.#kinds.length
    if (this.#hasInvalid) this.#columns[next++]!.push(invalid.length > 0 ? `{${invalid}}` : null)
    if (this.#hasMessages) this.#columns[next]!.push(row.at(-1))
  }

  takeColumns(): { name: string; data: unknown[] }[] {
    const columns = this.#columns.map((data, at) => ({ name: this.schema[at + 1]!.name, data }))
    this.#columns = columns.map(() => [])
    return columns
  }
}

function takeBytes(writer: Writer & { index?: number }): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}
