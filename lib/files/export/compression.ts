/** Compresses pieces independently of each other in the thread pool, while the following ones are produced. */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib'

/** Level 6 takes three times as long, and zlib returns to the main thread after each chunk. */
const OPTIONS: ZlibOptions = { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 }
const MAX_CONCURRENT_PIECES = 4
const EMPTY_LAST_BLOCK = Buffer.from([3, 0])
/** RFC 1952: no name, no time, fastest compression, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255])

const deflatePiece = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw)

/** Yields one stream of raw deflate (RFC 1951). Pieces must not change later, and compress well from some 100 KB. */
export async function* deflate(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const compressing: Promise<Buffer>[] = []
  for await (const piece of pieces) {
    const packed = deflatePiece(piece, OPTIONS)
    packed.catch(() => {})
    compressing.push(packed)
    if (compressing.length >= MAX_CONCURRENT_PIECES) yield await compressing.shift()!
  }
  for (const packed of compressing) yield await packed
  yield EMPTY_LAST_BLOCK
}

export interface Totals {
  bytes: number
  crc: number
}

export const createTotals = (): Totals => ({ bytes: 0, crc: 0 })

export async function* countPieces<Piece extends Uint8Array>(
  pieces: AsyncIterable<Piece>,
  totals: Totals,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    totals.bytes += piece.length
    totals.crc = crc32(piece, totals.crc)
    yield piece
  }
}

export async function* gzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const totals = createTotals()
  yield GZIP_HEADER
  yield* deflate(countPieces(pieces, totals))
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(totals.crc, 0)
  trailer.writeUInt32LE(totals.bytes % 2 ** 32, 4)
  yield trailer
}
