import * as SheetJS from '@e965/xlsx'
import { readWorkbookFile } from './corpus-workbooks.ts'
import type { Hostile } from './hostile-file.ts'
import { createOds, ODS_TYPE } from './ods-by-hand.ts'
import { readProtected } from './protected-workbooks.ts'
import { createZip } from './xlsx-by-hand.ts'

const ZEROS = new Uint8Array(20 * 1024 * 1024)
const FILL_MERGED = { mergedCellOptions: { acrossRanges: { treatment: 'applyToAll' } } } as const
function patchXls(patch: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(readWorkbookFile('libreoffice-people.xls'))
  patch(bytes)
  return bytes
}

const createXlsRecord = (type: number, body: Uint8Array): Buffer => {
  const header = Buffer.alloc(4)
  header.writeUInt16LE(type)
  header.writeUInt16LE(body.length, 2)
  return Buffer.concat([header, body])
}

function buildXls(text: string, records: readonly Buffer[]): Buffer {
  const start = (kind: number) => createXlsRecord(0x0809, Buffer.from([0, 6, kind, ...new Array(13).fill(0)]))
  const end = createXlsRecord(0x000a, Buffer.alloc(0))
  const counts = Buffer.alloc(11)
  counts.writeUInt32LE(1, 4)
  counts.writeUInt16LE(text.length, 8)
  const texts = createXlsRecord(0x00fc, Buffer.concat([counts, Buffer.from(text, 'latin1')]))
  const sheet = createXlsRecord(0x0085, Buffer.from([0, 0, 0, 0, 0, 0, 4, 0, ...Buffer.from('Data')]))
  const globals = Buffer.concat([start(5), sheet, texts, end])
  globals.writeUInt32LE(globals.length, start(5).length + 4)
  const file = SheetJS.CFB.utils.cfb_new()
  SheetJS.CFB.utils.cfb_add(file, '/Workbook', Buffer.concat([globals, start(0x10), ...records, end]))
  return SheetJS.CFB.write(file, { type: 'buffer' }) as Buffer
}

const toWords = (...words: number[]): Buffer => Buffer.from(Uint16Array.from(words).buffer)
const createSharedCell = (row: number, column: number) => createXlsRecord(0x00fd, toWords(row, column, 0, 0, 0))

const findWorkbookEntry = (bytes: Buffer): number => bytes.indexOf(Buffer.from('Workbook', 'utf16le'))

function createXlsb(sheet: number[] | Uint8Array, sheets = 1): Buffer {
  const text = (value: string) => [value.length, 0, 0, 0, ...Buffer.from(value, 'utf16le')]
  const declaration = [0, 0, 0, 0, 1, 0, 0, 0, ...text('rId1'), ...text('Data')]
  const relate = (kind: string, target: string) =>
    `<Relationships><Relationship Id="rId1" Type="x/${kind}" Target="${target}"/></Relationships>`
  return createZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relate('officeDocument', 'xl/workbook.bin'),
    'xl/_rels/workbook.bin.rels': relate('worksheet', 'worksheets/sheet1.bin'),
    'xl/workbook.bin': Buffer.from(
      Array(sheets)
        .fill([0x9c, 0x01, declaration.length, ...declaration])
        .flat(),
    ),
    'xl/worksheets/sheet1.bin': Buffer.from(sheet),
  })
}

const findXlsRecord = (bytes: Buffer, type: number, length: number): number =>
  bytes.indexOf(Buffer.from([type & 255, type >> 8, length, 0]))

const renameXlsStream = (name: string): Buffer =>
  patchXls((bytes) => {
    const at = bytes.indexOf(Buffer.from('Workbook', 'utf16le'))
    bytes.fill(0, at, at + 64).write(name, at, 'utf16le')
    bytes.writeUInt16LE(2 * name.length + 2, at + 64)
  })

const odsText = (text: string, attributes = '') =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`
const odsRow = (cells: string) => `<table:table-row>${cells}</table:table-row>`
const createContent = (content: string) =>
  createZip({ mimetype: ODS_TYPE, 'content.xml': `<?xml version="1.0"?>${content}` })

export const HOSTILE_WORKBOOKS: Hostile[] = [
  {
    name: 'old.xls',
    bytes: () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    refusal: /The workbook is damaged at byte 0/,
  },
  {
    name: 'cut.xls',
    bytes: () => readWorkbookFile('libreoffice-people.xls').subarray(0, 3000),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'looping-sectors.xls',
    bytes: () =>
      patchXls((bytes) => {
        const table = 512 * (1 + bytes.readUInt32LE(76))
        for (let sector = 0; sector < 128; sector++) bytes.writeUInt32LE(sector, table + 4 * sector)
      }),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'looping-sector-lists.xls',
    bytes: () => patchXls((bytes) => bytes.fill(0, 512, 1024).writeUInt32LE(0, 68)),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'encrypted.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt16LE(0x2f, findXlsRecord(bytes, 0x22, 2))),
    refusal: /The workbook is protected by a password\. Unlock it/,
  },
  {
    name: 'encrypted.xlsx',
    bytes: () => renameXlsStream('EncryptedPackage'),
    refusal: /The workbook is protected by a password\. Unlock it/,
  },
  {
    name: 'encrypted.zip',
    bytes: () => createZip({ 'a.xlsx': readProtected('agile-sha1-aes128.xlsx') }),
    refusal: /a\.xlsx: The spreadsheet is protected by a password\. Save it without/,
  },
  {
    name: 'small-streams.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt32LE(0xffffffff, 56)),
    refusal: /damaged at byte 56/,
  },
  { name: 'excel-95.xls', bytes: () => renameXlsStream('Book'), refusal: /saved by Excel 95 or older/ },
  { name: 'document.xls', bytes: () => renameXlsStream('Letter'), refusal: /damaged: Workbook is missing/ },
  {
    name: 'many-texts.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt32LE(0xffffffff, bytes.indexOf('\u0002\u0000\u0000id') - 4)),
    refusal: /The texts of the workbook are damaged/,
  },
  {
    name: 'rows-backwards.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt16LE(60_000, findXlsRecord(bytes, 0xfd, 10) + 4)),
    refusal: /Sheet People: Row 1 comes after row 60,001/,
  },
  {
    name: 'text.xls',
    bytes: () => Buffer.from('a\tb\n1\t2\n'),
    refusal: /The file is not a valid workbook/,
  },
  {
    name: 'stream-size.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt32LE(0xffffffff, findWorkbookEntry(bytes) + 120)),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'stream-outside.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt32LE(0x00ffffff, findWorkbookEntry(bytes) + 116)),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'looping-directory.xls',
    bytes: () =>
      patchXls((bytes) => {
        const at = findWorkbookEntry(bytes)
        bytes.write('L', at, 'utf16le')
        for (const link of [68, 72, 76]) bytes.writeUInt32LE(1, at + link)
      }),
    refusal: /damaged: Workbook is missing/,
  },
  {
    name: 'long-record.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt16LE(0xffff, findXlsRecord(bytes, 0x22, 2) + 2)),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'same-sheet.xls',
    bytes: () =>
      patchXls((bytes) => {
        const [first = 0, second = 0] = ['People', 'Secret'].map((name) => bytes.indexOf(name) - 8)
        bytes.copy(bytes, second, first, first + 4)
      }),
    refusal: /the sheet Secret shares its content with another sheet/,
  },
  {
    name: 'sheet-outside.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt32LE(0x7fffffff, bytes.indexOf('People') - 8)),
    refusal: /The workbook is damaged at byte/,
  },
  {
    name: 'missing-text.xls',
    bytes: () => patchXls((bytes) => bytes.writeUInt32LE(0xffffff, findXlsRecord(bytes, 0xfd, 10) + 10)),
    refusal: /Sheet People: Cell A1 refers to the shared text 16777215, which does not exist/,
  },
  {
    name: 'wide.xls',
    bytes: () => buildXls('x', [createSharedCell(0, 0), createSharedCell(1, 60_000)]),
    refusal: /Row 2 has 60,001 columns; a sheet has at most 500/,
  },
  {
    name: 'repeated-texts.xls',
    bytes: () =>
      buildXls(
        'x'.repeat(8000),
        Array.from({ length: 53_000 }, (_, row) => createSharedCell(row, 0)),
      ),
    refusal: /The repeated rows and cells of the spreadsheet exceed 419,430,400 bytes/,
  },
  {
    name: 'merged.xls',
    bytes: () => buildXls('x', [createSharedCell(0, 0), createXlsRecord(0x00e5, toWords(1, 1, 65_535, 0, 255))]),
    options: FILL_MERGED,
    refusal: /There are more than 1,000,000 merged cells/,
  },
  {
    name: 'record.xlsb',
    bytes: () => createXlsb([0x07, 0xff, 0xff, 0xff, 0x7f, 0]),
    refusal: /Data.*damaged at byte 0/,
  },
  {
    name: 'rows.xlsb',
    bytes: () => createXlsb([0, 4, 5, 0, 0, 0, 0, 4, 5, 0, 0, 0]),
    refusal: /Data.*row 6/i,
  },
  {
    name: 'text.xlsb',
    bytes: () => createXlsb([0, 4, 5, 0, 0, 0, 7, 12, ...new Array(8).fill(0), 1, 0, 0, 0]),
    refusal: /Data.*A6/,
  },
  {
    name: 'binary.xlsb',
    bytes: () => createZip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.bin': 'x' }),
    refusal: /The workbook part xl\/workbook\.xml is missing|xl\/workbook/,
  },
  {
    name: 'bomb.xlsb',
    bytes: () => createXlsb(ZEROS),
    refusal: /entry xl\/worksheets\/sheet1\.bin of the archive unpacks to more than 100 times its size/,
  },
  {
    name: 'cut.xlsb',
    bytes: () => createXlsb([0, 4, 5, 0]),
    refusal: /Data.*damaged/,
  },
  {
    name: 'endless-length.xlsb',
    bytes: () => createXlsb([0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    refusal: /Data.*damaged/,
  },
  {
    name: 'wide.xlsb',
    bytes: () =>
      createXlsb([
        0, 4, 0, 0, 0, 0, 2, 12, 1, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 2, 12, 0x58, 2, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 4,
        1, 0, 0, 0,
      ]),
    refusal: /Row 1 has 601 columns; a sheet has at most 500/,
  },
  { name: 'sheets.xlsb', bytes: () => createXlsb([], 1001), refusal: /The workbook has more than 1,000 sheets/ },
  { name: 'empty.ods', bytes: () => createOds(''), refusal: /The workbook is empty/ },
  {
    name: 'encrypted.ods',
    bytes: () =>
      createZip({
        mimetype: ODS_TYPE,
        'encrypted-package': 'x',
        'META-INF/manifest.xml': '<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
      }),
    refusal: /The workbook is protected by a password\. Unlock it/,
  },
  {
    name: 'doctype.ods',
    bytes: () =>
      createZip({
        mimetype: ODS_TYPE,
        'content.xml': `<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>`,
      }),
    refusal: /has a document type/,
  },
  {
    name: 'repeated-rows.ods',
    bytes: () =>
      createOds(
        `<table:table-row table:number-rows-repeated="999999999"><table:table-cell office:value-type="string"><text:p>${'x'.repeat(10_000)}</text:p></table:table-cell></table:table-row>`,
      ),
    refusal: /Sheet Data: The repeated rows and cells of the spreadsheet exceed 419,430,400 bytes/,
  },
  {
    name: 'repeated-cells.ods',
    bytes: () =>
      createOds(
        '<table:table-row><table:table-cell table:number-columns-repeated="999999999" office:value-type="float" office:value="1"/></table:table-row>',
      ),
    refusal: /a sheet has at most 500/,
  },
  {
    name: 'negative.ods',
    bytes: () => createOds('<table:table-row table:number-rows-repeated="-1"/>'),
    refusal: /the cell reference -1 is not valid/,
  },
  {
    name: 'cells.ods',
    bytes: () =>
      createOds(
        `<table:table-row>${'<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>'.repeat(1000)}</table:table-row>`,
      ),
    refusal: /Row 1 has 501 columns; a sheet has at most 500/,
  },
  { name: 'cut.ods', bytes: () => createOds('<table:table-row>'), refusal: /Invalid XML/ },
  {
    name: 'bomb.ods',
    bytes: () => createOds(odsRow(odsText(' '.repeat(ZEROS.length)))),
    refusal: /entry content\.xml of the archive unpacks to more than 100 times its size/,
  },
  {
    name: 'no-content.ods',
    bytes: () => createZip({ mimetype: ODS_TYPE, 'encrypted-package': 'x' }),
    refusal: /The workbook is damaged: content\.xml is missing/,
  },
  {
    name: 'tables.ods',
    bytes: () => createOds(...Array.from({ length: 1001 }, () => '')),
    refusal: /The workbook has more than 1,000 sheets/,
  },
  {
    name: 'filled-tables.ods',
    bytes: () => createOds(...Array.from({ length: 41 }, () => odsRow(odsText('a')))),
    refusal: /more than 40 sheets with data/,
  },
  {
    name: 'spans.ods',
    bytes: () =>
      createOds(odsRow(odsText('a', 'table:number-rows-spanned="999999999" table:number-columns-spanned="999999999"'))),
    options: FILL_MERGED,
    refusal: /There are more than 1,000,000 merged cells/,
  },
  {
    name: 'spaces.ods',
    bytes: () => {
      const cell = odsText('<text:s text:c="999999999"/>'.repeat(20_000))
      const content = `<office:spreadsheet><table:table table:name="Data">${odsRow(cell)}</table:table></office:spreadsheet>`
      return createZip({ mimetype: ODS_TYPE, 'content.xml': content }, 0)
    },
    refusal: /A row has more than 16,777,216 bytes/,
  },
  {
    name: 'deep.ods',
    bytes: () => createContent('<a>'.repeat(1000)),
    refusal: /elements nested more than 100 levels deep/,
  },
  {
    name: 'long-tag.ods',
    bytes: () =>
      createContent(`<a b="${Array.from({ length: 400_000 }, (_, i) => Math.sin(i).toString(36)).join('')}"/>`),
    refusal: /has a tag or text of more than [\d,]+ characters/,
  },
  { name: 'no-table.html', bytes: () => Buffer.from('<html><p>Hello</p></html>'), refusal: /The page has no table/ },
  {
    name: 'deep.html',
    bytes: () => Buffer.from(`<table><tr><td>${'<b>'.repeat(500_000)}`),
    refusal: /Element b exceeds the nesting limit of 1,000 levels/,
  },
  {
    name: 'many-cells.html',
    bytes: () => Buffer.from(`<table><tr>${'<td>'.repeat(500_000)}`),
    refusal: /Row 1 has 5,000 columns; a sheet has at most 500/,
  },
  {
    name: 'spans.html',
    bytes: () => Buffer.from(`<table><tr><td>a<td>b<tr>${'<td colspan=1000 rowspan=60000>x'.repeat(2_000)}`),
    refusal: /Row 2 has [\d,]+ columns; a sheet has at most 500/,
  },
  {
    name: 'tables.html',
    bytes: () => Buffer.from('<table><tr><td>a<td>b</table>'.repeat(100)),
    refusal: /more than 40 tables/,
  },
  {
    name: 'long-cell.html',
    bytes: () => Buffer.from(`<table><tr><td>${'x'.repeat(17 * 1024 * 1024)}`),
    refusal: /A row has more than 16,777,216 bytes/,
  },
  {
    name: 'large.html',
    bytes: () => Buffer.alloc(50 * 1024 * 1024 + 1, '<table>'),
    refusal: /A page with tables can have at most 52,428,800 bytes/,
  },
  {
    name: 'layouts.html',
    bytes: () => Buffer.from('<table><tr><td>'.repeat(330)),
    refusal: /The page has no table|The workbook is empty/,
  },
  {
    name: 'undecodable.html',
    bytes: () => Buffer.from('<meta charset=utf-8><table><tr><td>a<td>b<tr><td>\xff<td>\xfe', 'latin1'),
    options: { encoding: 'utf-8' },
    refusal: /In line 1 byte 49 is not valid UTF-8/i,
  },
]
