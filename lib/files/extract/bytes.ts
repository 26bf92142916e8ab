/** A readable file, stored or inside an archive; read in streams and ranges, never as a whole. */
import { Readable } from 'node:stream'
import type { StoredFile } from '../../entities/files.ts'
import { getRange, getStream } from '../../objects/store.ts'
import { getExtension } from '../file-types.ts'

export interface FileBytes {
  name: string
  /** Lower case, without the dot; may be empty. */
  ext: string
  declaredEncoding?: string | undefined
  /** Bytes; an estimate unless `isStored`. */
  size: number
  /** Supports random access; archive entries do not. */
  isStored: boolean
  entryInfo?: EntryInfo | undefined
  /** The caller must destroy it when stopping early. */
  stream(): Promise<Readable>
  range(start: number, end: number): Promise<Buffer>
  rangeStream(start: number, end: number): Promise<Readable>
}

export interface EntryInfo {
  packedSize: number
  /** Remaining disk space for all entries of the archive, in bytes. */
  diskBudget: { bytes: number }
}

export const createStoredBytes = ({ name, ext, encoding, size, objectKey }: StoredFile): FileBytes => ({
  name,
  ext,
  declaredEncoding: encoding,
  size,
  isStored: true,
  stream: () => getStream(objectKey),
  range: async (start, end) =>
    start < Math.min(end, size) ? getRange(objectKey, start, Math.min(end, size)) : Buffer.alloc(0),
  rangeStream: (start, end) => getStream(objectKey, start, end),
})

export const createMemoryBytes = ({ name, ext }: Pick<StoredFile, 'name' | 'ext'>, bytes: Buffer): FileBytes => ({
  ...{ name, ext, size: bytes.length, isStored: true },
  stream: async () => Readable.from([bytes]),
  range: async (start, end) => bytes.subarray(start, end),
  rangeStream: async (start, end) => Readable.from([bytes.subarray(start, end)]),
})

export function createStreamedBytes(
  name: string,
  size: number,
  open: () => Promise<Readable>,
  entryInfo: EntryInfo,
): FileBytes {
  return {
    name,
    ext: getExtension(name),
    size,
    isStored: false,
    entryInfo,
    stream: open,
    range: (start, end) => readRange(open, start, end),
    rangeStream: () => Promise.reject(new Error('An archive entry can only be read from its start.')),
  }
}

async function readRange(open: () => Promise<Readable>, start: number, end: number): Promise<Buffer> {
  const stream = await open()
  const chunks: Buffer[] = []
  let position = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (position + chunk.length > start) chunks.push(chunk.subarray(Math.max(0, start - position), end - position))
      position += chunk.length
      if (position >= end) break
    }
  } finally {
    stream.destroy()
  }
  return Buffer.concat(chunks)
}
