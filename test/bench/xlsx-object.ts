/** A bench's workbook in S3, as Excel writes them: every text shared, numbers and dates typed; and the path from it to records. */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { storedBytes } from '../../lib/files/extract/bytes.ts'
import { openSource } from '../../lib/files/extract/formats.ts'
import { getRange, putStream } from '../../lib/objects/store.ts'
import type { RowsPart } from '../../lib/records/index.ts'
import { workbookParts } from '../support/workbook-parts.ts'
import { csvOf, KEYS } from './records-data.ts'

const keyOf = (rows: number): string => `bench/${rows}.xlsx`

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Cells of the bench's CSV file, a few thousand rows at a time. */
async function* rowsOf(rows: number): AsyncGenerator<string[][]> {
  const { parse } = await import('csv-parse')
  let batch: string[][] = []
  for await (const row of Readable.from([csvOf(rows)]).pipe(parse())) {
    batch.push(row as string[])
    if (batch.length < 5000) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Stores the file; its size in bytes. */
export async function storeWorkbook(rows: number): Promise<number> {
  const indices = new Map<string, number>()
  const shared = (text: string): number => {
    const known = indices.get(text)
    if (known !== undefined) return known
    indices.set(text, indices.size)
    return indices.size - 1
  }
  async function* sheet(): AsyncGenerator<Buffer> {
    yield Buffer.from(
      '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>',
    )
    let number = 0
    for await (const batch of rowsOf(rows)) {
      const lines = batch.map((cells) => {
        number++
        const line = cells.map((text, i) => {
          const ref = `${String.fromCharCode(65 + i)}${number}`
          return /^-?\d+(?:\.\d+)?$/.test(text)
            ? `<c r="${ref}"><v>${text}</v></c>`
            : `<c r="${ref}" t="s"><v>${shared(text)}</v></c>`
        })
        return `<row r="${number}">${line.join('')}</row>`
      })
      yield Buffer.from(lines.join(''))
    }
    yield Buffer.from('</sheetData></worksheet>')
  }
  function* strings(): Generator<Buffer> {
    yield Buffer.from('<?xml version="1.0"?><sst>')
    let lines = ''
    for (const text of indices.keys()) {
      lines += `<si><t>${xml(text)}</t></si>`
      if (lines.length < 65_536) continue
      yield Buffer.from(lines)
      lines = ''
    }
    yield Buffer.from(`${lines}</sst>`)
  }
  const zip = new ZipFile()
  for (const [name, text] of workbookParts()) zip.addBuffer(Buffer.from(text), name)
  zip.addReadStreamLazy('xl/sheet.xml', (give) => give(null, Readable.from(sheet())))
  // Packed after the sheet: its texts are known then.
  zip.addReadStreamLazy('xl/sharedStrings.xml', (give) => give(null, Readable.from(strings())))
  zip.end()
  return putStream(keyOf(rows), zip.outputStream as unknown as AsyncIterable<Uint8Array>)
}

export const workbookBytes = (rows: number, size: number): Promise<Buffer> => getRange(keyOf(rows), 0, size)

/** The product's own path. */
export async function* workbookRows(rows: number, size: number): AsyncGenerator<RowsPart> {
  const source = await openSource(
    storedBytes({ name: 'bench.xlsx', ext: 'xlsx', encoding: '7bit', size, objectKey: keyOf(rows) } as Parameters<
      typeof storedBytes
    >[0]),
  )
  try {
    for await (const part of source.parts()) yield { ...part.rows, keys: KEYS }
  } finally {
    await source.close?.()
  }
}
