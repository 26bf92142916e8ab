/** A bucket on disk: blobs named after the SHA-256 of their key. Changes to one key are serialized. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobWriter, type OpenBlob, openBlob } from './blob.ts'
import { S3Error } from './errors.ts'
import { KeyIndex, type ListedObject, type Page, type PageRequest } from './key-index.ts'
import { KeyedLock } from './keyed-lock.ts'
import { Uploads } from './uploads.ts'

export interface ObjectMetadata {
  key: string
  sizeBytes: number
  etag: string
  /** Milliseconds since 1970, in whole seconds like HTTP dates. */
  lastModified: number
  /** Content headers and x-amz-meta-; names are lower-case, values one character per byte as in HTTP. */
  headers: Record<string, string>
}

export type NewObject = Omit<ObjectMetadata, 'lastModified'>

export class Bucket {
  readonly name: string
  readonly createdAt: number
  readonly uploads: Uploads
  readonly #objects: string
  readonly #locks = new KeyedLock()
  #isClosed = false
  #index: Promise<KeyIndex> | undefined
  #loaded: KeyIndex | undefined
  /** Changes made while the index is being loaded. */
  readonly #changes = new Map<string, ListedObject | undefined>()

  constructor(directory: string, name: string, settings: { createdAt: number }) {
    this.name = name
    this.createdAt = settings.createdAt
    this.#objects = join(directory, 'objects')
    this.uploads = new Uploads(join(directory, 'uploads'))
  }

  async open(key: string): Promise<OpenBlob<ObjectMetadata>> {
    const blob = await openBlob<ObjectMetadata>(this.#getPath(key))
    if (!blob) throw new S3Error('NoSuchKey', undefined, { Key: key })
    return blob
  }

  /** On failure nothing has changed, and the caller discards the writer. */
  async commit(writer: BlobWriter, object: NewObject): Promise<ObjectMetadata> {
    const metadata = { ...object, lastModified: Math.floor(Date.now() / 1000) * 1000 }
    await writer.finalize(metadata)
    return this.#locks.run(object.key, async () => {
      if (this.#isClosed) throw new S3Error('NoSuchBucket', undefined, { BucketName: this.name })
      await renameInto(writer.path, this.#getPath(object.key))
      this.#updateIndex(object.key, metadata)
      return metadata
    })
  }

  async delete(key: string): Promise<void> {
    await this.#locks.run(key, async () => {
      await rm(this.#getPath(key), { force: true })
      this.#updateIndex(key, undefined)
    })
  }

  async list(request: PageRequest): Promise<Page> {
    return (await this.#readIndex()).getPage(request)
  }

  /** Blocks writers before the bucket is deleted. @throws BucketNotEmpty */
  async closeForDeletion(): Promise<void> {
    const index = await this.#readIndex()
    if (index.size > 0 || this.#locks.busy) throw new S3Error('BucketNotEmpty', undefined, { BucketName: this.name })
    this.#isClosed = true
  }

  #getPath(key: string): string {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(this.#objects, hash.slice(0, 2), hash.slice(2))
  }

  #updateIndex(key: string, object: ListedObject | undefined): void {
    if (!this.#loaded) {
      if (this.#index) this.#changes.set(key, object)
    } else if (object) {
      this.#loaded.set(key, toListedObject(object))
    } else {
      this.#loaded.delete(key)
    }
  }

  /** Loaded on the first listing, so that other buckets cost nothing at start. */
  #readIndex(): Promise<KeyIndex> {
    this.#index ??= this.#loadIndex().catch((error) => {
      this.#index = undefined
      throw error
    })
    return this.#index
  }

  async #loadIndex(): Promise<KeyIndex> {
    const objectsByKey = new Map<string, ListedObject>()
    for (const subdirectory of await readdir(this.#objects)) {
      const names = await readdir(join(this.#objects, subdirectory))
      const objects = await Promise.all(names.map((name) => readMetadata(join(this.#objects, subdirectory, name))))
      for (const object of objects) if (object) objectsByKey.set(object.key, toListedObject(object))
    }
    const index = new KeyIndex(objectsByKey)
    this.#loaded = index
    for (const [key, object] of this.#changes) this.#updateIndex(key, object)
    this.#changes.clear()
    return index
  }
}

const toListedObject = ({ sizeBytes, etag, lastModified }: ListedObject): ListedObject => ({
  sizeBytes,
  etag,
  lastModified,
})

/** A damaged file must not hide the others from a listing; reading its key reports it. */
async function readMetadata(path: string): Promise<ObjectMetadata | undefined> {
  try {
    const blob = await openBlob<ObjectMetadata>(path)
    await blob?.close()
    return blob?.metadata
  } catch (error) {
    console.error('s3:', error)
    return undefined
  }
}

async function renameInto(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await mkdir(join(to, '..')).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'EEXIST') throw failure
    })
    await rename(from, to)
  }
}
