/** Streams ZIP archives entry by entry; an error in an entry fails the archive. */
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { FAST_LEVEL } from './compression.ts'

export interface ArchiveWriter {
  put(name: string, text: string, options?: { compress: boolean }): void
  stream(name: string, pieces: () => AsyncIterable<Uint8Array>): void
}

export function createZip(addEntries: (archive: ArchiveWriter) => void): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const abort = (error: Error): void => void out.destroy(error)
  addEntries({
    put: (name, text, options) => zip.addBuffer(Buffer.from(text), name, options),
    stream: (name, pieces) =>
      zip.addReadStreamLazy(name, { compressionLevel: FAST_LEVEL }, (callback) => {
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
