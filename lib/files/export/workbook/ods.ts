/** Streams ODS workbooks: OpenDocument 1.3, part 3. */
import { DAY_MS } from '../../../../schemas/kit/time.ts'
import type { ApiError } from '../../../core/errors.ts'
import {
  type ByteWriter,
  type CellRange,
  copyRange,
  createSnippet,
  type RowFormat,
  type Snippet,
  writeSnippet,
  writeString,
} from '../../../records/index.ts'
import { getMediaType } from '../../file-types.ts'
import { createZip } from '../zip.ts'
import { FALSE, LIST, OBJECT, QUOTE, readDay, TRUE, writeUsualText } from './cells.ts'
import { type Sample, WIDTHS, writeSampled } from './sample.ts'
import { buildSheetNames, FIRST_ROW, MAX_CELL_CHARACTERS, toTooLong, type WrittenSheet } from './sheet.ts'
import { escapeXml, INVALID_XML, XML_HEADER } from './xml.ts'

const NAMESPACE = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMESPACES = ['office', 'table', 'text', 'style', 'datastyle:1.0 number', 'xsl-fo-compatible:1.0 fo']
  .map((name) => name.split(' '))
  .map(([urn, prefix = urn]) => `xmlns:${prefix}="${NAMESPACE}:${urn!.includes(':') ? urn : `${urn}:1.0`}"`)
  .join(' ')
const MEDIA_TYPE = getMediaType('a.ods', undefined)

export function writeOds(sheets: readonly WrittenSheet[]): AsyncGenerator<Buffer> {
  const names = buildSheetNames(sheets.map(({ name }) => name))
  return createZip((archive) => {
    // The format requires this entry first and uncompressed.
    archive.put('mimetype', MEDIA_TYPE, { compress: false })
    archive.put('META-INF/manifest.xml', MANIFEST)
    archive.stream('content.xml', () => writeContent(sheets, names))
  })
}

const MANIFEST = `${XML_HEADER}<manifest:manifest xmlns:manifest="${NAMESPACE}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${MEDIA_TYPE}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`

async function* writeContent(sheets: readonly WrittenSheet[], names: readonly string[]): AsyncGenerator<Buffer> {
  const start = `<office:document-content ${NAMESPACES} office:version="1.3">${STYLES}<office:body><office:spreadsheet>`
  yield Buffer.from(XML_HEADER + start)
  for (const [i, sheet] of sheets.entries()) {
    yield* writeSampled(
      sheet,
      (sample) => createRowFormat(sheet, sample),
      (widths) => `<table:table table:name="${escapeXml(names[i]!)}">${buildColumns(widths)}${buildHeader(sheet)}`,
    )
    yield Buffer.from('</table:table>')
  }
  yield Buffer.from('</office:spreadsheet></office:body></office:document-content>')
}

const CENTIMETERS_PER_CHARACTER = 0.2
const buildWidthStyle = (width: number): string =>
  `<style:style style:name="w${width}" style:family="table-column"><style:table-column-properties style:column-width="${(width * CENTIMETERS_PER_CHARACTER).toFixed(1)}cm"/></style:style>`
const WIDTH_STYLES = Array.from({ length: WIDTHS.most - WIDTHS.least + 1 }, (_, i) =>
  buildWidthStyle(WIDTHS.least + i),
).join('')
const STYLES = `<office:automatic-styles>${WIDTH_STYLES}<number:date-style style:name="N1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style><style:style style:name="date" style:family="table-cell" style:data-style-name="N1"/><style:style style:name="header" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>`

const buildColumns = (widths: readonly number[]): string =>
  (widths.length > 0 ? widths : [WIDTHS.least])
    .map((width) => `<table:table-column table:style-name="w${width}"/>`)
    .join('')

function buildHeader(sheet: WrittenSheet): string {
  const cells = sheet.header.map((label, column) =>
    label === ''
      ? EMPTY_CELL
      : `<table:table-cell table:style-name="header"${TEXT_TYPE}>${buildParagraphs(label, toTooLong(sheet, 1, column))}${CELL_END}`,
  )
  return `<table:table-header-rows><table:table-row>${cells.join('') || EMPTY_CELL}</table:table-row></table:table-header-rows>`
}

const CELL_START = '<table:table-cell'
const CELL_END = '</table:table-cell>'
const EMPTY_CELL = '<table:table-cell/>'
const TEXT_TYPE = ' office:value-type="string"'
const ROW_START = createSnippet('<table:table-row>')
const ROW_END = createSnippet('</table:table-row>')
const EMPTY_SNIPPET = createSnippet(EMPTY_CELL)
const TEXT_START = createSnippet(`${CELL_START}${TEXT_TYPE}>`)
const PARAGRAPH_START = createSnippet('<text:p>')
const PARAGRAPH_END = createSnippet(`</text:p>${CELL_END}`)
const VALUE_END = createSnippet('">')
const NUMBER_START = createSnippet(`${CELL_START} office:value-type="float" office:value="`)
const BOOLEAN_START = createSnippet(`${CELL_START} office:value-type="boolean" office:boolean-value="`)
const DATE_START = createSnippet(`${CELL_START} table:style-name="date" office:value-type="date" office:date-value="`)

/** Programs count days of the Julian calendar before. */
const FIRST_GREGORIAN_DAY = Date.UTC(1582, 9, 15) / DAY_MS

function createRowFormat(sheet: WrittenSheet, sample: Sample): RowFormat {
  const areDates = sheet.types.map((type) => type === 'date')

  const writeText = (out: ByteWriter, text: string, comment: string, row: number, column: number): void => {
    writeSnippet(out, TEXT_START)
    writeString(out, `${comment}${buildParagraphs(text, toTooLong(sheet, row, column))}${CELL_END}`)
  }

  function writeTextOrDate(
    out: ByteWriter,
    column: number,
    row: number,
    { bytes, from, to }: CellRange,
    comment: string,
  ) {
    if (areDates[column] && isGregorianDate(bytes, from, to)) {
      writeValue(out, DATE_START, { bytes, from: from + 1, to: to - 1 }, comment)
      return
    }
    const start = out.length
    writeSnippet(out, TEXT_START)
    if (comment !== '') writeString(out, comment)
    writeSnippet(out, PARAGRAPH_START)
    if (writeUsualText(out, bytes, from + 1, to - 1)) writeSnippet(out, PARAGRAPH_END)
    else {
      out.length = start
      writeText(out, JSON.parse(bytes.toString('utf8', from, to)), comment, row, column)
    }
  }

  function writeCell(out: ByteWriter, column: number, row: number, cell: CellRange, comment: string): void {
    const { bytes, from, to } = cell
    const first = bytes[from]
    if (from === to || (first === QUOTE && to - from === 2)) {
      if (comment === '') writeSnippet(out, EMPTY_SNIPPET)
      else writeString(out, `${CELL_START}>${comment}${CELL_END}`)
    } else if (first === QUOTE) writeTextOrDate(out, column, row, cell, comment)
    else if (first === LIST || first === OBJECT) writeText(out, bytes.toString('utf8', from, to), comment, row, column)
    else writeValue(out, first === TRUE || first === FALSE ? BOOLEAN_START : NUMBER_START, cell, comment)
  }

  return {
    writeRow(out, cells, at, messages, getCellMessages) {
      sample.add(at, cells, messages)
      const row = FIRST_ROW + at
      writeSnippet(out, ROW_START)
      if (cells.length === 0 && sheet.header.length === 0) writeSnippet(out, EMPTY_SNIPPET)
      for (let c = 0; c < cells.length; c++) {
        const comment = sheet.comments && messages !== '' ? buildAnnotation(getCellMessages(c)) : ''
        writeCell(out, c, row, cells[c]!, comment)
      }
      if (cells.length < sheet.header.length) {
        if (messages === '') writeSnippet(out, EMPTY_SNIPPET)
        else writeText(out, messages, '', row, cells.length)
      }
      writeSnippet(out, ROW_END)
    },
  }
}

function writeValue(out: ByteWriter, start: Snippet, { bytes, from, to }: CellRange, comment: string): void {
  writeSnippet(out, start)
  copyRange(out, bytes, from, to)
  writeSnippet(out, VALUE_END)
  if (comment !== '') writeString(out, comment)
  writeSnippet(out, PARAGRAPH_START)
  copyRange(out, bytes, from, to)
  writeSnippet(out, PARAGRAPH_END)
}

function isGregorianDate(bytes: Buffer, from: number, to: number): boolean {
  const day = readDay(bytes, from, to)
  return day !== undefined && day >= FIRST_GREGORIAN_DAY
}

const buildAnnotation = (text: string): string =>
  text === '' ? '' : `<office:annotation>${buildLines(text)}</office:annotation>`

function buildParagraphs(text: string, toError: () => ApiError): string {
  if (text.length > MAX_CELL_CHARACTERS) throw toError()
  return buildLines(text)
}

/** XML cannot contain some control characters, and the format has no escapes for them. */
const buildLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<text:p>${escapeSpaces(escapeXml(line.replace(INVALID_XML, '\uFFFD')))}</text:p>`)
    .join('')

/** Readers collapse spaces, and drop them at the start of a paragraph. */
const escapeSpaces = (line: string): string =>
  line.replace(/\t/g, '<text:tab/>').replace(/^ +| +$| {2,}/g, (spaces) => `<text:s text:c="${spaces.length}"/>`)
