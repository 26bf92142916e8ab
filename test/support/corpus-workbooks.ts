import { readFileSync } from 'node:fs'
import * as SheetJS from '@e965/xlsx'
import writeExcelFile from 'write-excel-file/node'
import type { CorpusFile } from './corpus-file.ts'
import { buildWorkbookByHand, type WorkbookDefinition } from './xlsx-by-hand.ts'

const DATES: [format: string, value: string, from1900: string, from1904: string][] = [
  ['yyyy-mm-dd', '43831', '2020-01-01', '2024-01-02'],
  ['m/d/yy', '43831', '2020-01-01', '2024-01-02'],
  ['dd.mm.yyyy', '44196', '2020-12-31', '2025-01-01'],
  ['mmm\\-yy', '43831', '2020-01-01', '2024-01-02'],
  ['d &quot;de&quot; mmmm &quot;de&quot; yyyy', '43831', '2020-01-01', '2024-01-02'],
  ['[$-409]d\\-mmm\\-yyyy;@', '43890', '2020-02-29', '2024-03-01'],
  ['[$-411]ge.m.d', '43831', '2020-01-01', '2024-01-02'],
  ['yyyy-mm-dd', '59', '1900-02-28', '1904-02-29'],
  ['yyyy-mm-dd', '60', '60', '1904-03-01'],
  ['yyyy-mm-dd', '61', '1900-03-01', '1904-03-02'],
  ['yyyy-mm-dd', '1', '1900-01-01', '1904-01-02'],
  ['yyyy-mm-dd', '2958465', '9999-12-31', '2958465'],
  ['yyyy-mm-dd', '-1', '-1', '-1'],
  ['yyyy-mm-dd', '43831.5', '2020-01-01T12:00:00', '2024-01-02T12:00:00'],
  ['yyyy-mm-dd hh:mm', '43831', '2020-01-01T00:00:00', '2024-01-02T00:00:00'],
  ['yyyy-mm-dd hh:mm:ss', '43831.52083333333', '2020-01-01T12:30:00', '2024-01-02T12:30:00'],
  ['m/d/yy h:mm AM/PM', '43831.999999999', '2020-01-02T00:00:00', '2024-01-03T00:00:00'],
  ['yyyy-mm-dd hh:mm:ss.000', '43831.00000578704', '2020-01-01T00:00:00.500', '2024-01-02T00:00:00.500'],
  ['hh:mm', '0.25', '06:00:00', '06:00:00'],
  ['h:mm AM/PM', '0.75', '18:00:00', '18:00:00'],
  ['mm:ss', '0.0007523148148148147', '00:01:05', '00:01:05'],
  ['[h]:mm:ss', '1.5208333333333333', '36:30:00', '36:30:00'],
  ['[mm]:ss', '0.0625', '01:30:00', '01:30:00'],
  ['[hh]:mm', '-0.5', '-12:00:00', '-12:00:00'],
  ['General', '43831', '43831', '43831'],
  ['0.00', '43831.5', '43831.5', '43831.5'],
  ['#,##0 &quot;days&quot;', '5', '5', '5'],
  ['[Red]0.0;[Blue]-0.0', '1.5', '1.5', '1.5'],
  ['0.00E+00', '1.5E-7', '0.00000015', '0.00000015'],
  ['00000', '123', '00123', '00123'],
  ['000\\-00\\-0000', '12345678', '012-34-5678', '012-34-5678'],
]

const BUILT_IN: [id: number, value: string, meaning: string][] = [
  [14, '43831', '2020-01-01'],
  [15, '43831', '2020-01-01'],
  [17, '43831', '2020-01-01'],
  [18, '0.5', '12:00:00'],
  [20, '0.5', '12:00:00'],
  [22, '43831.5', '2020-01-01T12:00:00'],
  [31, '43831', '2020-01-01'],
  [45, '0.5', '12:00:00'],
  [46, '1.5', '36:00:00'],
  [9, '0.5', '50%'],
  [10, '0.07125', '7.125%'],
  [49, '43831', '43831'],
]

const inlineCell = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
const WHAT = `<row r="1">${inlineCell('A1', 'what')}${inlineCell('B1', 'value')}</row>`

const createDateFiles = (date1904: boolean): CorpusFile[] =>
  DATES.map(([format, value, ...meanings]) => ({
    category: `dates from ${date1904 ? 1904 : 1900}`,
    name: `${format} of ${value}.xlsx`,
    bytes: buildWorkbookByHand({
      date1904,
      formats: [format],
      sheets: [
        { name: 'S', data: `${WHAT}<row r="2">${inlineCell('A2', 'x')}<c r="B2" s="1"><v>${value}</v></c></row>` },
      ],
    }),
    tables: [{ name: 'S', columns: ['what', 'value'], rows: [['x', meanings[date1904 ? 1 : 0]!]] }],
  }))

const BUILT_IN_DATES: CorpusFile[] = BUILT_IN.map(([id, value, meaning]) => ({
  category: 'formats by number',
  name: `${id} of ${value}.xlsx`,
  bytes: buildWorkbookByHand({
    builtIn: [id],
    sheets: [
      { name: 'S', data: `${WHAT}<row r="2">${inlineCell('A2', 'x')}<c r="B2" s="1"><v>${value}</v></c></row>` },
    ],
  }),
  tables: [{ name: 'S', columns: ['what', 'value'], rows: [['x', meaning]] }],
}))

const createByHand = (
  name: string,
  book: Omit<WorkbookDefinition, 'sheets'> & { data: string; after?: string },
  rows: (string | null)[][],
  columns = ['a', 'b'],
  options: CorpusFile['options'] = {},
): CorpusFile => ({
  options,
  category: 'workbooks by hand',
  name: `${name}.xlsx`,
  bytes: buildWorkbookByHand({
    ...book,
    sheets: [{ name: 'S', data: book.data, ...(book.after ? { after: book.after } : {}) }],
  }),
  tables: [{ name: 'S', columns, rows }],
})

const AB = `<row r="1">${inlineCell('A1', 'a')}${inlineCell('B1', 'b')}</row>`
const SHARED =
  '<si><t>a</t></si><si><t>b</t></si><si><t xml:space="preserve">  kept  </t></si><si><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> and not</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si><si><t>_x0041__x000D_</t></si><si/>'
const SHARED_ROWS =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c></row><row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3" t="s"><v>5</v></c></row>'

const MERGED = {
  data: `<row r="1">${inlineCell('A1', 'a')}${inlineCell('B1', 'b')}${inlineCell('C1', 'c')}</row><row r="2">${inlineCell('A2', 'wide')}<c r="B2"/>${inlineCell('C2', 'x')}</row><row r="3">${inlineCell('A3', 'deep')}<c r="B3"><v>1</v></c></row><row r="4"><c r="A4"/>${inlineCell('C4', 'y')}</row><row r="6">${inlineCell('A6', 'block')}${inlineCell('C6', 'z')}</row>`,
  after:
    '<mergeCells count="4"><mergeCell ref="A6:B8"/><mergeCell ref="A2:B2"/><mergeCell ref="A3:A5"/><mergeCell ref="C7:C8"/></mergeCells>',
}
const MERGED_FILLED = [
  ['wide', 'wide', 'x'],
  ['deep', '1', null],
  ['deep', null, 'y'],
  ['deep', null, null],
  ['block', 'block', 'z'],
  ['block', 'block', null],
  ['block', 'block', null],
]

const BY_HAND: CorpusFile[] = [
  createByHand('shared texts', { strings: SHARED, data: SHARED_ROWS }, [
    ['  kept  ', 'bold and not'],
    ['A\r', null],
  ]),
  createByHand(
    'shared texts, prefixed and strict',
    {
      strings: SHARED.replaceAll(/<(\/?)/g, '<$1x:'),
      data: SHARED_ROWS.replaceAll(/<(\/?)/g, '<$1x:'),
      prefix: 'x:',
      strict: true,
    },
    [
      ['  kept  ', 'bold and not'],
      ['A\r', null],
    ],
  ),
  createByHand('stored, not packed', { stored: true, data: `${AB}<row r="2"><c r="A2"><v>1</v></c></row>` }, [
    ['1', null],
  ]),
  createByHand('booleans', { data: `${AB}<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" t="b"><v>0</v></c></row>` }, [
    ['true', 'false'],
  ]),
  createByHand(
    'errors',
    { data: `${AB}<row r="2"><c r="A2" t="e"><v>#DIV/0!</v></c><c r="B2" t="e"><f>NA()</f><v>#N/A</v></c></row>` },
    [['#DIV/0!', '#N/A']],
  ),
  createByHand(
    'formulas',
    { data: `${AB}<row r="2"><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>"x"&amp;"y"</f><v>xy</v></c></row>` },
    [['2', 'xy']],
  ),
  createByHand(
    'formula without a value',
    { data: `${AB}<row r="2"><c r="A2"><f>1+1</f></c><c r="B2"><v>1</v></c></row>` },
    [[null, '1']],
  ),
  createByHand(
    'ISO dates',
    {
      data: `${AB}<row r="2"><c r="A2" t="d"><v>2020-01-01T00:00:00Z</v></c><c r="B2" t="d"><v>2020-01-01T10:20:30</v></c></row>`,
    },
    [['2020-01-01', '2020-01-01T10:20:30']],
  ),
  createByHand(
    'no references',
    { data: '<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row><c/><c><v>2</v></c></row>' },
    [[null, '2']],
  ),
  createByHand('cells out of order', { data: `${AB}<row r="2"><c r="B2"><v>2</v></c><c r="A2"><v>1</v></c></row>` }, [
    ['1', '2'],
  ]),
  createByHand(
    'gaps',
    {
      data: `<row r="3">${inlineCell('B3', 'a')}${inlineCell('D3', 'b')}</row><row r="900"><c r="B900"><v>1</v></c><c r="D900"><v>2</v></c></row>`,
    },
    [[null, '1', null, '2']],
    ['column 1', 'a', 'column 3', 'b'],
  ),
  createByHand(
    'noise of numbers',
    {
      data: `${AB}<row r="2"><c r="A2"><v>1.1000000000000001</v></c><c r="B2"><v>0.30000000000000004</v></c></row><row r="3"><c r="A3"><v>1E+21</v></c><c r="B3"><v>-1.5E-10</v></c></row>`,
    },
    [
      ['1.1', '0.30000000000000004'],
      ['1000000000000000000000', '-0.00000000015'],
    ],
  ),
  createByHand(
    'entities and breaks',
    { data: `${AB}<row r="2">${inlineCell('A2', '&lt;a &amp; b&gt;&#10;c')}${inlineCell('B2', '&#x1F600;')}</row>` },
    [['<a & b>\nc', '\u{1F600}']],
  ),
  createByHand(
    'merged title',
    {
      data: `<row r="1">${inlineCell('A1', 'Members')}</row><row r="3">${inlineCell('A3', 'name')}${inlineCell('B3', 'city')}${inlineCell('C3', 'age')}</row><row r="4">${inlineCell('A4', 'Ada')}${inlineCell('B4', 'London')}<c r="C4"><v>36</v></c></row>`,
      after: '<mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells>',
    },
    [['Ada', 'London', '36']],
    ['name', 'city', 'age'],
  ),
  createByHand(
    'merged cells',
    {
      data: `${AB}<row r="2">${inlineCell('A2', 'both')}<c r="B2"/></row><row r="3"><c r="A3"/><c r="B3"><v>1</v></c></row>`,
      after: '<mergeCells><mergeCell ref="A2:B2"/></mergeCells>',
    },
    [
      ['both', null],
      [null, '1'],
    ],
  ),
  createByHand('merged cells, all filled', MERGED, MERGED_FILLED, ['a', 'b', 'c'], {
    mergedCellOptions: {
      acrossColumns: { treatment: 'applyToAll' },
      acrossRows: { treatment: 'applyToAll' },
      acrossRanges: { treatment: 'applyToAll' },
    },
  }),
  createByHand(
    'merged cells, those of a column filled',
    MERGED,
    [
      ['wide', null, 'x'],
      ['deep', '1', null],
      ['deep', null, 'y'],
      ['deep', null, null],
      ['block', null, 'z'],
    ],
    ['a', 'b', 'c'],
    { mergedCellOptions: { acrossRows: { treatment: 'applyToAll' }, acrossColumns: { treatment: 'applyToTopLeft' } } },
  ),
  createByHand(
    'given header',
    {
      data: `${AB}<row r="4">${inlineCell('A4', 'c')}${inlineCell('B4', 'd')}</row><row r="5"><c r="A5"><v>1</v></c></row>`,
    },
    [['1', null]],
    ['c', 'd'],
    { headerRow: 4 },
  ),
  createByHand('given as no header', { data: AB }, [['a', 'b']], ['column 1', 'column 2'], { headerRow: 0 }),
  createByHand(
    'hyperlink',
    {
      data: `${AB}<row r="2">${inlineCell('A2', 'site')}<c r="B2"><v>1</v></c></row>`,
      after: '<hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks>',
    },
    [['site', '1']],
  ),
  createByHand(
    'wider below',
    {
      data: `${AB}${Array.from({ length: 250 }, (_, i) => `<row r="${i + 2}"><c r="A${i + 2}"><v>${i}</v></c></row>`).join('')}<row r="252">${inlineCell('D252', 'far')}</row>`,
    },
    [...Array.from({ length: 250 }, (_, i) => [String(i), null, null, null]), [null, null, null, 'far']],
    ['a', 'b', 'column 3', 'column 4'],
  ),
  createByHand(
    'two codings of a mark',
    {
      data: `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="x"><sheetData>${AB}<row r="2">${inlineCell('A2', 'é')}<c r="B2"><v>1</v></c></row></sheetData></worksheet>`,
    },
    [['é', '1']],
  ),
  {
    category: 'workbooks by hand',
    name: 'several sheets, hidden and empty ones.xlsx',
    bytes: buildWorkbookByHand({
      sheets: [
        { name: 'First &amp; foremost', data: `${AB}<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>` },
        { name: 'Empty', data: '' },
        { name: 'Blank', data: `<row r="1">${inlineCell('A1', '  ')}</row>` },
        {
          name: 'Lists',
          state: 'hidden',
          data: `${AB}<row r="2">${inlineCell('A2', 'x')}<c r="B2"><v>2</v></c></row>`,
        },
        { name: 'More', state: 'veryHidden', data: AB },
      ],
    }),
    tables: [
      { name: 'First & foremost', columns: ['a', 'b'], rows: [['1', '2']] },
      { name: 'Lists', hidden: true, columns: ['a', 'b'], rows: [['x', '2']] },
      { name: 'More', hidden: true, columns: ['a', 'b'], rows: [] },
    ],
  },
]

const COLUMNS = ['name', 'number', 'date', 'time', 'flag']
const DAY = new Date(Date.UTC(2020, 1, 29))
const MOMENT = new Date(Date.UTC(2021, 11, 31, 23, 59, 58))
const VALUES: [string, number, Date, Date, boolean][] = [
  ['Ada & "Bob" <x>', 1.5, DAY, MOMENT, true],
  ['日本語 é \u{1F600}', -0.001, DAY, MOMENT, false],
  [' spaces ', 1234567890123, DAY, MOMENT, true],
]
const READ = VALUES.map(([name, number, , , flag]) => [
  name,
  String(number),
  '2020-02-29',
  '2021-12-31T23:59:58',
  String(flag),
])

/** Written by exceljs 4.4.0 from the same rows: it brings 143 packages. LibreOffice 7.4 converted one to ODS and XLS. */
const readExcelJsFile = (name: string): Buffer => readWorkbookFile(`${name}.xlsx`)

export const readWorkbookFile = (name: string): Buffer => readFileSync(new URL(`./workbooks/${name}`, import.meta.url))

function writeWithSheetJs(options: SheetJS.WritingOptions): Buffer {
  const sheet = SheetJS.utils.aoa_to_sheet([COLUMNS, ...VALUES], { UTC: true, cellDates: false })
  for (let row = 2; row <= VALUES.length + 1; row++) {
    sheet[`C${row}`].z = 'yyyy-mm-dd'
    sheet[`D${row}`].z = 'yyyy-mm-dd hh:mm:ss'
  }
  const book = SheetJS.utils.book_new()
  SheetJS.utils.book_append_sheet(book, sheet, 'People')
  return SheetJS.write(book, { type: 'buffer', bookType: 'xlsx', ...options })
}

const writeWithWriteExcelFile = (): Promise<Buffer> =>
  writeExcelFile(
    [
      COLUMNS.map((value) => ({ value })),
      ...VALUES.map(([name, number, date, time, flag]) => [
        { value: name },
        { value: number },
        { value: date, type: Date, format: 'yyyy-mm-dd' },
        { value: time, type: Date, format: 'yyyy-mm-dd hh:mm:ss' },
        { value: flag, type: Boolean },
      ]),
    ],
    { sheet: 'People' },
  ).toBuffer()

const createWrittenFile = (name: string, bytes: CorpusFile['bytes'], ext = 'xlsx'): CorpusFile => ({
  category: 'writers',
  name: `${name}.${ext}`,
  bytes,
  tables: [{ name: 'People', columns: COLUMNS, rows: READ }],
})

export const WORKBOOKS: CorpusFile[] = [
  ...createDateFiles(false),
  ...createDateFiles(true),
  ...BUILT_IN_DATES,
  ...BY_HAND,
  createWrittenFile('exceljs', readExcelJsFile('exceljs')),
  createWrittenFile('exceljs, streamed', readExcelJsFile('exceljs-streamed')),
  createWrittenFile('exceljs, streamed with shared texts', readExcelJsFile('exceljs-streamed-shared-texts')),
  createWrittenFile('SheetJS', writeWithSheetJs({})),
  createWrittenFile('SheetJS with shared texts', writeWithSheetJs({ bookSST: true })),
  createWrittenFile('SheetJS, packed', writeWithSheetJs({ compression: true })),
  createWrittenFile('SheetJS, macros', writeWithSheetJs({ bookType: 'xlsm' })),
  createWrittenFile('SheetJS', writeWithSheetJs({ bookType: 'biff8' }), 'xls'),
  createWrittenFile('SheetJS with shared texts', writeWithSheetJs({ bookType: 'biff8', bookSST: true }), 'xls'),
  createWrittenFile('write-excel-file', writeWithWriteExcelFile()),
  createWrittenFile('LibreOffice', readWorkbookFile('libreoffice.ods'), 'ods'),
  createWrittenFile('LibreOffice', readWorkbookFile('libreoffice.xls'), 'xls'),
]
