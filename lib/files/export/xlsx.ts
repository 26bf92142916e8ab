/**
 * Writes workbooks as they stream by: cells have the types of their fields, the header stays in sight, columns are as wide as
 * their first values. Texts stand in the cells themselves, so that nothing is kept; none can become a formula.
 */
import type { Readable } from 'node:stream'
import { unprocessable } from '../../core/errors.ts'
import { lettersOf } from '../letters.ts'
import { zipped } from './zip.ts'

export interface WrittenSheet {
  name: string
  header: readonly string[]
  /** Types of the fields; cells of no field are text. */
  types: readonly string[]
  rows: AsyncIterable<readonly unknown[][]>
}

/** Characters a cell of a spreadsheet holds. */
const CELL_CHARACTERS = 32_767
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const DATE_STYLE = 1
const HEADER_STYLE = 2

/** A workbook as the bytes of its file. @throws, as it is read, ApiError for a value that does not fit into a cell */
export function workbookOf(sheets: readonly WrittenSheet[]): Readable {
  const names = sheetNames(sheets.map(({ name }) => name))
  const parts: [string, string][] = [
    ['[Content_Types].xml', contentTypes(sheets.length)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(names)],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
  ]
  return zipped((archive) => {
    for (const [name, xml] of parts) archive.put(name, xml)
    sheets.forEach((sheet, i) => {
      archive.stream(`xl/worksheets/sheet${i + 1}.xml`, () => sheetXml(sheet))
    })
  })
}

async function* sheetXml({ name, header, types, rows }: WrittenSheet): AsyncGenerator<Buffer> {
  let number = 1
  const letters = header.map((_, column) => lettersOf(column))
  const line = (row: readonly unknown[]) => rowXml(row, types, ++number, { name, header, letters })
  const iterator = rows[Symbol.asyncIterator]()
  const first = await iterator.next()
  const sample = first.done ? [] : first.value
  yield Buffer.from(sheetStart(header, sample) + rowXml(header, [], 1, { name, header, letters }, HEADER_STYLE))
  for (let next = first; !next.done; next = await iterator.next()) {
    for (let from = 0; from < next.value.length; from += ROWS)
      yield Buffer.from(
        next.value
          .slice(from, from + ROWS)
          .map(line)
          .join(''),
      )
  }
  yield Buffer.from('</sheetData></worksheet>')
}

/** Rows made into one piece. */
const ROWS = 500
/** Rows the widths of columns are taken from. */
const MEASURED_ROWS = 100
const WIDTHS = { least: 8, most: 60 }

function sheetStart(header: readonly string[], sample: readonly (readonly unknown[])[]): string {
  const measured = [header, ...sample.slice(0, MEASURED_ROWS)]
  const widths = header.map((_, column) => {
    const longest = Math.max(...measured.map((row) => (row[column] === null ? 0 : asText(row[column]).length)))
    return Math.min(WIDTHS.most, Math.max(WIDTHS.least, longest + 2))
  })
  const columns = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
  const cols = columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''
  return `${HEAD}<worksheet xmlns="${MAIN}">${views}${cols}<sheetData>`
}

interface Columns {
  /** Of the sheet. */
  name: string
  header: readonly string[]
  letters: readonly string[]
}

function rowXml(
  row: readonly unknown[],
  types: readonly string[],
  number: number,
  { name, header, letters }: Columns,
  style?: number,
): string {
  let cells = ''
  for (let column = 0; column < row.length; column++) {
    const value = row[column]
    if (value === null || value === undefined || value === '') continue
    const ref = `${letters[column]}${number}`
    const cell = cellXml(ref, value, types[column], style)
    if (cell === undefined)
      throw unprocessable(
        `Sheet ${name}, row ${number}: ${header[column]} has more than ${CELL_CHARACTERS} characters, which no cell of a spreadsheet holds. Export as CSV or JSON.`,
      )
    cells += cell
  }
  return `<row r="${number}">${cells}</row>`
}

/** Undefined for a text that does not fit. */
function cellXml(ref: string, value: unknown, type: string | undefined, style: number | undefined): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return `<c r="${ref}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (type === 'date' && typeof value === 'string') {
    const day = dayOf(value)
    if (day !== undefined) return `<c r="${ref}" s="${DATE_STYLE}"><v>${day}</v></c>`
  }
  const text = asText(value)
  if (text.length > CELL_CHARACTERS) return undefined
  if (style === undefined && PLAIN.test(text)) return `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
  const kept = /^\s|\s$|[\t\n]| {2}/.test(text) ? ' xml:space="preserve"' : ''
  const styled = style === undefined ? '' : ` s="${style}"`
  return `<c r="${ref}"${styled} t="inlineStr"><is><t${kept}>${escaped(text)}</t></is></c>`
}

/** Words with a space between them, of characters that XML has no use for: most texts, which stand as they are. */
const PLAIN = /^[!#-%'-;=?-^`-~]+(?: [!#-%'-;=?-^`-~]+)*$/

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const DAY_MS = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)
/** Before it, spreadsheets count a day that never was. */
const FIRST_DAY = 61
const FIRST_YEAR = 1900

/** The number spreadsheets have for a date; undefined for what is none, or none they can count. */
function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const ms = Date.UTC(year, month - 1, date)
  const day = (ms - EPOCH) / DAY_MS
  if (year < FIRST_YEAR || day < FIRST_DAY) return undefined
  // The 31st of a month with 30 days would be the next month's first.
  const meant = new Date(ms)
  return meant.getUTCMonth() === month - 1 && meant.getUTCDate() === date ? day : undefined
}

/** What XML cannot carry; with the flag, only halves of characters are surrogates. */
const UNFIT = /(?![\t\n])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const xml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)

/** A text for a cell: what XML cannot carry stands as `_xHHHH_`, and so does what looks like that. */
const escaped = (text: string): string =>
  xml(
    text
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(UNFIT, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
  )

/** Names spreadsheets take: up to 31 characters, without some, each once whatever its letter case. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const base =
      name
        .replace(/[[\]:*?/\\\p{Cc}]/gu, ' ')
        .replace(/^'+|'+$/g, '')
        .trim()
        .slice(0, 31) || 'Sheet'
    let unique = base
    for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${base.slice(0, 27)} ${number}`
    taken.add(unique.toLowerCase())
    return unique
  })
}

const workbookXml = (names: readonly string[]): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${names
    .map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets></workbook>`

const relationships = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

const contentTypes = (sheets: number): string => {
  const part = (name: string, type: string) => `<Override PartName="/xl/${name}" ContentType="${TYPES}.${type}+xml"/>`
  const pages = Array.from({ length: sheets }, (_, i) => part(`worksheets/sheet${i + 1}.xml`, 'worksheet')).join('')
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('workbook.xml', 'sheet.main')}${part('styles.xml', 'styles')}${pages}</Types>`
}

/** Style 1: dates (format 14 is the reader's own short date); style 2: the header, bold. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`
