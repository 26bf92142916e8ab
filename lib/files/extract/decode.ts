/** Streams a file's bytes as UTF-8. Invalid bytes are rejected with their position, never replaced. */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { measureEach } from '../../core/stopwatch.ts'
import { findInvalidUtf8, getCompleteLength } from '../sniff/utf8.ts'
import { decodeLines, type LineCounts, type MixedEncoding } from './mixed-encodings.ts'

export interface Piece {
  text: Buffer
  bytesDone: number
}

/** Thrown after all valid text before the invalid bytes was yielded. */
export class DecodingError extends Error {
  /** Zero-based offset of the first invalid byte. */
  readonly byte: number
  readonly encoding: string
  row: number | undefined

  constructor(byte: number, encoding: string) {
    super(`byte ${byte} is not valid ${encoding}`)
    this.name = 'Undecodable'
    this.byte = byte
    this.encoding = encoding
  }
}

/** Smaller pieces mean more calls; larger ones do not fit the processor's cache. */
const PIECE_BYTES = 256 * 1024
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const REPLACEMENT = '\uFFFD'
const LONE_SURROGATE = /\p{Surrogate}/u
const LONE_SURROGATE_OR_REPLACEMENT = /\uFFFD|\p{Surrogate}/u
const TRAILING_HIGH_SURROGATE = /[\ud800-\udbff]$/

export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  skipBytes: number,
): AsyncGenerator<Piece> {
  yield* encoding === 'utf-8' ? validateUtf8(bytes, skipBytes) : decodeWithIconv(encoding, bytes, skipBytes)
}

const MAX_LINE_BYTES = 1024 * 1024

export async function* decodeMixedText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: MixedEncoding,
  skipBytes: number,
  counts: LineCounts,
): AsyncGenerator<Piece> {
  let remainder: Buffer = Buffer.alloc(0)
  let bytesDone = skipBytes
  const decode = function* (lines: Buffer): Generator<Piece> {
    const { text, invalidAt } = decodeLines(lines, encoding, counts)
    bytesDone += invalidAt < 0 ? lines.length : invalidAt
    yield { text, bytesDone }
    if (invalidAt >= 0) throw new DecodingError(bytesDone, encoding.isMainlyUtf8 ? 'UTF-8' : encoding.other)
  }
  for await (const block of readBlocks(bytes, skipBytes)) {
    const combined = remainder.length ? Buffer.concat([remainder, block]) : block
    const lineEnd = Math.max(combined.lastIndexOf(LINE_FEED), combined.lastIndexOf(CARRIAGE_RETURN))
    const end = lineEnd < 0 && combined.length > MAX_LINE_BYTES ? getCompleteLength(combined) : lineEnd + 1
    remainder = Buffer.from(combined.subarray(end))
    if (end > 0) yield* decode(combined.subarray(0, end))
  }
  if (encoding.isMainlyUtf8 && getCompleteLength(remainder) < remainder.length)
    throw new DecodingError(bytesDone, 'UTF-8')
  yield* decode(remainder)
}

async function* validateUtf8(bytes: AsyncIterable<Uint8Array>, skipBytes: number): AsyncGenerator<Piece> {
  let remainder: Buffer = Buffer.alloc(0)
  let bytesDone = skipBytes
  for await (const block of readBlocks(bytes, skipBytes)) {
    const combined = remainder.length ? Buffer.concat([remainder, block]) : block
    const invalid = isUtf8(combined) ? -1 : findInvalidUtf8(combined)
    const end = invalid < 0 ? getCompleteLength(combined) : invalid
    remainder = Buffer.from(combined.subarray(end))
    bytesDone += end
    yield { text: combined.subarray(0, end), bytesDone }
    if (invalid >= 0) throw new DecodingError(bytesDone, 'UTF-8')
  }
  if (remainder.length) throw new DecodingError(bytesDone, 'UTF-8')
}

async function* decodeWithIconv(
  encoding: string,
  bytes: AsyncIterable<Uint8Array>,
  skipBytes: number,
): AsyncGenerator<Piece> {
  const decoder = iconv.getDecoder(encoding)
  // In UTF-16 and UTF-32 the replacement character may be genuine.
  const invalidPattern = encoding.startsWith('utf-') ? LONE_SURROGATE : LONE_SURROGATE_OR_REPLACEMENT
  let bytesDone = skipBytes
  let pendingSurrogate = ''
  const toPieces = function* (decodedText: string, bytesAfter: number): Generator<Piece> {
    const combined = pendingSurrogate + decodedText
    const startsAt = bytesDone - iconv.encode(pendingSurrogate, encoding).length
    pendingSurrogate = bytesAfter > bytesDone ? (TRAILING_HIGH_SURROGATE.exec(combined)?.[0] ?? '') : ''
    const text = combined.slice(0, combined.length - pendingSurrogate.length)
    const utf8 = Buffer.from(text)
    const invalidAt = utf8.includes(REPLACEMENT) ? text.search(invalidPattern) : -1
    bytesDone = bytesAfter
    if (invalidAt < 0) return yield { text: utf8, bytesDone }
    const valid = text.slice(0, invalidAt)
    yield { text: Buffer.from(valid), bytesDone: startsAt }
    throw new DecodingError(startsAt + iconv.encode(valid, encoding).length, encoding)
  }
  for await (const block of readBlocks(bytes, skipBytes))
    yield* toPieces(decoder.write(block), bytesDone + block.length)
  yield* toPieces(decoder.end() ?? '', bytesDone)
}

async function* readBlocks(bytes: AsyncIterable<Uint8Array>, skipBytes: number): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafe(PIECE_BYTES)
  let length = 0
  let skip = skipBytes
  for await (const chunk of measureEach('reading', bytes)) {
    let remainder = chunk.subarray(skip)
    skip -= chunk.length - remainder.length
    while (remainder.length) {
      const copied = remainder.subarray(0, PIECE_BYTES - length)
      block.set(copied, length)
      length += copied.length
      remainder = remainder.subarray(copied.length)
      if (length < PIECE_BYTES) continue
      yield block
      length = 0
    }
  }
  if (length > 0) yield block.subarray(0, length)
}
