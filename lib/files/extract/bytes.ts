/** Bytes that hold a table or several: a stored file, or an entry of an archive. Read in streams and ranges, never whole. */
import type { Readable } from 'node:stream'
import type { StoredFile } from '../../entities/files.ts'
import { getRange, getStream } from '../../objects/store.ts'
import { extensionOf } from '../names.ts'

export interface FileBytes {
  name: string
  /** Lower case, without the dot; empty when there is none. */
  ext: string
  /** What the sender says the encoding is. */
  declared?: string | undefined
  /** Bytes; about, where `isStored` is not set. */
  size: number
  /** Any range can be read at once: a file of its own, not an entry of another. */
  isStored: boolean
  /** The archive it is an entry of. */
  within?: Within | undefined
  /** From the beginning; destroy it when you stop early. */
  stream(): Promise<Readable>
  /** Bytes [start, end), fewer where there are no more. */
  range(start: number, end: number): Promise<Buffer>
  /** The same as a stream. */
  rangeStream(start: number, end: number): Promise<Readable>
}

/** What an entry knows of its archive. */
export interface Within {
  /** Bytes it has there, packed. */
  packedSize: number
  /** Bytes of the archive's entries that may still be kept on the disk. */
  room: { bytes: number }
}

export const storedBytes = ({ name, ext, encoding, size, objectKey }: StoredFile): FileBytes => ({
  name,
  ext,
  declared: encoding,
  size,
  isStored: true,
  stream: () => getStream(objectKey),
  range: async (start, end) =>
    start < Math.min(end, size) ? getRange(objectKey, start, Math.min(end, size)) : Buffer.alloc(0),
  rangeStream: (start, end) => getStream(objectKey, start, end),
})

/** Bytes that can only be read from their beginning. @param size about */
export function streamedBytes(name: string, size: number, open: () => Promise<Readable>, within: Within): FileBytes {
  return {
    name,
    ext: extensionOf(name),
    size,
    isStored: false,
    within,
    stream: open,
    range: (start, end) => rangeOf(open, start, end),
    rangeStream: () => Promise.reject(new Error('An entry of an archive is read from its beginning.')),
  }
}

async function rangeOf(open: () => Promise<Readable>, start: number, end: number): Promise<Buffer> {
  const stream = await open()
  const found: Buffer[] = []
  let at = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (at + chunk.length > start) found.push(chunk.subarray(Math.max(0, start - at), end - at))
      at += chunk.length
      if (at >= end) break
    }
  } finally {
    stream.destroy()
  }
  return Buffer.concat(found)
}
