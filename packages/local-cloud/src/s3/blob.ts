/** A file `data | metadata as JSON | JSON length (4 bytes) | magic (8 bytes)`, renamed into place when complete. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'

const MAGIC = Buffer.from('S3BLOB1\n')
const TRAILER_BYTES = 4 + MAGIC.length
/** Read first from the end of a file: the metadata, and all data of a small object. */
const TAIL_BYTES = 16 * 1024
const BATCH_BYTES = 512 * 1024
/** Bounded in number too, because small pieces keep their whole socket buffers alive. */
const BATCH_PIECES = 64
const READ_BYTES = 512 * 1024

/** Memory is bounded by two batches, one filling and one being written. */
export class BlobWriter {
  readonly path: string
  #handle: FileHandle | undefined
  #batch: Buffer[] = []
  #batchBytes = 0
  #writing: Promise<void> = Promise.resolve()
  #sizeBytes = 0

  constructor(path: string) {
    this.path = path
  }

  async write(piece: Buffer): Promise<void> {
    this.#add(piece)
    this.#sizeBytes += piece.length
    if (this.#batchBytes >= BATCH_BYTES || this.#batch.length >= BATCH_PIECES) await this.#flush()
  }

  async finalize(metadata: object): Promise<void> {
    const json = Buffer.from(JSON.stringify(metadata))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(json.length)
    for (const piece of [json, length, MAGIC]) this.#add(piece)
    await this.#flush()
    await this.#writing
    await this.#handle?.close()
  }

  async discard(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#handle?.close().catch(() => {})
    await rm(this.path, { force: true })
  }

  #add(piece: Buffer): void {
    this.#batch.push(piece)
    this.#batchBytes += piece.length
  }

  async #flush(): Promise<void> {
    await this.#writing
    this.#handle ??= await open(this.path, 'wx')
    this.#writing = writeAll(this.#handle, this.#batch, this.#batchBytes)
    // The failure is rethrown by the next flush or at the end.
    this.#writing.catch(() => {})
    this.#batch = []
    this.#batchBytes = 0
  }
}

async function writeAll(handle: FileHandle, pieces: Buffer[], sizeBytes: number): Promise<void> {
  const { bytesWritten } = await handle.writev(pieces)
  if (bytesWritten !== sizeBytes) throw new Error(`wrote ${bytesWritten} of ${sizeBytes} bytes: is the disk full?`)
}

/** Data and metadata are consistent, even if the file is replaced or removed meanwhile. */
export interface OpenBlob<Metadata> {
  metadata: Metadata
  sizeBytes: number
  /** Reads from `start` to `end` inclusive (`end` is -1 for empty data) and closes the blob. */
  read(start: number, end: number): Buffer | Readable
  /** Each piece is valid until the one after the next is read, as `BlobWriter` needs it. Closes the blob. */
  readPieces(): AsyncGenerator<Buffer>
  close(): Promise<void>
}

export async function openBlob<Metadata>(path: string): Promise<OpenBlob<Metadata> | undefined> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    return await readBlob<Metadata>(handle, path)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function readBlob<Metadata>(handle: FileHandle, path: string): Promise<OpenBlob<Metadata>> {
  const { size } = await handle.stat()
  let tail = await readTail(handle, size, TAIL_BYTES)
  if (tail.length < TRAILER_BYTES || !tail.subarray(-MAGIC.length).equals(MAGIC))
    throw new Error(`damaged object file: ${path}`)
  const footerBytes = tail.readUInt32BE(tail.length - TRAILER_BYTES) + TRAILER_BYTES
  if (footerBytes > tail.length) tail = await readTail(handle, size, footerBytes)
  const json = tail.subarray(tail.length - footerBytes, tail.length - TRAILER_BYTES)
  const tailStart = size - tail.length
  return {
    metadata: JSON.parse(json.toString()) as Metadata,
    sizeBytes: size - footerBytes,
    read: (start, end) => {
      if (start < tailStart) return handle.createReadStream({ start, end, highWaterMark: READ_BYTES })
      handle.close().catch(() => {})
      return tail.subarray(start - tailStart, end + 1 - tailStart)
    },
    readPieces: () => readPieces(handle, size - footerBytes),
    close: () => handle.close(),
  }
}

async function* readPieces(handle: FileHandle, sizeBytes: number): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafe(BATCH_BYTES), Buffer.allocUnsafe(BATCH_BYTES)] as const
  try {
    for (let at = 0, i = 0; at < sizeBytes; at += BATCH_BYTES, i++) {
      const piece = buffers[i % 2]!.subarray(0, sizeBytes - at)
      for (let filled = 0; filled < piece.length; ) {
        const { bytesRead } = await handle.read(piece, filled, piece.length - filled, at + filled)
        if (bytesRead === 0) throw new Error('an object file became shorter while it was read')
        filled += bytesRead
      }
      yield piece
    }
  } finally {
    await handle.close()
  }
}

async function readTail(handle: FileHandle, size: number, lengthBytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, lengthBytes))
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, size - buffer.length)
  return buffer.subarray(0, bytesRead)
}
