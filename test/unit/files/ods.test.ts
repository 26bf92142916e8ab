import { describe, expect, it } from 'vitest'
import { readWorkbookFile } from '../../support/corpus-workbooks.ts'
import { createOds } from '../../support/ods-by-hand.ts'
import { readTables } from '../../support/read-tables.ts'
import { createZip } from '../../support/xlsx-by-hand.ts'

const text = (value: string) =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const HEADER = row(text('name'), text('value'))
const readRows = async (...rows: string[]) => (await readTables('a.ods', createOds(HEADER + rows.join(''))))[0]!.rows

describe('an ODS file', () => {
  it('by LibreOffice has the values of the XLSX file it was made from, and its hidden sheet', async () => {
    const tables = await readTables('people.ods', readWorkbookFile('libreoffice-people.ods'))
    expect(tables).toMatchObject([
      {
        name: 'People',
        hidden: false,
        columns: ['id', 'name', 'amount', 'share', 'day', 'when', 'at', 'active', 'code', 'note'],
        rows: [
          '1|Ada  Two|1.5|20%|2020-01-01|2020-01-01T12:00:00|06:00:00|true|00123|line1\nline2'.split('|'),
          '2|Łódź <&>|-0.0000001|7.125%|2020-12-31|2020-02-29T18:00:00|36:30:00|false|00045|tab\tend'.split('|'),
          ['3', 'same', '1234567.89', '100%', null, null, null, 'true', null, 'same'],
          ['4', 'same', '1234567.89', '100%', null, null, null, 'true', null, 'same'],
        ],
      },
      {
        name: 'Secret',
        hidden: true,
        columns: ['a', 'b'],
        rows: [
          ['1', '2'],
          ['3', '4'],
        ],
      },
    ])
  })

  it.each([
    ['office:value-type="currency" office:value="1234.5"', '$1,234.50', '1234.5'],
    ['office:value-type="float" office:value="1234"', '1 234', '1234'],
    ['office:value-type="float" office:value="12345678"', '012-34-5678', '012-34-5678'],
    ['office:value-type="boolean" office:boolean-value="false"', 'FALSCH', 'false'],
    ['office:value-type="date" office:date-value="2020-01-01"', '01.01.20 00:00', '2020-01-01T00:00:00'],
    ['office:value-type="date" office:date-value="2020-01-01T00:00:00.500000000"', 'x', '2020-01-01T00:00:00.500'],
    ['office:value-type="time" office:time-value="PT00H00M00.500S"', 'x', '00:00:00.500'],
    ['office:value-type="time" office:time-value="-PT12H"', 'x', '-12:00:00'],
    ['office:value-type="string" calcext:value-type="error" office:string-value=""', '#DIV/0!', '#DIV/0!'],
    ['office:value-type="string"', 'a<text:s text:c="3"/>b<text:line-break/>c <text:span> d</text:span>', 'a   b\nc d'],
    ['office:value-type="string"', 'x<office:annotation><text:p>note</text:p></office:annotation>', 'x'],
  ])('reads a cell with %s as %s', async (attributes, shown, expected) => {
    const cell = `<table:table-cell ${attributes}><text:p>${shown}</text:p></table:table-cell>`
    expect(await readRows(row(text('x'), cell))).toEqual([['x', expected]])
  })

  it('repeats rows and cells, and ends at its last value', async () => {
    const repeated = '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"/>'
    const rows = await readRows(
      `<table:table-row table:number-rows-repeated="300">${repeated}</table:table-row>`,
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
    )
    expect(rows).toEqual(Array.from({ length: 300 }, () => ['7', '7']))
  })

  it('fills merged cells if the job requests it', async () => {
    const merged = `<table:table-cell table:number-rows-spanned="2" table:number-columns-spanned="1" office:value-type="string"><text:p>x</text:p></table:table-cell>`
    const bytes = createOds(HEADER + row(merged, text('1')) + row('<table:covered-table-cell/>', text('2')))
    const read = async (options?: object) => (await readTables('a.ods', bytes, options))[0]!.rows
    expect(await read()).toEqual([
      ['x', '1'],
      [null, '2'],
    ])
    expect(await read({ mergedCellOptions: { acrossRows: { treatment: 'applyToAll' } } })).toEqual([
      ['x', '1'],
      ['x', '2'],
    ])
  })

  it('with several sheets is read sheet by sheet, also with rows wider than the sample', async () => {
    const long = HEADER + Array.from({ length: 500 }, (_, i) => row(text(`n${i}`), text(`v${i}`))).join('')
    const tables = await readTables(
      'a.ods',
      createOds(long, HEADER + row(text('y'), text('2')), long + row(text('a'), text('b'), text('c'))),
    )
    expect(tables.map(({ name, columns, rows }) => [name, columns.length, rows.length])).toEqual([
      ['Data', 2, 500],
      ['Data 2', 2, 1],
      ['Data 3', 3, 501],
    ])
    expect(tables[1]!.rows).toEqual([['y', '2']])
  })

  it('in an archive is read, and a text document is not', async () => {
    const archive = createZip({ 'a.ods': createOds(HEADER + row(text('x'), text('1'))) })
    expect((await readTables('a.zip', archive))[0]!.rows).toEqual([['x', '1']])
    await expect(readTables('a.ods', Buffer.from('a,b\n1,2\n'))).rejects.toThrow('not a valid workbook')
  })
})
