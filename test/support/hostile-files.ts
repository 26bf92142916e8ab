/** Generated hostile files with the expected errors. */
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import type { FormatOptions } from '../../lib/files/extract/formats.ts'
import { readWorkbookFile } from './corpus-workbooks.ts'
import { createOds, ODS_TYPE } from './ods-by-hand.ts'
import { readParquetFile } from './parquet-files.ts'
import { readProtected } from './protected-workbooks.ts'
import { buildWorkbookByHand, createZip } from './xlsx-by-hand.ts'

export interface Hostile {
  name: string
  bytes(): Buffer
  options?: FormatOptions
  refusal: RegExp
}

const createSheet = (data: string, more: Partial<Parameters<typeof buildWorkbookByHand>[0]> = {}) =>
  buildWorkbookByHand({ sheets: [{ name: 'Data', data }], ...more })

function patchXls(patch: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(readWorkbookFile('libreoffice-people.xls'))
  patch(bytes)
  return bytes
}

function createXlsb(sheet: number[]): Buffer {
  const text = (value: string) => [value.length, 0, 0, 0, ...Buffer.from(value, 'utf16le')]
  const declaration = [0, 0, 0, 0, 1, 0, 0, 0, ...text('rId1'), ...text('Data')]
  const relate = (kind: string, target: string) =>
    `<Relationships><Relationship Id="rId1" Type="x/${kind}" Target="${target}"/></Relationships>`
  return createZip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relate('officeDocument', 'xl/workbook.bin'),
    'xl/_rels/workbook.bin.rels': relate('worksheet', 'worksheets/sheet1.bin'),
    'xl/workbook.bin': Buffer.from([0x9c, 0x01, declaration.length, ...declaration]),
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

const HEAD = '<?xml version="1.0"?>'
const createNested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

function patchDirectory(archive: Buffer, offset: number, value: number, bytes: 2 | 4): Buffer {
  const at = archive.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + offset
  if (bytes === 4) archive.writeUInt32LE(value, at)
  else archive.writeUInt16LE(value, at)
  return archive
}

const VARINT_OF_BILLIONS = [0xff, 0xff, 0xff, 0xff, 0x0f]

function endWithFooterOf(length: number): Buffer {
  const file = Buffer.from(`PAR1${'x'.repeat(40)}0000PAR1`)
  file.writeUInt32LE(length, file.length - 8)
  return file
}

function createParquetFooter(footer: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')])
}

function renameEntry(from: string, to: string): Buffer {
  const archive = createZip({ [from]: 'a,b\n1,2\n' })
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1')
}

const createSymlink = () =>
  Buffer.from(zipSync({ 'a.csv': [strToU8('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] }))

function createOverlapping(): Buffer {
  const archive = createZip({ 'a.csv': 'a,b\n1,2\n'.repeat(50), 'b.csv': 'a,b\n1,2\n'.repeat(50) })
  const second = archive.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  archive.writeUInt32LE(0, second + 42)
  return archive
}

const createWithWrongSize = (size: number) =>
  patchDirectory(createZip({ 'a.csv': 'a,b\n1,2\n'.repeat(100) }), 24, size, 4)

function createSimilarSheets(count: number): Buffer {
  const noise = Array.from({ length: 400 }, (_, i) => Math.sin(i).toString(36).slice(3)).join('')
  const data = `<row><c t="str"><v>${noise}</v></c></row>${'<row><c><v>1</v></c></row>'.repeat(14_000)}`
  return buildWorkbookByHand({ sheets: Array.from({ length: count }, (_, i) => ({ name: `S${i}`, data })) })
}

export const HOSTILE: Hostile[] = [
  {
    name: 'bomb.zip',
    bytes: () => createZip({ 'zeros.csv': new Uint8Array(20 * 1024 * 1024).fill(48) }),
    refusal:
      /entry zeros\.csv of the archive unpacks to more than 100 times its size\. It was rejected as a possible ZIP bomb/,
  },
  {
    name: 'bomb.xlsx',
    bytes: () => createSheet('<row><c><v>1</v></c></row>'.repeat(200_000)),
    refusal: /entry xl\/worksheets\/sheet1\.xml of the archive unpacks to more than 100 times its size/,
  },
  {
    name: 'strings-bomb.xlsx',
    bytes: () => createSheet('', { strings: '<si><t>a</t></si>'.repeat(200_000) }),
    refusal: /entry xl\/sharedStrings\.xml of the archive unpacks to more than 100 times/,
  },
  {
    name: 'bomb.csv.gz',
    bytes: () => gzipSync(Buffer.alloc(20 * 1024 * 1024, '1,2\n')),
    refusal: /After [\d,]+ bytes the archive has unpacked to more than 100 times its size/,
  },
  {
    name: 'many.zip',
    bytes: () => createZip(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.csv`, 'a,b\n']))),
    refusal: /has 1,001 entries; the maximum is 1,000/,
  },
  {
    name: 'huge-entry.zip',
    bytes: () => createWithWrongSize(0xf0000000),
    refusal: /entry a\.csv of the archive unpacks to 4,026,531,840 bytes; the maximum is 2,147,483,648/,
  },
  {
    name: 'larger-than-told.zip',
    bytes: () => createWithWrongSize(10),
    refusal: /a\.csv of the archive is damaged: it has more than the declared 10 bytes/,
  },
  {
    name: 'smaller-than-told.zip',
    bytes: () => createWithWrongSize(1000),
    refusal: /a\.csv of the archive is damaged: it has 800 bytes instead of the declared 1,000/,
  },
  {
    name: 'traversal.zip',
    bytes: () => renameEntry('xx/xx/a.csv', '../../a.csv'),
    refusal: /an entry with an unsafe path/,
  },
  {
    name: 'absolute.zip',
    bytes: () => renameEntry('xtmp/a.csv', '/tmp/a.csv'),
    refusal: /an entry with an unsafe path/,
  },
  { name: 'drive.zip', bytes: () => renameEntry('CC/a.csv', 'C:/a.csv'), refusal: /an entry with an unsafe path/ },
  { name: 'link.zip', bytes: createSymlink, refusal: /entry a\.csv of the archive is a symbolic link/ },
  { name: 'overlap.zip', bytes: createOverlapping, refusal: /entries a\.csv and b\.csv of the archive overlap/ },
  {
    name: 'encrypted.zip',
    bytes: () => patchDirectory(createZip({ 'a.csv': 'a,b\n1,2\n' }), 8, 1, 2),
    refusal: /entry a\.csv of the archive is encrypted/,
  },
  {
    name: 'unknown-packing.zip',
    bytes: () => patchDirectory(createZip({ 'a.csv': 'a,b\n1,2\n' }), 10, 99, 2),
    refusal: /entry a\.csv of the archive uses an unsupported compression method \(99\)/,
  },
  {
    name: 'cut.zip',
    bytes: () => createZip({ 'a.csv': 'a,b\n' }).subarray(0, 40),
    refusal: /damaged or is not a ZIP archive/,
  },
  {
    name: 'nested.zip',
    bytes: () => createZip({ 'inner.zip': createZip({ 'a.csv': 'a,b\n1,2\n' }) }),
    refusal: /inner\.zip: It is a ZIP archive inside an archive/,
  },
  {
    name: 'no-book.zip',
    bytes: () => createZip({ 'book.xlsx': createZip({ 'a.csv': 'a,b\n1,2\n' }) }),
    refusal: /book\.xlsx: It is a ZIP archive inside an archive/,
  },
  {
    name: 'gzip-in.zip',
    bytes: () => createZip({ 'a.csv.gz': gzipSync('a,b\n1,2\n') }),
    refusal: /a\.csv\.gz: It is a gzip archive inside an archive/,
  },
  {
    name: 'zip-in.zip.gz',
    bytes: () => gzipSync(createZip({ 'a.csv': 'a,b\n' })),
    refusal: /is a ZIP archive inside an archive/,
  },
  {
    name: 'nested-bomb.zip',
    bytes: () => createZip({ 'book.xlsx': createSimilarSheets(30) }),
    refusal:
      /book\.xlsx: It unpacks to more than 100 times its size in the archive\. It was rejected as a possible ZIP bomb/,
  },
  {
    name: 'many-books.zip',
    bytes: () => {
      const book = createSheet('<row><c><v>1</v></c></row>')
      return createZip(Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`${i}.xlsx`, book])))
    },
    refusal: /more than 40 tables/,
  },
  {
    name: 'merged.xlsx',
    bytes: () =>
      buildWorkbookByHand({
        sheets: [
          {
            name: 'Data',
            data: '<row r="1"><c r="A1"><v>1</v></c></row>',
            after: '<mergeCells><mergeCell ref="A1:SF1048576"/></mergeCells>',
          },
        ],
      }),
    options: { mergedCellOptions: { acrossRanges: { treatment: 'applyToAll' } } },
    refusal: /Sheet Data: There are more than 1,000,000 merged cells/,
  },
  { name: 'nothing.zip', bytes: () => createZip({ 'a.pdf': '%PDF-' }), refusal: /no readable table: a\.pdf/ },
  { name: 'broken.csv.gz', bytes: () => gzipSync('a,b\n1,2\n').subarray(0, 20), refusal: /damaged|unexpected end/ },
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
    name: 'text.xls',
    bytes: () => Buffer.from('a\tb\n1\t2\n'),
    refusal: /The file is not a valid workbook/,
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
  { name: 'cut.parquet', bytes: () => readParquetFile('duckdb').subarray(0, 2000), refusal: /damaged: it ends early/ },
  { name: 'text.parquet', bytes: () => Buffer.from('a,b\n1,2\n'), refusal: /not a valid Parquet file/ },
  { name: 'encrypted.parquet', bytes: () => Buffer.from(`PARE${'x'.repeat(40)}PARE`), refusal: /is encrypted/ },
  { name: 'footer.parquet', bytes: () => endWithFooterOf(1000), refusal: /its footer exceeds the file/ },
  {
    name: 'large-footer.parquet',
    bytes: () => endWithFooterOf(2 ** 31),
    refusal: /footer of the Parquet file has/,
  },
  {
    name: 'endless.parquet',
    bytes: () => createParquetFooter(Buffer.from([0x19, 0xfc, ...VARINT_OF_BILLIONS])),
    refusal: /damaged: too many elements/,
  },
  {
    name: 'deep.parquet',
    bytes: () => createParquetFooter(Buffer.alloc(4000, 0x1c)),
    refusal: /damaged: too deeply nested/,
  },
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
        'content.xml': `${HEAD}<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>`,
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
    name: 'entities.xml',
    bytes: () =>
      Buffer.from(`${HEAD}<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><r><i>&b;</i><i>&b;</i></r>`),
    refusal: /Line 1 has a document type \(DOCTYPE\)/,
  },
  {
    name: 'external.xml',
    bytes: () => Buffer.from(`${HEAD}\n<!DOCTYPE r SYSTEM "file:///etc/passwd"><r><i>1</i><i>2</i></r>`),
    refusal: /Line 2 has a document type/,
  },
  {
    name: 'external.xlsx',
    bytes: () => createSheet(`${HEAD}<!DOCTYPE x SYSTEM "http://127.0.0.1/x"><worksheet><sheetData/></worksheet>`),
    refusal: /Sheet Data: Line 1 has a document type/,
  },
  {
    name: 'strings-entity.xlsx',
    bytes: () =>
      createSheet('<row><c t="s"><v>0</v></c></row>', {
        parts: { 'xl/sharedStrings.xml': `${HEAD}<!DOCTYPE x [<!ENTITY e "x">]><sst><si><t>&e;</t></si></sst>` },
      }),
    refusal: /has a document type/,
  },
  {
    name: 'entity.xml',
    bytes: () => Buffer.from('<r><i>&x;</i><i/></r>'),
    refusal: /Invalid XML in line 1, column .*undefined entity/,
  },
  { name: 'open.xml', bytes: () => Buffer.from('<r><i>1</i>\n<i>2</r>'), refusal: /Invalid XML in line 2, / },
  {
    name: 'deep.xml',
    bytes: () => Buffer.from(`${'<a>'.repeat(500)}${'</a>'.repeat(500)}`),
    refusal: /exceeds the nesting limit of 20 levels/,
  },
  {
    name: 'kinds.xml',
    bytes: () => Buffer.from(`<r>${Array.from({ length: 11_000 }, (_, i) => `<k${i}/>`).join('')}</r>`),
    refusal: /more than 10,000 kinds/,
  },
  { name: 'nul.xml', bytes: () => Buffer.from('<r><i>a\0b</i><i/></r>'), refusal: /Invalid XML in line 1, / },
  {
    name: 'deep.json',
    bytes: () => Buffer.from(`[{"ok":1},${createNested(25)}]`),
    refusal: /Record 2 exceeds the nesting limit of 20 levels/,
  },
  {
    name: 'very-deep.json',
    bytes: () => Buffer.from('['.repeat(1_000_000)),
    refusal: /exceeds the nesting limit of 20 levels/,
  },
  {
    name: 'open.json',
    bytes: () => Buffer.from('[{"a":1},{"a":'),
    refusal: /Invalid JSON after record 1,|ends within record 2/,
  },
  {
    name: 'wrong.json',
    bytes: () => Buffer.from('[{"a":1},{"a":2},{a:3}]'),
    refusal: /Invalid JSON after record 2, .*expected an object key/,
  },
  { name: 'nul.json', bytes: () => Buffer.from('[{"a":"x\0"}]'), refusal: /Invalid JSON|binary content/ },
  { name: 'wrong.jsonl', bytes: () => Buffer.from('{"a":1}\n{"a":2}\n{"a"\n'), refusal: /Invalid JSON after record 2/ },
  {
    name: 'long.json',
    bytes: () => Buffer.from(`[{"a":"${'x'.repeat(5 * 1024 * 1024)}"}]`),
    refusal: /Record 1 has a value of more than 4,194,304 characters/,
  },
  {
    name: 'nul.csv',
    bytes: () => Buffer.from(`a,b\n${'1,2\n'.repeat(100)}x,\0y\n`),
    refusal: /Row 102 has a NUL character at byte 406/,
  },
  {
    name: 'late-nul.csv',
    bytes: () => Buffer.from(`a,b\n${'1,2\n'.repeat(200_000)}x,\0y\n`),
    refusal: /Row 200,002 has a NUL character at byte 800,006/,
  },
  {
    name: 'damaged.xlsx',
    bytes: () => createZip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<x' }),
    refusal: /xl\/workbook\.xml: Invalid XML/,
  },
  {
    name: 'no-sheet.xlsx',
    bytes: () => createSheet('', { parts: { 'xl/_rels/workbook.xml.rels': '<Relationships/>' } }),
    refusal: /the sheet Data is missing/,
  },
  {
    name: 'no-string.xlsx',
    bytes: () => createSheet('<row r="3"><c r="B3" t="s"><v>7</v></c></row>'),
    refusal: /Sheet Data: Cell B3 refers to the shared text 7/,
  },
  {
    name: 'wide.xlsx',
    bytes: () => createSheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="XFD2"><v>1</v></c></row>'),
    refusal: /Sheet Data: Row 2 has 16,384 columns; a sheet has at most 500/,
  },
  {
    name: 'long-text.xlsx',
    bytes: () =>
      buildWorkbookByHand({
        stored: true,
        sheets: [{ name: 'Data', data: `<row><c t="str"><v>${'x'.repeat(5 * 1024 * 1024)}</v></c></row>` }],
      }),
    refusal: /has a tag or text of more than 4,194,304 characters/,
  },
  {
    name: 'no-workbook.xlsx',
    bytes: () => Buffer.from('a,b\n1,2\n'),
    refusal: /The file is not a valid workbook/,
  },
  {
    name: 'tables.json',
    bytes: () =>
      Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`t${i}`, [{ a: 1 }]])))),
    refusal: /more than 40 tables/,
  },
  {
    name: 'columns.json',
    bytes: () => Buffer.from(JSON.stringify([Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`c${i}`, 1]))])),
    refusal: /With record 1 there are 501 columns; a sheet has at most 500/,
  },
]
