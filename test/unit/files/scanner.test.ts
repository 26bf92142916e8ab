/** Text is split into the same rows as by papaparse, in chunks of any size; malformed quotes lose no data. */
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { type Dialect, RowScanner } from '../../../lib/files/extract/scanner.ts'
import { getCompleteLength } from '../../../lib/files/sniff/utf8.ts'

const COMMA: Dialect = { delimiter: ',', quote: '"', newline: '\n' }

const cutAt = (bytes: Buffer, cut: number): number => getCompleteLength(bytes.subarray(0, cut % (bytes.length + 1)))

function scanRows(text: string, { cuts = [], dialect = COMMA, limit }: Options = {}): string[][] {
  const scanner = new RowScanner(dialect, limit)
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cutAt(bytes, cut)).sort((a, b) => a - b), bytes.length]
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

function readWithPapaparse(text: string, { delimiter, quote, newline }: Dialect): string[][] {
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
const quoteCell = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`

describe('rows', () => {
  it('written by the rules are read back, in any dialect and any chunks', () => {
    fc.assert(
      fc.property(table, dialects, cuts, fc.boolean(), (cells, dialect, places, ended) => {
        const text = cells
          .map((row) => row.map((one) => quoteCell(one, dialect.quote)).join(dialect.delimiter))
          .join(dialect.newline)
        expect(scanRows(ended && text ? text + dialect.newline : text, { cuts: places, dialect })).toEqual(cells)
      }),
    )
  })

  it('written with an escape are read back, in any chunks', () => {
    const dialect: Dialect = { ...COMMA, escape: '\\' }
    const unit = fc.constantFrom('a', 'ü', '"', '\\', ',', '\n', ' ')
    const escaped = fc.array(fc.array(fc.string({ unit, maxLength: 6 }), { minLength: 1, maxLength: 4 }), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(escaped, cuts, (cells, places) => {
        const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
        const text = cells.map((row) => row.map(quote).join(',')).join('\n')
        expect(scanRows(text, { cuts: places, dialect })).toEqual(cells)
      }),
    )
  })

  it('match papaparse, quoted where it quotes', () => {
    fc.assert(
      fc.property(table, dialects, cuts, (cells, dialect, places) => {
        const { delimiter, quote, newline } = dialect
        const plain = cells.map((row) => row.map((one) => one.replaceAll('\r', '')))
        const text = Papa.unparse(plain, { delimiter, newline, quoteChar: quote, escapeChar: quote })
        expect(scanRows(text, { cuts: places, dialect })).toEqual(readWithPapaparse(text, dialect))
      }),
    )
  })

  it('without quotes match papaparse, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ß', ',', '\n', ' ', '\u0000', "'"), maxLength: 60 })
    fc.assert(
      fc.property(text, cuts, (one, places) => {
        expect(scanRows(one, { cuts: places })).toEqual(readWithPapaparse(one, COMMA))
      }),
    )
  })

  it('are the same in any chunks, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 40 })
    fc.assert(
      fc.property(text, cuts, (one, places) => {
        expect(scanRows(one, { cuts: places })).toEqual(scanRows(one))
      }),
      { numRuns: 2000 },
    )
  })

  it('end with a line feed, with or without a carriage return', () => {
    expect(scanRows('a,b\r\n1,"2"\r\n3,4\n5,"6"\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ])
    expect(scanRows('a,"x\r\ny"\r\n')).toEqual([['a', 'x\r\ny']])
    expect(scanRows('a\rb,c', { dialect: { ...COMMA, newline: '\r' } })).toEqual([['a'], ['b', 'c']])
  })

  it('include blank and uneven ones', () => {
    expect(scanRows('a\n\n,\n1,2,3')).toEqual([['a'], [''], ['', ''], ['1', '2', '3']])
    expect(scanRows('')).toEqual([])
    expect(scanRows('\n')).toEqual([['']])
    expect(scanRows('a,')).toEqual([['a', '']])
  })

  it('contain every character of any text except quotes, delimiters and line ends', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\n', ' '), maxLength: 40 })
    const keepLetters = (one: string) => one.replace(/[^ab]/g, '')
    fc.assert(
      fc.property(text, (one) => {
        expect(keepLetters(scanRows(one).flat().join(''))).toBe(keepLetters(one))
      }),
    )
  })
})

describe('malformed quotes', () => {
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
  ])('%s', (_, text, rows) => expect(scanRows(text)).toEqual(rows))

  it('that close only beyond the maximum cell size are text', () => {
    const text = `"${'x'.repeat(100)}\ny",z\n`
    for (const places of [[], [50], [10, 60, 90, 104]])
      expect(scanRows(text, { limit: 50, cuts: places })).toEqual([[`"${'x'.repeat(100)}`], ['y"', 'z']])
  })
})
