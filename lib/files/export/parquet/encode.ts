/** Encodes a column of a row group: a dictionary page if it pays, and a page of values, compressed with Snappy. */
import type { ColumnChunk, SchemaElement, Statistics } from 'hyparquet'
import { ByteWriter, type Writer } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { snappyCompress } from 'hyparquet-writer/src/snappy.js'
import type { ColumnKind } from './columns.ts'
import { buildDictionary, type Dictionary } from './dictionary.ts'
import type { ColumnValues } from './values.ts'

/** The bounds of all groups stay in memory up to the footer. */
const MAX_BOUND_BYTES = 1024

const WIDTHS: Readonly<Partial<Record<ColumnKind, number>>> = { number: 8, date: 4, boolean: 1 }

export function writeColumnChunk(out: Writer, element: SchemaElement, values: ColumnValues): ColumnChunk {
  const start = out.offset
  const dictionary = values.kind === 'boolean' ? undefined : buildDictionary(values, WIDTHS[values.kind])
  let uncompressed = dictionary ? writeDictionaryPage(out, dictionary) : 0
  const dataStart = out.offset
  const encoding = dictionary ? 'RLE_DICTIONARY' : values.kind === 'boolean' ? 'RLE' : 'PLAIN'
  uncompressed += writeDataPage(out, values, encoding, encodeValues(values, dictionary))
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type!,
      encodings: dictionary ? ['PLAIN', 'RLE_DICTIONARY'] : [encoding],
      path_in_schema: [element.name],
      codec: 'SNAPPY',
      num_values: BigInt(values.rows),
      total_compressed_size: BigInt(out.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataStart),
      ...(dictionary ? { dictionary_page_offset: BigInt(start) } : {}),
      statistics: computeStatistics(values, dictionary),
    },
  }
}

function writeDictionaryPage(out: Writer, { bytes, count }: Dictionary): number {
  const compressed = snappyCompress(bytes)
  const start = out.offset
  writePageHeader(out, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: 'PLAIN' },
  })
  const headerSize = out.offset - start
  out.appendBytes(compressed)
  return headerSize + bytes.length
}

type DataEncoding = 'PLAIN' | 'RLE' | 'RLE_DICTIONARY'

function writeDataPage(
  out: Writer,
  { levels, rows, count }: ColumnValues,
  encoding: DataEncoding,
  bytes: Uint8Array,
): number {
  const levelWriter = new ByteWriter()
  writeRleBitPackedHybrid(levelWriter, levels.subarray(0, rows), 1)
  const compressed = snappyCompress(bytes)
  const start = out.offset
  writePageHeader(out, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levelWriter.offset + bytes.length,
    compressed_page_size: levelWriter.offset + compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - count,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levelWriter.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  })
  const headerSize = out.offset - start
  out.appendBytes(levelWriter.getBytes())
  out.appendBytes(compressed)
  return headerSize + levelWriter.offset + bytes.length
}

function encodeValues({ kind, bytes, length, count }: ColumnValues, dictionary: Dictionary | undefined): Uint8Array {
  const plain = bytes.subarray(0, length)
  if (!dictionary && kind !== 'boolean') return plain
  const page = new ByteWriter()
  if (dictionary) {
    const bitWidth = Math.ceil(Math.log2(dictionary.count))
    page.appendUint8(bitWidth)
    writeRleBitPackedHybrid(page, dictionary.indexes, bitWidth)
  } else {
    const runs = new ByteWriter()
    writeRleBitPackedHybrid(runs, plain.subarray(0, count), 1)
    page.appendUint32(runs.offset)
    page.appendBytes(runs.getBytes())
  }
  return page.getBytes()
}

function computeStatistics(
  { kind, rows, count, ...values }: ColumnValues,
  dictionary: Dictionary | undefined,
): Statistics {
  const nulls = { null_count: BigInt(rows - count) }
  // The order of JSON texts says nothing about their values.
  if (count === 0 || kind === 'json') return nulls
  const { bytes } = dictionary ?? values
  const end = dictionary ? dictionary.bytes.length : values.length
  if (kind !== 'text') {
    const [min_value, max_value] = findBounds(kind, bytes, end)
    return { ...nulls, min_value, max_value }
  }
  const [min_value, max_value] = findTextBounds(bytes, end)
  return Math.max(min_value.length, max_value.length) > MAX_BOUND_BYTES ? nulls : { ...nulls, min_value, max_value }
}

function findTextBounds(bytes: Buffer, end: number): [Buffer, Buffer] {
  let [min, minEnd] = [4, 4 + bytes.readUInt32LE(0)]
  let [max, maxEnd] = [min, minEnd]
  for (let at = minEnd; at < end; ) {
    const from = at + 4
    at = from + bytes.readUInt32LE(at)
    if (compare(bytes, from, at, min, minEnd) < 0) [min, minEnd] = [from, at]
    else if (compare(bytes, from, at, max, maxEnd) > 0) [max, maxEnd] = [from, at]
  }
  return [Buffer.from(bytes.subarray(min, minEnd)), Buffer.from(bytes.subarray(max, maxEnd))]
}

function compare(bytes: Buffer, left: number, leftEnd: number, right: number, rightEnd: number): number {
  let [a, b] = [left, right]
  while (a < leftEnd && b < rightEnd && bytes[a] === bytes[b]) {
    a++
    b++
  }
  if (a === leftEnd || b === rightEnd) return leftEnd - left - (rightEnd - right)
  return bytes[a]! - bytes[b]!
}

function findBounds(kind: ColumnKind, bytes: Buffer, end: number): [number | boolean, number | boolean] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const width = WIDTHS[kind]!
  for (let at = 0; at < end; at += width) {
    const value = kind === 'number' ? bytes.readDoubleLE(at) : kind === 'date' ? bytes.readInt32LE(at) : bytes[at]!
    if (value < min) min = value
    if (value > max) max = value
  }
  if (kind === 'boolean') return [min === 1, max === 1]
  // Readers may take 0 as different from -0.
  return [min === 0 ? -0 : min, max]
}
