/** Large files whose every cell is known, made as they are read: a row is its number and one of a few thousand tails. */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { MAIN, workbookParts } from './workbook-parts.ts'

/** Not a divisor of anything: rows of one segment do not look like those of the next. */
const TAILS = 4999
const ROWS_PER_PIECE = 500

export interface LargeFile {
  rows: number
  header: string[]
  bytes(): AsyncIterable<Uint8Array>
  /** The cells of a row, from 0, as a JSON list of texts. */
  json(row: number): string
}

const WORDS = ['Ada', 'Müller', 'Besançon', 'a, b', 'say "hi"', 'Košice', '東京', 'paid', 'x;y', "O'Brien"]

/** Cells of a row after the first one. @param letters about so many in each */
function tailCells(columns: number, letters: number): string[][] {
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

const jsonOf = (tails: readonly string[][]): ((row: number) => string) => {
  const texts = tails.map((cells) => JSON.stringify(cells).slice(1))
  return (row) => `["${row}",${texts[row % TAILS]}`
}

const headerOf = (columns: number): string[] => ['number', ...Array.from({ length: columns }, (_, i) => `column ${i}`)]

/** About so many megabytes of CSV, in rows of about 2,100 bytes: a sheet's million of them are 2 GB. */
export function largeCsv(megabytes: number): LargeFile {
  const [columns, letters] = [100, 19]
  const tails = tailCells(columns, letters)
  const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = tails.map((cells) => `,${cells.map(quoted).join(',')}\n`)
  const average = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 6, 0) / TAILS
  const rows = Math.min(1_000_000, Math.ceil((megabytes * 1024 * 1024) / average))
  const header = headerOf(columns)
  return {
    rows,
    header,
    json: jsonOf(tails),
    bytes: () => pieces(`${header.join(',')}\n`, rows, (row) => row + lines[row % TAILS]!),
  }
}

async function* pieces(head: string, rows: number, line: (row: number) => string, end = ''): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  for (let from = 0; from < rows; from += ROWS_PER_PIECE) {
    let text = ''
    for (let row = from; row < Math.min(rows, from + ROWS_PER_PIECE); row++) text += line(row)
    yield Buffer.from(text)
  }
  if (end) yield Buffer.from(end)
}

/** Twelve columns; their texts are shared, those of the second column by no other cell. */
export function largeWorkbook(rows: number): LargeFile {
  const columns = 11
  const tails = tailCells(columns, 12)
  // The second column's texts are each row's own.
  const own = (row: number) => `p${row}@example.com`
  const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const first = rows
  const header = headerOf(columns)
  const cellsXml = tails.map((_, tail) =>
    Array.from({ length: columns - 1 }, (_, i) => `<c t="s"><v>${first + tail * (columns - 1) + i}</v></c>`).join(''),
  )
  const line = (row: number) =>
    `<row r="${row + 2}"><c><v>${row}</v></c><c t="s"><v>${row}</v></c>${cellsXml[row % TAILS]}</row>`
  const head = `<row r="1">${header.map((name) => `<c t="str"><v>${name}</v></c>`).join('')}</row>`
  const jsonTails = tails.map((cells) => JSON.stringify(cells.slice(1)).slice(1))
  const strings = async function* () {
    yield Buffer.from(`<?xml version="1.0"?><sst xmlns="${MAIN}">`)
    yield* pieces('', rows, (row) => `<si><t>${own(row)}</t></si>`)
    yield* pieces('', TAILS, (tail) =>
      tails[tail]!.slice(1)
        .map((text) => `<si><t>${xml(text)}</t></si>`)
        .join(''),
    )
    yield Buffer.from('</sst>')
  }
  const bytes = () => {
    const zip = new ZipFile()
    for (const [name, text] of workbookParts()) zip.addBuffer(Buffer.from(text), name)
    const sheet = () =>
      pieces(
        `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${head}`,
        rows,
        line,
        '</sheetData></worksheet>',
      )
    zip.addReadStreamLazy('xl/sheet.xml', (give) => give(null, Readable.from(sheet())))
    zip.addReadStreamLazy('xl/sharedStrings.xml', (give) => give(null, Readable.from(strings())))
    zip.end()
    return zip.outputStream as unknown as AsyncIterable<Uint8Array>
  }
  return { rows, header, bytes, json: (row) => `["${row}","${own(row)}",${jsonTails[row % TAILS]}` }
}
