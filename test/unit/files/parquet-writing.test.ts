import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { convertCell, getColumnKind, INVALID } from '../../../lib/files/export/parquet/columns.ts'
import { ParquetTable } from '../../../lib/files/export/parquet/table.ts'
import { Field } from '../../../schemas/sheets/fields.ts'

const DAY_MS = 86_400_000
const FIELDS = [
  { key: 'text', type: 'string' },
  { key: 'number', type: 'number' },
  { key: 'flag', type: 'boolean' },
  { key: 'day', type: 'date' },
  { key: 'list', type: 'string-list' },
].map((field) => Field.parse(field))
const KINDS = FIELDS.map(getColumnKind)

type Row = readonly unknown[]

function writeTable(rows: readonly Row[], rowsPerCall = rows.length): Uint8Array<ArrayBuffer> {
  const table = new ParquetTable(FIELDS)
  const pieces: Uint8Array[] = []
  for (let first = 0; first < rows.length; ) {
    const part = rows.slice(first, first + Math.min(rowsPerCall, table.room))
    for (const field of FIELDS.keys())
      for (const row of part) {
        const json = Buffer.from(row[field] === null ? '' : JSON.stringify(row[field]))
        table.addCell(field, json, 0, json.length)
      }
    table.endRows(part.length)
    if (table.isFull) pieces.push(table.takeGroup())
    first += part.length
  }
  return new Uint8Array(Buffer.concat([...pieces, table.finish()]))
}

function toExpected(row: Row): Record<string, unknown> {
  // -0 is 0 in JSON.
  const converted = row.map((value, field) => convertCell(Object.is(value, -0) ? 0 : value, KINDS[field]!))
  const invalid = FIELDS.flatMap(({ key }, at) => (converted[at] === INVALID ? [[key, row[at]]] : []))
  const [text, number, flag, day, list] = converted.map((value) => (value === INVALID ? null : value))
  return {
    text: typeof text === 'string' ? Buffer.from(text).toString() : text,
    number,
    flag,
    day: day === null ? null : new Date((day as number) * DAY_MS),
    list,
    _invalid: invalid.length > 0 ? JSON.stringify(Object.fromEntries(invalid)) : null,
  }
}

const readRows = (bytes: Uint8Array<ArrayBuffer>) => parquetReadObjects({ file: bytes.buffer })

const anyOf = (...values: fc.Arbitrary<unknown>[]) => fc.oneof(fc.constant(null), ...values)
const text = fc.string({ unit: 'binary', minLength: 1 })
const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
const dayText = day.map((date) => date.toISOString().slice(0, 10))
const nearlyDay = fc.stringMatching(/^[0-9]{4}-[0-9x]{2}-[0-9]{2}$/)
const decimal = fc.tuple(fc.integer(), fc.nat(9)).map(([value, decimals]) => value / 10 ** decimals)
const anyRow = fc.tuple(
  anyOf(text, fc.constantFrom('a', 'b'), fc.integer(), fc.boolean(), fc.array(fc.string())),
  anyOf(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), decimal, fc.constantFrom('42', 'x', '007')),
  anyOf(fc.boolean(), fc.constantFrom('true', 'no', 1)),
  anyOf(dayText, nearlyDay, fc.constantFrom('2024-02-30', '2024-02-29', 'soon', 5)),
  anyOf(fc.array(fc.oneof(text, fc.constantFrom('x', 'y'))), fc.constant('one')),
)

describe('a written Parquet file', () => {
  it('has the values of any cells', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (rows, part) => {
          expect(await readRows(writeTable(rows, part))).toEqual(rows.map(toExpected))
        },
      ),
    )
  })

  it.each([
    ['few', 7],
    ['thousands of', 3000],
    ['only', 25_000],
  ])('has groups of 10,000 rows with %s different values', async (_, distinct) => {
    const rows = Array.from({ length: 25_000 }, (_, row): Row => {
      const value = (row * 7919) % distinct
      const date = new Date(value * DAY_MS).toISOString().slice(0, 10)
      return [`text ${value}`, value / 4, value % 2 === 0, row % 10 === 0 ? null : date, [String(value)]]
    })
    const bytes = writeTable(rows)
    const { row_groups } = parquetMetadata(bytes.buffer)
    expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([10_000, 10_000, 5000])
    expect(row_groups.map(({ columns }) => columns.map(({ meta_data }) => meta_data!.statistics!.null_count))).toEqual([
      ...[10_000, 10_000, 5000].map((count) => [0n, 0n, 0n, BigInt(count / 10), 0n, BigInt(count)]),
    ])
    expect(await readRows(bytes)).toEqual(rows.map(toExpected))
  })

  it('has the bounds of each group, in the order of bytes', () => {
    const rows = ['é', 'z', '\u{1f600}', '\ufffd', 'a'].map(
      (value, at): Row => [value, at - 2, at > 2, `202${at}-01-01`, [value]],
    )
    const { row_groups } = parquetMetadata(writeTable(rows).buffer)
    const bounds = row_groups[0]!.columns.map(({ meta_data }) => [
      meta_data!.statistics!.min_value,
      meta_data!.statistics!.max_value,
    ])
    expect(bounds).toEqual([
      ['a', '\u{1f600}'],
      [-2, 2],
      [false, true],
      [new Date('2020-01-01'), new Date('2024-01-01')],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('starts another group before one has 32 MB', () => {
    const rows = Array.from({ length: 80 }, (_, row): Row => ['x'.repeat(500_000) + row, row, true, null, null])
    const { row_groups } = parquetMetadata(writeTable(rows, 1).buffer)
    expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([68, 12])
  })
})
