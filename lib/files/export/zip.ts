/** ZIP archives as they are written, part after part: what breaks a part breaks the archive. */
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface Archive {
  /** A part of which all is at hand. */
  put(name: string, text: string): void
  /** A part that is made when its turn comes. */
  stream(name: string, pieces: () => AsyncIterable<Uint8Array>): void
}

/** The bytes of the archive that `fill` names the parts of. */
export function zipped(fill: (archive: Archive) => void): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const broken = (error: Error): void => void out.destroy(error)
  fill({
    put: (name, text) => zip.addBuffer(Buffer.from(text), name),
    stream: (name, pieces) =>
      zip.addReadStreamLazy(name, (give) => {
        const stream = Readable.from(pieces(), { objectMode: false })
        stream.once('error', broken)
        give(null, stream)
      }),
  })
  zip.on('error', broken)
  zip.end()
  zip.outputStream.pipe(out)
  return out
}
