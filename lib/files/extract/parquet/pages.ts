/** Reads the pages of a column chunk. Sizes are checked first, because hyparquet allocates what a page declares. */
import { brotliDecompressSync, crc32, gunzipSync } from 'node:zlib'
import { type ColumnMetaData, snappyUncompress } from 'hyparquet'
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors'
import { MAX_ARCHIVE_BYTES, MAX_PARQUET_BUFFER_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { TextlessValueError } from '../exact-text.ts'
import { DamagedPageError, toView } from './bytes.ts'
import { assertDeltas } from './deltas.ts'
import { createTypeError, type Leaf } from './schema.ts'
import { measureStruct, ThriftEndError } from './thrift.ts'
import { MISSING_VALUE } from './values.ts'
import { unpackZstd } from './zstd.ts'

export interface ByteRange {
  range(start: number, end: number): Promise<Uint8Array>
}

const READ_AHEAD_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 1024 * 1024
const MAX_HEADER_ELEMENTS = 1000
const MAX_BIT_WIDTH = 24
const VALUE_SLOT_BYTES = 8
const MAX_SPARE_INDEXES = 4

export class Budget {
  #held = 0
  #unpacked = 0

  replace(before: number, after: number, unpacked: number): void {
    this.#held += after - before
    this.#unpacked += unpacked
    if (this.#held > MAX_PARQUET_BUFFER_BYTES)
      throw unprocessable(message('files.parquetBufferTooLarge', { count: MAX_PARQUET_BUFFER_BYTES }))
    if (this.#unpacked > MAX_ARCHIVE_BYTES)
      throw unprocessable(message('files.archiveTooLarge', { count: MAX_ARCHIVE_BYTES }))
  }
}

type PageHeader = ReturnType<typeof parquetHeader>

export class PageReader {
  readonly #file: ByteRange
  readonly #leaf: Leaf
  readonly #name: string
  readonly #meta: ColumnMetaData
  readonly #maxValues: number
  readonly #budget: Budget
  #position: number
  readonly #end: number
  #bytes: Uint8Array = new Uint8Array()
  #dictionary: unknown[] | undefined
  #dictionarySize = 0
  #dictionaryCost = 0
  #pageCost = 0

  constructor(
    file: ByteRange,
    leaf: Leaf,
    {
      name,
      meta,
      maxValues,
      span,
      budget,
    }: {
      name: string
      meta: ColumnMetaData
      maxValues: number
      span: { start: number; end: number }
      budget: Budget
    },
  ) {
    this.#file = file
    this.#leaf = leaf
    this.#name = name
    this.#meta = meta
    this.#maxValues = maxValues
    this.#budget = budget
    this.#position = span.start
    this.#end = span.end
  }

  /** Releases the last page. Values of a dictionary are texts. Undefined after the last page. */
  async next(previous?: unknown[]): Promise<unknown[] | undefined> {
    while (this.#position < this.#end) {
      const { header, packed } = await this.#readPacked()
      if (header.type === 'DICTIONARY_PAGE') this.#readDictionary(header, packed)
      else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2')
        return this.#readData(header, packed, previous)
    }
    return undefined
  }

  release(): void {
    this.#budget.replace(this.#pageCost + this.#dictionaryCost, 0, 0)
    this.#pageCost = 0
    this.#dictionaryCost = 0
  }

  async #readPacked(): Promise<{ header: PageHeader; packed: Uint8Array }> {
    const length = await this.#measureHeader()
    const header = parquetHeader({ view: toView(this.#bytes), offset: 0 })
    this.#bytes = this.#bytes.subarray(length)
    this.#position += length
    const { compressed_page_size: packedSize, uncompressed_page_size: size } = header
    if (!isSize(packedSize) || !isSize(size) || this.#position + packedSize > this.#end)
      throw new DamagedPageError('a page exceeds its column')
    if (size > MAX_PARQUET_BUFFER_BYTES) this.#budget.replace(0, size, 0)
    await this.#fill(packedSize)
    const packed = this.#bytes.subarray(0, packedSize)
    this.#bytes = this.#bytes.subarray(packedSize)
    this.#position += packedSize
    if (header.crc !== undefined && crc32(packed) !== header.crc >>> 0)
      throw new DamagedPageError('a page has another checksum')
    return { header, packed }
  }

  async #measureHeader(): Promise<number> {
    for (let wanted = 1024; ; wanted *= 4) {
      await this.#fill(Math.min(wanted, this.#end - this.#position))
      try {
        return measureStruct(this.#bytes, 0, MAX_HEADER_ELEMENTS)
      } catch (error) {
        const mayContinue = wanted < MAX_HEADER_BYTES && this.#position + this.#bytes.length < this.#end
        if (!(error instanceof ThriftEndError && mayContinue)) throw error
      }
    }
  }

  async #fill(count: number): Promise<void> {
    if (this.#bytes.length >= count) return
    const end = Math.min(this.#end, this.#position + Math.max(count, READ_AHEAD_BYTES))
    this.#bytes = await this.#file.range(this.#position, end)
    if (this.#bytes.length < count) throw new DamagedPageError('it ends early')
  }

  #readDictionary(header: PageHeader, packed: Uint8Array): void {
    const count = header.dictionary_page_header?.num_values
    if (this.#dictionary || !isSize(count)) throw new DamagedPageError('a column has an invalid dictionary')
    this.#replaceDictionaryCost(header.uncompressed_page_size * 4 + count * VALUE_SLOT_BYTES)
    const page = this.#unpack(packed, header.uncompressed_page_size)
    const { data } = this.#decode({ ...header, compressed_page_size: page.length }, page)
    const values = convert(data as unknown[], this.#createDecoder()) as ArrayLike<unknown>
    this.#dictionary = Array.from(values, (value) => this.#toTextIfPossible(value))
    this.#dictionarySize = count
  }

  #toTextIfPossible(value: unknown): unknown {
    try {
      return this.#leaf.type.toText(value)
    } catch (error) {
      if (error instanceof TextlessValueError) return value
      throw error
    }
  }

  /** hyparquet reads indexes past the end as nulls. */
  #padDictionary(bitWidth: number): void {
    const size = 2 ** bitWidth
    if (size > this.#dictionarySize * MAX_SPARE_INDEXES + MAX_PADDING)
      throw new DamagedPageError('a page has indexes longer than its dictionary needs')
    while (this.#dictionary!.length < size) this.#dictionary!.push(MISSING_VALUE)
  }

  #replaceDictionaryCost(cost: number): void {
    this.#budget.replace(this.#dictionaryCost, cost, cost)
    this.#dictionaryCost = cost
  }

  #readData(header: PageHeader, packed: Uint8Array, previous: unknown[] | undefined): unknown[] {
    const { data_page_header: v1, data_page_header_v2: v2 } = header
    const page = v2 ?? v1
    const count = page?.num_values
    if (!page || !isSize(count) || count > this.#maxValues) throw new DamagedPageError('a page has too many values')
    this.#assertEncoding(page.encoding, count)
    const cost = header.uncompressed_page_size * 4 + count * VALUE_SLOT_BYTES
    this.#budget.replace(previous ? 0 : this.#pageCost, cost, header.uncompressed_page_size)
    this.#pageCost = previous ? this.#pageCost + cost : cost
    const bytes = v2 ? this.#unpackV2(header, packed) : this.#unpack(packed, header.uncompressed_page_size)
    const plainHeader = {
      ...header,
      compressed_page_size: bytes.length,
      uncompressed_page_size: bytes.length,
      ...(v2 ? { data_page_header_v2: { ...v2, is_compressed: false } } : {}),
    }
    this.#assertRuns(plainHeader, bytes, count)
    return this.#decode(plainHeader, bytes, previous).data as unknown[]
  }

  #assertEncoding(encoding: string, count: number): void {
    const isDictionary = encoding.endsWith('_DICTIONARY')
    if (isDictionary && !this.#dictionary) throw new DamagedPageError('a dictionary is missing')
    const width = this.#leaf.path.at(-1)!.element.type_length ?? VALUE_SLOT_BYTES
    if (encoding === 'BYTE_STREAM_SPLIT' && width * count > MAX_PARQUET_BUFFER_BYTES)
      throw new DamagedPageError('a page has too many values')
  }

  #unpack(packed: Uint8Array, size: number): Uint8Array {
    const unpacked = unpackBytes(packed, this.#meta.codec, size)
    if (!unpacked) throw createTypeError(this.#name, this.#meta.codec)
    if (unpacked.length !== size) throw new DamagedPageError('a page has another size than declared')
    return unpacked
  }

  #unpackV2(header: PageHeader, packed: Uint8Array): Uint8Array {
    const v2 = header.data_page_header_v2!
    const levels = v2.repetition_levels_byte_length + v2.definition_levels_byte_length
    const isValid = [v2.repetition_levels_byte_length, v2.definition_levels_byte_length, v2.num_nulls].every(isSize)
    if (!isValid || levels > packed.length || levels > header.uncompressed_page_size || v2.num_nulls > v2.num_values)
      throw new DamagedPageError('a page has invalid levels')
    if (v2.is_compressed === false) return packed
    const values = this.#unpack(packed.subarray(levels), header.uncompressed_page_size - levels)
    return Buffer.concat([packed.subarray(0, levels), values])
  }

  #assertRuns({ data_page_header: v1, data_page_header_v2: v2 }: PageHeader, bytes: Uint8Array, count: number): void {
    const view = toView(bytes)
    const maxLevels = [getMaxRepetitionLevel(this.#leaf.path), getMaxDefinitionLevel(this.#leaf.path)]
    let at = 0
    for (const [i, maxLevel] of maxLevels.entries()) {
      if (!v2 && maxLevel === 0) continue
      const length = v2
        ? [v2.repetition_levels_byte_length, v2.definition_levels_byte_length][i]!
        : view.getUint32(at, true)
      if (!v2) at += 4
      if (maxLevel > 0) assertRunLengths(bytes, at, at + length, 32 - Math.clz32(maxLevel), count)
      at += length
    }
    const { encoding } = (v2 ?? v1)!
    if (encoding === 'RLE') assertRunLengths(bytes, at + 4, bytes.length, 1, count)
    else if (encoding.startsWith('DELTA_')) assertDeltas(bytes.subarray(at), encoding, count)
    else if (encoding.endsWith('_DICTIONARY') && at < bytes.length) {
      assertRunLengths(bytes, at + 1, bytes.length, bytes[at]!, count)
      this.#padDictionary(bytes[at]!)
    }
  }

  #decode(header: PageHeader, bytes: Uint8Array, previous?: unknown[]): ReturnType<typeof readPage> {
    const reader = { view: toView(bytes), offset: 0 }
    return readPage(reader, header, this.#createDecoder(), this.#dictionary, previous, 0)
  }

  #createDecoder() {
    const { path } = this.#leaf
    return {
      pathInSchema: path.at(-1)!.path,
      type: this.#meta.type,
      element: path.at(-1)!.element,
      schemaPath: path,
      codec: 'UNCOMPRESSED' as const,
      parsers: { ...DEFAULT_PARSERS, timestampFromNanoseconds: (value: bigint) => value },
      utf8: false,
    }
  }
}

const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0

function unpackBytes(packed: Uint8Array, codec: ColumnMetaData['codec'], size: number): Uint8Array | undefined {
  if (codec === 'UNCOMPRESSED') return packed
  if (size === 0) return new Uint8Array()
  switch (codec) {
    case 'SNAPPY': {
      const output = new Uint8Array(size)
      snappyUncompress(packed, output)
      return output
    }
    case 'GZIP':
      return gunzipSync(packed, { maxOutputLength: size })
    case 'BROTLI':
      return brotliDecompressSync(packed, { maxOutputLength: size })
    case 'ZSTD':
      return unpackZstd(packed, size)
    case 'LZ4':
      return decompressLz4(packed, size)
    case 'LZ4_RAW':
      return decompressLz4Raw(packed, size)
    default:
      return undefined
  }
}

const MAX_PADDING = 512

function assertRunLengths(bytes: Uint8Array, from: number, to: number, width: number, count: number): void {
  if (width > MAX_BIT_WIDTH || to > bytes.length) throw new DamagedPageError('a page has invalid runs')
  let seen = 0
  for (let at = from; at < to && seen < count; ) {
    let run = 0
    let shift = 0
    for (; at < to; shift += 7) {
      const byte = bytes[at++]!
      run += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
      if (shift > 28) throw new DamagedPageError('a page has invalid runs')
    }
    const isPacked = run % 2 === 1
    const length = Math.floor(run / 2) * (isPacked ? 8 : 1)
    if (length > count + MAX_PADDING) throw new DamagedPageError('a page has invalid runs')
    at += isPacked ? (length / 8) * width : (width + 7) >> 3
    seen += length
  }
}
