/**
 * Splits delimited UTF-8 text into rows of cells, in pieces of any size. Cells are byte ranges. Pure.
 * Follows RFC 4180; text that violates it is returned unchanged, without swallowing rows or losing characters.
 */

export interface Dialect {
  /** No delimiter was found. */
  isAssumed?: boolean
  delimiter: string
  quote: string
  newline: '\n' | '\r'
  /** Each delimiter is followed by a space that is not part of the cell. */
  isPadded?: boolean
  escape?: string | undefined
}

export const MAX_ROW_CHARACTERS = 16 * 1024 * 1024

const CARRIAGE_RETURN = 13
const SPACE = 32

const INCOMPLETE = -1

export class RowScanner {
  /** Unread text and the rows read since the last push; reused by the next one. */
  bytes: Buffer = Buffer.alloc(0)
  starts = new Uint32Array(64)
  ends = new Uint32Array(64)
  at = 0
  /** Position of the first of {@link bytes} in the whole text. */
  offset = 0
  #length = 0
  #last = false
  #quotes: number[] = []
  readonly #quote: number
  readonly #newline: number
  readonly #delimiter: Buffer
  readonly #limit: number
  readonly #isPadded: boolean
  readonly #escape: number | undefined

  constructor(dialect: Dialect, limit = MAX_ROW_CHARACTERS) {
    this.#limit = limit
    this.#isPadded = dialect.isPadded === true
    this.#escape = dialect.escape === dialect.quote ? undefined : dialect.escape?.charCodeAt(0)
    this.#quote = dialect.quote.charCodeAt(0)
    this.#newline = dialect.newline.charCodeAt(0)
    this.#delimiter = Buffer.from(dialect.delimiter)
  }

  /** Adds text in whole characters; invalidates all cells read before. */
  push(text: Uint8Array, isLast: boolean): void {
    const remaining = Math.max(0, this.#length - this.at)
    const length = remaining + text.length
    if (length > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.bytes.length))
      this.bytes.copy(grown, 0, this.at, this.#length)
      this.bytes = grown
    } else if (remaining) this.bytes.copyWithin(0, this.at, this.#length)
    this.bytes.set(text, remaining)
    this.offset += Math.min(this.at, this.#length)
    this.#length = length
    this.#last = isLast
    this.at = 0
  }

  get overflows(): boolean {
    return this.#isLong(this.at, this.#length)
  }

  text(cell: number): string {
    return this.bytes.toString('utf8', this.starts[cell]!, this.ends[cell]!)
  }

  /** Reads a row into {@link starts} and {@link ends}. Returns its cell count, or 0 if more text is needed. */
  next(base = 0): number {
    const bytes = this.bytes
    const length = this.#length
    if (this.at >= length) return 0
    const quote = this.#quote
    const newline = this.#newline
    const delimiter = this.#delimiter[0]!
    const delimiterBytes = this.#delimiter.length
    const highest = Math.max(newline, delimiter)
    if (this.#quotes.length) this.#quotes = []
    let cell = base
    let start = this.at
    for (;;) {
      if (cell >= this.starts.length) this.#grow(cell)
      if (this.#isPadded) while (start < length && bytes[start] === SPACE) start++
      let at = start
      if (bytes[at] === quote && at < length) {
        at = this.#quoted(start, cell)
        if (at === INCOMPLETE) return 0
      } else {
        for (; at < length; at++) {
          const byte = bytes[at]!
          // Fast path: letters and digits are above most delimiters, so one comparison is enough.
          if (byte > highest) continue
          if (byte === newline || (byte === delimiter && (delimiterBytes === 1 || this.#isDelimiter(at)))) break
        }
        this.starts[cell] = start
        this.ends[cell] = at < length && bytes[at] !== newline ? at : this.#endOfLine(start, at)
      }
      if (at === length && !this.#last) return 0
      cell++
      if (at === length || bytes[at] === newline) {
        this.at = at + 1
        break
      }
      start = at + delimiterBytes
    }
    if (this.#quotes.length) for (const quoted of this.#quotes) this.#undouble(quoted)
    return cell - base
  }

  /** `cell` may be far beyond the end, because each row reserves the full width. */
  #grow(cell: number): void {
    for (const name of ['starts', 'ends'] as const) {
      const grown = new Uint32Array(Math.max(this[name].length * 2, cell + 1))
      grown.set(this[name])
      this[name] = grown
    }
  }

  #isDelimiter(at: number): boolean {
    const delimiter = this.#delimiter
    if (at + delimiter.length > this.#length) return false
    for (let i = 0; i < delimiter.length; i++) if (this.bytes[at + i] !== delimiter[i]) return false
    return true
  }

  #endOfLine(start: number, at: number): number {
    return at > start && this.bytes[at - 1] === CARRIAGE_RETURN && this.#newline !== CARRIAGE_RETURN ? at - 1 : at
  }

  #isLong(from: number, to: number): boolean {
    return to - from > this.#limit && countCharacters(this.bytes, from, to) > this.#limit
  }

  #quoted(start: number, cell: number): number {
    const length = this.#length
    const close = this.#closingQuote(start + 1)
    if (close === INCOMPLETE) return this.#last || this.#isLong(start, length) ? this.#asText(start, cell) : INCOMPLETE
    if (this.#isLong(start, close)) return this.#asText(start, cell)
    const end = this.#afterQuote(close + 1)
    if (end === INCOMPLETE) return this.#opensCell(close) ? this.#asText(start, cell) : this.#broken(start, close, cell)
    if (end === length && !this.#last) return INCOMPLETE
    this.#keepQuoted(start + 1, close, cell)
    return end
  }

  #keepQuoted(from: number, to: number, cell: number): void {
    this.starts[cell] = from
    this.ends[cell] = to
    const innerQuote = this.#escape === undefined ? this.#indexOf(this.#quote, from) : from
    if (innerQuote >= 0 && innerQuote < to) this.#quotes.push(cell)
  }

  /** Deferred until the row is complete, because an incomplete row is read again. */
  #undouble(cell: number): void {
    const { bytes } = this
    const quote = this.#quote
    const end = this.ends[cell]!
    let to = this.starts[cell]!
    for (let from = to; from < end; from++) {
      const byte = bytes[from]!
      const next = from + 1 < end ? bytes[from + 1] : undefined
      const isEscape = byte === this.#escape && (next === quote || next === byte)
      bytes[to++] = isEscape ? next! : byte
      if (isEscape || (byte === quote && next === quote)) from++
    }
    this.ends[cell] = to
  }

  /** Scans the first bytes in JavaScript, because a native search costs more for short cells. */
  #indexOf(byte: number, from: number): number {
    const bytes = this.bytes
    const length = this.#length
    const near = Math.min(length, from + 64)
    for (let at = from; at < near; at++) if (bytes[at] === byte) return at
    const far = near < length ? bytes.indexOf(byte, near) : -1
    return far < length ? far : -1
  }

  #closingQuote(from: number): number {
    if (this.#escape !== undefined) return this.#closingUnescapedQuote(from)
    const quote = this.#quote
    for (let at = this.#indexOf(quote, from); at >= 0; at = this.#indexOf(quote, at + 2))
      if (at + 1 === this.#length || this.bytes[at + 1] !== quote) return at
    return INCOMPLETE
  }

  #closingUnescapedQuote(from: number): number {
    const { bytes } = this
    for (let at = from; at < this.#length; at++) {
      if (bytes[at] === this.#escape) at++
      else if (bytes[at] !== this.#quote) continue
      else if (bytes[at + 1] === this.#quote && at + 1 < this.#length) at++
      else return at
    }
    return INCOMPLETE
  }

  #afterQuote(from: number): number {
    const bytes = this.bytes
    const length = this.#length
    for (let at = from; at < length; at++) {
      const byte = bytes[at]
      if (byte === this.#newline || this.#isDelimiter(at)) return at
      const isLineEnding = byte === CARRIAGE_RETURN && (at + 1 === length || bytes[at + 1] === this.#newline)
      if (byte !== SPACE && !isLineEnding) return INCOMPLETE
    }
    return length
  }

  /** Then the quote before it is a stray one, and must not take the cells between them. */
  #opensCell(quote: number): boolean {
    let at = quote
    if (this.#isPadded) while (this.bytes[at - 1] === SPACE) at--
    return this.bytes[at - 1] === this.#newline || this.#isDelimiter(at - this.#delimiter.length)
  }

  /** If a later quote on the same line can close the cell, it does; otherwise the quotes are text. */
  #broken(start: number, firstClose: number, cell: number): number {
    const lineEnd = this.#indexOf(this.#newline, firstClose)
    if (lineEnd < 0 && !this.#last) return INCOMPLETE
    const limit = lineEnd < 0 ? this.#length : lineEnd
    for (let close = firstClose; close >= 0 && close < limit; close = this.#indexOf(this.#quote, close + 1)) {
      const end = this.#afterQuote(close + 1)
      if (end === INCOMPLETE) continue
      this.#keepQuoted(start + 1, close, cell)
      return end
    }
    return this.#asText(start, cell)
  }

  #asText(start: number, cell: number): number {
    const bytes = this.bytes
    const length = this.#length
    let at = start
    while (at < length && bytes[at] !== this.#newline && !this.#isDelimiter(at)) at++
    this.starts[cell] = start
    this.ends[cell] = at < length && bytes[at] !== this.#newline ? at : this.#endOfLine(start, at)
    return at
  }
}

/** UTF-16 units: four-byte characters count as two. */
function countCharacters(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1
  }
  return count
}
