import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { createStoredBytes } from '../lib/files/extract/bytes.ts'
import { openSource } from '../lib/files/extract/formats.ts'
import { getRange, putStream } from '../lib/objects/store.ts'
import type { CellsPart } from '../lib/records/index.ts'
import { buildWorkbookParts } from '../test/support/workbook-parts.ts'
import { buildCsv, KEYS } from './records-data.ts'

const buildObjectKey = (rows: number): string => `bench/${rows}.xlsx`

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

async function* readCsvRows(rows: number): AsyncGenerator<string[][]> {
  const { parse } = await import('csv-parse')
  let batch: string[][] = []
  for await (const row of Readable.from([buildCsv(rows)]).pipe(parse())) {
    batch.push(row as string[])
    if (batch.length < 5000) continue
    yield batch
    batch = []
  }
  yield batch
}

export async function storeWorkbook(rows: number): Promise<number> {
  const indices = new Map<string, number>()
  const getStringIndex = (text: string): number => {
    const existing = indices.get(text)
    if (existing !== undefined) return existing
    indices.set(text, indices.size)
    return indices.size - 1
  }
  async function* streamSheetXml(): AsyncGenerator<Buffer> {
    yield Buffer.from(
      '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>',
    )
    let number = 0
    for await (const batch of readCsvRows(rows)) {
      const lines = batch.map((cells) => {
        number++
        const line = cells.map((text, i) => {
          const ref = `${String.fromCharCode(65 + i)}${number}`
          return /^-?\d+(?:\.\d+)?$/.test(text)
            ? `<c r="${ref}"><v>${text}</v></c>`
            : `<c r="${ref}" t="s"><v>${getStringIndex(text)}</v></c>`
        })
        return `<row r="${number}">${line.join('')}</row>`
      })
      yield Buffer.from(lines.join(''))
    }
    yield Buffer.from('</sheetData></worksheet>')
  }
  function* streamStringsXml(): Generator<Buffer> {
    yield Buffer.from('<?xml version="1.0"?><sst>')
    let lines = ''
    for (const text of indices.keys()) {
      lines += `<si><t>${escapeXml(text)}</t></si>`
      if (lines.length < 65_536) continue
      yield Buffer.from(lines)
      lines = ''
    }
    yield Buffer.from(`${lines}</sst>`)
  }
  const zip = new ZipFile()
  for (const [name, text] of buildWorkbookParts()) zip.addBuffer(Buffer.from(text), name)
  zip.addReadStreamLazy('xl/sheet.xml', (callback) => callback(null, Readable.from(streamSheetXml())))
  zip.addReadStreamLazy('xl/sharedStrings.xml', (callback) => callback(null, Readable.from(streamStringsXml())))
  zip.end()
  return putStream(buildObjectKey(rows), zip.outputStream as unknown as AsyncIterable<Uint8Array>)
}

export const readWorkbookBytes = (rows: number, size: number): Promise<Buffer> =>
  getRange(buildObjectKey(rows), 0, size)

export async function* readWorkbookRows(rows: number, size: number): AsyncGenerator<CellsPart> {
  const source = await openSource(
    createStoredBytes({
      name: 'bench.xlsx',
      ext: 'xlsx',
      encoding: '7bit',
      size,
      objectKey: buildObjectKey(rows),
    } as Parameters<typeof createStoredBytes>[0]),
  )
  try {
    for await (const part of source.parts()) yield { ...part.rows, keys: KEYS }
  } finally {
    await source.close?.()
  }
}
