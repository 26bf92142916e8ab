import type { SharedStrings } from '../xlsx/strings.ts'

const IS_WIDE = 1
const HAS_PHONETIC = 4
const HAS_RUNS = 8
const BYTES_PER_RUN = 4

/** Reads a record and those that continue it. A text that continues states its width again. */
export class TextReader {
  readonly #parts: readonly Buffer[]
  #part = 0
  #at: number

  constructor(parts: readonly Buffer[], at = 0) {
    this.#parts = parts
    this.#at = at
  }

  #number(bytes: 1 | 2 | 4): number {
    this.#skipEnded()
    this.#at += bytes
    return this.#bytes.readUIntLE(this.#at - bytes, bytes)
  }

  get #bytes(): Buffer {
    const bytes = this.#parts[this.#part]
    if (!bytes) throw new RangeError('The text ends early.')
    return bytes
  }

  #skipEnded(): void {
    while (this.#at >= this.#bytes.length) {
      this.#at -= this.#bytes.length
      this.#part++
    }
  }

  readText(lengthBytes: 1 | 2 = 2): string {
    const length = this.#number(lengthBytes)
    return this.#characters(length, this.#number(1))
  }

  #characters(length: number, flags: number): string {
    let text = ''
    let isWide = (flags & IS_WIDE) !== 0
    while (length > text.length) {
      if (this.#at >= this.#bytes.length) isWide = (this.#number(1) & IS_WIDE) !== 0
      const width = isWide ? 2 : 1
      const end = Math.min(this.#bytes.length, this.#at + (length - text.length) * width)
      if (end - this.#at < width) throw new RangeError('The text ends early.')
      const stop = end - ((end - this.#at) % width)
      text += this.#bytes.toString(isWide ? 'utf16le' : 'latin1', this.#at, stop)
      this.#at = end
    }
    return text
  }

  readSharedTexts(strings: SharedStrings): void {
    this.#number(4)
    for (let left = this.#number(4); left > 0; left--) {
      const length = this.#number(2)
      const flags = this.#number(1)
      const runs = flags & HAS_RUNS ? this.#number(2) : 0
      const phonetic = flags & HAS_PHONETIC ? this.#number(4) : 0
      strings.add(this.#characters(length, flags))
      this.#at += runs * BYTES_PER_RUN + phonetic
    }
  }
}
