/**
 * Bytes to text, piece by piece. A piece of UTF-8 ends with a line where it can, so that a row is seldom cut in two. What
 * is not valid in the encoding is refused with its place, never replaced.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { firstInvalidUtf8, wholeCharacters } from '../sniff/utf8.ts'

/** A piece of text and how many bytes of the file are decoded with it. */
export interface Piece {
  text: string
  /** From the beginning of the file. */
  bytesDone: number
}

/** The bytes do not fit the encoding. What stands before them has been given out. */
export class Undecodable extends Error {
  /** Where the first of them stands in the file, from 0. */
  readonly byte: number
  /** The row it stands in, from 1, when the reader knows it. */
  row: number | undefined

  constructor(byte: number, encoding: string) {
    super(`byte ${byte} is not valid ${encoding}`)
    this.name = 'Undecodable'
    this.byte = byte
  }
}

/** Bytes decoded at a time: more makes larger garbage, less more calls. */
const PIECE_BYTES = 256 * 1024
/** Without a line's end for so long, a piece ends anywhere. */
const LINE_BYTES = 1024 * 1024
const LINE_FEED = 10
const REPLACEMENT = '\uFFFD'

/**
 * Decodes the file's bytes.
 * @param skipBytes not decoded at the beginning: a byte order mark
 * @throws Undecodable
 */
export async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  skipBytes: number,
): AsyncGenerator<Piece> {
  yield* encoding === 'utf-8' ? decodedUtf8(bytes, skipBytes) : decodedBy(encoding, bytes, skipBytes)
}

async function* decodedUtf8(bytes: AsyncIterable<Uint8Array>, skipBytes: number): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0)
  let bytesDone = skipBytes
  for await (const block of blocks(bytes, skipBytes)) {
    const whole = rest.length ? Buffer.concat([rest, block]) : block
    const end = lineEnd(whole)
    rest = whole.subarray(end)
    if (end === 0) continue
    yield* utf8Pieces(whole.subarray(0, end), bytesDone)
    bytesDone += end
  }
  if (rest.length) yield* utf8Pieces(rest, bytesDone)
}

function* utf8Pieces(bytes: Buffer, startsAt: number): Generator<Piece> {
  const { text, validBytes } = utf8(bytes)
  yield { text, bytesDone: startsAt + validBytes }
  if (validBytes < bytes.length) throw new Undecodable(startsAt + validBytes, 'UTF-8')
}

/** The end of the last line; without one for long, the end of the last whole character. */
function lineEnd(bytes: Buffer): number {
  const end = bytes.lastIndexOf(LINE_FEED) + 1
  return end > 0 || bytes.length < LINE_BYTES ? end : wholeCharacters(bytes)
}

/** All of the bytes as text, or what stands before the first invalid one. */
function utf8(bytes: Buffer): { text: string; validBytes: number } {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), validBytes: bytes.length }
  const validBytes = isUtf8(bytes) ? bytes.length : validLength(bytes)
  return { text: bytes.toString('utf8', 0, validBytes), validBytes }
}

function validLength(bytes: Buffer): number {
  const at = firstInvalidUtf8(bytes)
  return at < 0 ? wholeCharacters(bytes) : at
}

async function* decodedBy(
  encoding: string,
  bytes: AsyncIterable<Uint8Array>,
  skipBytes: number,
): AsyncGenerator<Piece> {
  const decoder = iconv.getDecoder(encoding)
  // UTF-16 and UTF-32 may hold the character itself; nothing is replaced there.
  const checked = !encoding.startsWith('utf-')
  let bytesDone = skipBytes
  const piecesOf = function* (text: string, bytesAfter: number): Generator<Piece> {
    const at = checked ? text.indexOf(REPLACEMENT) : -1
    if (at < 0) return yield { text, bytesDone: bytesAfter }
    const valid = text.slice(0, at)
    yield { text: valid, bytesDone }
    throw new Undecodable(bytesDone + iconv.encode(valid, encoding).length, encoding)
  }
  for await (const block of blocks(bytes, skipBytes)) {
    yield* piecesOf(decoder.write(block), bytesDone + block.length)
    bytesDone += block.length
  }
  yield* piecesOf(decoder.end() ?? '', bytesDone)
}

/** Buffers of about {@link PIECE_BYTES}, without the first `skipBytes`. */
async function* blocks(bytes: AsyncIterable<Uint8Array>, skipBytes: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let length = 0
  let skip = skipBytes
  for await (const chunk of bytes) {
    const rest = chunk.subarray(skip)
    skip -= chunk.length - rest.length
    held.push(rest)
    length += rest.length
    if (length < PIECE_BYTES) continue
    yield Buffer.concat(held)
    held = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(held)
}
