import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { makeUnique } from '../names.ts'
import { type ExportField, MESSAGES_HEADER } from '../rows.ts'
import { type ColumnKind, getColumnKind, holdsAnyValue, toSchemaElement } from './columns.ts'
import { writeColumnChunk } from './encode.ts'
import { addCell, addValue, type ColumnValues, clearValues, createColumnValues } from './values.ts'

const MAX_GROUP_ROWS = 10_000
const MAX_GROUP_BYTES = 32 * 1024 * 1024
const INVALID_COLUMN = '_invalid'
const CREATED_BY = 'Wharf'

interface TableOptions {
  hasMessages?: boolean
  /** By column: the ids of an Iceberg schema, which has no type for JSON. */
  fieldIds?: ReadonlyMap<string, number>
}

export function listColumns(fields: readonly ExportField[], hasMessages = false): { name: string; kind: ColumnKind }[] {
  const columns = fields.map((field) => ({ name: field.key, kind: getColumnKind(field) }))
  const usedNames = new Set(columns.map(({ name }) => name))
  const added = [
    ...(columns.every(({ kind }) => holdsAnyValue(kind)) ? [] : [INVALID_COLUMN]),
    ...(hasMessages ? [MESSAGES_HEADER] : []),
  ]
  return [...columns, ...added.map((name) => ({ name: makeUnique(usedNames, name), kind: 'text' as const }))]
}

export class ParquetTable {
  readonly fieldCount: number
  readonly #keys: readonly string[]
  readonly #columns: readonly ColumnValues[]
  readonly #schema: readonly SchemaElement[]
  readonly #invalidColumn: ColumnValues | undefined
  readonly #messagesColumn: ColumnValues | undefined
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter
  readonly #invalid = new Map<number, string[]>()
  #rows = 0
  #size = 0

  constructor(fields: readonly ExportField[], { hasMessages = false, fieldIds }: TableOptions = {}) {
    const columns = listColumns(fields, hasMessages)
    this.fieldCount = fields.length
    this.#keys = fields.map(({ key }) => key)
    this.#schema = columns.map(({ name, kind }) => ({
      ...toSchemaElement(name, fieldIds && kind === 'json' ? 'text' : kind),
      ...(fieldIds ? { field_id: fieldIds.get(name)! } : {}),
    }))
    this.#columns = columns.map(({ kind }) => createColumnValues(kind, MAX_GROUP_ROWS))
    this.#messagesColumn = hasMessages ? this.#columns.at(-1) : undefined
    this.#invalidColumn =
      columns.length > fields.length + (hasMessages ? 1 : 0) ? this.#columns[fields.length] : undefined
    const schema = [{ name: 'root', num_children: this.#schema.length }, ...this.#schema]
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: CREATED_BY })
  }

  addCell(field: number, json: Buffer, from: number, to: number): void {
    const values = this.#columns[field]!
    this.#size += to - from
    if (addCell(values, json, from, to)) return
    const cell = `${JSON.stringify(this.#keys[field])}:${json.toString('utf8', from, to)}`
    const row = values.rows - 1
    const texts = this.#invalid.get(row)
    if (texts) texts.push(cell)
    else this.#invalid.set(row, [cell])
  }

  endRows(count: number, messages?: readonly string[]): void {
    if (this.#columns.length === 0) return
    for (let i = 0; i < count; i++, this.#rows++) {
      const invalid = this.#invalid.get(this.#rows)
      if (this.#invalidColumn) addValue(this.#invalidColumn, invalid ? `{${invalid}}` : null)
      if (this.#messagesColumn) addValue(this.#messagesColumn, messages?.[i] || null)
    }
  }

  get room(): number {
    return MAX_GROUP_ROWS - this.#rows
  }

  get isFull(): boolean {
    return this.#rows === MAX_GROUP_ROWS || this.#size >= MAX_GROUP_BYTES
  }

  takeGroup(): Uint8Array {
    const start = this.#bytes.offset
    const columns = this.#columns.map((values, at) => writeColumnChunk(this.#bytes, this.#schema[at]!, values))
    const uncompressed = columns.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n)
    this.#writer.row_groups.push({
      columns,
      num_rows: BigInt(this.#rows),
      total_byte_size: uncompressed,
      total_compressed_size: BigInt(this.#bytes.offset - start),
    })
    this.#writer.num_rows += BigInt(this.#rows)
    this.#columns.forEach(clearValues)
    this.#invalid.clear()
    this.#rows = this.#size = 0
    return this.#takeBytes()
  }

  finish(): Uint8Array {
    const group = this.#rows > 0 ? this.takeGroup() : new Uint8Array()
    void this.#writer.finish()
    return Buffer.concat([group, this.#takeBytes()])
  }

  #takeBytes(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    return bytes
  }
}
