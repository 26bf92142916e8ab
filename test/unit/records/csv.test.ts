/** Records as CSV round-trip through a CSV parser. */
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { CsvOptions } from '../../../lib/records/index.ts'
import type { Field, ListQuery, SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, importRows, update } = await startRecordSuite()

const createSheet = (...fields: Field[]): SheetRef => ({ sheetId: newSheetId(), fields })
const textField = (key: string, label?: string): Field => ({ key, type: 'string', label })

async function insertRows(sheet: SheetRef, rows: readonly (readonly unknown[])[]): Promise<string[]> {
  const keys = sheet.fields.map(({ key }) => key)
  async function* yieldOnce() {
    yield { keys, rows }
  }
  return [...(await importRows(sheet, yieldOnce())).ids]
}

async function exportCsv(sheet: SheetRef, query: ListQuery = {}, options: CsvOptions = {}): Promise<string> {
  const buffers: Buffer[] = []
  for await (const buffer of engine.streamCsv(sheet, query, options)) buffers.push(buffer)
  return Buffer.concat(buffers).toString()
}

const parseCsv = (csv: string): string[][] =>
  Papa.parse<string[]>(csv, { delimiter: ',', newline: '\r\n' }).data.slice(0, -1)
const removeGuards = (cell: string): string =>
  cell.replace(/^'(?='*[=+\-@\t\r\n])/, '').replace(/(?<=[;\t\r\n])'(?=['"]*[=+\-@])/g, '')

describe('CSV', () => {
  it('writes each type of value, quoted only when necessary', async () => {
    const sheet = createSheet(
      textField('name'),
      { key: 'amount', type: 'number' },
      { key: 'active', type: 'boolean' },
      { key: 'tags', type: 'string-list' },
    )
    await insertRows(sheet, [
      ['plain', -1.5, true, ['a', 'b, c']],
      ['a, b', 1e21, false, null],
      ['say "hi"', 'n/a', null, [1]],
      ['two\nlines', 0, null, null],
      [' ü 😀\\', null, null, null],
      [{ odd: 1 }, null, null, null],
    ])
    expect(await exportCsv(sheet)).toBe(
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

  it('finds quotes and commas at each place of texts of each length', async () => {
    const texts = ['', ',', '"', 'é', '-'].flatMap((special) =>
      Array.from(
        { length: 100 },
        (_, i) => `${'ab'.repeat(i % 10)}${special}${'z'.repeat(i / 10)}${'-'.repeat(i % 3)}`,
      ),
    )
    const longTexts = ['x', 'x,', 'ü"'].map((text) => text.repeat(70_000))
    for (const others of [[], ['a;b'], ['a\\b']]) {
      const cells = [...texts, ...longTexts, ...others].map((text) => `c${text}`)
      const sheet = createSheet(textField('text'))
      await insertRows(
        sheet,
        cells.map((text) => [text]),
      )
      const quoted = cells.map((text) => (/[,"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
      expect(await exportCsv(sheet, {}, { bufferBytes: 1000 })).toBe(['text', ...quoted, ''].join('\r\n'))
    }
  })

  it('uses labels as headers, keys without labels, and both for duplicate labels', async () => {
    const sheet = createSheet(
      textField('a', 'Name, full'),
      textField('b'),
      textField('c', 'Date'),
      textField('d', 'Date'),
      textField('e', '=1+1'),
    )
    expect(await exportCsv(sheet)).toBe(`"Name, full",b,Date (c),Date (d),'=1+1\r\n`)
    expect(await exportCsv(sheet, { fields: ['c', 'b'] })).toBe('b,Date\r\n')
    expect(await exportCsv(sheet, { fields: ['b'] }, { byteOrderMark: true })).toBe('\ufeffb\r\n')
  })

  it('writes a single empty cell visibly instead of as a blank line', async () => {
    const sheet = createSheet(textField('a'))
    await insertRows(sheet, [['x'], [null], ['y']])
    expect(await exportCsv(sheet)).toBe('a\r\nx\r\n""\r\ny\r\n')
  })

  it('neutralizes formulas and leaves numbers unchanged', async () => {
    const sheet = createSheet(textField('a'), { key: 'n', type: 'number' })
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
    await insertRows(
      sheet,
      [...hostile, ...harmless].map((cell) => [cell, -7]),
    )
    const cells = parseCsv(await exportCsv(sheet))
      .slice(1)
      .map(([cell]) => cell)
    expect(cells).toEqual([...hostile.map((cell) => `'${cell.replace(/^(\s)=/, "$1'=")}`), ...harmless])
    const raw = parseCsv(await exportCsv(sheet, {}, { neutralizeFormulas: false })).slice(1)
    expect(raw).toEqual([...hostile, ...harmless].map((cell) => [cell, '-7']))
  })

  it('tells numbers of every form from formulas', async () => {
    const signed = fc
      .tuple(fc.constantFrom(...'+-=@'), fc.string({ unit: fc.constantFrom(...'+-.019eEx'), maxLength: 6 }))
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(signed, { minLength: 100, maxLength: 200 }), async (texts) => {
        const sheet = createSheet(textField('a'))
        await insertRows(
          sheet,
          texts.map((text) => [text]),
        )
        const isNumber = (text: string) => /^[-+](?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)
        const lines = texts.map((text) => `${isNumber(text) ? text : `'${text}`}\r\n`)
        expect(await exportCsv(sheet)).toBe(`a\r\n${lines.join('')}`)
      }),
      { numRuns: 20 },
    )
  })

  it('neutralizes formulas after separators of other spreadsheets', async () => {
    const sheet = createSheet(textField('a'), { key: 'tags', type: 'string-list' })
    const cells = ["x;=cmd|' /C calc'!A0", 'x;-5;+1', 'x\t@a', 'x\n=1;2', "x;'=1", 'a;b=c', 'x;y']
    await insertRows(
      sheet,
      cells.map((cell) => [cell, ['x;=1']]),
    )
    const csv = await exportCsv(sheet)
    expect(csv).toContain(`"x;'=cmd|' /C calc'!A0"`)
    expect(csv).toContain('x;y,')
    const read = parseCsv(csv).slice(1)
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
    expect(read.map(([cell]) => removeGuards(cell!))).toEqual(cells)
  })

  it('neutralizes formulas in cells that other spreadsheets parse as quoted', async () => {
    const sheet = createSheet(textField('a'), textField('b'))
    // Excel parses `""=1` as an empty quoted text followed by `=1`.
    const cells = [`a;"=cmd|' /C calc'!A0;b`, 'a;""@x', `a\t"'"-1+1`, 'a\n"+1+1', `a;'"=1`]
    await insertRows(
      sheet,
      cells.map((cell) => ['first', cell]),
    )
    const read = parseCsv(await exportCsv(sheet))
      .slice(1)
      .map(([, cell]) => cell!)
    expect(read).toEqual([`a;'"=cmd|' /C calc'!A0;b`, `a;'""@x`, `a\t'"'"-1+1`, `a\n'"+1+1`, `a;''"=1`])
    expect(read.map(removeGuards)).toEqual(cells)
  })

  it('includes edits, and returns records in the requested order and selection', async () => {
    const sheet = createSheet(textField('a'), textField('b'))
    const [first] = await insertRows(sheet, [
      ['x', '1'],
      ['y', null],
      ['z', '3'],
    ])
    await update(sheet, [{ id: first!, values: { a: { value: '=edited' }, b: { value: null } } }])
    const sort = { field: 'a', direction: 'desc' } as const
    expect(await exportCsv(sheet, { sort })).toBe("a,b\r\nz,3\r\ny,\r\n'=edited,\r\n")
    expect(await exportCsv(sheet, { sort, pageSize: 1, pageNumber: 2 })).toBe('a,b\r\ny,\r\n')
    expect(await exportCsv(sheet, { search: { value: 'z' } })).toBe('a,b\r\nz,3\r\n')
  })

  it('round-trips the original texts', async () => {
    const nasty = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r', '\n', '\\', '1', 'e', 'ü', ' '),
    })
    const cell = fc.oneof(fc.string({ unit: 'binary' }), nasty)
    const row = fc.tuple(cell, cell)
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const sheet = createSheet(textField('a'), textField('b'))
        await insertRows(sheet, rows)
        const back = parseCsv(await exportCsv(sheet)).slice(1)
        expect(back.map((cells) => cells.map(removeGuards))).toEqual(rows)
        for (const shown of back.flat()) expect(shown).not.toMatch(/^[=@\t\r\n]|^[+-](?![\d.])/)
      }),
      { numRuns: 15 },
    )
  })
})
