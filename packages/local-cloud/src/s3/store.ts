/** All buckets in one directory, for one process at a time; its tmp/ is emptied at start. */
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

  static async open(dataDir: string): Promise<Store> {
    const store = new Store(dataDir)
    await rm(join(dataDir, 'tmp'), { recursive: true, force: true })
    for (const directory of ['tmp', 'buckets']) await mkdir(join(dataDir, directory), { recursive: true })
    for (const name of await readdir(join(dataDir, 'buckets'))) {
      const settings = JSON.parse(await readFile(join(store.#getBucketPath(name), SETTINGS), 'utf8'))
      store.#buckets.set(name, new Bucket(store.#getBucketPath(name), name, settings))
    }
    return store
  }

  get buckets(): Bucket[] {
    return [...this.#buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  has(name: string): boolean {
    return this.#buckets.has(name)
  }

  getBucket(name: string): Bucket {
    const bucket = this.#buckets.get(name)
    if (bucket) return bucket
    throw new S3Error('NoSuchBucket', undefined, { BucketName: name })
  }

  createBucket(name: string): Promise<void> {
    return this.#locks.run(name, async () => {
      if (this.#buckets.has(name)) return
      const settings = { createdAt: Date.now() }
      const temporary = this.createTemporaryPath()
      for (const directory of ['objects', 'uploads']) await mkdir(join(temporary, directory), { recursive: true })
      await writeFile(join(temporary, SETTINGS), JSON.stringify(settings))
      await rename(temporary, this.#getBucketPath(name))
      this.#buckets.set(name, new Bucket(this.#getBucketPath(name), name, settings))
    })
  }

  deleteBucket(name: string): Promise<void> {
    return this.#locks.run(name, async () => {
      await this.getBucket(name).closeForDeletion()
      this.#buckets.delete(name)
      await this.discard(this.#getBucketPath(name))
    })
  }

  /** A unique path on the same file system as the buckets. */
  createTemporaryPath(): string {
    return join(this.#root, 'tmp', randomUUID())
  }

  /** Renames the directory first, so that it disappears for all readers at the same time. */
  async discard(directory: string): Promise<void> {
    const temporary = this.createTemporaryPath()
    await rename(directory, temporary)
    await rm(temporary, { recursive: true, force: true })
  }

  async writeTemporary<Result>(
    pieces: AsyncIterable<Buffer>,
    digest: Digest | undefined,
    publish: (writer: BlobWriter) => Promise<Result>,
  ): Promise<Result> {
    const writer = new BlobWriter(this.createTemporaryPath())
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

  #getBucketPath(bucket: string): string {
    return join(this.#root, 'buckets', bucket)
  }
}
