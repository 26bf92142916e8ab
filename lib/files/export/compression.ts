/** Compresses pieces independently of each other in the thread pool, while the following ones are produced. */
import { constants, crc32, createDeflateRaw, type ZlibOptions } from 'node:zlib'
import { recycleBytes } from '../../records/index.ts'

export const PIECE_BYTES = 512 * 1024
const LANES = 4
/** Level 6 takes three times as long. */
const OPTIONS: ZlibOptions = { level: 1, flush: constants.Z_FULL_FLUSH, chunkSize: 1024 * 1024 }
const EMPTY_LAST_BLOCK = Buffer.from([3, 0])
/** RFC 1952: no name, no time, fastest compression, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255])

/** A new zlib context costs memory outside the heap, so each packs many pieces; a full flush separates them. */
function createLane() {
  const stream = createDeflateRaw({ ...OPTIONS, readableHighWaterMark: Number.MAX_SAFE_INTEGER } as ZlibOptions)
  // `pack` rejects with it, too.
  stream.on('error', () => {})
  return {
    pack: (piece: Uint8Array): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        stream.write(piece, (error) => {
          if (error) return reject(error)
          recycleBytes(piece)
          resolve(stream.read() ?? Buffer.alloc(0))
        })
      }),
    close: () => stream.destroy(),
  }
}

/** Yields one stream of raw deflate (RFC 1951). Nothing else may use the pieces. */
export async function* deflate(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const lanes = Array.from({ length: LANES }, createLane)
  const packing: Promise<Buffer>[] = []
  let count = 0
  try {
    for await (const piece of pieces) {
      const packed = lanes[count++ % LANES]!.pack(piece)
      packed.catch(() => {})
      packing.push(packed)
      if (packing.length === LANES) yield await packing.shift()!
    }
    for (const packed of packing) yield await packed
    yield EMPTY_LAST_BLOCK
  } finally {
    for (const lane of lanes) lane.close()
  }
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
