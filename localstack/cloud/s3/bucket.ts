/**
 * One bucket on disk. Every object is one blob file named after the SHA-256 of its key, so any key is safe on any file
 * system, whatever its length, case or characters; the key itself is in the blob's metadata.
 * Changes to one key happen one after another, and each is one rename: readers see the object before or after it.
 * Knows no HTTP.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobWriter, type OpenBlob, openBlob } from './blob.ts'
import type { Checksum } from './checksums.ts'
import { S3Error } from './errors.ts'
import { KeyIndex, type ListedObject, type Page, type PageRequest } from './key-index.ts'
import { KeyedLock } from './keyed-lock.ts'
import { Uploads } from './uploads.ts'

export interface ObjectMetadata {
  key: string
  sizeBytes: number
  /** Without quotes. */
  etag: string
  /** ms since the epoch, whole seconds as HTTP dates are */
  lastModified: number
  /** Content headers and x-amz-meta-, lower-case names, values one character a byte as HTTP sends them */
  headers: Record<string, string>
  checksum?: Checksum
}

/** What the writer of an object decides; the rest follows from the write itself. */
export type NewObject = Omit<ObjectMetadata, 'lastModified'>

/** Decides on the object about to be replaced or removed; throws to refuse. */
export type WriteGuard = (current: ObjectMetadata | undefined) => void

export class Bucket {
  readonly name: string
  /** ms since the epoch */
  readonly createdAt: number
  readonly uploads: Uploads
  /** The CORS configuration as the client put it. */
  cors: string | undefined
  readonly #objects: string
  readonly #locks = new KeyedLock()
  #removed = false
  #index: Promise<KeyIndex> | undefined
  #loaded: KeyIndex | undefined
  /** Changes made while the index is being read from disk. */
  readonly #changes = new Map<string, ListedObject | undefined>()

  constructor(directory: string, name: string, settings: { createdAt: number; cors?: string }) {
    this.name = name
    this.createdAt = settings.createdAt
    this.cors = settings.cors
    this.#objects = join(directory, 'objects')
    this.uploads = new Uploads(join(directory, 'uploads'))
  }

  /** The open object: the caller must read or close it. @throws NoSuchKey */
  async open(key: string): Promise<OpenBlob<ObjectMetadata>> {
    const blob = await openBlob<ObjectMetadata>(this.#pathOf(key))
    if (!blob) throw new S3Error('NoSuchKey', undefined, { Key: key })
    return blob
  }

  async find(key: string): Promise<ObjectMetadata | undefined> {
    const blob = await openBlob<ObjectMetadata>(this.#pathOf(key))
    await blob?.close()
    return blob?.metadata
  }

  /**
   * Publishes what was written as the object of its key. On failure nothing has changed; the writer is the caller's to discard.
   * @throws what `guard` throws; NoSuchBucket when the bucket was deleted meanwhile.
   */
  async commit(writer: BlobWriter, object: NewObject, guard?: WriteGuard): Promise<ObjectMetadata> {
    const metadata = { ...object, lastModified: Math.floor(Date.now() / 1000) * 1000 }
    await writer.seal(metadata)
    return this.#locks.run(object.key, async () => {
      if (guard) guard(await this.find(object.key))
      if (this.#removed) throw new S3Error('NoSuchBucket', undefined, { BucketName: this.name })
      await renameInto(writer.path, this.#pathOf(object.key))
      this.#note(object.key, metadata)
      return metadata
    })
  }

  /** Removes an object; one that does not exist is already removed. */
  async delete(key: string, guard?: WriteGuard): Promise<void> {
    await this.#locks.run(key, async () => {
      if (guard) guard(await this.find(key))
      await rm(this.#pathOf(key), { force: true })
      this.#note(key, undefined)
    })
  }

  async list(request: PageRequest): Promise<Page> {
    return (await this.#readIndex()).page(request)
  }

  /** Closes the bucket to writers before it is deleted. @throws BucketNotEmpty */
  async retire(): Promise<void> {
    const index = await this.#readIndex()
    if (index.size > 0 || this.#locks.busy) throw new S3Error('BucketNotEmpty', undefined, { BucketName: this.name })
    this.#removed = true
  }

  #pathOf(key: string): string {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(this.#objects, hash.slice(0, 2), hash.slice(2))
  }

  /** Keeps the index in step with the files, once there is one. */
  #note(key: string, object: ListedObject | undefined): void {
    if (!this.#loaded) {
      if (this.#index) this.#changes.set(key, object)
    } else if (object) {
      this.#loaded.set(key, listed(object))
    } else {
      this.#loaded.delete(key)
    }
  }

  /** The index is read from the files when it is first asked for: a bucket nobody lists costs nothing at start. */
  #readIndex(): Promise<KeyIndex> {
    this.#index ??= this.#loadIndex().catch((error) => {
      this.#index = undefined
      throw error
    })
    return this.#index
  }

  async #loadIndex(): Promise<KeyIndex> {
    const found = new Map<string, ListedObject>()
    for (const fan of await readdir(this.#objects)) {
      const names = await readdir(join(this.#objects, fan))
      const objects = await Promise.all(names.map((name) => readMetadata(join(this.#objects, fan, name))))
      for (const object of objects) if (object) found.set(object.key, listed(object))
    }
    const index = new KeyIndex(found)
    this.#loaded = index
    for (const [key, object] of this.#changes) this.#note(key, object)
    this.#changes.clear()
    return index
  }
}

const listed = ({ sizeBytes, etag, lastModified }: ListedObject): ListedObject => ({ sizeBytes, etag, lastModified })

/** One damaged file must not hide the others from a listing; asking for its key reports it. */
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

/** Renames a file into a directory that may not exist yet; the directory above must. */
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
