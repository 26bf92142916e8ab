/**
 * All buckets under one directory:
 *   buckets/<name>/bucket.json    when it was made, its CORS configuration
 *   buckets/<name>/objects/       see bucket.ts
 *   buckets/<name>/uploads/       see uploads.ts
 *   tmp/                          what is being written; emptied at start
 * One process at a time may use the directory. Knows no HTTP.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobWriter } from './blob.ts'
import { Bucket } from './bucket.ts'
import type { Digest } from './checksums.ts'
import { S3Error } from './errors.ts'
import { KeyedLock } from './keyed-lock.ts'

const SETTINGS = 'bucket.json'

export class Store {
  readonly #root: string
  readonly #locks = new KeyedLock()
  readonly #buckets = new Map<string, Bucket>()

  private constructor(root: string) {
    this.#root = root
  }

  /** Opens a data directory, made when missing, and sweeps what a crash has left half-written. */
  static async open(dataDir: string): Promise<Store> {
    const store = new Store(dataDir)
    await rm(join(dataDir, 'tmp'), { recursive: true, force: true })
    for (const directory of ['tmp', 'buckets']) await mkdir(join(dataDir, directory), { recursive: true })
    for (const name of await readdir(join(dataDir, 'buckets'))) {
      const settings = JSON.parse(await readFile(join(store.#pathOf(name), SETTINGS), 'utf8'))
      store.#buckets.set(name, new Bucket(store.#pathOf(name), name, settings))
    }
    return store
  }

  /** By name. */
  get buckets(): Bucket[] {
    return [...this.#buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  has(name: string): boolean {
    return this.#buckets.has(name)
  }

  /** @throws NoSuchBucket */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name)
    if (bucket) return bucket
    throw new S3Error('NoSuchBucket', undefined, { BucketName: name })
  }

  /** Makes a bucket; one that exists is left as it is, as us-east-1 does. */
  createBucket(name: string): Promise<void> {
    return this.#locks.run(name, async () => {
      if (this.#buckets.has(name)) return
      const settings = { createdAt: Date.now() }
      const temporary = this.temporaryPath()
      for (const directory of ['objects', 'uploads']) await mkdir(join(temporary, directory), { recursive: true })
      await writeFile(join(temporary, SETTINGS), JSON.stringify(settings))
      await rename(temporary, this.#pathOf(name))
      this.#buckets.set(name, new Bucket(this.#pathOf(name), name, settings))
    })
  }

  /** @throws NoSuchBucket, BucketNotEmpty */
  deleteBucket(name: string): Promise<void> {
    return this.#locks.run(name, async () => {
      await this.bucket(name).retire()
      this.#buckets.delete(name)
      await this.discard(this.#pathOf(name))
    })
  }

  /** Keeps a CORS configuration, or none. @throws NoSuchBucket */
  setCors(name: string, cors: string | undefined): Promise<void> {
    return this.#locks.run(name, async () => {
      const bucket = this.bucket(name)
      const temporary = this.temporaryPath()
      await writeFile(temporary, JSON.stringify({ createdAt: bucket.createdAt, cors }))
      await rename(temporary, join(this.#pathOf(name), SETTINGS))
      bucket.cors = cors
    })
  }

  /** A path nobody else uses, on the same file system as the buckets. */
  temporaryPath(): string {
    return join(this.#root, 'tmp', randomUUID())
  }

  /** Removes a directory at once for every reader, then its content at leisure. */
  async discard(directory: string): Promise<void> {
    const temporary = this.temporaryPath()
    await rename(directory, temporary)
    await rm(temporary, { recursive: true, force: true })
  }

  /**
   * Writes a stream to a temporary file, counting it in `digest`, and gives the file to `publish`.
   * Whatever fails, the stream or the publishing, the file is removed.
   */
  async receive<Result>(
    pieces: AsyncIterable<Buffer>,
    digest: Digest | undefined,
    publish: (writer: BlobWriter) => Promise<Result>,
  ): Promise<Result> {
    const writer = new BlobWriter(this.temporaryPath())
    try {
      for await (const piece of pieces) {
        digest?.update(piece)
        await writer.write(piece)
      }
      return await publish(writer)
    } catch (error) {
      await writer.discard()
      throw error
    }
  }

  #pathOf(bucket: string): string {
    return join(this.#root, 'buckets', bucket)
  }
}
