/** The unfinished multipart uploads of a bucket, one directory each; they survive a restart. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobWriter, type OpenBlob, openBlob } from './blob.ts'
import { S3Error } from './errors.ts'
import { KeyedLock } from './keyed-lock.ts'

export interface Upload {
  key: string
  initiatedAt: number
  headers: Record<string, string>
}

export interface Part {
  number: number
  sizeBytes: number
  etag: string
}

const UPLOAD_ID = /^[0-9a-f-]{36}$/
const SETTINGS = 'upload.json'

export class Uploads {
  readonly #directory: string
  readonly #locks = new KeyedLock()

  constructor(directory: string) {
    this.#directory = directory
  }

  async create(upload: Upload, temporary: string): Promise<string> {
    const id = randomUUID()
    await mkdir(temporary)
    await writeFile(join(temporary, SETTINGS), JSON.stringify(upload))
    await rename(temporary, this.getPath(id))
    return id
  }

  async find(id: string, key: string): Promise<Upload> {
    const upload = UPLOAD_ID.test(id) ? await this.#read(id) : undefined
    if (upload?.key === key) return upload
    throw createNoSuchUploadError(id)
  }

  async list(): Promise<(Upload & { id: string })[]> {
    const ids = await readdir(this.#directory)
    const uploads = await Promise.all(ids.map(async (id) => ({ id, upload: await this.#read(id) })))
    return uploads
      .flatMap(({ id, upload }) => (upload ? [{ ...upload, id }] : []))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.initiatedAt - b.initiatedAt)
  }

  runExclusive<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(id, work)
  }

  async putPart(id: string, writer: BlobWriter, part: Part): Promise<void> {
    await writer.finalize(part)
    await this.runExclusive(id, async () => {
      await rename(writer.path, this.#getPartPath(id, part.number)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? createNoSuchUploadError(id) : error
      })
    })
  }

  async listParts(id: string): Promise<Part[]> {
    const names = (await readdir(this.getPath(id))).filter((name) => name !== SETTINGS)
    const parts: Part[] = []
    for (const name of names) {
      const blob = await openBlob<Part>(join(this.getPath(id), name))
      await blob?.close()
      if (blob) parts.push(blob.metadata)
    }
    return parts.sort((a, b) => a.number - b.number)
  }

  async openPart(id: string, number: number): Promise<OpenBlob<Part>> {
    const blob = await openBlob<Part>(this.#getPartPath(id, number))
    if (!blob) throw createNoSuchUploadError(id)
    return blob
  }

  getPath(id: string): string {
    return join(this.#directory, id)
  }

  #getPartPath(id: string, number: number): string {
    return join(this.getPath(id), String(number))
  }

  async #read(id: string): Promise<Upload | undefined> {
    try {
      return JSON.parse(await readFile(join(this.getPath(id), SETTINGS), 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
}

const createNoSuchUploadError = (id: string) => new S3Error('NoSuchUpload', undefined, { UploadId: id })
