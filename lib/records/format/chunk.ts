/** A stored column, message list or hash run. Layout: u8 version, u8 codec, u32le raw length, then the bytes. */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'

const FORMAT_VERSION = 1
export const CHUNK_HEADER_BYTES = 6
const RAW = 0
const DEFLATE = 1
/** Below this size, using the thread pool costs more than it saves. */
const SYNC_BYTES = 4096

export interface RawChunk {
  name: string
  raw: Buffer
  /** The stored form, if these bytes are stored already. */
  packed?: Buffer
}

export interface PackedChunk {
  name: string
  packed: Buffer
}

/** Threads return packed chunks, because raw bytes in transit make the main thread collect garbage. */
export type BuiltChunk = RawChunk | PackedChunk

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

function frameChunk(codec: number, rawLength: number, bytes: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(CHUNK_HEADER_BYTES + bytes.length)
  out.set(bytes, writeHeader(out, 0, codec, rawLength))
  return out
}

function writeHeader(out: Buffer, at: number, codec: number, rawLength: number): number {
  out[at] = FORMAT_VERSION
  out[at + 1] = codec
  return out.writeUInt32LE(rawLength, at + 2)
}

/** Level 1 reads back twice as fast as brotli, and columns compress well enough. */
const getDeflateOptions = (raw: Uint8Array) => ({ level: 1, chunkSize: Math.max(1024, raw.length >> 1) })

export const packChunkSync = (raw: Uint8Array): Buffer =>
  frameChunk(DEFLATE, raw.length, deflateRawSync(raw, getDeflateOptions(raw)))

export async function packChunk(raw: Uint8Array): Promise<Buffer> {
  if (raw.length <= SYNC_BYTES) return packChunkSync(raw)
  return frameChunk(DEFLATE, raw.length, await deflate(raw, getDeflateOptions(raw)))
}

/** For bytes that do not compress and are read in ranges (hashes). */
export const packRaw = (raw: Uint8Array): Buffer => frameChunk(RAW, raw.length, raw)

export function packRawChunks(
  lengths: readonly number[],
  write: (out: Buffer, from: number, index: number) => void,
): { bytes: Buffer; chunks: Buffer[] } {
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + CHUNK_HEADER_BYTES + length, 0))
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

export const countRawBytes = (chunk: BuiltChunk): number =>
  'raw' in chunk ? chunk.raw.length : readRawLength(chunk.packed)

export const getRaw = (chunk: BuiltChunk): Buffer => ('raw' in chunk ? chunk.raw : unpackChunk(chunk.packed))

export function unpackChunk(chunk: Buffer): Buffer {
  const { body, codec, inflateOptions } = readFrame(chunk)
  return codec === RAW ? body : inflateRawSync(body, inflateOptions)
}

export async function unpackInThread(chunk: Buffer): Promise<Buffer> {
  const { body, codec, inflateOptions } = readFrame(chunk)
  return codec === RAW || body.length <= SYNC_BYTES ? unpackChunk(chunk) : inflate(body, inflateOptions)
}

function readFrame(chunk: Buffer) {
  if (chunk[0] !== FORMAT_VERSION) throw new Error(`Unknown chunk format ${chunk[0]}`)
  const body = chunk.subarray(CHUNK_HEADER_BYTES)
  // Passing the exact size to zlib halves the time: one output buffer, no concatenation.
  return { body, codec: chunk[1], inflateOptions: { chunkSize: Math.max(64, readRawLength(chunk) + 1) } }
}

const readRawLength = (chunk: Buffer): number => chunk.readUInt32LE(2)
