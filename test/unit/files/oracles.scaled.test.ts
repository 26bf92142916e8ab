/** Third-party readers and writers agree with ours on generated tables, and exports round-trip. */
import '../../support/without-cloud.ts'
import * as SheetJS from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeOds } from '../../../lib/files/export/workbook/ods.ts'
import { writeXlsx } from '../../../lib/files/export/workbook/xlsx.ts'
import { writeRows } from '../../support/export-rows.ts'
import { collectBytes, readTables } from '../../support/read-tables.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const TABLES = runs(300)

const piece = fc.constantFrom(...'aBé日\u{1F600}",;<&>\' \n', '_x0041_', '=', '\t')
const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
const HEADER = ['first', 'second', 'third']

describe('delimited text', () => {
  it.each([',', ';', '\t', '|'])(
    'with %j is read like csv-parse',
    async (delimiter) => {
      const cell = fc.oneof(text, fc.constant(''), fc.integer().map(String))
      const row = fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), cell, cell)
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), fc.boolean(), async (rows, all) => {
          const quoteCell = (value: string) =>
            all || value.includes(delimiter) || /["\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
          const csv = [HEADER, ...rows].map((cells) => `${cells.map(quoteCell).join(delimiter)}\n`).join('')
          const [read] = await readTables('t.csv', Buffer.from(csv), { delimiter, headerRow: 1 }, 7)
          const oracle: string[][] = parse(csv, { delimiter, from_line: 2, relax_quotes: false })
          expect(read!.rows.map((cells) => cells.map((value) => value ?? ''))).toEqual(oracle)
        }),
        { numRuns: TABLES },
      )
    },
    TIMEOUT_MS,
  )
})

type Value = string | number | boolean | null

const toExpected = (value: Value): string | null =>
  value === null || value === '' ? null : typeof value === 'number' ? formatNumber(value) : String(value)

const formatNumber = (value: number): string => {
  const shortest = String(Object.is(value, -0) ? 0 : value)
  return shortest.includes('e') ? BigInt(value).toString() : shortest
}

const cell: fc.Arbitrary<Value> = fc.oneof(
  text,
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .filter((value) => value === 0 || Math.abs(value) > 1e-6),
  fc.boolean(),
  fc.constant(null),
)
const table = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), cell, cell), { minLength: 1, maxLength: 12 })

describe('workbook', () => {
  it(
    'written by SheetJS is read as written',
    async () => {
      await fc.assert(
        fc.asyncProperty(table, fc.boolean(), async (rows, bookSST) => {
          // SheetJS does not escape text that looks like an escape, so Excel also reads another text.
          fc.pre(!JSON.stringify(rows).includes('_x0041_'))
          const book = SheetJS.utils.book_new()
          SheetJS.utils.book_append_sheet(book, SheetJS.utils.aoa_to_sheet([HEADER, ...rows]), 'S')
          const bytes: Buffer = SheetJS.write(book, { type: 'buffer', bookType: 'xlsx', bookSST })
          const [read] = await readTables('t.xlsx', bytes)
          const width = read!.columns.length
          expect(read!.rows).toEqual(rows.map((values) => values.slice(0, width).map(toExpected)))
        }),
        { numRuns: TABLES },
      )
    },
    TIMEOUT_MS,
  )

  it(
    'written by us is read by SheetJS as by us',
    async () => {
      await fc.assert(
        fc.asyncProperty(table, async (rows) => {
          const bytes = await collectBytes(writeXlsx([{ name: 'S', header: HEADER, types: [], rows: writeRows(rows) }]))
          const sheet = SheetJS.read(bytes, { dense: true }).Sheets.S!
          const theirs = SheetJS.utils.sheet_to_json<Value[]>(sheet, { header: 1, defval: null, raw: true, range: 1 })
          const [ours] = await readTables('t.xlsx', bytes)
          expect(ours!.rows).toEqual(theirs.map((values) => ours!.columns.map((_, i) => toExpected(values[i] ?? null))))
          expect(ours!.rows).toEqual(rows.map((values) => values.slice(0, ours!.columns.length).map(toExpected)))
        }),
        { numRuns: TABLES },
      )
    },
    TIMEOUT_MS,
  )

  it.each([
    ['xlsx', writeXlsx],
    ['ods', writeOds],
  ])(
    'exported as %s preserves every field type',
    async (format, write) => {
      const date = fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10))
      const unescapable = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
      const hostile = format === 'ods' ? unescapable : fc.string({ unit: 'binary', minLength: 1, maxLength: 10 })
      const list = fc.array(fc.oneof(text, fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 })
      const row = fc.tuple(
        hostile,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        date,
        text,
        list,
        list,
        text,
        list,
      )
      const types = [
        'string',
        'number',
        'boolean',
        'date',
        'enum',
        'enum-list',
        'string-list',
        'reference',
        'reference-list',
      ]
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
          const bytes = await collectBytes(write([{ name: 'All', header: types, types, rows: writeRows(rows) }]))
          const [read] = await readTables(`all.${format}`, bytes)
          const back = read!.rows.map((cells) =>
            cells.map((value, i) => {
              if (types[i] === 'number') return Number(value)
              if (types[i] === 'boolean') return value === 'true'
              return types[i]!.endsWith('-list') ? JSON.parse(value!) : value
            }),
          )
          expect(read!.columns).toEqual(types)
          expect(back).toEqual(rows.map((values) => values.map((value) => (Object.is(value, -0) ? 0 : value))))
        }),
        { numRuns: TABLES },
      )
    },
    TIMEOUT_MS,
  )
})
