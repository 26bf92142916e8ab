/** Checks delta-encoded pages before hyparquet decodes them, which trusts their lengths. Pure. */
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { MAX_PARQUET_BUFFER_BYTES } from '../../../../schemas/files/shape.ts'
import { DamagedPageError, toView } from './bytes.ts'

const MAX_BLOCK_VALUES = 65_536
const MIN_MINIBLOCK_VALUES = 8

export function assertDeltas(bytes: Uint8Array, encoding: string, maxCount: number): void {
  const reader = { view: toView(bytes), offset: 0 }
  const count = readCount(bytes, reader.offset, maxCount)
  if (encoding === 'DELTA_BINARY_PACKED' || count === 0) return
  const prefixes = encoding === 'DELTA_BYTE_ARRAY' ? readLengths(reader, count) : undefined
  if (prefixes && readCount(bytes, reader.offset, maxCount) !== count)
    throw new DamagedPageError('a page has invalid lengths')
  const lengths = readLengths(reader, count)
  assertLengths(lengths, bytes.length - reader.offset)
  if (prefixes) assertPrefixes(prefixes, lengths)
}

function readCount(bytes: Uint8Array, start: number, maxCount: number): number {
  const [blockValues, afterBlock] = readVarint(bytes, start)
  const [miniblocks, afterMiniblocks] = readVarint(bytes, afterBlock)
  const [count] = readVarint(bytes, afterMiniblocks)
  const isValid =
    blockValues <= MAX_BLOCK_VALUES &&
    miniblocks > 0 &&
    blockValues % (miniblocks * MIN_MINIBLOCK_VALUES) === 0 &&
    blockValues > 0
  if (!isValid || count > maxCount) throw new DamagedPageError('a page has invalid deltas')
  return count
}

function readVarint(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0
  for (let at = start; at < bytes.length && at < start + 5; at++) {
    value += (bytes[at]! & 0x7f) * 2 ** (7 * (at - start))
    if (bytes[at]! < 0x80) return [value, at + 1]
  }
  throw new DamagedPageError('a page has invalid deltas')
}

function readLengths(reader: { view: DataView; offset: number }, count: number): Int32Array {
  const lengths = new Int32Array(count)
  deltaBinaryUnpack(reader, count, lengths)
  return lengths
}

function assertLengths(lengths: Int32Array, available: number): void {
  let total = 0
  for (const length of lengths) {
    total += length
    if (length < 0 || total > available) throw new DamagedPageError('a page has invalid lengths')
  }
}

function assertPrefixes(prefixes: Int32Array, suffixes: Int32Array): void {
  let [length, total] = [0, 0]
  for (let at = 0; at < prefixes.length; at++) {
    const prefix = prefixes[at]!
    if (prefix < 0 || prefix > length) throw new DamagedPageError('a page has invalid lengths')
    length = prefix + suffixes[at]!
    total += length
    if (total > MAX_PARQUET_BUFFER_BYTES) throw new DamagedPageError('a page has too large values')
  }
}
