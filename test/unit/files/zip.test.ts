import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry as ReadEntry, type ZipFile } from 'yauzl'
import { gzip } from '../../../lib/files/export/compression.ts'
import { createZip } from '../../../lib/files/export/zip.ts'
import {
  buildDataDescriptor,
  buildDirectoryEnd,
  buildDirectoryRecord,
  createEntry,
  type Entry,
} from '../../../lib/files/export/zip-records.ts'

class EndReader extends RandomAccessReader {
  readonly #end: Buffer
  readonly #start: number

  constructor(end: Buffer, start: number) {
    super()
    this.#end = end
    this.#start = start
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const zeros = Buffer.alloc(Math.max(0, Math.min(end, this.#start) - start))
    return Readable.from([zeros, this.#end.subarray(Math.max(0, start - this.#start), end - this.#start)], {
      objectMode: false,
    })
  }
}

const openEnd = (end: Buffer, start: number): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(new EndReader(end, start), start + end.length, { autoClose: false })

async function readArchive(end: Buffer, start = 0): Promise<{ archive: ZipFile; entries: ReadEntry[] }> {
  const archive = await openEnd(end, start)
  const entries: ReadEntry[] = []
  for await (const entry of archive.eachEntry()) entries.push(entry)
  return { archive, entries }
}

async function* toPieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

const TEXTS = Array.from({ length: 20 }, (_, i) => `${i} `.repeat(i * 100))

describe('an archive', () => {
  it('has its texts and streams in order', async () => {
    const bytes = await buffer(
      createZip((archive) => {
        archive.put('mimetype', 'text/plain', { compress: false })
        archive.put('packed.txt', 'x'.repeat(1000))
        archive.stream('Zoë/pieces.txt', () => toPieces(...TEXTS))
        archive.stream('empty.txt', () => toPieces())
      }),
    )
    const { archive, entries } = await readArchive(bytes)
    expect(entries.map(({ fileName }) => fileName)).toEqual(['mimetype', 'packed.txt', 'Zoë/pieces.txt', 'empty.txt'])
    const contents = ['text/plain', 'x'.repeat(1000), TEXTS.join(''), '']
    for (const [i, entry] of entries.entries()) {
      expect(await text(await archive.openReadStreamPromise(entry))).toBe(contents[i])
      expect(entry.crc32).toBe(crc32(contents[i]!))
      expect(entry.uncompressedSize).toBe(contents[i]!.length)
      expect(Math.abs(entry.getLastModDate().getTime() - Date.now())).toBeLessThan(60_000)
    }
    expect(bytes.subarray(30, 48).toString()).toBe('mimetypetext/plain')
    expect(entries[1]!.compressedSize).toBeLessThan(100)
  })

  it('reads a stream when those before are written', async () => {
    const order: string[] = []
    const open = (name: string) => () => {
      order.push(`open ${name}`)
      return (async function* () {
        yield Buffer.from(name)
        order.push(`end ${name}`)
      })()
    }
    await buffer(
      createZip((archive) => {
        archive.stream('a', open('a'))
        archive.stream('b', open('b'))
      }),
    )
    expect(order).toEqual(['open a', 'end a', 'open b', 'end b'])
  })

  it('fails with the error of an entry', async () => {
    const failing = async function* () {
      yield Buffer.from('a')
      throw new Error('The source broke')
    }
    await expect(buffer(createZip((archive) => archive.stream('a', failing)))).rejects.toThrow('The source broke')
  })
})

describe('an archive of more than 4 GB', () => {
  const GB = 1024 ** 3
  const buildEntry = (name: string, sizes: Pick<Entry, 'bytes' | 'packedBytes' | 'offset'>): Entry => ({
    ...createEntry(name, { isCompressed: true, isStreamed: true }),
    ...sizes,
    crc: 7,
  })

  it('has all sizes and offsets in its directory', async () => {
    const written = [
      buildEntry('small', { bytes: 10, packedBytes: 5, offset: 0 }),
      buildEntry('unpacked', { bytes: 5 * GB, packedBytes: GB, offset: 10 }),
      buildEntry('limit', { bytes: 0xffffffff, packedBytes: GB, offset: GB }),
      buildEntry('far', { bytes: 10, packedBytes: 5, offset: 5 * GB }),
    ]
    const directory = Buffer.concat(written.map(buildDirectoryRecord))
    const offset = 6 * GB
    const end = buildDirectoryEnd({ entries: written.length, offset, bytes: directory.length })
    const { entries } = await readArchive(Buffer.concat([directory, end]), offset)
    expect(
      entries.map(({ fileName, uncompressedSize, compressedSize, relativeOffsetOfLocalHeader }) => [
        ...[fileName, uncompressedSize, compressedSize, relativeOffsetOfLocalHeader],
      ]),
    ).toEqual(written.map(({ name, bytes, packedBytes, offset }) => [name.toString(), bytes, packedBytes, offset]))
  })

  it('counts more entries than 16 bits can', async () => {
    const [entries, bytes] = [70_000, 4_000_000]
    const end = buildDirectoryEnd({ entries, offset: 100, bytes })
    expect((await openEnd(end, 100 + bytes)).entryCount).toBe(entries)
  })

  it('has longer sizes after the data of large entries only', () => {
    const build = (bytes: number) => buildDataDescriptor(buildEntry('a', { bytes, packedBytes: 5, offset: 5 * GB }))
    expect(build(10).toString('hex')).toBe('504b070807000000050000000a000000')
    expect(build(5 * GB).toString('hex')).toBe('504b07080700000005000000000000000000004001000000')
  })
})

describe('a compressed stream', () => {
  it('has the bytes and the checksum of its pieces', async () => {
    const bytes = await buffer(gzip(toPieces(...TEXTS)))
    expect(gunzipSync(bytes).toString()).toBe(TEXTS.join(''))
    expect(inflateRawSync(bytes.subarray(10)).toString()).toBe(TEXTS.join(''))
    expect(gunzipSync(await buffer(gzip(toPieces()))).length).toBe(0)
  })
})
