/** Reads a ZIP archive's directory. Bombs, path traversal, links and overlaps are rejected before unpacking. */

import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import {
  MAX_ARCHIVE_BYTES,
  MAX_COMPRESSION_RATIO,
  MAX_ENTRIES_PER_ARCHIVE,
  MAX_ENTRY_BYTES,
  UNCHECKED_RATIO_BYTES,
} from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { RangeReader } from './reader.ts'

export interface Entry {
  name: string
  size: number
  packedSize: number
  /** @throws ApiError, also while it is read, for data that cannot be unpacked */
  stream(): Promise<Readable>
}

export interface Archive {
  entries: ReadonlyMap<string, Entry>
  releaseCaches(): void
  close(): void
}

const STREAM_BYTES = 128 * 1024
const SYMLINK_MODE = 0o120000
const FILE_TYPE_MASK = 0o170000

export async function openArchive(file: FileBytes): Promise<Archive> {
  const reader = new RangeReader(file)
  const zip = await fromRandomAccessReaderPromise(reader, file.size, { autoClose: false }).catch((error: Error) => {
    throw toFileError(error)
  })
  if (zip.entryCount > MAX_ENTRIES_PER_ARCHIVE)
    throw unprocessable(message('files.tooManyEntries', { count: zip.entryCount, maximum: MAX_ENTRIES_PER_ARCHIVE }))
  const entries = new Map<string, Entry>()
  const spans: { from: number; to: number; name: string }[] = []
  let bytes = 0
  for await (const entry of listEntries(zip)) {
    assertSafe(entry)
    bytes += entry.uncompressedSize
    if (bytes > MAX_ARCHIVE_BYTES) throw unprocessable(message('files.archiveTooLarge', { count: MAX_ARCHIVE_BYTES }))
    const from = entry.relativeOffsetOfLocalHeader
    spans.push({ from, to: from + entry.compressedSize, name: entry.fileName })
    if (entry.fileName.endsWith('/')) continue
    if (entries.has(entry.fileName)) throw unprocessable(message('files.duplicateEntry', { entry: entry.fileName }))
    entries.set(entry.fileName, toEntry(zip, entry))
  }
  assertNoOverlaps(spans)
  return { entries, releaseCaches: () => reader.clearCache(), close: () => zip.close() }
}

async function* listEntries(zip: ZipFile): AsyncGenerator<ZipEntry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    throw error instanceof ApiError ? error : toFileError(error as Error)
  }
}

function assertSafe(entry: ZipEntry): void {
  const { fileName, uncompressedSize: size, compressedSize: packedSize } = entry
  const named = { entry: fileName }
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK) === SYMLINK_MODE)
    throw unprocessable(message('files.symlinkEntry', named))
  if (entry.isEncrypted()) throw unprocessable(message('files.encryptedEntry', named))
  if (!entry.canDecodeFileData())
    throw unprocessable(message('files.compressionMethod', { ...named, method: String(entry.compressionMethod) }))
  if (size > MAX_ENTRY_BYTES)
    throw unprocessable(message('files.entryTooLarge', { ...named, count: size, maximum: MAX_ENTRY_BYTES }))
  if (size > UNCHECKED_RATIO_BYTES && size > packedSize * MAX_COMPRESSION_RATIO)
    throw unprocessable(message('files.entryBomb', { ...named, ratio: MAX_COMPRESSION_RATIO }))
}

/** Overlapping entries unpack the same bytes many times, as in ZIP bombs. */
function assertNoOverlaps(spans: { from: number; to: number; name: string }[]): void {
  spans.sort((a, b) => a.from - b.from)
  spans.forEach(({ from, name }, i) => {
    if (i > 0 && from < spans[i - 1]!.to)
      throw unprocessable(message('files.overlappingEntries', { first: spans[i - 1]!.name, second: name }))
  })
}

const toEntry = (zip: ZipFile, entry: ZipEntry): Entry => ({
  name: entry.fileName,
  size: entry.uncompressedSize,
  packedSize: entry.compressedSize,
  stream: async () => Readable.from(unpackEntry(zip, entry), { objectMode: false, highWaterMark: STREAM_BYTES }),
})

const DEFLATED = 8

/** Enforces the declared size. Unpacking errors are reported as faults of the file. */
async function* unpackEntry(zip: ZipFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  let bytes = 0
  try {
    const packedStream = await zip.openReadStreamPromise(entry, { decodeFileData: false })
    // Larger chunks than yauzl's, because each chunk costs a thread switch.
    stream =
      entry.compressionMethod === DEFLATED
        ? pipeline(packedStream, createInflateRaw({ chunkSize: STREAM_BYTES }), () => {})
        : packedStream
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > entry.uncompressedSize)
        throw new Error(message('files.entryTooLong', { count: entry.uncompressedSize }))
      yield chunk
    }
    if (bytes < entry.uncompressedSize)
      throw new Error(message('files.entryTooShort', { count: bytes, declared: entry.uncompressedSize }))
  } catch (error) {
    throw toFileError(error as Error, entry.fileName)
  } finally {
    stream?.destroy()
  }
}

/** zlib and yauzl errors; those of the AWS SDK have other names or codes. */
export const isFileError = (error: Error & { code?: string }): boolean =>
  error.name === 'Error' && (error.code === undefined || error.code.startsWith('Z_'))

function toFileError(error: Error, name?: string): Error {
  if (!isFileError(error)) return error
  const problem = error.message
  if (/^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(problem))
    return unprocessable(message('files.unsafePath', { problem }))
  return unprocessable(
    name === undefined
      ? message('files.notAnArchive', { problem })
      : message('files.entryDamaged', { entry: name, problem }),
  )
}
