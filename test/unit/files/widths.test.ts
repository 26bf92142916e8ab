import { describe, expect, it } from 'vitest'
import { readTables } from '../../support/read-tables.ts'

const read = async (lines: readonly string[], name = 'a.txt', options = {}) =>
  (await readTables(name, Buffer.from(`${lines.join('\n')}\n`), options))[0]!

const ORDERS = [
  'Order  Customer name      Total  Date',
  '    1  Ada Lovelace       10.50  2024-01-01',
  '    2  Bo                  7.00  2024-01-02',
  '   33  Curie, M.        1234.00  2024-01-03',
  '  444  Łukasz              9.25  2024-01-04',
]

describe('text that is aligned by position', () => {
  it.each(['orders.txt', 'orders.csv'])('has its columns: %s', async (name) => {
    expect(await read(ORDERS, name)).toMatchObject({
      columns: ['Order', 'Customer name', 'Total', 'Date'],
      rows: [
        ['1', 'Ada Lovelace', '10.50', '2024-01-01'],
        ['2', 'Bo', '7.00', '2024-01-02'],
        ['33', 'Curie, M.', '1234.00', '2024-01-03'],
        ['444', 'Łukasz', '9.25', '2024-01-04'],
      ],
    })
  })

  it('can have a single space between columns with a ruler', async () => {
    const lines = [
      'id   name  n',
      '---- ----- ---',
      'A1   Ada     1',
      'A2   Brahm  22',
      'A333 Curie 333',
      'A4   Dora    4',
    ]
    expect(await read(lines)).toMatchObject({
      columns: ['id', 'name', 'n'],
      rows: [
        ['A1', 'Ada', '1'],
        ['A2', 'Brahm', '22'],
        ['A333', 'Curie', '333'],
        ['A4', 'Dora', '4'],
      ],
    })
  })

  it('is not split where a line far below has text in the gap', async () => {
    const aligned = Array.from({ length: 30_000 }, (_, row) => `${String(row).padStart(5)}   Name ${row % 10}`)
    expect((await read(['Order   Name', ...aligned])).columns).toEqual(['Order', 'Name'])
    const { columns, rows } = await read(['Order   Name', ...aligned, '12345678 x'])
    expect([columns, rows.at(-1)]).toEqual([['Order Name'], ['12345678 x']])
  })

  it('is read with the delimiter or the widths that the job declares', async () => {
    expect((await read(ORDERS, 'a.txt', { delimiter: '|' })).columns).toHaveLength(1)
    expect((await read(ORDERS, 'a.txt', { widths: [7, 40] })).columns).toEqual(['Order', 'Customer name Total Date'])
  })

  it.each<[string, string[]]>([
    ['a list of codes with a space', Array.from({ length: 30 }, (_, i) => `AB ${100 + i}`)],
    ['few lines', ORDERS.slice(0, 3)],
    ['two columns of words', Array.from({ length: 12 }, (_, i) => `word${i % 5}    other${i % 7}`)],
    ['sentences', Array.from({ length: 12 }, (_, i) => `On day ${i} of ${'many '.repeat(i % 4)}days it rained.`)],
    ['an outline', ['1  Start', '   1.1  First', '   1.2  Second', '        1.2.1  Third', '2  Middle', '3  End']],
  ])('needs evidence: %s stays one column', async (_, lines) => {
    expect((await read(lines)).columns).toHaveLength(1)
  })
})
