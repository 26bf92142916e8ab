/**
 * A ZIP archive by its directory. What is dangerous in one (bombs, ways out of the folder, links, entries over each other)
 * is refused by name before anything is unpacked; sizes are held to what the directory says while it is.
 */
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import {
  ARCHIVE_BYTES,
  ARCHIVE_ENTRIES,
  ENTRY_BYTES,
  RATIO_FROM_BYTES,
  UNPACKED_RATIO,
} from '../../../../schemas/files.ts'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import type { FileBytes } from '../bytes.ts'
import { RangeReader } from './reader.ts'

export interface Entry {
  /** With its folders, parted by slashes. */
  name: string
  /** Bytes, unpacked. */
  size: number
  /** Bytes in the archive. */
  packedSize: number
  /** @throws, also while it is read, ApiError for bytes that cannot be unpacked */
  stream(): Promise<Readable>
}

export interface Archive {
  /** Without folders; by name. */
  entries: ReadonlyMap<string, Entry>
  /** Gives up what can be read again. */
  rest(): void
  close(): void
}

const STREAM_BYTES = 128 * 1024
const LINK = 0o120000
const KIND = 0o170000

/** @throws ApiError unprocessable that names the entry and what is wrong with it */
export async function openArchive(file: FileBytes): Promise<Archive> {
  const reader = new RangeReader(file)
  const zip = await fromRandomAccessReaderPromise(reader, file.size, { autoClose: false }).catch((error: Error) => {
    throw broken(error)
  })
  if (zip.entryCount > ARCHIVE_ENTRIES)
    throw unprocessable(`The archive has ${zip.entryCount} entries; at most ${ARCHIVE_ENTRIES} are read.`)
  const entries = new Map<string, Entry>()
  const spans: { from: number; to: number; name: string }[] = []
  let bytes = 0
  for await (const entry of entriesOf(zip)) {
    refuseDangerous(entry)
    bytes += entry.uncompressedSize
    if (bytes > ARCHIVE_BYTES)
      throw unprocessable(`The archive unpacks to more than ${ARCHIVE_BYTES} bytes: it is not unpacked.`)
    const from = entry.relativeOffsetOfLocalHeader
    spans.push({ from, to: from + entry.compressedSize, name: entry.fileName })
    if (entry.fileName.endsWith('/')) continue
    if (entries.has(entry.fileName)) throw unprocessable(`The archive has two entries of the name ${entry.fileName}.`)
    entries.set(entry.fileName, entryOf(zip, entry))
  }
  refuseOverlaps(spans)
  return { entries, rest: () => reader.forget(), close: () => zip.close() }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<ZipEntry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    throw error instanceof ApiError ? error : broken(error as Error)
  }
}

function refuseDangerous(entry: ZipEntry): void {
  const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK)
    throw unprocessable(`The archive's entry ${name} is a symbolic link: links are not followed.`)
  if (entry.isEncrypted())
    throw unprocessable(`The archive's entry ${name} is encrypted: save the file without a password and try again.`)
  if (!entry.canDecodeFileData())
    throw unprocessable(`The archive's entry ${name} is packed in a way that is not read (${entry.compressionMethod}).`)
  if (size > ENTRY_BYTES)
    throw unprocessable(`The archive's entry ${name} unpacks to ${size} bytes; at most ${ENTRY_BYTES} are read.`)
  if (size > RATIO_FROM_BYTES && size > packed * UNPACKED_RATIO)
    throw unprocessable(
      `The archive's entry ${name} unpacks to more than ${UNPACKED_RATIO} times its size, as a ZIP bomb does: it is not unpacked.`,
    )
}

/** Entries that lie over each other unpack the same bytes many times. */
function refuseOverlaps(spans: { from: number; to: number; name: string }[]): void {
  spans.sort((a, b) => a.from - b.from)
  spans.forEach(({ from, name }, i) => {
    if (i > 0 && from < spans[i - 1]!.to)
      throw unprocessable(`The archive's entries ${spans[i - 1]!.name} and ${name} lie over each other.`)
  })
}

const entryOf = (zip: ZipFile, entry: ZipEntry): Entry => ({
  name: entry.fileName,
  size: entry.uncompressedSize,
  packedSize: entry.compressedSize,
  stream: async () => Readable.from(unpacked(zip, entry), { objectMode: false, highWaterMark: STREAM_BYTES }),
})

const DEFLATED = 8

/** The entry's bytes, held to the size its directory says. Errors of unpacking are the file's, not ours. */
async function* unpacked(zip: ZipFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  let bytes = 0
  try {
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
    // Larger pieces than the archive's reader would make: each is a turn of another thread.
    stream =
      entry.compressionMethod === DEFLATED
        ? pipeline(packed, createInflateRaw({ chunkSize: STREAM_BYTES }), () => {})
        : packed
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > entry.uncompressedSize)
        throw new Error(`it has more than the ${entry.uncompressedSize} bytes it says`)
      yield chunk
    }
    if (bytes < entry.uncompressedSize)
      throw new Error(`it has ${bytes} bytes of the ${entry.uncompressedSize} it says`)
  } catch (error) {
    throw broken(error as Error, entry.fileName)
  } finally {
    stream?.destroy()
  }
}

/** Of zlib, or of the archive's reader: the SDK's errors have a name or a code of their own. */
const isOfTheFile = (error: Error & { code?: string }): boolean =>
  error.name === 'Error' && (error.code === undefined || error.code.startsWith('Z_'))

function broken(error: Error, name?: string): Error {
  if (!isOfTheFile(error)) return error
  const { message } = error
  if (/^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(message))
    return unprocessable(`The archive has an entry that leads out of its folder (${message}): nothing is unpacked.`)
  return unprocessable(
    name === undefined
      ? `The file is damaged, or no ZIP archive: ${message}`
      : `The archive's entry ${name} is damaged: ${message}`,
  )
}
