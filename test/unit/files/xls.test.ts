import * as SheetJS from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { readWorkbookFile } from '../../support/corpus-workbooks.ts'
import { readTables } from '../../support/read-tables.ts'
import { createZip } from '../../support/xlsx-by-hand.ts'

function write(sheet: SheetJS.WorkSheet, bookType: 'biff8' | 'xlsx', is1904 = false): Buffer {
  const book = SheetJS.utils.book_new()
  book.Workbook = { WBProps: { date1904: is1904 } }
  SheetJS.utils.book_append_sheet(book, sheet, 'Data')
  return SheetJS.write(book, { type: 'buffer', bookType, bookSST: true })
}

const HEADER = ['name', 'value']
const toSheet = (...values: unknown[]) =>
  SheetJS.utils.aoa_to_sheet([HEADER, ...values.map((value, row) => [`row ${row}`, value])])

async function expectSame(sheet: SheetJS.WorkSheet, { options = {}, is1904 = false } = {}): Promise<void> {
  const [old] = await readTables('a.xls', write(sheet, 'biff8', is1904), options)
  expect(old!.rows.length).toBeGreaterThan(1)
  expect(old).toEqual((await readTables('a.xlsx', write(sheet, 'xlsx', is1904), options))[0])
}

const PEOPLE = readWorkbookFile('libreoffice-people.xls')

describe('an XLS file', () => {
  it('by LibreOffice has the tables of the same workbook in ODS', async () => {
    const tables = await readTables('people.xls', PEOPLE)
    expect(tables).toEqual(await readTables('people.ods', readWorkbookFile('libreoffice-people.ods')))
  })

  it('has the values of the same workbook in XLSX', async () => {
    const numbers = [0, -1, 0.1, 12.34, 1e-7, 2 ** 29, -(2 ** 29), 2 ** 30, 123456789012345, 0.07125, 1 / 3]
    const formats = ['0%', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'h:mm', '[h]:mm', '00000', '"m" 0']
    const formatted = formats.map((z) => ({ t: 'n', v: 43_890.75, z }))
    await expectSame(toSheet(...numbers, ...formatted, true, false, { t: 'e', v: 42 }, { t: 'e', v: 7 }))
  })

  it('has formulas as last calculated', async () => {
    const text = { t: 's', v: 'Łódź', f: 'CONCATENATE("Ł","ódź")' }
    await expectSame(toSheet({ t: 'n', v: 3, f: '1+2' }, text, { t: 'b', v: true, f: 'TRUE()' }, 'after'))
  })

  it('reads dates of the 1904 system', async () => {
    await expectSame(toSheet({ t: 'n', v: 1, z: 'yyyy-mm-dd' }, { t: 'n', v: 40_000, z: 'yyyy-mm-dd' }), {
      is1904: true,
    })
  })

  it('reads texts that continue in other records', async () => {
    await expectSame(toSheet(...Array.from({ length: 400 }, (_, i) => (i % 2 ? 'Zażółć ' : 'plain ').repeat(i + 1))))
  })

  it('fills merged cells if the job requests it', async () => {
    const sheet = toSheet(1, null, 2)
    sheet['!merges'] = [{ s: { r: 1, c: 1 }, e: { r: 2, c: 1 } }]
    await expectSame(sheet, { options: { mergedCellOptions: { acrossRows: { treatment: 'applyToAll' } } } })
  })

  it('is read inside an archive', async () => {
    const tables = await readTables('a.zip', createZip({ 'people.xls': PEOPLE }))
    expect(tables.map(({ rows }) => rows)).toEqual((await readTables('people.xls', PEOPLE)).map(({ rows }) => rows))
  })

  it('shows a number that is not finite as Excel does', async () => {
    const bytes = Buffer.from(readWorkbookFile('libreoffice-people.xls'))
    bytes.writeDoubleLE(Number.NaN, bytes.indexOf(Buffer.from([0x03, 0x02, 14, 0])) + 10)
    const tables = await readTables('a.xls', bytes)
    expect(tables.flatMap(({ rows }) => rows.flat())).toContain('#NUM!')
  })
})
