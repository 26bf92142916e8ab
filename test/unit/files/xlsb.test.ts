import * as SheetJS from '@e965/xlsx'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/core/errors.ts'
import { readTables, readWithoutKeeping } from '../../support/read-tables.ts'
import { createZip } from '../../support/xlsx-by-hand.ts'

interface Options {
  is1904?: boolean
  bookSST?: boolean
}

function write(sheet: SheetJS.WorkSheet, bookType: 'xlsb' | 'xlsx', { is1904 = false, bookSST = true }: Options = {}) {
  const book = SheetJS.utils.book_new()
  SheetJS.utils.book_append_sheet(book, sheet, 'Data')
  SheetJS.utils.book_append_sheet(book, SheetJS.utils.aoa_to_sheet([['Łódź'], ['x']]), 'Zażółć')
  book.Workbook = { WBProps: { date1904: is1904 }, Sheets: [{ Hidden: 0 }, { Hidden: 1 }] }
  return SheetJS.write(book, { type: 'buffer', bookType, bookSST }) as Buffer
}

const HEADER = ['name', 'value']
const toSheet = (...values: unknown[]) =>
  SheetJS.utils.aoa_to_sheet([HEADER, ...values.map((value, row) => [`row ${row}`, value])])

async function expectSame(sheet: SheetJS.WorkSheet, { options = {}, ...how }: Options & { options?: object } = {}) {
  for (const chunkBytes of [1, 64 * 1024]) {
    const tables = await readTables('a.xlsb', write(sheet, 'xlsb', how), options, chunkBytes)
    expect(tables[0]!.rows.length).toBeGreaterThan(1)
    expect(tables).toEqual(await readTables('a.xlsx', write(sheet, 'xlsx', how), options))
  }
}

const NUMBERS = [0, -1, 0.1, 12.34, 1e-7, 2 ** 29, -(2 ** 29), 2 ** 30, 123456789012345, 0.07125, 1 / 3, 1e300]
const FORMATS = ['0%', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'h:mm', '[h]:mm', '00000', '"m" 0']
const FORMATTED = FORMATS.map((z) => ({ t: 'n', v: 43_890.75, z }))

describe('an XLSB file', () => {
  it.each([true, false])('has the values of the same workbook in XLSX (shared texts: %s)', async (bookSST) => {
    const errors = [42, 7].map((v) => ({ t: 'e', v }))
    const texts = ['a', '', ' b ', 'x\ny', 'long '.repeat(6000), '日本\u{1F600}']
    await expectSame(toSheet(...NUMBERS, ...FORMATTED, true, false, null, ...errors, ...texts), { bookSST })
  })

  it('has formulas as last calculated', async () => {
    const text = { t: 's', v: 'Łódź', f: 'CONCATENATE("Ł","ódź")' }
    await expectSame(toSheet({ t: 'n', v: 3, f: '1+2' }, text, { t: 'b', v: true, f: 'TRUE()' }, 'after'))
  })

  it('reads dates of the 1904 system', async () => {
    await expectSame(toSheet(...[1, 40_000].map((v) => ({ t: 'n', v, z: 'yyyy-mm-dd' }))), { is1904: true })
  })

  it('fills merged cells if the job requests it', async () => {
    const sheet = toSheet(1, null, 2)
    sheet['!merges'] = [{ s: { r: 1, c: 1 }, e: { r: 2, c: 1 } }]
    await expectSame(sheet, { options: { mergedCellOptions: { acrossRows: { treatment: 'applyToAll' } } } })
  })

  it('reads many rows, wide and with gaps', async () => {
    const sheet = SheetJS.utils.aoa_to_sheet([Array.from({ length: 60 }, (_, i) => `c${i}`)])
    const rows = Array.from({ length: 300 }, (_, i) => Array.from({ length: 60 }, (_, j) => (j % 7 ? i * j : `t${j}`)))
    SheetJS.utils.sheet_add_aoa(sheet, rows, { origin: 'A5' })
    await expectSame(sheet)
  })

  it('is read inside an archive', async () => {
    const bytes = write(toSheet(1, 2), 'xlsb')
    const [table] = await readTables('a.zip', await createZip({ 'in.xlsb': bytes }))
    expect(table!.rows).toEqual([
      ['row 0', '1'],
      ['row 1', '2'],
    ])
  })

  it('with damaged parts is read or refused with the reason', async () => {
    const parts = unzipSync(write(toSheet(...NUMBERS, ...FORMATTED, 'a', 'b', true), 'xlsb'))
    const names = Object.keys(parts).filter((name) => name.endsWith('.bin'))
    let refused = 0
    let seed = 7
    const random = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    for (let round = 0; round < 400; round++) {
      const name = names[random(names.length)]!
      const damaged = Buffer.from(parts[name]!)
      for (let i = 0; i <= random(4); i++) damaged[random(damaged.length)] = random(256)
      const cut = round % 3 === 0 ? damaged.subarray(0, random(damaged.length)) : damaged
      const bytes = zipSync({ ...parts, [name]: cut }, { level: 0 })
      await readWithoutKeeping('a.xlsb', bytes).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ApiError)
        refused++
      })
    }
    expect(refused).toBeGreaterThan(100)
  })
})
