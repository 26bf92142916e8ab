/** Reads Arrow and Feather files batch by batch. Columns become text in the same form as in Parquet files. */
import type { Batch, Field } from '@uwdata/flechette'
import { createTable } from '@uwdata/flechette/src/decode/table-from-ipc.js'
import { MAX_ARCHIVE_BYTES, MAX_ARROW_BUFFER_BYTES } from '../../../../schemas/files/shape.ts'
import { VALUE_BYTES } from '../../../../schemas/kit/byte-limits.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { getRecordsPerSheet } from '../../../core/records-per-sheet.ts'
import type { FileBytes } from '../bytes.ts'
import { CellBuffer } from '../cell-buffer.ts'
import { TextlessValueError } from '../exact-text.ts'
import type { Part, Source } from '../source.ts'
import { type Column, type Plan, planColumns } from './columns.ts'
import { registerCodecs } from './compression.ts'
import { createDamagedError, decode, toFileError } from './damage.ts'
import { type BatchMessage, type Messages, openMessages } from './messages.ts'
import { assertShape } from './shape.ts'
import { TextTooLongError, toText } from './text.ts'
import { isNull } from './values.ts'

const PREFIX_BYTES = 8
const STORED_BUFFER = -1n
/** An estimate of the objects for a part of a dictionary. */
const DICTIONARY_PART_BYTES = 4096

/** @throws ApiError unprocessable with the reason the file cannot be read */
export async function openArrow(file: FileBytes): Promise<Source> {
  registerCodecs()
  const messages = await openMessages(file)
  const plan = decode(() => planColumns(messages.schema))
  const header = plan.columns.map(({ name }) => name)
  return {
    tables: [{ header, headerRow: 0, headerLines: 0, width: header.length }],
    parts: () => readParts(messages, plan),
  }
}

async function* readParts(messages: Messages, plan: Plan): AsyncGenerator<Part> {
  const loader = new BatchLoader(plan)
  const buffer = new CellBuffer(plan.columns.length)
  let [row, done] = [0, 0]
  for await (const found of messages.batches()) {
    if (found.dictionary) {
      loader.loadDictionary(found)
      continue
    }
    const count = found.batch.length ?? 0
    if (!(count >= 0 && row + count <= getRecordsPerSheet()))
      throw unprocessable(message('files.tooManyRows', { count: getRecordsPerSheet() }))
    const cells = loader.loadRows(found, count)
    for (let at = 0; at < count; at++) {
      row++
      for (const [column, cell] of cells.entries()) buffer.text(column, readCell(cell, at, row))
      buffer.endRow(row)
      if (!buffer.isFull) continue
      yield { table: 0, rows: buffer.rows(), done: done + ((found.done - done) * (at + 1)) / count }
      buffer.drop()
    }
    done = found.done
  }
  if (buffer.length > 0) yield { table: 0, rows: buffer.rows(), done: 1 }
}

interface CellReader {
  column: Column
  structs: Batch<unknown>[]
  batch: Batch<unknown>
}

class BatchLoader {
  readonly #plan: Plan
  #unpacked = 0

  constructor(plan: Plan) {
    this.#plan = plan
  }

  loadDictionary(found: BatchMessage): void {
    const { id, isDelta } = found.dictionary!
    const dictionary = this.#plan.dictionaries.get(id)
    if (!dictionary) return
    const bytes = this.#reserve(found, isDelta ? 0 : dictionary.bytes)
    const [batch] = load(found, [dictionary.field], found.batch.length ?? 0)
    if (isDelta && dictionary.isEmpty) throw createDamagedError('a dictionary is missing')
    if (isDelta) dictionary.extend(batch!)
    else dictionary.replace(batch!)
    for (const known of this.#plan.dictionaries.values()) known.forgetTexts()
    dictionary.bytes = isDelta ? dictionary.bytes + bytes : bytes
  }

  loadRows(found: BatchMessage, count: number): CellReader[] {
    this.#reserve(found, 0)
    const batches = load(found, this.#plan.fields, count)
    return this.#plan.columns.map((column) => {
      const structs: Batch<unknown>[] = []
      let batch = batches[column.path[0]!]!
      for (const index of column.path.slice(1)) {
        structs.push(batch)
        batch = batch.children[index]!
      }
      return { column, structs, batch }
    })
  }

  #reserve({ batch, body }: BatchMessage, released: number): number {
    const unpacked = decode(() => measureUnpacked(batch, body))
    const held = [...this.#plan.dictionaries.values()].reduce((sum, { bytes }) => sum + bytes, body.length + unpacked)
    if (held - released > MAX_ARROW_BUFFER_BYTES)
      throw unprocessable(message('files.arrowBufferTooLarge', { count: MAX_ARROW_BUFFER_BYTES }))
    this.#unpacked += unpacked
    if (this.#unpacked > MAX_ARCHIVE_BYTES)
      throw unprocessable(message('files.archiveTooLarge', { count: MAX_ARCHIVE_BYTES }))
    return body.length + unpacked + DICTIONARY_PART_BYTES
  }
}

function measureUnpacked({ regions, compression }: BatchMessage['batch'], body: Uint8Array): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  let unpacked = 0
  for (const { offset, length } of regions) {
    const isInside = offset >= 0 && length >= 0 && offset % PREFIX_BYTES === 0 && offset + length <= body.length
    if (!isInside && length !== 0) throw createDamagedError('a buffer exceeds its batch')
    if (!compression || length === 0) continue
    const size = view.getBigInt64(offset, true)
    if (length < PREFIX_BYTES || size < STORED_BUFFER) throw createDamagedError('a buffer has an invalid size')
    unpacked += size === STORED_BUFFER ? 0 : Number(size)
  }
  return unpacked
}

function load({ batch, body }: BatchMessage, fields: Field[], count: number): Batch<unknown>[] {
  const records = [{ ...batch, regions: batch.regions.map(toSafeRegion), body }]
  return decode(() => {
    const { children } = createTable({ schema: { fields }, dictionaries: [], records, metadata: null }, OPTIONS)
    const batches = children.map(({ data }) => data[0] as Batch<unknown>)
    for (const loaded of batches) assertShape(loaded, count)
    return batches
  })
}

const OPTIONS = { useDecimalInt: true }

const toSafeRegion = (region: { offset: number; length: number }) =>
  region.length === 0 ? { offset: 0, length: 0 } : region

function readCell({ column, structs, batch }: CellReader, at: number, row: number): string {
  if (structs.some((struct) => isNull(struct, at))) return ''
  try {
    return toText(column.node, batch, at)
  } catch (error) {
    if (error instanceof TextlessValueError)
      throw unprocessable(message('files.columnValue', { row, column: column.name }))
    if (error instanceof TextTooLongError)
      throw unprocessable(message('files.recordValueTooLong', { record: row, count: VALUE_BYTES }))
    throw toFileError(error)
  }
}
