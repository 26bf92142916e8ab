/** Generated large files with predictable cells: each row is its number and one of a few thousand tails. */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { buildWorkbookParts, MAIN } from './workbook-parts.ts'

const TAILS = 4999
const ROWS_PER_PIECE = 500

export interface LargeFile {
  rows: number
  header: string[]
  bytes(): AsyncIterable<Uint8Array>
  json(row: number): string
}

const WORDS = ['Ada', 'Müller', 'Besançon', 'a, b', 'say "hi"', 'Košice', '東京', 'paid', 'x;y', "O'Brien"]

function createTails(columns: number, letters: number): string[][] {
  let state = 99
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state
  }
  return Array.from({ length: TAILS }, () =>
    Array.from({ length: columns }, () => {
      let text = WORDS[next() % WORDS.length]!
      while (text.length < letters) text += next().toString(36)
      return text.slice(0, letters)
    }),
  )
}

const createJsonRow = (tails: readonly string[][]): ((row: number) => string) => {
  const texts = tails.map((cells) => JSON.stringify(cells).slice(1))
  return (row) => `["${row}",${texts[row % TAILS]}`
}

const buildHeader = (columns: number): string[] => [
  'number',
  ...Array.from({ length: columns }, (_, i) => `column ${i}`),
]

export function createLargeCsv(megabytes: number): LargeFile {
  const [columns, letters] = [100, 19]
  const tails = createTails(columns, letters)
  const quoteCell = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = tails.map((cells) => `,${cells.map(quoteCell).join(',')}\n`)
  const average = lines.reduce((sum, renderRow) => sum + Buffer.byteLength(renderRow) + 6, 0) / TAILS
  const rows = Math.min(1_000_000, Math.ceil((megabytes * 1024 * 1024) / average))
  const header = buildHeader(columns)
  return {
    rows,
    header,
    json: createJsonRow(tails),
    bytes: () => streamPieces(`${header.join(',')}\n`, rows, (row) => row + lines[row % TAILS]!),
  }
}

async function* streamPieces(
  head: string,
  rows: number,
  renderRow: (row: number) => string,
  end = '',
): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  for (let from = 0; from < rows; from += ROWS_PER_PIECE) {
    let text = ''
    for (let row = from; row < Math.min(rows, from + ROWS_PER_PIECE); row++) text += renderRow(row)
    yield Buffer.from(text)
  }
  if (end) yield Buffer.from(end)
}

export function createLargeWorkbook(rows: number): LargeFile {
  const columns = 11
  const tails = createTails(columns, 12)
  const emailOf = (row: number) => `p${row}@example.com`
  const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const first = rows
  const header = buildHeader(columns)
  const cellsXml = tails.map((_, tail) =>
    Array.from({ length: columns - 1 }, (_, i) => `<c t="s"><v>${first + tail * (columns - 1) + i}</v></c>`).join(''),
  )
  const renderRow = (row: number) =>
    `<row r="${row + 2}"><c><v>${row}</v></c><c t="s"><v>${row}</v></c>${cellsXml[row % TAILS]}</row>`
  const head = `<row r="1">${header.map((name) => `<c t="str"><v>${name}</v></c>`).join('')}</row>`
  const jsonTails = tails.map((cells) => JSON.stringify(cells.slice(1)).slice(1))
  const streamStrings = async function* () {
    yield Buffer.from(`<?xml version="1.0"?><sst xmlns="${MAIN}">`)
    yield* streamPieces('', rows, (row) => `<si><t>${emailOf(row)}</t></si>`)
    yield* streamPieces('', TAILS, (tail) =>
      tails[tail]!.slice(1)
        .map((text) => `<si><t>${escapeXml(text)}</t></si>`)
        .join(''),
    )
    yield Buffer.from('</sst>')
  }
  const bytes = () => {
    const zip = new ZipFile()
    for (const [name, text] of buildWorkbookParts()) zip.addBuffer(Buffer.from(text), name)
    const streamSheet = () =>
      streamPieces(
        `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${head}`,
        rows,
        renderRow,
        '</sheetData></worksheet>',
      )
    zip.addReadStreamLazy('xl/sheet.xml', (callback) => callback(null, Readable.from(streamSheet())))
    zip.addReadStreamLazy('xl/sharedStrings.xml', (callback) => callback(null, Readable.from(streamStrings())))
    zip.end()
    return zip.outputStream as unknown as AsyncIterable<Uint8Array>
  }
  return { rows, header, bytes, json: (row) => `["${row}","${emailOf(row)}",${jsonTails[row % TAILS]}` }
}
