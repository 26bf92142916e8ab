/**
 * The bytes of a file as UTF-8, piece by piece in whole characters: as they are, or from another encoding. What is not valid
 * in the encoding is refused with its place, never replaced.
 */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { firstInvalidUtf8, wholeCharacters } from '../sniff/utf8.ts'

/** A piece of text and how many bytes of the file are decoded with it. */
export interface Piece {
  /** UTF-8; holds until the next piece is asked for. */
  text: Buffer
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

/** Bytes decoded at a time: fewer are more calls, more do not stay in a processor's cache. */
const PIECE_BYTES = 256 * 1024
const REPLACEMENT = '\uFFFD'
/** Half a character of two units: no text has it alone. */
const LONE = /\p{Surrogate}/u
const LONE_OR_REPLACED = /\uFFFD|\p{Surrogate}/u
/** Its other half may come with the next bytes. */
const HALF_AT_END = /[\ud800-\udbff]$/

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
  yield* encoding === 'utf-8' ? checkedUtf8(bytes, skipBytes) : decodedBy(encoding, bytes, skipBytes)
}

async function* checkedUtf8(bytes: AsyncIterable<Uint8Array>, skipBytes: number): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0)
  let bytesDone = skipBytes
  for await (const block of blocks(bytes, skipBytes)) {
    const whole = rest.length ? Buffer.concat([rest, block]) : block
    const invalid = isUtf8(whole) ? -1 : firstInvalidUtf8(whole)
    const end = invalid < 0 ? wholeCharacters(whole) : invalid
    rest = Buffer.from(whole.subarray(end))
    bytesDone += end
    yield { text: whole.subarray(0, end), bytesDone }
    if (invalid >= 0) throw new Undecodable(bytesDone, 'UTF-8')
  }
  if (rest.length) throw new Undecodable(bytesDone, 'UTF-8')
}

async function* decodedBy(
  encoding: string,
  bytes: AsyncIterable<Uint8Array>,
  skipBytes: number,
): AsyncGenerator<Piece> {
  const decoder = iconv.getDecoder(encoding)
  // UTF-16 and UTF-32 may hold the character itself; nothing is replaced there.
  const flaw = encoding.startsWith('utf-') ? LONE : LONE_OR_REPLACED
  let bytesDone = skipBytes
  let half = ''
  const piecesOf = function* (decodedText: string, bytesAfter: number): Generator<Piece> {
    const whole = half + decodedText
    const startsAt = bytesDone - iconv.encode(half, encoding).length
    half = bytesAfter > bytesDone ? (HALF_AT_END.exec(whole)?.[0] ?? '') : ''
    const text = whole.slice(0, whole.length - half.length)
    const utf8 = Buffer.from(text)
    const at = utf8.includes(REPLACEMENT) ? text.search(flaw) : -1
    bytesDone = bytesAfter
    if (at < 0) return yield { text: utf8, bytesDone }
    const valid = text.slice(0, at)
    yield { text: Buffer.from(valid), bytesDone: startsAt }
    throw new Undecodable(startsAt + iconv.encode(valid, encoding).length, encoding)
  }
  for await (const block of blocks(bytes, skipBytes)) yield* piecesOf(decoder.write(block), bytesDone + block.length)
  yield* piecesOf(decoder.end() ?? '', bytesDone)
}

/** {@link PIECE_BYTES} at a time, in one buffer again and again, without the first `skipBytes`. */
async function* blocks(bytes: AsyncIterable<Uint8Array>, skipBytes: number): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafe(PIECE_BYTES)
  let length = 0
  let skip = skipBytes
  for await (const chunk of bytes) {
    let rest = chunk.subarray(skip)
    skip -= chunk.length - rest.length
    while (rest.length) {
      const taken = rest.subarray(0, PIECE_BYTES - length)
      block.set(taken, length)
      length += taken.length
      rest = rest.subarray(taken.length)
      if (length < PIECE_BYTES) continue
      yield block
      length = 0
    }
  }
  if (length > 0) yield block.subarray(0, length)
}
