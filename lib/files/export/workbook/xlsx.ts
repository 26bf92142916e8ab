/** Streams XLSX workbooks. Inline strings keep memory constant and prevent texts from becoming formulas. */
import type { Readable } from 'node:stream'
import { DAY_MS } from '../../../../schemas/kit/time.ts'
import type { ApiError } from '../../../core/errors.ts'
import { type ByteWriter, copyRange, type RowFormat, writeNumber, writeString } from '../../../records/index.ts'
import { toColumnLetters } from '../../column-letters.ts'
import { createZip } from '../zip.ts'
import { copy, FALSE, isPlainText, LIST, OBJECT, QUOTE, readDate, TRUE } from './cells.ts'
import { type Sample, writeSampled } from './sample.ts'
import { buildSheetNames, FIRST_ROW, MAX_CELL_CHARACTERS, toTooLong, type WrittenSheet } from './sheet.ts'
import { Comments, countIdBlocks } from './xlsx-comments.ts'
import { buildParts, DATE_STYLE, DOCUMENT, escapeCellText, HEADER_STYLE, MAIN } from './xlsx-parts.ts'
import { XML_HEADER } from './xml.ts'

/** @throws, while it is read, ApiError for a value that does not fit into a cell */
export function writeXlsx(sheets: readonly WrittenSheet[]): Readable {
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

const TEXT_START = Buffer.from('" t="inlineStr"><is><t>')
const TEXT_END = Buffer.from('</t></is></c>')
const NUMBER_START = Buffer.from('"><v>')
const DATE_START = Buffer.from(`" s="${DATE_STYLE}"><v>`)
const VALUE_END = Buffer.from('</v></c>')
const BOOLEAN_CELLS = { [TRUE]: Buffer.from('" t="b"><v>1</v></c>'), [FALSE]: Buffer.from('" t="b"><v>0</v></c>') }

function createRowFormat(sheet: WrittenSheet, sample: Sample, comments: Comments | undefined): RowFormat {
  const letters = sheet.header.map((_, column) => toColumnLetters(column))
  const starts = letters.map((name) => Buffer.from(`<c r="${name}`))
  const rowStart = Buffer.from('<row r="')
  const rowEnd = Buffer.from('</row>')
  const digits = createDigits()
  let number = FIRST_ROW
  const writeText = (out: ByteWriter, column: number, text: string): void =>
    writeString(out, buildTextXml(`${letters[column]}${number}`, text, undefined, toTooLong(sheet, number, column)))

  return {
    writeRow(out, cells, at, messages, getCellMessages) {
      sample.add(at, cells, messages)
      number = FIRST_ROW + at
      digits.set(number)
      copy(out, rowStart)
      copyRange(out, digits.bytes, digits.from, digits.bytes.length)
      copyRange(out, NUMBER_START, 0, 2)
      for (let c = 0; c < cells.length; c++) {
        const { bytes, from, to } = cells[c]!
        const first = bytes[from]
        if (comments && messages !== '') comments.add(number, c, getCellMessages(c))
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
      if (messages !== '' && cells.length < letters.length) writeText(out, cells.length, messages)
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

const EPOCH = Date.UTC(1899, 11, 30)
/** Excel counts the nonexistent 29 February 1900, so earlier serial numbers are off by one. */
const FIRST_DAY = 61

function readSerialDate(bytes: Buffer, from: number, to: number): number | undefined {
  const ms = readDate(bytes, from, to)
  const day = ms === undefined ? 0 : (ms - EPOCH) / DAY_MS
  return day < FIRST_DAY ? undefined : day
}
