/** Reads a ZIP archive by ranges: small reads from cached blocks, entries as streams. */

import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'
import { message } from '../../../../schemas/messages/index.ts'
import type { FileBytes } from '../bytes.ts'

/** yauzl reads directories in small pieces, so one request should serve many. */
const BLOCK_BYTES = 256 * 1024
const MAX_CACHED_BLOCKS = 8

export class RangeReader extends RandomAccessReader {
  readonly #file: FileBytes
  readonly #blocks = new Map<number, Promise<Buffer>>()

  constructor(file: FileBytes) {
    super()
    this.#file = file
  }

  clearCache(): void {
    this.#blocks.clear()
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false })
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    if (end - start <= BLOCK_BYTES) return yield await this.#bytes(start, end)
    const stream = await this.#file.rangeStream(start, end)
    try {
      yield* stream as AsyncIterable<Buffer>
    } finally {
      stream.destroy()
    }
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytes(position, position + length).then(
      (bytes) => {
        bytes.copy(buffer, offset)
        callback(bytes.length < length ? new Error(message('files.endsEarly')) : null)
      },
      (error: Error) => callback(error),
    )
  }

  async #bytes(start: number, end: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let block = Math.floor(start / BLOCK_BYTES); block * BLOCK_BYTES < end; block++) {
      const bytes = await this.#block(block)
      parts.push(bytes.subarray(Math.max(0, start - block * BLOCK_BYTES), end - block * BLOCK_BYTES))
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  #block(block: number): Promise<Buffer> {
    const cached = this.#blocks.get(block)
    if (cached) return cached
    const pending = this.#file.range(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES)
    this.#blocks.set(block, pending)
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= MAX_CACHED_BLOCKS) break
      this.#blocks.delete(oldest)
    }
    return pending
  }
}
