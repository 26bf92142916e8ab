/**
 * Splits delimited text into rows of cells, in pieces of any size. Quoting is RFC 4180's; text that breaks its rules stays
 * as it is, never swallows the rows after it, and loses no character. Knows no files and no records. Pure.
 */

export interface Dialect {
  /** One character. */
  delimiter: string
  /** One character. */
  quote: string
  /** A carriage return before a line feed belongs to the end of the row. */
  newline: '\n' | '\r'
}

/** A quoted cell, and a row, has at most this many characters: what is kept in memory of a file. */
export const ROW_CHARACTERS = 16 * 1024 * 1024

const CARRIAGE_RETURN = 13
const SPACE = 32

/** Where a cell ends, as the scanner left it. */
const INCOMPLETE = -1

export class RowScanner {
  /** Of the row just read; may be longer than it. */
  readonly cells: string[] = []
  /** Where in the pushed text the next row begins. */
  at = 0
  #text = ''
  #last = false
  readonly #quote: number
  readonly #delimiter: number
  readonly #newline: number
  readonly #dialect: Dialect
  readonly #limit: number

  constructor(dialect: Dialect, limit = ROW_CHARACTERS) {
    this.#dialect = dialect
    this.#limit = limit
    this.#quote = dialect.quote.charCodeAt(0)
    this.#delimiter = dialect.delimiter.charCodeAt(0)
    this.#newline = dialect.newline.charCodeAt(0)
  }

  /** More text; `last` when it is the end. */
  push(text: string, last: boolean): void {
    this.#text = this.at < this.#text.length ? this.#text.slice(this.at) + text : text
    this.#last = last
    this.at = 0
  }

  /** Characters that wait for more text. */
  get waiting(): number {
    return this.#text.length - this.at
  }

  /** Reads a row into {@link cells}: how many cells it has, or 0 when more text is needed for it. */
  next(): number {
    const text = this.#text
    const { length } = text
    if (this.at >= length) return 0
    const delimiter = this.#delimiter
    const newline = this.#newline
    const quote = this.#quote
    const cells = this.cells
    let count = 0
    let start = this.at
    for (;;) {
      let at = start
      let code = at < length ? text.charCodeAt(at) : newline
      if (code === quote) {
        at = this.#quoted(start, count)
        if (at === INCOMPLETE) return 0
        if (at === length && !this.#last) return 0
        code = at < length ? text.charCodeAt(at) : newline
      } else {
        while (code !== delimiter && code !== newline) code = ++at < length ? text.charCodeAt(at) : newline
        if (at === length && !this.#last) return 0
        cells[count] = text.slice(start, code === newline ? this.#endOfLine(start, at) : at)
      }
      count++
      start = at + 1
      if (code !== delimiter) break
    }
    this.at = start
    return count
  }

  /** Without the carriage return before a line feed. */
  #endOfLine(start: number, at: number): number {
    return at > start && this.#text.charCodeAt(at - 1) === CARRIAGE_RETURN && this.#newline !== CARRIAGE_RETURN
      ? at - 1
      : at
  }

  /** Reads the cell whose quote stands at `start`; where it ends (at a delimiter, a newline or the end of the text). */
  #quoted(start: number, count: number): number {
    const close = this.#closingQuote(start + 1)
    if (close === INCOMPLETE) {
      if (!this.#last && this.#text.length - start <= this.#limit) return INCOMPLETE
      return this.#asText(start, count)
    }
    if (close - start > this.#limit) return this.#asText(start, count)
    const end = this.#afterQuote(close + 1)
    if (end === INCOMPLETE) return this.#broken(start, close, count)
    if (end === this.#text.length && !this.#last) return INCOMPLETE
    this.#keepQuoted(start + 1, close, count)
    return end
  }

  #keepQuoted(from: number, to: number, count: number): void {
    const { quote } = this.#dialect
    const cell = this.#text.slice(from, to)
    this.cells[count] = cell.includes(quote) ? cell.replaceAll(quote + quote, quote) : cell
  }

  /** The next quote that is not doubled. */
  #closingQuote(from: number): number {
    const { quote } = this.#dialect
    for (let at = this.#text.indexOf(quote, from); at >= 0; at = this.#text.indexOf(quote, at + 2))
      if (this.#text.charCodeAt(at + 1) !== this.#quote) return at
    return INCOMPLETE
  }

  /** The end of the cell when nothing but spaces stands between the closing quote and it. */
  #afterQuote(from: number): number {
    const text = this.#text
    const { length } = text
    for (let at = from; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code === this.#delimiter || code === this.#newline) return at
      const ending = code === CARRIAGE_RETURN && (at + 1 === length || text.charCodeAt(at + 1) === this.#newline)
      if (code !== SPACE && !ending) return INCOMPLETE
    }
    return length
  }

  /**
   * A quote inside that should have been doubled. When a later one on the same line ends the cell, that was meant;
   * otherwise the quotes are text.
   */
  #broken(start: number, firstClose: number, count: number): number {
    const text = this.#text
    const lineEnd = text.indexOf(this.#dialect.newline, firstClose)
    if (lineEnd < 0 && !this.#last) return INCOMPLETE
    const limit = lineEnd < 0 ? text.length : lineEnd
    for (let close = firstClose; close >= 0 && close < limit; close = text.indexOf(this.#dialect.quote, close + 1)) {
      const end = this.#afterQuote(close + 1)
      if (end === INCOMPLETE) continue
      this.#keepQuoted(start + 1, close, count)
      return end
    }
    return this.#asText(start, count)
  }

  #asText(start: number, count: number): number {
    const text = this.#text
    const { length } = text
    let at = start
    let code = text.charCodeAt(at)
    while (code !== this.#delimiter && code !== this.#newline)
      code = ++at < length ? text.charCodeAt(at) : this.#newline
    this.cells[count] = text.slice(start, code === this.#newline ? this.#endOfLine(start, at) : at)
    return at
  }
}
