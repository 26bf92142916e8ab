/** Streams XLSX workbooks. Inline strings keep memory constant and prevent texts from becoming formulas. */

import type { Readable } from 'node:stream'
import { DAY_MS } from '../../../schemas/kit/time.ts'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { toColumnLetters } from '../column-letters.ts'
import { createZip } from './zip.ts'

export interface WrittenSheet {
  name: string
  header: readonly string[]
  types: readonly string[]
  rows: AsyncIterable<readonly unknown[][]>
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

async function* writeSheetXml({ name, header, types, rows }: WrittenSheet): AsyncGenerator<Buffer> {
  let number = 1
  const letters = header.map((_, column) => toColumnLetters(column))
  const writeRow = (row: readonly unknown[]) => buildRowXml(row, types, ++number, { name, header, letters })
  const iterator = rows[Symbol.asyncIterator]()
  const first = await iterator.next()
  const sample = first.done ? [] : first.value
  yield Buffer.from(
    buildSheetStart(header, sample) + buildRowXml(header, [], 1, { name, header, letters }, HEADER_STYLE),
  )
  for (let next = first; !next.done; next = await iterator.next()) {
    for (let from = 0; from < next.value.length; from += ROWS_PER_CHUNK)
      yield Buffer.from(
        next.value
          .slice(from, from + ROWS_PER_CHUNK)
          .map(writeRow)
          .join(''),
      )
  }
  yield Buffer.from('</sheetData></worksheet>')
}

const ROWS_PER_CHUNK = 500
const MAX_MEASURED_ROWS = 100
const WIDTHS = { least: 8, most: 60 }

function buildSheetStart(header: readonly string[], sample: readonly (readonly unknown[])[]): string {
  const measuredRows = [header, ...sample.slice(0, MAX_MEASURED_ROWS)]
  const widths = header.map((_, column) => {
    const longest = Math.max(...measuredRows.map((row) => (row[column] === null ? 0 : toText(row[column]).length)))
    return Math.min(WIDTHS.most, Math.max(WIDTHS.least, longest + 2))
  })
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  const cols = columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''
  return `${XML_HEADER}<worksheet xmlns="${MAIN}">${views}${cols}<sheetData>`
}

interface SheetColumns {
  name: string
  header: readonly string[]
  letters: readonly string[]
}

function buildRowXml(
  row: readonly unknown[],
  types: readonly string[],
  number: number,
  { name, header, letters }: SheetColumns,
  style?: number,
): string {
  let cells = ''
  for (let column = 0; column < row.length; column++) {
    const value = row[column]
    if (value === null || value === undefined || value === '') continue
    const ref = `${letters[column]}${number}`
    const cell = buildCellXml(ref, value, types[column], style)
    if (cell === undefined)
      throw unprocessable(
        message('files.cellTooLong', { sheet: name, row: number, column: header[column]!, count: MAX_CELL_CHARACTERS }),
      )
    cells += cell
  }
  return `<row r="${number}">${cells}</row>`
}

function buildCellXml(
  ref: string,
  value: unknown,
  type: string | undefined,
  style: number | undefined,
): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return `<c r="${ref}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (type === 'date' && typeof value === 'string') {
    const day = toSerialDate(value)
    if (day !== undefined) return `<c r="${ref}" s="${DATE_STYLE}"><v>${day}</v></c>`
  }
  const text = toText(value)
  if (text.length > MAX_CELL_CHARACTERS) return undefined
  if (style === undefined && PLAIN_ASCII.test(text)) return `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
  const spaceAttribute = /^\s|\s$|[\t\n]| {2}/.test(text) ? ' xml:space="preserve"' : ''
  const styleAttribute = style === undefined ? '' : ` s="${style}"`
  return `<c r="${ref}"${styleAttribute} t="inlineStr"><is><t${spaceAttribute}>${escapeCellText(text)}</t></is></c>`
}

const PLAIN_ASCII = /^[!#-%'-;=?-^`-~]+(?: [!#-%'-;=?-^`-~]+)*$/

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const EPOCH = Date.UTC(1899, 11, 30)
/** Excel counts the nonexistent 29 February 1900, so earlier serial numbers are off by one. */
const FIRST_DAY = 61
const FIRST_YEAR = 1900

function toSerialDate(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const ms = Date.UTC(year, month - 1, date)
  const day = (ms - EPOCH) / DAY_MS
  if (year < FIRST_YEAR || day < FIRST_DAY) return undefined
  // Date.UTC rolls an invalid day over into the next month.
  const parsedDate = new Date(ms)
  return parsedDate.getUTCMonth() === month - 1 && parsedDate.getUTCDate() === date ? day : undefined
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
