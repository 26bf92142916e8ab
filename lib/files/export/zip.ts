/** Streams ZIP archives entry by entry; an error in an entry fails the archive. */
import { crc32, deflateRawSync } from 'node:zlib'
import { countPieces, createTotals, deflate } from './compression.ts'
import {
  buildDataDescriptor,
  buildDirectoryEnd,
  buildDirectoryRecord,
  buildLocalHeader,
  createEntry,
  type Entry,
} from './zip-records.ts'

export interface ArchiveWriter {
  put(name: string, text: string, options?: { compress: boolean }): void
  stream(name: string, pieces: () => AsyncIterable<Uint8Array>): void
}

export async function* createZip(addEntries: (archive: ArchiveWriter) => void): AsyncGenerator<Buffer> {
  const entries: { entry: Entry; write(entry: Entry): AsyncIterable<Buffer> }[] = []
  addEntries({
    put: (name, text, { compress } = { compress: true }) =>
      entries.push({
        entry: createEntry(name, { isCompressed: compress, isStreamed: false }),
        write: (entry) => writeText(entry, text),
      }),
    stream: (name, pieces) =>
      entries.push({
        entry: createEntry(name, { isCompressed: true, isStreamed: true }),
        write: (entry) => writePieces(entry, pieces()),
      }),
  })
  let offset = 0
  for (const { entry, write } of entries) {
    entry.offset = offset
    for await (const bytes of write(entry)) {
      offset += bytes.length
      yield bytes
    }
  }
  const directory = Buffer.concat(entries.map(({ entry }) => buildDirectoryRecord(entry)))
  yield directory
  yield buildDirectoryEnd({ entries: entries.length, offset, bytes: directory.length })
}

async function* writeText(entry: Entry, text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  const packed = entry.isCompressed ? deflateRawSync(bytes) : bytes
  Object.assign(entry, { bytes: bytes.length, crc: crc32(bytes), packedBytes: packed.length })
  yield buildLocalHeader(entry)
  yield packed
}

async function* writePieces(entry: Entry, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  yield buildLocalHeader(entry)
  const totals = createTotals()
  let packedBytes = 0
  for await (const packed of deflate(countPieces(pieces, totals))) {
    packedBytes += packed.length
    yield packed
  }
  Object.assign(entry, totals, { packedBytes })
  yield buildDataDescriptor(entry)
}
