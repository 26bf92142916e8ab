import { describe, expect, it } from 'vitest'
import { readTables } from '../../support/read-tables.ts'

const read = async (text: string, name = 'list.csv') => (await readTables(name, Buffer.from(text)))[0]!

describe('a list printed page by page', () => {
  it('has its header, titles and rulers once', async () => {
    const ruler = '-'.repeat(30)
    const head = `Stock of plant 1\n\n${ruler}\n|Item |Stock|Unit|\n${ruler}\n`
    const items = Array.from({ length: 9 }, (_, index) => [`A${index}`, String(index + 5), 'ST'])
    const pages = [items.slice(0, 3), items.slice(3, 6), items.slice(6)]
    const text = pages.map((page) => head + page.map((cells) => `|${cells.join('|')}|\n`).join('')).join('\n')
    const { columns, rows } = await read(`${text}${ruler}\n`, 'list.txt')
    expect(columns.slice(1, 4)).toEqual(['Item', 'Stock', 'Unit'])
    expect(rows.map((row) => row.slice(1, 4))).toEqual(items)
  })

  it('keeps rows that are only similar to the header', async () => {
    const { rows } = await read('name,city,age\nada,london,36\nname,city,5\nname,city,age\nName,city,age\n,city,age\n')
    expect(rows).toEqual([
      ['ada', 'london', '36'],
      ['name', 'city', '5'],
      ['Name', 'city', 'age'],
      [null, 'city', 'age'],
    ])
  })

  it('keeps all rows if the header is one cell or the file has none', async () => {
    expect((await read('name\nada\nname\n')).rows).toEqual([['ada'], ['name']])
    expect((await read('1,2\n3,4\n1,2\n')).rows).toHaveLength(3)
  })

  it('keeps rows of short dashes, which can be missing values', async () => {
    expect((await read('a,b,c\n1,2,3\n-,-,-\n--,,\n')).rows).toHaveLength(3)
  })
})

describe('a row above the header that names a format', () => {
  it('is not taken for the header', async () => {
    const { columns, rows } = await read('"EXTF";700;21;"Buchungen";12;20240401\nUmsatz;Konto\n12,50;1200\n3,00;1400\n')
    expect(columns.slice(0, 2)).toEqual(['Umsatz', 'Konto'])
    expect(rows).toHaveLength(2)
  })
})
