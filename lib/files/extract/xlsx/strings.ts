/**
 * The texts a workbook's cells share. There may be millions: they are kept as UTF-8 in blocks, some of them in memory, the
 * others in a temporary file. Cells mostly name them in the order they stand, so that few blocks are read twice.
 */

import { closeSync, readSync, writeSync } from 'node:fs'
import { SHARED_TEXT_BYTES } from '../../../../schemas/files.ts'
import { unprocessable } from '../../../core/errors.ts'
import { openTemporary } from '../temporary.ts'

/** A block ends with the text that makes it this long, or with this many texts. */
const BLOCK_BYTES = 256 * 1024
const BLOCK_TEXTS = 32 * 1024
/** Blocks in memory at most. */
const KEPT_BLOCKS = 64

/** Bytes of text `i` stand from `ends[i - 1]` (0 for the first) to `ends[i]`. */
interface Block {
  bytes: Buffer
  ends: Uint32Array
}

interface BlockPlace {
  /** Number of its first text. */
  first: number
  texts: number
  bytes: number
  /** In the temporary file; undefined while it never left memory. */
  at: number | undefined
}

interface OpenBlock {
  place: BlockPlace
  block: Block
}

/** The block if the text is in it. */
const holds = (open: OpenBlock | undefined, index: number): OpenBlock | undefined =>
  open && index >= open.place.first && index < open.place.first + open.place.texts ? open : undefined

/** A text's bytes; they hold until the next is asked for. */
export interface SharedText {
  bytes: Uint8Array
  from: number
  to: number
}

export class SharedStrings {
  #count = 0
  #total = 0
  readonly #places: BlockPlace[] = []
  /** By block, least recently used first. */
  readonly #kept = new Map<number, Block>()
  #open = Buffer.allocUnsafe(BLOCK_BYTES)
  #openBytes = 0
  readonly #openEnds = new Uint32Array(BLOCK_TEXTS)
  #openTexts = 0
  #file: number | undefined
  #fileBytes = 0
  /** The two that were used last: most texts are in one of them. */
  #last: OpenBlock | undefined
  #before: OpenBlock | undefined

  get count(): number {
    return this.#count
  }

  /** @throws ApiError unprocessable when all texts together are more than is kept */
  add(text: string): void {
    const room = text.length * 3
    if (this.#openBytes + room > this.#open.length) this.#grow(room)
    const written = this.#open.write(text, this.#openBytes)
    this.#openBytes += written
    this.#total += written
    this.#openEnds[this.#openTexts++] = this.#openBytes
    this.#count++
    if (this.#total > SHARED_TEXT_BYTES)
      throw unprocessable(
        `The workbook's shared texts have more than ${SHARED_TEXT_BYTES} bytes: save its sheets as CSV files.`,
      )
    if (this.#openBytes >= BLOCK_BYTES || this.#openTexts === BLOCK_TEXTS) this.#seal()
  }

  #grow(room: number): void {
    const grown = Buffer.allocUnsafe(this.#openBytes + room)
    this.#open.copy(grown, 0, 0, this.#openBytes)
    this.#open = grown
  }

  /** All texts are there. */
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
    this.#places.push({ first, texts: this.#openTexts, bytes: this.#openBytes, at: undefined })
    this.#keep(this.#places.length - 1, block)
    this.#openBytes = 0
    this.#openTexts = 0
    if (this.#open.length > BLOCK_BYTES) this.#open = Buffer.allocUnsafe(BLOCK_BYTES)
  }

  #keep(number: number, block: Block): void {
    this.#kept.set(number, block)
    for (const [oldest, its] of this.#kept) {
      if (this.#kept.size <= KEPT_BLOCKS) break
      this.#kept.delete(oldest)
      this.#spill(this.#places[oldest]!, its)
    }
  }

  #spill(place: BlockPlace, { bytes, ends }: Block): void {
    if (place.at !== undefined) return
    this.#file ??= openTemporary('texts')
    place.at = this.#fileBytes
    for (const part of [bytes, new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength)]) {
      for (let from = 0; from < part.length; )
        from += writeSync(this.#file, part, from, part.length - from, this.#fileBytes + from)
      this.#fileBytes += part.length
    }
  }

  /** Undefined when there is no such text. */
  get(index: number): SharedText | undefined {
    const found = holds(this.#last, index) ?? holds(this.#before, index) ?? this.#opened(index)
    if (!found) return undefined
    if (found !== this.#last) {
      this.#before = this.#last
      this.#last = found
    }
    const at = index - found.place.first
    const { bytes, ends } = found.block
    return { bytes, from: at === 0 ? 0 : ends[at - 1]!, to: ends[at]! }
  }

  #opened(index: number): OpenBlock | undefined {
    const number = this.#blockOf(index)
    return number === undefined ? undefined : { place: this.#places[number]!, block: this.#block(number) }
  }

  /** By halving. */
  #blockOf(index: number): number | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    let low = 0
    let high = this.#places.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#places[middle]!.first <= index) low = middle
      else high = middle - 1
    }
    return low
  }

  #block(number: number): Block {
    const kept = this.#kept.get(number)
    if (kept) {
      this.#kept.delete(number)
      this.#kept.set(number, kept)
      return kept
    }
    const { at, bytes, texts } = this.#places[number]!
    const read = Buffer.allocUnsafeSlow(bytes + texts * 4)
    for (let from = 0; from < read.length; ) from += readSync(this.#file!, read, from, read.length - from, at! + from)
    const block = {
      bytes: read.subarray(0, bytes),
      ends: new Uint32Array(new Uint8Array(read.subarray(bytes)).buffer),
    }
    this.#keep(number, block)
    return block
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#kept.clear()
  }
}
