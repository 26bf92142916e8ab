/** Streams XLSX workbooks. Inline strings keep memory constant and prevent texts from becoming formulas. */
import type { ApiError } from '../../../core/errors.ts'
import {
  type ByteWriter,
  type CellRange,
  copyRange,
  createSnippet,
  type RowFormat,
  type Snippet,
  writeNumber,
  writeSnippet,
  writeString,
} from '../../../records/index.ts'
import { toColumnLetters } from '../../column-letters.ts'
import { createZip } from '../zip.ts'
import { FALSE, LIST, OBJECT, QUOTE, readDay, TRUE, writeUsualText } from './cells.ts'
import { type Sample, writeSampled } from './sample.ts'
import { buildSheetNames, FIRST_ROW, MAX_CELL_CHARACTERS, toTooLong, type WrittenSheet } from './sheet.ts'
import { Comments, countIdBlocks } from './xlsx-comments.ts'
import { buildParts, DATE_STYLE, DOCUMENT, escapeCellText, HEADER_STYLE, MAIN } from './xlsx-parts.ts'
import { XML_HEADER } from './xml.ts'

/** @throws, while it is read, ApiError for a value that does not fit into a cell */
export function writeXlsx(sheets: readonly WrittenSheet[]): AsyncGenerator<Buffer> {
  const names = buildSheetNames(sheets.map(({ name }) => name))
  let nextIdBlock = 1
  return createZip((archive) => {
    for (const [name, xml] of buildParts(sheets, names)) archive.put(name, xml)
    sheets.forEach((sheet, i) => {
      const comments = sheet.comments ? new Comments(sheet.name) : undefined
      archive.stream(`xl/worksheets/sheet${i + 1}.xml`, () => writeSheetXml(sheet, comments))
      if (!comments) return
      archive.stream(`xl/comments${i + 1}.xml`, () => comments.writeTexts())
      archive.stream(`xl/drawings/vmlDrawing${i + 1}.vml`, () => {
        const firstBlock = nextIdBlock
        nextIdBlock += countIdBlocks(comments.count)
        return comments.writeShapes(firstBlock)
      })
    })
  })
}

async function* writeSheetXml(sheet: WrittenSheet, comments: Comments | undefined): AsyncGenerator<Buffer> {
  yield* writeSampled(
    sheet,
    (sample) => createRowFormat(sheet, sample, comments),
    (widths) => buildSheetStart(widths) + buildHeaderXml(sheet),
  )
  const drawing = comments ? `<legacyDrawing xmlns:r="${DOCUMENT}" r:id="rId1"/>` : ''
  yield Buffer.from(`</sheetData>${drawing}</worksheet>`)
}

function buildSheetStart(widths: readonly number[]): string {
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

const ROW_START = createSnippet('<row r="')
const ROW_OPENED = createSnippet('">')
const ROW_END = createSnippet('</row>')
const TEXT_START = createSnippet('" t="inlineStr"><is><t>')
const TEXT_END = createSnippet('</t></is></c>')
const NUMBER_START = createSnippet('"><v>')
const DATE_START = createSnippet(`" s="${DATE_STYLE}"><v>`)
const VALUE_END = createSnippet('</v></c>')
const TRUE_CELL = createSnippet('" t="b"><v>1</v></c>')
const FALSE_CELL = createSnippet('" t="b"><v>0</v></c>')

function createRowFormat(sheet: WrittenSheet, sample: Sample, comments: Comments | undefined): RowFormat {
  const letters = sheet.header.map((_, column) => toColumnLetters(column))
  const starts = letters.map((name) => createSnippet(`<c r="${name}`))
  const areDates = sheet.types.map((type) => type === 'date')

  const row = { number: 0, digitsFrom: 0, digitsTo: 0 }

  function startRow(out: ByteWriter, at: number): void {
    writeSnippet(out, ROW_START)
    row.number = FIRST_ROW + at
    row.digitsFrom = out.length
    writeNumber(out, row.number)
    row.digitsTo = out.length
    writeSnippet(out, ROW_OPENED)
  }

  function startCell(out: ByteWriter, column: number, content: Snippet): void {
    writeSnippet(out, starts[column]!)
    copyRange(out, out.bytes, row.digitsFrom, row.digitsTo)
    writeSnippet(out, content)
  }

  const writeText = (out: ByteWriter, column: number, text: string): void =>
    writeString(
      out,
      buildTextXml(`${letters[column]}${row.number}`, text, undefined, toTooLong(sheet, row.number, column)),
    )

  function writeTextOrDate(out: ByteWriter, column: number, { bytes, from, to }: CellRange): void {
    const serialDate = areDates[column] ? readSerialDate(bytes, from, to) : undefined
    if (serialDate !== undefined) {
      startCell(out, column, DATE_START)
      writeNumber(out, serialDate)
      writeSnippet(out, VALUE_END)
      return
    }
    const start = out.length
    startCell(out, column, TEXT_START)
    if (writeUsualText(out, bytes, from + 1, to - 1)) writeSnippet(out, TEXT_END)
    else {
      out.length = start
      writeText(out, column, JSON.parse(bytes.toString('utf8', from, to)))
    }
  }

  function writeCell(out: ByteWriter, column: number, cell: CellRange): void {
    const { bytes, from, to } = cell
    const first = bytes[from]
    if (from === to || (first === QUOTE && to - from === 2)) return
    if (first === QUOTE) writeTextOrDate(out, column, cell)
    else if (first === LIST || first === OBJECT) writeText(out, column, bytes.toString('utf8', from, to))
    else if (first === TRUE || first === FALSE) startCell(out, column, first === TRUE ? TRUE_CELL : FALSE_CELL)
    else {
      startCell(out, column, NUMBER_START)
      copyRange(out, bytes, from, to)
      writeSnippet(out, VALUE_END)
    }
  }

  return {
    writeRow(out, cells, at, messages, getCellMessages) {
      sample.add(at, cells, messages)
      startRow(out, at)
      for (let c = 0; c < cells.length; c++) {
        if (comments && messages !== '') comments.add(row.number, c, getCellMessages(c))
        writeCell(out, c, cells[c]!)
      }
      if (messages !== '' && cells.length < letters.length) writeText(out, cells.length, messages)
      writeSnippet(out, ROW_END)
    },
  }
}

function buildTextXml(ref: string, text: string, style: number | undefined, toError: () => ApiError): string {
  if (text.length > MAX_CELL_CHARACTERS) throw toError()
  const spaceAttribute = /^\s|\s$|[\t\n]| {2}/.test(text) ? ' xml:space="preserve"' : ''
  const styleAttribute = style === undefined ? '' : ` s="${style}"`
  return `<c r="${ref}"${styleAttribute} t="inlineStr"><is><t${spaceAttribute}>${escapeCellText(text)}</t></is></c>`
}

const DAYS_FROM_1899_12_30_TO_1970 = 25_569
/** Excel counts the nonexistent 29 February 1900, so earlier serial numbers are off by one. */
const FIRST_DAY = 61

function readSerialDate(bytes: Buffer, from: number, to: number): number | undefined {
  const day = readDay(bytes, from, to)
  const serialDate = day === undefined ? 0 : day + DAYS_FROM_1899_12_30_TO_1970
  return serialDate < FIRST_DAY ? undefined : serialDate
}
