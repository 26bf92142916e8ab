/**
 * The multipart uploads of one bucket that are neither completed nor aborted, one directory each:
 *   <upload id>/upload.json    what the finished object will be
 *   <upload id>/<number>       a part, a blob like an object
 * They outlive the process: a client may go on with an upload after a restart. Knows no HTTP.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobWriter, type OpenBlob, openBlob } from './blob.ts'
import type { Checksum, ChecksumAlgorithm, ChecksumType } from './checksums.ts'
import { S3Error } from './errors.ts'
import { KeyedLock } from './keyed-lock.ts'

export interface Upload {
  key: string
  /** ms since the epoch */
  initiatedAt: number
  /** As ObjectMetadata has them. */
  headers: Record<string, string>
  checksum?: { algorithm: ChecksumAlgorithm; type: ChecksumType }
}

export interface Part {
  number: number
  sizeBytes: number
  /** Without quotes. */
  etag: string
  /** ms since the epoch */
  lastModified: number
  checksum?: Checksum
}

const UPLOAD_ID = /^[0-9a-f-]{36}$/
const SETTINGS = 'upload.json'

export class Uploads {
  readonly #directory: string
  readonly #locks = new KeyedLock()

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Starts an upload and gives its id. `temporary` is a free path on the same file system. */
  async create(upload: Upload, temporary: string): Promise<string> {
    const id = randomUUID()
    await mkdir(temporary)
    await writeFile(join(temporary, SETTINGS), JSON.stringify(upload))
    await rename(temporary, this.pathOf(id))
    return id
  }

  /** @throws NoSuchUpload when there is none of this id for this key. */
  async find(id: string, key: string): Promise<Upload> {
    const upload = UPLOAD_ID.test(id) ? await this.#read(id) : undefined
    if (upload?.key === key) return upload
    throw noSuchUpload(id)
  }

  /** All uploads, by key and then by the time they began. */
  async list(): Promise<(Upload & { id: string })[]> {
    const ids = await readdir(this.#directory)
    const uploads = await Promise.all(ids.map(async (id) => ({ id, upload: await this.#read(id) })))
    return uploads
      .flatMap(({ id, upload }) => (upload ? [{ ...upload, id }] : []))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.initiatedAt - b.initiatedAt)
  }

  /** Runs work on one upload while no part of it changes. */
  exclusively<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(id, work)
  }

  /** Publishes what was written as a part, replacing one of the same number. @throws NoSuchUpload when it ended meanwhile. */
  async putPart(id: string, writer: BlobWriter, part: Part): Promise<void> {
    await writer.seal(part)
    await this.exclusively(id, async () => {
      await rename(writer.path, this.#partPath(id, part.number)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? noSuchUpload(id) : error
      })
    })
  }

  /** All parts by number. */
  async parts(id: string): Promise<Part[]> {
    const names = (await readdir(this.pathOf(id))).filter((name) => name !== SETTINGS)
    const parts: Part[] = []
    for (const name of names) {
      const blob = await openBlob<Part>(join(this.pathOf(id), name))
      await blob?.close()
      if (blob) parts.push(blob.metadata)
    }
    return parts.sort((a, b) => a.number - b.number)
  }

  /** The open part: the caller must read or close it. */
  async openPart(id: string, number: number): Promise<OpenBlob<Part>> {
    const blob = await openBlob<Part>(this.#partPath(id, number))
    if (!blob) throw noSuchUpload(id)
    return blob
  }

  pathOf(id: string): string {
    return join(this.#directory, id)
  }

  #partPath(id: string, number: number): string {
    return join(this.pathOf(id), String(number))
  }

  async #read(id: string): Promise<Upload | undefined> {
    try {
      return JSON.parse(await readFile(join(this.pathOf(id), SETTINGS), 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
}

const noSuchUpload = (id: string) => new S3Error('NoSuchUpload', undefined, { UploadId: id })
