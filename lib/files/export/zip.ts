/** Streams ZIP archives entry by entry; an error in an entry fails the archive. */
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** Level 6 takes three times as long. */
const FAST = 1

export interface ArchiveWriter {
  put(name: string, text: string): void
  stream(name: string, pieces: () => AsyncIterable<Uint8Array>): void
}

export function createZip(addEntries: (archive: ArchiveWriter) => void): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const abort = (error: Error): void => void out.destroy(error)
  addEntries({
    put: (name, text) => zip.addBuffer(Buffer.from(text), name),
    stream: (name, pieces) =>
      zip.addReadStreamLazy(name, { compressionLevel: FAST }, (callback) => {
        const stream = Readable.from(pieces(), { objectMode: false })
        stream.once('error', abort)
        callback(null, stream)
      }),
  })
  zip.on('error', abort)
  zip.end()
  zip.outputStream.pipe(out)
  return out
}
