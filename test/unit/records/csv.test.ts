/** Records as CSV: read back by a CSV parser, they are what was put in. */
import fc from 'fast-check'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CsvOptions } from '../../../lib/records/index.ts'
import type { Field, ListQuery, SheetRef } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
})
afterAll(() => cloud.close())

const sheetOf = (...fields: Field[]): SheetRef => ({ sheetId: newSheetId(), fields })
const text = (key: string, label?: string): Field => ({ key, type: 'string', label })

async function add(sheet: SheetRef, rows: readonly (readonly unknown[])[]): Promise<string[]> {
  const keys = sheet.fields.map(({ key }) => key)
  async function* once() {
    yield { keys, rows }
  }
  return [...(await engine.importRows(sheet, once(), by())).ids]
}

async function csvOf(sheet: SheetRef, query: ListQuery = {}, options: CsvOptions = {}): Promise<string> {
  const buffers: Buffer[] = []
  for await (const buffer of engine.streamCsv(sheet, query, options)) buffers.push(buffer)
  return Buffer.concat(buffers).toString()
}

const parsed = (csv: string): string[][] =>
  Papa.parse<string[]>(csv, { delimiter: ',', newline: '\r\n' }).data.slice(0, -1)
/** Takes a neutralising apostrophe away. */
const restored = (cell: string): string =>
  cell.replace(/^'(?='*[=+\-@\t\r\n])/, '').replace(/(?<=[;\t\r\n])'(?=['"]*[=+\-@])/g, '')

describe('CSV', () => {
  it('writes each type of value, quoted only where it must be', async () => {
    const sheet = sheetOf(
      text('name'),
      { key: 'amount', type: 'number' },
      { key: 'active', type: 'boolean' },
      { key: 'tags', type: 'string-list' },
    )
    await add(sheet, [
      ['plain', -1.5, true, ['a', 'b, c']],
      ['a, b', 1e21, false, null],
      ['say "hi"', 'n/a', null, [1]],
      ['two\nlines', 0, null, null],
      [' ü 😀\\', null, null, null],
      [{ odd: 1 }, null, null, null],
    ])
    expect(await csvOf(sheet)).toBe(
      [
        'name,amount,active,tags',
        'plain,-1.5,true,"[""a"",""b, c""]"',
        '"a, b",1e+21,false,',
        '"say ""hi""",n/a,,[1]',
        '"two\nlines",0,,',
        ' ü 😀\\,,,',
        '"{""odd"":1}",,,',
        '',
      ].join('\r\n'),
    )
  })

  it('heads columns by labels, by keys where there are none, by both where labels are the same', async () => {
    const sheet = sheetOf(text('a', 'Name, full'), text('b'), text('c', 'Date'), text('d', 'Date'), text('e', '=1+1'))
    expect(await csvOf(sheet)).toBe(`"Name, full",b,Date (c),Date (d),'=1+1\r\n`)
    expect(await csvOf(sheet, { fields: ['c', 'b'] })).toBe('b,Date\r\n')
    expect(await csvOf(sheet, { fields: ['b'] }, { byteOrderMark: true })).toBe('\ufeffb\r\n')
  })

  it('shows a lone empty cell, which would else be no line at all', async () => {
    const sheet = sheetOf(text('a'))
    await add(sheet, [['x'], [null], ['y']])
    expect(await csvOf(sheet)).toBe('a\r\nx\r\n""\r\ny\r\n')
  })

  it('neutralises formulas, and leaves numbers as they are', async () => {
    const sheet = sheetOf(text('a'), { key: 'n', type: 'number' })
    const hostile = [
      '=1+1',
      '+cmd|x',
      '-2+3',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      '=HYPERLINK("x","y")',
      "'=1",
      '-',
      '+1 2',
    ]
    const harmless = ['-5', '+49', '-1.5e-3', '1=1', "O'Brien", "'quoted'", 'a@b.example', '-.5']
    await add(
      sheet,
      [...hostile, ...harmless].map((cell) => [cell, -7]),
    )
    const cells = parsed(await csvOf(sheet))
      .slice(1)
      .map(([cell]) => cell)
    expect(cells).toEqual([...hostile.map((cell) => `'${cell.replace(/^(\s)=/, "$1'=")}`), ...harmless])
    const raw = parsed(await csvOf(sheet, {}, { neutralizeFormulas: false })).slice(1)
    expect(raw).toEqual([...hostile, ...harmless].map((cell) => [cell, '-7']))
  })

  it('neutralises formulas after separators of other spreadsheets', async () => {
    const sheet = sheetOf(text('a'), { key: 'tags', type: 'string-list' })
    const cells = ["x;=cmd|' /C calc'!A0", 'x;-5;+1', 'x\t@a', 'x\n=1;2', "x;'=1", 'a;b=c', 'x;y']
    await add(
      sheet,
      cells.map((cell) => [cell, ['x;=1']]),
    )
    const csv = await csvOf(sheet)
    expect(csv).toContain(`"x;'=cmd|' /C calc'!A0"`)
    expect(csv).toContain('x;y,')
    const read = parsed(csv).slice(1)
    expect(read.map(([cell]) => cell)).toEqual([
      "x;'=cmd|' /C calc'!A0",
      'x;-5;+1',
      "x\t'@a",
      "x\n'=1;2",
      "x;''=1",
      'a;b=c',
      'x;y',
    ])
    expect(read[0]![1]).toBe(`["x;'=1"]`)
    expect(read.map(([cell]) => restored(cell!))).toEqual(cells)
  })

  it('neutralises formulas in cells that other spreadsheets take for quoted', async () => {
    const sheet = sheetOf(text('a'), text('b'))
    // Excel takes `""=1` for an empty quoted text and what follows it.
    const cells = [`a;"=cmd|' /C calc'!A0;b`, 'a;""@x', `a\t"'"-1+1`, 'a\n"+1+1', `a;'"=1`]
    await add(
      sheet,
      cells.map((cell) => ['first', cell]),
    )
    const read = parsed(await csvOf(sheet))
      .slice(1)
      .map(([, cell]) => cell!)
    expect(read).toEqual([`a;'"=cmd|' /C calc'!A0;b`, `a;'""@x`, `a\t'"'"-1+1`, `a\n'"+1+1`, `a;''"=1`])
    expect(read.map(restored)).toEqual(cells)
  })

  it('shows edits, and records in the order and selection asked for', async () => {
    const sheet = sheetOf(text('a'), text('b'))
    const [first] = await add(sheet, [
      ['x', '1'],
      ['y', null],
      ['z', '3'],
    ])
    await engine.update(sheet, [{ id: first!, values: { a: { value: '=edited' }, b: { value: null } } }], by())
    const sort = { field: 'a', direction: 'desc' } as const
    expect(await csvOf(sheet, { sort })).toBe("a,b\r\nz,3\r\ny,\r\n'=edited,\r\n")
    expect(await csvOf(sheet, { sort, pageSize: 1, pageNumber: 2 })).toBe('a,b\r\ny,\r\n')
    expect(await csvOf(sheet, { search: { value: 'z' } })).toBe('a,b\r\nz,3\r\n')
  })

  it('reads back as the texts that went in', async () => {
    const nasty = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r', '\n', '\\', '1', 'e', 'ü', ' '),
    })
    const cell = fc.oneof(fc.string({ unit: 'binary' }), nasty)
    const row = fc.tuple(cell, cell)
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const sheet = sheetOf(text('a'), text('b'))
        await add(sheet, rows)
        const back = parsed(await csvOf(sheet)).slice(1)
        expect(back.map((cells) => cells.map(restored))).toEqual(rows)
        for (const shown of back.flat()) expect(shown).not.toMatch(/^[=@\t\r\n]|^[+-](?![\d.])/)
      }),
      { numRuns: 15 },
    )
  })
})
