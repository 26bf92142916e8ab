/** Streams XLSX workbooks. Inline strings keep memory constant and prevent texts from becoming formulas. */

import type { Readable } from 'node:stream'
import { DAY_MS } from '../../../schemas/kit/time.ts'
import { message } from '../../../schemas/messages/index.ts'
import { type ApiError, unprocessable } from '../../core/errors.ts'
import {
  type ByteWriter,
  type CellRange,
  copyRange,
  type RowFormat,
  writeNumber,
  writeString,
} from '../../records/index.ts'
import { toColumnLetters } from '../column-letters.ts'
import { createZip } from './zip.ts'

export interface WrittenSheet {
  name: string
  header: readonly string[]
  types: readonly string[]
  rows(format: RowFormat): AsyncIterable<Buffer>
}

/** Excel's limit per cell. */
const MAX_CELL_CHARACTERS = 32_767
const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const DATE_STYLE = 1
const HEADER_STYLE = 2

/** @throws, while it is read, ApiError for a value that does not fit into a cell */
export function writeWorkbook(sheets: readonly WrittenSheet[]): Readable {
  const names = buildSheetNames(sheets.map(({ name }) => name))
  const parts: [string, string][] = [
    ['[Content_Types].xml', buildContentTypes(sheets.length)],
    ['_rels/.rels', buildRelationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', buildWorkbookXml(names)],
    [
      'xl/_rels/workbook.xml.rels',
      buildRelationships([
        ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
  ]
  return createZip((archive) => {
    for (const [name, xml] of parts) archive.put(name, xml)
    sheets.forEach((sheet, i) => {
      archive.stream(`xl/worksheets/sheet${i + 1}.xml`, () => writeSheetXml(sheet))
    })
  })
}

async function* writeSheetXml(sheet: WrittenSheet): AsyncGenerator<Buffer> {
  const sample = createSample(sheet.header.length)
  const pieces = sheet.rows(createRowFormat(sheet, sample))[Symbol.asyncIterator]()
  const sampledPieces: Buffer[] = []
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next()) {
    sampledPieces.push(next.value)
    if (!sample.accepts()) break
  }
  yield Buffer.from(buildSheetStart(sheet.header, sample.longest) + buildHeaderXml(sheet))
  yield* sampledPieces
  if (!next.done) for (next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  yield Buffer.from('</sheetData></worksheet>')
}

const MAX_SAMPLED_ROWS = 100
const MAX_SAMPLED_BYTES = 256 * 1024

interface Sample {
  accepts(): boolean
  add(cells: readonly CellRange[], messages: string): void
  longest: number[]
}

function createSample(columns: number): Sample {
  const longest = new Array<number>(columns).fill(0)
  let rows = 0
  let sampledBytes = 0
  const measureText = (column: number, text: string): void => {
    longest[column] = Math.max(longest[column]!, text.length)
  }
  return {
    longest,
    accepts: () => rows < MAX_SAMPLED_ROWS && sampledBytes < MAX_SAMPLED_BYTES,
    add(cells, messages) {
      rows++
      cells.forEach(({ bytes, from, to }, column) => {
        sampledBytes += to - from
        if (from !== to) measureText(column, toText(JSON.parse(bytes.toString('utf8', from, to))))
      })
      if (messages !== '') measureText(cells.length, messages)
    },
  }
}

const WIDTHS = { least: 8, most: 60 }

function buildSheetStart(header: readonly string[], longest: readonly number[]): string {
  const widths = header.map((label, column) =>
    Math.min(WIDTHS.most, Math.max(WIDTHS.least, label.length + 2, longest[column]! + 2)),
  )
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  const cols = columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''
  return `${XML_HEADER}<worksheet xmlns="${MAIN}">${views}${cols}<sheetData>`
}

function buildHeaderXml(sheet: WrittenSheet): string {
  const cells = sheet.header.map((label, column) =>
    label === '' ? '' : buildTextXml(`${toColumnLetters(column)}1`, label, HEADER_STYLE, toTooLong(sheet, 1, column)),
  )
  return `<row r="1">${cells.join('')}</row>`
}

const toTooLong =
  ({ name, header }: WrittenSheet, row: number, column: number) =>
  (): ApiError =>
    unprocessable(
      message('files.cellTooLong', { sheet: name, row, column: header[column]!, count: MAX_CELL_CHARACTERS }),
    )

const FIRST_ROW = 2
const QUOTE = 34
const LIST = 91
const OBJECT = 123
const TRUE = 116
const FALSE = 102
const TEXT_START = Buffer.from('" t="inlineStr"><is><t>')
const TEXT_END = Buffer.from('</t></is></c>')
const NUMBER_START = Buffer.from('"><v>')
const DATE_START = Buffer.from(`" s="${DATE_STYLE}"><v>`)
const VALUE_END = Buffer.from('</v></c>')
const BOOLEAN_CELLS = { [TRUE]: Buffer.from('" t="b"><v>1</v></c>'), [FALSE]: Buffer.from('" t="b"><v>0</v></c>') }

const copy = (out: ByteWriter, bytes: Buffer): void => copyRange(out, bytes, 0, bytes.length)

/** Copies cells that need no escapes as bytes. */
function createRowFormat(sheet: WrittenSheet, sample: Sample): RowFormat {
  const letters = sheet.header.map((_, column) => toColumnLetters(column))
  const starts = letters.map((name) => Buffer.from(`<c r="${name}`))
  const rowStart = Buffer.from('<row r="')
  const rowEnd = Buffer.from('</row>')
  const digits = createDigits()
  let number = FIRST_ROW
  const writeText = (out: ByteWriter, column: number, text: string): void =>
    writeString(out, buildTextXml(`${letters[column]}${number}`, text, undefined, toTooLong(sheet, number, column)))

  return {
    writeRow(out, cells, at, messages) {
      if (at < MAX_SAMPLED_ROWS && sample.accepts()) sample.add(cells, messages)
      number = FIRST_ROW + at
      digits.set(number)
      copy(out, rowStart)
      copyRange(out, digits.bytes, digits.from, digits.bytes.length)
      copyRange(out, NUMBER_START, 0, 2)
      for (let c = 0; c < cells.length; c++) {
        const { bytes, from, to } = cells[c]!
        const first = bytes[from]
        if (from === to || (first === QUOTE && to - from === 2)) continue
        if (first === QUOTE) {
          const day = sheet.types[c] === 'date' ? readSerialDate(bytes, from, to) : undefined
          if (day === undefined && !isPlainText(bytes, from + 1, to - 1)) {
            writeText(out, c, JSON.parse(bytes.toString('utf8', from, to)))
            continue
          }
          copy(out, starts[c]!)
          copyRange(out, digits.bytes, digits.from, digits.bytes.length)
          if (day !== undefined) {
            copy(out, DATE_START)
            writeNumber(out, day)
            copy(out, VALUE_END)
          } else {
            copy(out, TEXT_START)
            copyRange(out, bytes, from + 1, to - 1)
            copy(out, TEXT_END)
          }
          continue
        }
        if (first === LIST || first === OBJECT) {
          writeText(out, c, bytes.toString('utf8', from, to))
          continue
        }
        copy(out, starts[c]!)
        copyRange(out, digits.bytes, digits.from, digits.bytes.length)
        if (first === TRUE || first === FALSE) copy(out, BOOLEAN_CELLS[first]!)
        else {
          copy(out, NUMBER_START)
          copyRange(out, bytes, from, to)
          copy(out, VALUE_END)
        }
      }
      if (messages !== '') writeText(out, cells.length, messages)
      copy(out, rowEnd)
    },
  }
}

function createDigits() {
  const bytes = Buffer.alloc(16)
  const digits = {
    bytes,
    from: bytes.length,
    set(value: number): void {
      let at = bytes.length
      for (let rest = value; rest > 0; rest = Math.floor(rest / 10)) bytes[--at] = 48 + (rest % 10)
      digits.from = at
    },
  }
  return digits
}

function buildTextXml(ref: string, text: string, style: number | undefined, toError: () => ApiError): string {
  if (text.length > MAX_CELL_CHARACTERS) throw toError()
  const spaceAttribute = /^\s|\s$|[\t\n]| {2}/.test(text) ? ' xml:space="preserve"' : ''
  const styleAttribute = style === undefined ? '' : ` s="${style}"`
  return `<c r="${ref}"${styleAttribute} t="inlineStr"><is><t${spaceAttribute}>${escapeCellText(text)}</t></is></c>`
}

const SPACE = 32
/** 1 for ASCII that XML and JSON write without escapes. `_` may start an escape of a workbook. */
const PLAIN_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > SPACE && byte < 127 && !'"&<>_\\'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/** Spaces are plain only one at a time and inside the text. */
function isPlainText(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > MAX_CELL_CHARACTERS || bytes[from] === SPACE || bytes[to - 1] === SPACE) return false
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (PLAIN_BYTES[byte] !== 1 && (byte !== SPACE || bytes[at + 1] === SPACE)) return false
  }
  return true
}

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const EPOCH = Date.UTC(1899, 11, 30)
/** Excel counts the nonexistent 29 February 1900, so earlier serial numbers are off by one. */
const FIRST_DAY = 61
const FIRST_YEAR = 1900
const DASH = 45

function readSerialDate(bytes: Buffer, from: number, to: number): number | undefined {
  if (to - from !== 12 || bytes[from + 5] !== DASH || bytes[from + 8] !== DASH) return undefined
  const year = readDigits(bytes, from + 1, from + 5)
  const month = readDigits(bytes, from + 6, from + 8)
  const date = readDigits(bytes, from + 9, from + 11)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const ms = Date.UTC(year, month - 1, date)
  const day = (ms - EPOCH) / DAY_MS
  if (year < FIRST_YEAR || day < FIRST_DAY) return undefined
  // Date.UTC rolls an invalid day over into the next month.
  const parsedDate = new Date(ms)
  return parsedDate.getUTCMonth() === month - 1 && parsedDate.getUTCDate() === date ? day : undefined
}

function readDigits(bytes: Buffer, from: number, to: number): number | undefined {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Characters XML cannot contain. With the `u` flag only lone surrogates match. */
const INVALID_XML = /(?![\t\n])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)

/** Encodes invalid characters as `_xHHHH_`, and escapes text that already looks so. */
const escapeCellText = (text: string): string =>
  escapeXml(
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(INVALID_XML, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
  )

/** Excel's rules: at most 31 characters, some characters forbidden, unique ignoring case. */
function buildSheetNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((name) => {
    const base =
      name
        .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
        .replace(/^'+|'+$/g, '')
        .trim()
        .slice(0, 31) || 'Sheet'
    let unique = base
    for (let number = 2; usedNames.has(unique.toLowerCase()); number++) unique = `${base.slice(0, 27)} ${number}`
    usedNames.add(unique.toLowerCase())
    return unique
  })
}

const buildWorkbookXml = (names: readonly string[]): string =>
  `${XML_HEADER}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${names
    .map((name, i) => `<sheet name="${escapeCellText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets></workbook>`

const buildRelationships = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${XML_HEADER}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

const buildContentTypes = (sheets: number): string => {
  const buildOverride = (name: string, type: string) =>
    `<Override PartName="/xl/${name}" ContentType="${TYPES}.${type}+xml"/>`
  const pages = Array.from({ length: sheets }, (_, i) =>
    buildOverride(`worksheets/sheet${i + 1}.xml`, 'worksheet'),
  ).join('')
  return `${XML_HEADER}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${buildOverride('workbook.xml', 'sheet.main')}${buildOverride('styles.xml', 'styles')}${pages}</Types>`
}

const STYLES = `${XML_HEADER}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`
