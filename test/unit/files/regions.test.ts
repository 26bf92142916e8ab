import * as SheetJS from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { readTables } from '../../support/read-tables.ts'

type Cell = string | number | undefined

function writeSheets(...sheets: Cell[][][]): Buffer {
  const book = SheetJS.utils.book_new()
  for (const [index, rows] of sheets.entries())
    SheetJS.utils.book_append_sheet(book, SheetJS.utils.aoa_to_sheet(rows), `S${index + 1}`)
  return SheetJS.write(book, { type: 'buffer', bookType: 'xlsx' })
}

const read = async (rows: Cell[][], options = {}) =>
  (await readTables('a.xlsx', writeSheets(rows), options)).map(({ name, columns, rows }) => ({ name, columns, rows }))

const ORDERS: Cell[][] = [
  ['Order', 'Customer', 'Total'],
  [1, 'Ada', 10.5],
  [2, 'Brahms', 7],
  [3, 'Curie', 9],
]
const STAFF: Cell[][] = [
  ['Name', 'E-mail'],
  ['Ada', 'ada@example.com'],
  ['Bo', 'bo@example.com'],
]
const blank: Cell[] = []
const repeat = (count: number): Cell[][] => Array.from({ length: count }, (_, i) => [i + 4, `Customer ${i}`, i / 2])
const pad = (width: number, row: Cell[]): Cell[] => [...row, ...Array(width - row.length).fill(undefined)]
const besides = (left: Cell[][], right: Cell[][], offset = 0): Cell[][] => {
  const width = Math.max(...left.map((row) => row.length)) + 1
  return Array.from({ length: Math.max(left.length, right.length + offset) }, (_, row) => [
    ...pad(width, left[row] ?? []),
    ...(right[row - offset] ?? []),
  ])
}

describe('tables below each other', () => {
  it('become separate sheets', async () => {
    expect(await read([...ORDERS, blank, ...STAFF])).toEqual([
      {
        name: 'S1',
        columns: ['Order', 'Customer', 'Total'],
        rows: [
          ['1', 'Ada', '10.5'],
          ['2', 'Brahms', '7'],
          ['3', 'Curie', '9'],
        ],
      },
      {
        name: 'S1 (2)',
        columns: ['Name', 'E-mail'],
        rows: [
          ['Ada', 'ada@example.com'],
          ['Bo', 'bo@example.com'],
        ],
      },
    ])
  })

  it('are found below the sampled rows, with titles, in any number', async () => {
    const tables = await read([
      ...ORDERS,
      ...repeat(700),
      blank,
      ['Staff'],
      blank,
      ...STAFF,
      blank,
      ...repeat(0),
      ['Berth', 'Length'],
      ['A', 1],
      ['B', 2],
    ])
    expect(tables.map(({ name, columns, rows }) => [name, columns, rows.length])).toEqual([
      ['S1', ['Order', 'Customer', 'Total'], 703],
      ['S1 (2)', ['Name', 'E-mail'], 2],
      ['S1 (3)', ['Berth', 'Length'], 2],
    ])
  })

  it('are read as one table if the job says so', async () => {
    const [table, ...more] = await read([...ORDERS, blank, ...STAFF], { splitSheets: false })
    expect([table!.rows.length, more.length]).toEqual([6, 0])
  })

  it('have the header rows that the job names, by the name of the table', async () => {
    const rows = [...ORDERS, blank, ...STAFF]
    const options = { headerRows: { 'S1 (2)': 7 } }
    expect((await read(rows, options))[1]).toMatchObject({
      columns: ['Ada', 'ada@example.com'],
      rows: [['Bo', 'bo@example.com']],
    })
    const lower = await read(rows, { headerRows: { S1: 6 } })
    expect(lower).toMatchObject([{ name: 'S1', columns: ['Name', 'E-mail'], rows: [{}, {}] }])
  })

  it.each<[string, Cell[][]]>([
    ['a blank row within the records', [...ORDERS, blank, ...repeat(5)]],
    ['a section with the same header', [...ORDERS, blank, ['South'], ...ORDERS]],
    ['a total', [...ORDERS, blank, ['Total', undefined, 26.5]]],
    ['totals with labels', [...ORDERS, blank, ['Sum', 26.5], ['Tax', 5.3], ['Due', 31.8]]],
    ['notes', [...ORDERS, blank, ['Prices without tax'], ['Prepared by', 'Anna'], ['Checked by', 'Bo']]],
    ['facts above the table', [['Customer', 'ACME'], ['From', '2024-01-01'], ['To', '2024-02-01'], blank, ...ORDERS]],
    ['records of texts', [['A', 'B', 'C'], ['x', 'y', 'z'], blank, ['p', 'q', 'r'], ['s', 't', 'u'], ['v', 'w', 'x']]],
    ['sparse records', [...ORDERS, blank, [undefined, 'Dora'], [undefined, 'Emil'], [undefined, 'Finn']]],
  ])('stay one sheet with %s', async (_, rows) => {
    expect(await read(rows)).toHaveLength(1)
  })
})

describe('tables next to each other', () => {
  it.each<[string, Cell[][]]>([
    ['with different heights', besides([...ORDERS, ...repeat(4)], STAFF)],
    ['with headers in different rows', besides([...ORDERS, ...repeat(1)], STAFF, 2)],
    [
      'with the same first column',
      besides(ORDERS, [
        ['Order', 'Paid'],
        [1, 2],
        [2, 3],
        [3, 4],
      ]),
    ],
  ])('become separate sheets %s', async (_, rows) => {
    const tables = await read(rows)
    expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([
      ['S1', 3],
      ['S1 (2)', 2],
    ])
    expect(tables.flatMap((table) => table.rows).flat()).not.toContain(null)
  })

  it.each<[string, Cell[][]]>([
    [
      'a blank column',
      besides(ORDERS, [
        ['Paid', 'Due'],
        [1, 2],
        [2, 3],
        [3, 4],
      ]),
    ],
    [
      'groups with the same names',
      besides(
        [
          ['Account', 'Debit', 'Credit'],
          ['A', 1, 2],
          ['B', 3, 4],
        ],
        [
          ['Debit', 'Credit'],
          [1, 2],
          [3, 4],
        ],
      ),
    ],
    [
      'an optional part',
      besides(
        [...ORDERS, ...repeat(4)],
        [
          ['Paid', 'Note'],
          [1, undefined],
          [2, 'late'],
        ],
      ),
    ],
  ])('stay one sheet with %s', async (_, rows) => {
    expect(await read(rows)).toHaveLength(1)
  })

  it('stay one sheet if the blank column has a value further down', async () => {
    const rows = [...besides([...ORDERS, ...repeat(400)], STAFF), [5, 'Late', 1, 'in between']]
    const [table, ...more] = await read(rows)
    expect(more).toEqual([])
    expect(table!.rows).toHaveLength(404)
    expect(table!.rows.at(-1)).toEqual(['5', 'Late', '1', 'in between', null, null])
  })
})

it('more tables than a file may have stay one per sheet', async () => {
  const sheets = Array.from({ length: 25 }, () => [...ORDERS, blank, ...STAFF])
  const tables = await readTables('a.xlsx', writeSheets(...sheets))
  expect(tables.map(({ rows }) => rows.length)).toEqual(Array(25).fill(6))
})
