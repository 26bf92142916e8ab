/** Delimited text as a source of one table, sniffed from a sample and corrected if reading contradicts it. */
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { detectEightBitEncoding } from '../sniff/encoding.ts'
import { type Layout, SNIFF_BYTES, type SniffOptions, sniff } from '../sniff.ts'
import type { FileBytes } from './bytes.ts'
import { DecodingError } from './decode.ts'
import { RowTooWideError, readCells } from './delimited.ts'
import { findRepeatedRows, type RepeatedRows } from './repeated-rows.ts'
import { type Part, ReopenWith, type Source, type Table } from './source.ts'

export type TextOptions = Pick<SniffOptions, 'delimiter' | 'quote' | 'escape' | 'headerRow' | 'headerLines'> & {
  encoding?: string | undefined
}

export async function openText(file: FileBytes, options: TextOptions = {}): Promise<Source> {
  const sample = await file.range(0, SNIFF_BYTES + 1)
  const layout = sniff(sample.subarray(0, SNIFF_BYTES), {
    ...options,
    isComplete: sample.length <= SNIFF_BYTES,
    declaredEncoding: options.encoding ?? file.declaredEncoding,
    ext: file.ext,
  })
  return toSource(file, layout, layout.width)
}

function toSource(file: FileBytes, layout: Layout, width: number): Source {
  const repeatedRows = findRepeatedRows(layout.lines, layout.titles)
  return {
    encoding: layout.encoding.name,
    tables: [toTable(layout, width)],
    parts: () => readParts(file, layout, width, repeatedRows),
    countOmitted: () => repeatedRows?.count ?? 0,
  }
}

const toTable = ({ header, labels, headerRow, lines }: Layout, width: number): Table => ({
  ...{ header, labels, headerRow, headerLines: lines.length, width },
})

async function* readParts(
  file: FileBytes,
  layout: Layout,
  width: number,
  repeatedRows: RepeatedRows | undefined,
): AsyncGenerator<Part> {
  const stream = await file.stream()
  try {
    for await (const rows of readCells(stream, layout, width, { repeatedRows }))
      yield { table: 0, rows, done: rows.bytesDone / Math.max(1, file.size) }
  } catch (error) {
    if (error instanceof RowTooWideError) throw new ReopenWith(toSource(file, layout, error.width))
    if (error instanceof DecodingError)
      throw new ReopenWith(toSource(file, await detectLaterEncoding(file, layout, error), width))
    throw error
  } finally {
    stream.destroy()
  }
}

async function detectLaterEncoding(file: FileBytes, layout: Layout, error: DecodingError): Promise<Layout> {
  const { byte, encoding, row = 0 } = error
  if (layout.encoding.isCertain) throw unprocessable(message('files.undecodableRow', { row, byte, encoding }))
  const sample = await file.range(byte, byte + SNIFF_BYTES)
  return { ...layout, encoding: { name: detectEightBitEncoding(sample), markBytes: 0, isCertain: true } }
}
