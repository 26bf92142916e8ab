/**
 * Splits delimited UTF-8 text into rows of cells, in pieces of any size. Cells are places in the bytes: most are never made
 * into strings. Quoting is RFC 4180's; text that breaks its rules stays as it is, never swallows the rows after it, and
 * loses no character. Knows no files and no records. Pure.
 */

export interface Dialect {
  /** One character. */
  delimiter: string
  /** One character, ASCII. */
  quote: string
  /** A carriage return before a line feed belongs to the end of the row. */
  newline: '\n' | '\r'
}

/** A quoted cell, and a row, has at most this many characters: what is kept in memory of a file. */
export const ROW_CHARACTERS = 16 * 1024 * 1024

const CARRIAGE_RETURN = 13
const SPACE = 32

/** Where a cell ends, when more text is needed to tell. */
const INCOMPLETE = -1

export class RowScanner {
  /** What was pushed and is not read, and the rows read since: one buffer, filled again by the next push. */
  bytes: Buffer = Buffer.alloc(0)
  /** Where the cells of rows stand in {@link bytes}; grow as needed. */
  starts = new Uint32Array(64)
  ends = new Uint32Array(64)
  /** Where in the bytes the next row begins. */
  at = 0
  /** Where the pushed text ends in the bytes. */
  #length = 0
  #last = false
  /** Cells of this row with quotes inside. */
  #quotes: number[] = []
  readonly #quote: number
  readonly #newline: number
  readonly #delimiter: Buffer
  readonly #limit: number

  constructor(dialect: Dialect, limit = ROW_CHARACTERS) {
    this.#limit = limit
    this.#quote = dialect.quote.charCodeAt(0)
    this.#newline = dialect.newline.charCodeAt(0)
    this.#delimiter = Buffer.from(dialect.delimiter)
  }

  /** More text, in whole characters; `last` when it is the end. Cells read before no longer stand where they did. */
  push(text: Uint8Array, last: boolean): void {
    const rest = Math.max(0, this.#length - this.at)
    const length = rest + text.length
    if (length > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.bytes.length))
      this.bytes.copy(grown, 0, this.at, this.#length)
      this.bytes = grown
    } else if (rest) this.bytes.copyWithin(0, this.at, this.#length)
    this.bytes.set(text, rest)
    this.#length = length
    this.#last = last
    this.at = 0
  }

  /** More text waits for the end of its row than a row may have. */
  get overflows(): boolean {
    return this.#isLong(this.at, this.#length)
  }

  /** A cell of the row just read. */
  text(cell: number): string {
    return this.bytes.toString('utf8', this.starts[cell]!, this.ends[cell]!)
  }

  /**
   * Reads a row into {@link starts} and {@link ends}, from index `base` on: how many cells it has, or 0 when more text is
   * needed for it.
   */
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
      let at = start
      if (bytes[at] === quote && at < length) {
        at = this.#quoted(start, cell)
        if (at === INCOMPLETE) return 0
      } else {
        for (; at < length; at++) {
          const byte = bytes[at]!
          // Most bytes are letters and digits, above a comma or a tab: one comparison for them.
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

  /** Makes room for a cell, which may be far beyond the last: rows begin where a wide row's would. */
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

  /** Without the carriage return before a line feed. */
  #endOfLine(start: number, at: number): number {
    return at > start && this.bytes[at - 1] === CARRIAGE_RETURN && this.#newline !== CARRIAGE_RETURN ? at - 1 : at
  }

  /** Has this stretch more characters than a row may have? A character is at most three bytes, or two of them four. */
  #isLong(from: number, to: number): boolean {
    return to - from > this.#limit && charactersIn(this.bytes, from, to) > this.#limit
  }

  /** Reads the cell whose quote stands at `start`; where it ends (at a delimiter, a newline or the end of the text). */
  #quoted(start: number, cell: number): number {
    const length = this.#length
    const close = this.#closingQuote(start + 1)
    if (close === INCOMPLETE) return this.#last || this.#isLong(start, length) ? this.#asText(start, cell) : INCOMPLETE
    if (this.#isLong(start, close)) return this.#asText(start, cell)
    const end = this.#afterQuote(close + 1)
    if (end === INCOMPLETE) return this.#broken(start, close, cell)
    if (end === length && !this.#last) return INCOMPLETE
    this.#keepQuoted(start + 1, close, cell)
    return end
  }

  #keepQuoted(from: number, to: number, cell: number): void {
    this.starts[cell] = from
    this.ends[cell] = to
    const inside = this.#indexOf(this.#quote, from)
    if (inside >= 0 && inside < to) this.#quotes.push(cell)
  }

  /** Each two quotes inside a cell become one. Done when the row is complete: until then it may be read again. */
  #undouble(cell: number): void {
    const { bytes } = this
    const quote = this.#quote
    const end = this.ends[cell]!
    let to = this.starts[cell]!
    for (let from = to; from < end; from++) {
      const byte = bytes[from]!
      bytes[to++] = byte
      if (byte === quote && from + 1 < end && bytes[from + 1] === quote) from++
    }
    this.ends[cell] = to
  }

  /** Cells are short: a native search costs more than the first bytes of it. */
  #indexOf(byte: number, from: number): number {
    const bytes = this.bytes
    const length = this.#length
    const near = Math.min(length, from + 64)
    for (let at = from; at < near; at++) if (bytes[at] === byte) return at
    const far = near < length ? bytes.indexOf(byte, near) : -1
    return far < length ? far : -1
  }

  /** The next quote that is not doubled. */
  #closingQuote(from: number): number {
    const quote = this.#quote
    for (let at = this.#indexOf(quote, from); at >= 0; at = this.#indexOf(quote, at + 2))
      if (at + 1 === this.#length || this.bytes[at + 1] !== quote) return at
    return INCOMPLETE
  }

  /** The end of the cell when nothing but spaces stands between the closing quote and it. */
  #afterQuote(from: number): number {
    const bytes = this.bytes
    const length = this.#length
    for (let at = from; at < length; at++) {
      const byte = bytes[at]
      if (byte === this.#newline || this.#isDelimiter(at)) return at
      const ending = byte === CARRIAGE_RETURN && (at + 1 === length || bytes[at + 1] === this.#newline)
      if (byte !== SPACE && !ending) return INCOMPLETE
    }
    return length
  }

  /**
   * A quote inside that should have been doubled. When a later one on the same line ends the cell, that was meant;
   * otherwise the quotes are text.
   */
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

/** Characters as JavaScript counts them: those of four bytes are two. */
function charactersIn(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1
  }
  return count
}
