/** Reads Parquet files page by page. Columns become text in the same form as in JSON files. */
import { type ColumnChunk, type FileMetaData, parquetMetadata, type RowGroup } from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { MAX_PARQUET_BUFFER_BYTES, MAX_PARQUET_FOOTER_BYTES } from '../../../../schemas/files/shape.ts'
import { VALUE_BYTES } from '../../../../schemas/kit/byte-limits.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { mapConcurrent } from '../../../core/concurrency.ts'
import { type ApiError, unprocessable } from '../../../core/errors.ts'
import { getRecordsPerSheet } from '../../../core/records-per-sheet.ts'
import type { FileBytes } from '../bytes.ts'
import { CellBuffer } from '../cell-buffer.ts'
import { isDecodingError } from '../decoding-error.ts'
import { TextlessValueError } from '../exact-text.ts'
import type { Part, Source } from '../source.ts'
import { DamagedPageError } from './bytes.ts'
import { Budget, type ByteRange, PageReader } from './pages.ts'
import { type Column, planColumns } from './schema.ts'
import { measureStruct, ThriftError } from './thrift.ts'
import { MISSING_VALUE } from './values.ts'

const SIGNATURE = 'PAR1'
const ENCRYPTED_SIGNATURE = 'PARE'
const TAIL_BYTES = 8
const MAX_FOOTER_ELEMENTS = 2_000_000
const CONCURRENT_READS = 8
const MAX_GROUP_BYTES = 8 * 1024 * 1024

/** @throws ApiError unprocessable with the reason the file cannot be read */
export async function openParquet(file: FileBytes): Promise<Source> {
  const metadata = await readMetadata(file)
  const columns = decode(() => planColumns(metadata))
  const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
  const limit = getRecordsPerSheet()
  if (rows > limit) throw unprocessable(message('files.tooManyRows', { count: limit }))
  return {
    tables: [{ header: columns.map(({ name }) => name), headerRow: 0, headerLines: 0, width: columns.length }],
    parts: () => readParts(file, metadata.row_groups, columns, rows),
  }
}

async function readMetadata(file: FileBytes): Promise<FileMetaData> {
  const tail = await file.range(Math.max(0, file.size - TAIL_BYTES), file.size)
  const signature = tail.toString('latin1', 4)
  if (signature === ENCRYPTED_SIGNATURE) throw unprocessable(message('files.parquetEncrypted'))
  if (signature !== SIGNATURE) throw createDamagedError('it ends early')
  const length = tail.readUInt32LE(0)
  if (length > MAX_PARQUET_FOOTER_BYTES)
    throw unprocessable(message('files.parquetFooterTooLarge', { count: length, maximum: MAX_PARQUET_FOOTER_BYTES }))
  if (length + TAIL_BYTES + SIGNATURE.length > file.size) throw createDamagedError('its footer exceeds the file')
  const footer = await file.range(file.size - length - TAIL_BYTES, file.size)
  return decode(() => {
    measureStruct(footer.subarray(0, length), 0, MAX_FOOTER_ELEMENTS)
    const metadata = parquetMetadata(footer, { geoparquet: false, parsers: PLAIN_PARSERS })
    const groups = metadata.row_groups.filter(({ num_rows }) => num_rows !== 0n)
    for (const group of groups) assertReadable(group, file.size)
    return { ...metadata, row_groups: groups }
  })
}

/** Statistics are not used, and their conversion fails for values out of range. */
const PLAIN_PARSERS = {
  ...DEFAULT_PARSERS,
  jsonFromBytes: () => undefined,
  geometryFromBytes: () => undefined,
  geographyFromBytes: () => undefined,
}

function assertReadable({ columns, num_rows }: RowGroup, size: number): void {
  if (!Number.isSafeInteger(Number(num_rows)) || num_rows < 0) throw new DamagedPageError('a row group is invalid')
  for (const chunk of columns) {
    if (chunk.crypto_metadata || !chunk.meta_data) throw unprocessable(message('files.parquetEncrypted'))
    const { start, end } = getSpan(chunk)
    if (chunk.file_path || !(start >= SIGNATURE.length && start <= end && end <= size))
      throw new DamagedPageError('a column exceeds the file')
  }
}

function getSpan({ meta_data }: ColumnChunk): { start: number; end: number } {
  const { dictionary_page_offset, data_page_offset, total_compressed_size } = meta_data!
  const hasDictionary = dictionary_page_offset !== undefined && dictionary_page_offset > 0
  const start = Number(
    hasDictionary && dictionary_page_offset < data_page_offset ? dictionary_page_offset : data_page_offset,
  )
  return { start, end: start + Number(total_compressed_size) }
}

async function* readParts(
  file: FileBytes,
  groups: readonly RowGroup[],
  columns: readonly Column[],
  total: number,
): AsyncGenerator<Part> {
  const buffer = new CellBuffer(columns.length)
  const budget = new Budget()
  let row = 0
  for (const group of groups) {
    const bytes = await prefetch(file, group)
    const readers = columns.map((column) => decode(() => new ColumnReader(bytes, column, group, budget)))
    for (let left = Number(group.num_rows); left > 0; ) {
      await mapConcurrent(CONCURRENT_READS, readers, (reader) => reader.load())
      const count = Math.min(left, ...readers.map((reader) => reader.available))
      for (let i = 0; i < count; i++) {
        row++
        for (const [column, reader] of readers.entries()) buffer.text(column, reader.take(row))
        buffer.endRow(row)
        if (!buffer.isFull) continue
        yield { table: 0, rows: buffer.rows(), done: row / total }
        buffer.drop()
      }
      left -= count
    }
    for (const reader of readers) reader.release()
  }
  if (buffer.length > 0) yield { table: 0, rows: buffer.rows(), done: 1 }
}

async function prefetch(file: FileBytes, { columns }: RowGroup): Promise<ByteRange> {
  const spans = columns.map(getSpan)
  const start = Math.min(...spans.map((span) => span.start))
  const end = Math.max(...spans.map((span) => span.end))
  if (!(end - start <= MAX_GROUP_BYTES)) return file
  const bytes = await file.range(start, end)
  return { range: async (from, to) => bytes.subarray(from - start, to - start) }
}

class ColumnReader {
  readonly #column: Column
  readonly #pages: PageReader[]
  #values: ArrayLike<unknown> = []
  #at = 0

  constructor(file: ByteRange, column: Column, group: RowGroup, budget: Budget) {
    this.#column = column
    this.#pages = column.leaves.map((leaf) => {
      const chunk = group.columns[leaf.index]
      if (!chunk) throw new DamagedPageError('a row group lacks a column')
      const maxValues = column.toJson ? MAX_PARQUET_BUFFER_BYTES : Number(group.num_rows)
      const meta = chunk.meta_data!
      return new PageReader(file, leaf, { name: column.name, meta, maxValues, span: getSpan(chunk), budget })
    })
  }

  get available(): number {
    return this.#values.length - this.#at
  }

  async load(): Promise<void> {
    while (this.available === 0) {
      const values = await decodeAsync(() => (this.#column.toJson ? this.#loadNested() : this.#pages[0]!.next()))
      if (!values) throw createDamagedError('a column has too few rows')
      this.#values = values
      this.#at = 0
    }
  }

  /** Lists may span pages, so all pages of a row group are read together. */
  async #loadNested(): Promise<unknown[] | undefined> {
    const { node, leaves, depth } = this.#column
    const data = new Map<string, unknown[]>()
    for (const [i, leaf] of leaves.entries()) {
      const values: unknown[] = []
      let isEmpty = true
      while (await this.#pages[i]!.next(values)) isEmpty = false
      if (isEmpty) return undefined
      data.set(leaf.path.at(-1)!.path.join('.'), values)
    }
    assembleNested(data, node, DEFAULT_PARSERS, depth)
    return data.get(node.path.join('.'))
  }

  take(row: number): string {
    const { toJson, depth, leaves, name } = this.#column
    try {
      const value = unwrap(this.#values[this.#at++], toJson ? depth : Number.POSITIVE_INFINITY)
      if (value === null) return ''
      const text = toJson ? (toJson(value) ?? '') : toText(value, leaves[0]!.type)
      if (text.length > VALUE_BYTES)
        throw unprocessable(message('files.recordValueTooLong', { record: row, count: VALUE_BYTES }))
      return text
    } catch (error) {
      if (error instanceof TextlessValueError) throw unprocessable(message('files.columnValue', { row, column: name }))
      throw toFileError(error)
    }
  }

  release(): void {
    for (const pages of this.#pages) pages.release()
  }
}

function toText(value: unknown, type: Column['leaves'][number]['type']): string {
  if (value === undefined || value === MISSING_VALUE)
    throw new DamagedPageError('a value is missing from its dictionary')
  return typeof value === 'string' ? value : type.toText(value)
}

/** hyparquet wraps each value in a list for every optional struct around it. */
function unwrap(value: unknown, depth: number): unknown {
  let inner = value
  for (let level = 0; level < depth && Array.isArray(inner); level++) inner = inner.length === 0 ? null : inner[0]
  return inner
}

const createDamagedError = (problem: string): ApiError => unprocessable(message('files.parquetDamaged', { problem }))

function toFileError(error: unknown): unknown {
  const isDamage = error instanceof DamagedPageError || error instanceof ThriftError || isDecodingError(error)
  return isDamage ? createDamagedError(error.message) : error
}

function decode<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toFileError(error)
  }
}

async function decodeAsync<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFileError(error)
  }
}
