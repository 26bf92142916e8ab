/** A workbook's shared strings, possibly millions: UTF-8 blocks, cached in memory or in a temporary file. */

import { closeSync, readSync, writeSync } from 'node:fs'
import { MAX_SHARED_TEXT_BYTES } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { unprocessable } from '../../../core/errors.ts'
import { openTempFile } from '../temp-file.ts'

const BLOCK_BYTES = 256 * 1024
const MAX_TEXTS_PER_BLOCK = 32 * 1024
const MAX_CACHED_BLOCKS = 64

/** Text `i` is the bytes from `ends[i - 1]` (0 for the first) to `ends[i]`. */
interface Block {
  bytes: Buffer
  ends: Uint32Array
}

interface BlockLocation {
  first: number
  texts: number
  bytes: number
  at: number | undefined
}

interface OpenBlock {
  location: BlockLocation
  block: Block
}

const pickIfContaining = (open: OpenBlock | undefined, index: number): OpenBlock | undefined =>
  open && index >= open.location.first && index < open.location.first + open.location.texts ? open : undefined

/** Valid until the next call of `get`. */
export interface SharedText {
  bytes: Uint8Array
  from: number
  to: number
}

export class SharedStrings {
  #count = 0
  #total = 0
  readonly #locations: BlockLocation[] = []
  readonly #cached = new Map<number, Block>()
  #open = Buffer.allocUnsafe(BLOCK_BYTES)
  #openBytes = 0
  readonly #openEnds = new Uint32Array(MAX_TEXTS_PER_BLOCK)
  #openTexts = 0
  #file: number | undefined
  #fileBytes = 0
  #last: OpenBlock | undefined
  #previous: OpenBlock | undefined

  get count(): number {
    return this.#count
  }

  add(text: string): void {
    const maxBytes = text.length * 3
    if (this.#openBytes + maxBytes > this.#open.length) this.#grow(maxBytes)
    const written = this.#open.write(text, this.#openBytes)
    this.#openBytes += written
    this.#total += written
    this.#openEnds[this.#openTexts++] = this.#openBytes
    this.#count++
    if (this.#total > MAX_SHARED_TEXT_BYTES)
      throw unprocessable(message('files.sharedTextsTooLarge', { count: MAX_SHARED_TEXT_BYTES }))
    if (this.#openBytes >= BLOCK_BYTES || this.#openTexts === MAX_TEXTS_PER_BLOCK) this.#seal()
  }

  #grow(maxBytes: number): void {
    const grown = Buffer.allocUnsafe(this.#openBytes + maxBytes)
    this.#open.copy(grown, 0, 0, this.#openBytes)
    this.#open = grown
  }

  end(): void {
    if (this.#openTexts) this.#seal()
    this.#open = Buffer.alloc(0)
  }

  #seal(): void {
    const block = {
      bytes: Buffer.from(this.#open.subarray(0, this.#openBytes)),
      ends: this.#openEnds.slice(0, this.#openTexts),
    }
    const first = this.#count - this.#openTexts
    this.#locations.push({ first, texts: this.#openTexts, bytes: this.#openBytes, at: undefined })
    this.#cacheBlock(this.#locations.length - 1, block)
    this.#openBytes = 0
    this.#openTexts = 0
    if (this.#open.length > BLOCK_BYTES) this.#open = Buffer.allocUnsafe(BLOCK_BYTES)
  }

  #cacheBlock(number: number, block: Block): void {
    this.#cached.set(number, block)
    for (const [oldest, oldestBlock] of this.#cached) {
      if (this.#cached.size <= MAX_CACHED_BLOCKS) break
      this.#cached.delete(oldest)
      this.#spill(this.#locations[oldest]!, oldestBlock)
    }
  }

  #spill(location: BlockLocation, { bytes, ends }: Block): void {
    if (location.at !== undefined) return
    this.#file ??= openTempFile('texts')
    location.at = this.#fileBytes
    for (const part of [bytes, new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength)]) {
      for (let from = 0; from < part.length; )
        from += writeSync(this.#file, part, from, part.length - from, this.#fileBytes + from)
      this.#fileBytes += part.length
    }
  }

  get(index: number): SharedText | undefined {
    const openBlock =
      pickIfContaining(this.#last, index) ?? pickIfContaining(this.#previous, index) ?? this.#openContaining(index)
    if (!openBlock) return undefined
    if (openBlock !== this.#last) {
      this.#previous = this.#last
      this.#last = openBlock
    }
    const at = index - openBlock.location.first
    const { bytes, ends } = openBlock.block
    return { bytes, from: at === 0 ? 0 : ends[at - 1]!, to: ends[at]! }
  }

  #openContaining(index: number): OpenBlock | undefined {
    const number = this.#findBlock(index)
    return number === undefined ? undefined : { location: this.#locations[number]!, block: this.#block(number) }
  }

  #findBlock(index: number): number | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    let low = 0
    let high = this.#locations.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#locations[middle]!.first <= index) low = middle
      else high = middle - 1
    }
    return low
  }

  #block(number: number): Block {
    const cached = this.#cached.get(number)
    if (cached) {
      this.#cached.delete(number)
      this.#cached.set(number, cached)
      return cached
    }
    const { at, bytes, texts } = this.#locations[number]!
    const buffer = Buffer.allocUnsafeSlow(bytes + texts * 4)
    for (let from = 0; from < buffer.length; )
      from += readSync(this.#file!, buffer, from, buffer.length - from, at! + from)
    const block = {
      bytes: buffer.subarray(0, bytes),
      ends: new Uint32Array(new Uint8Array(buffer.subarray(bytes)).buffer),
    }
    this.#cacheBlock(number, block)
    return block
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#cached.clear()
  }
}
