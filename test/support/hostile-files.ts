import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { HOSTILE_ARROW } from './hostile-arrow.ts'
import type { Hostile } from './hostile-file.ts'
import { HOSTILE_PACKED } from './hostile-packed.ts'
import { HOSTILE_WORKBOOKS } from './hostile-workbooks.ts'
import { buildWorkbookByHand, createZip } from './xlsx-by-hand.ts'

const createSheet = (data: string, more: Partial<Parameters<typeof buildWorkbookByHand>[0]> = {}) =>
  buildWorkbookByHand({ sheets: [{ name: 'Data', data }], ...more })

const HEAD = '<?xml version="1.0"?>'
const createNested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

function patchDirectory(archive: Buffer, offset: number, value: number, bytes: 2 | 4): Buffer {
  const at = archive.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + offset
  if (bytes === 4) archive.writeUInt32LE(value, at)
  else archive.writeUInt16LE(value, at)
  return archive
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
  ...HOSTILE_WORKBOOKS,
  ...HOSTILE_PACKED,
  ...HOSTILE_ARROW,
]
