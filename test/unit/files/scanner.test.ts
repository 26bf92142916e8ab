/** Text is split into the rows papaparse reads, in pieces of any size; what breaks the rules of quoting loses nothing. */
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { type Dialect, RowScanner } from '../../../lib/files/extract/scanner.ts'
import { wholeCharacters } from '../../../lib/files/sniff/utf8.ts'

const COMMA: Dialect = { delimiter: ',', quote: '"', newline: '\n' }

/** A place between characters. */
const wholeAt = (bytes: Buffer, cut: number): number => wholeCharacters(bytes.subarray(0, cut % (bytes.length + 1)))

/** @param cuts places at which the text is cut into pieces */
function rowsOf(text: string, { cuts = [], dialect = COMMA, limit }: Options = {}): string[][] {
  const scanner = new RowScanner(dialect, limit)
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => wholeAt(bytes, cut)).sort((a, b) => a - b), bytes.length]
  const rows: string[][] = []
  for (let piece = 1; piece < places.length; piece++) {
    scanner.push(bytes.subarray(places[piece - 1], places[piece]), piece === places.length - 1)
    for (let count = scanner.next(); count > 0; count = scanner.next())
      rows.push(Array.from({ length: count }, (_, cell) => scanner.text(cell)))
  }
  return rows
}
interface Options {
  cuts?: number[]
  dialect?: Dialect
  limit?: number
}

/** What papaparse reads; of the line end at the end of a text it makes a row of its own. */
function expected(text: string, { delimiter, quote, newline }: Dialect): string[][] {
  const { data } = Papa.parse<string[]>(text, { delimiter, newline, quoteChar: quote, escapeChar: quote })
  return text === '' || text.endsWith(newline) ? data.slice(0, -1) : data
}

const cuts = fc.array(fc.nat(500), { maxLength: 8 })
const dialects = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', "'"),
  newline: fc.constantFrom<Dialect['newline']>('\n', '\r'),
})
const cell = fc.string({
  unit: fc.constantFrom('a', 'ü', '😀', '"', "'", ',', ';', '\n', '\r', ' ', '\u0000'),
  maxLength: 6,
})
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 8 })
const quoted = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`

describe('rows', () => {
  it('written by the rules are the cells that were written, in any dialect and any pieces', () => {
    fc.assert(
      fc.property(table, dialects, cuts, fc.boolean(), (cells, dialect, places, ended) => {
        const text = cells
          .map((row) => row.map((one) => quoted(one, dialect.quote)).join(dialect.delimiter))
          .join(dialect.newline)
        expect(rowsOf(ended && text ? text + dialect.newline : text, { cuts: places, dialect })).toEqual(cells)
      }),
    )
  })

  it('are those papaparse reads, quoted where it quotes', () => {
    fc.assert(
      fc.property(table, dialects, cuts, (cells, dialect, places) => {
        const { delimiter, quote, newline } = dialect
        // A line feed alone is not quoted in files whose lines end otherwise, nor is a return before a line's end ours.
        const plain = cells.map((row) => row.map((one) => one.replaceAll('\r', '')))
        const text = Papa.unparse(plain, { delimiter, newline, quoteChar: quote, escapeChar: quote })
        expect(rowsOf(text, { cuts: places, dialect })).toEqual(expected(text, dialect))
      }),
    )
  })

  it('without any quote are those papaparse reads, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ß', ',', '\n', ' ', '\u0000', "'"), maxLength: 60 })
    fc.assert(
      fc.property(text, cuts, (one, places) => {
        expect(rowsOf(one, { cuts: places })).toEqual(expected(one, COMMA))
      }),
    )
  })

  it('of any text are the same in any pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 40 })
    fc.assert(
      fc.property(text, cuts, (one, places) => {
        expect(rowsOf(one, { cuts: places })).toEqual(rowsOf(one))
      }),
      { numRuns: 2000 },
    )
  })

  it('end with a line feed with or without a return before it', () => {
    expect(rowsOf('a,b\r\n1,"2"\r\n3,4\n5,"6"\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
    expect(rowsOf('a,"x\r\ny"\r\n')).toEqual([['a', 'x\r\ny']])
    expect(rowsOf('a\rb,c', { dialect: { ...COMMA, newline: '\r' } })).toEqual([['a'], ['b', 'c']])
  })

  it('keep every row, also blank and uneven ones', () => {
    expect(rowsOf('a\n\n,\n1,2,3')).toEqual([['a'], [''], ['', ''], ['1', '2', '3']])
    expect(rowsOf('')).toEqual([])
    expect(rowsOf('\n')).toEqual([['']])
    expect(rowsOf('a,')).toEqual([['a', '']])
  })

  it('of any text have every character of it, but quotes, delimiters and line ends', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\n', ' '), maxLength: 40 })
    const letters = (one: string) => one.replace(/[^ab]/g, '')
    fc.assert(
      fc.property(text, (one) => {
        expect(letters(rowsOf(one).flat().join(''))).toBe(letters(one))
      }),
    )
  })
})

describe('quotes that break the rules', () => {
  it.each([
    [
      'inside a cell are text',
      '5" pipe,x\ny,z',
      [
        ['5" pipe', 'x'],
        ['y', 'z'],
      ],
    ],
    ['after blank space are text', 'a, "b"\n', [['a', ' "b"']]],
    [
      'that never close are text, and the rows after them stay rows',
      'a,"b\nc,d\n',
      [
        ['a', '"b'],
        ['c', 'd'],
      ],
    ],
    [
      'closed before the end of their cell are text',
      '"a" b,c\nd,e\n',
      [
        ['"a" b', 'c'],
        ['d', 'e'],
      ],
    ],
    [
      'inside a quoted cell are kept',
      '"say "hi" now",c\nd,e\n',
      [
        ['say "hi" now', 'c'],
        ['d', 'e'],
      ],
    ],
    ['escaped in another way lose nothing', '"a \\"b\\" c",d\n', [['a \\"b\\" c', 'd']]],
    ['may be followed by blank space', '"a" ,"b"  \r\nc', [['a', 'b'], ['c']]],
  ])('%s', (_, text, rows) => expect(rowsOf(text)).toEqual(rows))

  it('and close only after more than a cell may have are text', () => {
    const text = `"${'x'.repeat(100)}\ny",z\n`
    for (const places of [[], [50], [10, 60, 90, 104]])
      expect(rowsOf(text, { limit: 50, cuts: places })).toEqual([[`"${'x'.repeat(100)}`], ['y"', 'z']])
  })
})
