/**
 * A chunk: one column of a segment (or its messages, or a run of hashes) as stored bytes.
 * Layout: u8 form version, u8 codec, u32 raw length (little endian), then the bytes. Immutable once written.
 */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'

const FORM = 1
export const CHUNK_HEADER = 6
const RAW = 0
const DEFLATE = 1
/** Below this the thread pool costs more than it saves. */
const SYNC_BYTES = 4096

const deflate = promisify(deflateRaw)

function framed(codec: number, rawLength: number, bytes: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(CHUNK_HEADER + bytes.length)
  out.set(bytes, writeHeader(out, 0, codec, rawLength))
  return out
}

function writeHeader(out: Buffer, at: number, codec: number, rawLength: number): number {
  out[at] = FORM
  out[at + 1] = codec
  return out.writeUInt32LE(rawLength, at + 2)
}

/** Level 1: twice as fast to read back as brotli, and the ratio of a column is already good. */
export async function packChunk(raw: Uint8Array): Promise<Buffer> {
  if (raw.length <= SYNC_BYTES) return framed(DEFLATE, raw.length, deflateRawSync(raw, { level: 1 }))
  return framed(DEFLATE, raw.length, await deflate(raw, { level: 1, chunkSize: Math.max(1024, raw.length >> 1) }))
}

/** For bytes that do not compress and are read in ranges (hashes). */
export const packRaw = (raw: Uint8Array): Buffer => framed(RAW, raw.length, raw)

/** Raw chunks of these lengths, one after the other in one buffer; `write` fills each from where its bytes go. */
export function packRawInOne(
  lengths: readonly number[],
  write: (out: Buffer, from: number, index: number) => void,
): { bytes: Buffer; chunks: Buffer[] } {
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + CHUNK_HEADER + length, 0))
  let end = 0
  const chunks = lengths.map((length, index) => {
    const start = end
    const from = writeHeader(bytes, start, RAW, length)
    write(bytes, from, index)
    end = from + length
    return bytes.subarray(start, end)
  })
  return { bytes, chunks }
}

/** @throws when the chunk was written by a newer form */
export function unpackChunk(chunk: Buffer): Buffer {
  if (chunk[0] !== FORM) throw new Error(`Unknown chunk form ${chunk[0]}`)
  const body = chunk.subarray(CHUNK_HEADER)
  if (chunk[1] === RAW) return body
  // Telling zlib the exact size halves the time: one output buffer, no joins.
  return inflateRawSync(body, { chunkSize: Math.max(64, chunk.readUInt32LE(2) + 1) })
}
