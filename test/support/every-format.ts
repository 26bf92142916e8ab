/** One table in every format. LibreOffice 7.4, PyArrow 26, Polars 2, DuckDB 2 and msoffcrypto-tool 6.1 wrote those in `formats`. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import * as SheetJS from '@e965/xlsx'
import { FILE_PASSWORD } from './protected-workbooks.ts'
import { createZip } from './xlsx-by-hand.ts'

export const TYPED_FIELDS = [
  { key: 'berth', label: 'Berth', type: 'string' },
  { key: 'boat', label: 'Boat', type: 'string' },
  { key: 'length', label: 'Length', type: 'number' },
  { key: 'arrived', label: 'Arrived', type: 'date' },
  { key: 'paid', label: 'Paid', type: 'boolean' },
  { key: 'note', label: 'Note', type: 'string' },
]
const HEADER = TYPED_FIELDS.map(({ label }) => label)

export const TYPED_ROWS: (string | number | boolean | null)[][] = [
  ['00012345678901234567', 'Öresund', 12.5, '2024-02-29', true, 'first line\nsecond "line"'],
  ['98765432109876543210', 'Łódź & <Söhne>', -0.001, '1999-12-31', false, null],
  ['00000000000000000042', 'L\'Été; "Åse", GmbH', 1234567.89, '2026-01-01', true, '=1+1'],
  ['00000000000000000007', null, null, null, null, null],
  ['00000000000000000008', '東京丸 \u{1F600}', 0, '2000-02-28', null, '0042'],
]

const TEXTS = TYPED_ROWS.map((row) => row.map((value) => (value === null ? '' : String(value))))
const OBJECTS = TYPED_ROWS.map((row) => Object.fromEntries(row.map((value, index) => [HEADER[index]!, value])))
const JSON_LINES = OBJECTS.map((object) => `${JSON.stringify(object)}\n`).join('')

const readFormatFile = (name: string): Buffer => readFileSync(new URL(`./formats/${name}`, import.meta.url))

function writeDelimited(delimiter: string): string {
  const quote = (cell: string) =>
    /["\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
  return [HEADER, ...TEXTS].map((row) => `${row.map(quote).join(delimiter)}\r\n`).join('')
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function writeXml(): string {
  const rows = TEXTS.map(
    (row) => `<row>${row.map((text, at) => `<${HEADER[at]}>${escapeXml(text)}</${HEADER[at]}>`).join('')}</row>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><rows>${rows.join('')}</rows>`
}

const EXCEL_EPOCH = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

function writeWorkbook(bookType: 'xlsm' | 'xlsb'): Buffer {
  const sheet = SheetJS.utils.aoa_to_sheet([HEADER, ...TYPED_ROWS])
  for (const [index, row] of TYPED_ROWS.entries()) {
    const date = row[HEADER.indexOf('Arrived')]
    if (date) sheet[`D${index + 2}`] = { t: 'n', v: (Date.parse(String(date)) - EXCEL_EPOCH) / DAY_MS, z: 'yyyy-mm-dd' }
  }
  const book = SheetJS.utils.book_new()
  SheetJS.utils.book_append_sheet(book, sheet, 'Berths')
  return SheetJS.write(book, { type: 'buffer', bookType, bookSST: true })
}

/** Lines cannot contain line breaks, and columns are detected only where nearly all lines have several values. */
const ALIGNED_ROWS = TYPED_ROWS.filter((row) => row.filter((value) => value !== null).length > 1).map((row) =>
  row.map((value) => (typeof value === 'string' ? value.replaceAll('\n', ' ') : value)),
)

function writeAligned(): string {
  const rows = [HEADER, ...ALIGNED_ROWS.map((row) => row.map((value) => String(value ?? '')))]
  const widths = HEADER.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)) + 2)
  return rows
    .map(
      (row) =>
        `${row
          .map((text, at) => text.padEnd(widths[at]!))
          .join('')
          .trimEnd()}\n`,
    )
    .join('')
}

export interface FormatFile {
  name: string
  bytes: string | Uint8Array
  rows?: typeof TYPED_ROWS
  password?: string
}

export const FORMAT_FILES: FormatFile[] = [
  ...['csv', 'html', 'ods', 'xls', 'xlsx'].map((ext) => `libreoffice.${ext}`),
  ...['libreoffice-default-password.xls', 'msoffcrypto-default-password.xlsx', 'pyarrow.parquet', 'duckdb.parquet'],
  ...['pyarrow.feather', 'pyarrow.arrows', 'polars.arrow'],
]
  .map((name): FormatFile => ({ name, bytes: readFormatFile(name) }))
  .concat([
    ...['libreoffice-password.ods', 'libreoffice-password.xls', 'msoffcrypto-password.xlsx'].map((name) => ({
      ...{ name, bytes: readFormatFile(name), password: FILE_PASSWORD },
    })),
    { name: 'polars.ipc', bytes: readFormatFile('polars.arrow') },
    { name: 'page.xls', bytes: readFormatFile('libreoffice.html') },
    { name: 'page.htm', bytes: readFormatFile('libreoffice.html') },
    { name: 'a.csv', bytes: writeDelimited(',') },
    { name: 'german.csv', bytes: Buffer.from(`\uFEFF${writeDelimited(';')}`, 'utf16le') },
    { name: 'a.tsv', bytes: writeDelimited('\t') },
    { name: 'a.tab', bytes: writeDelimited('\t') },
    { name: 'a.psv', bytes: writeDelimited('|') },
    { name: 'aligned.txt', bytes: writeAligned(), rows: ALIGNED_ROWS },
    { name: 'sheetjs.xlsm', bytes: writeWorkbook('xlsm') },
    { name: 'sheetjs.xlsb', bytes: writeWorkbook('xlsb') },
    { name: 'a.json', bytes: JSON.stringify(OBJECTS) },
    { name: 'a.jsonl', bytes: JSON_LINES },
    { name: 'a.ndjson', bytes: JSON_LINES },
    { name: 'a.jsonl.gz', bytes: gzipSync(JSON_LINES) },
    { name: 'a.csv.gz', bytes: gzipSync(writeDelimited(',')) },
    { name: 'a.xml', bytes: writeXml() },
    { name: 'a.zip', bytes: createZip({ 'berths.ods': readFormatFile('libreoffice.ods') }) },
  ])
