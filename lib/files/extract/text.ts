/** Delimited text as a source of one table, sniffed from a sample and corrected if reading contradicts it. */
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { detectEightBitEncoding, hasMostLinesInUtf8, isMixed } from '../sniff/encoding.ts'
import { type Layout, SNIFF_BYTES, type SniffOptions, sniff } from '../sniff.ts'
import type { FileBytes } from './bytes.ts'
import { DecodingError } from './decode.ts'
import { RowTooWideError, readCells } from './delimited.ts'
import type { LineCounts } from './mixed-encodings.ts'
import { findRepeatedRows, type RepeatedRows } from './repeated-rows.ts'
import { type MixedLines, type Part, ReopenWith, type Source, type Table } from './source.ts'
import { canReadRanges, createRangeReader, getDataStart } from './text-range.ts'

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
  const lines = { utf8: 0, other: 0 }
  const { name, other } = layout.encoding
  return {
    // A stored encoding would be taken as declared when the file is read again.
    get encoding() {
      return isMixed(lines) ? undefined : name
    },
    isDelimited: !layout.dialect.isAssumed,
    tables: [toTable(layout, width)],
    parts: () => readParts(file, layout, width, { repeatedRows, lines }),
    getMixedLines: () => (isMixed(lines) && other ? describeMixedLines(lines, other) : undefined),
    countOmitted: () => repeatedRows?.count ?? 0,
    ranges: canReadRanges(file, layout)
      ? {
          start: getDataStart(layout),
          rowsBefore: layout.rowsBefore,
          open: (range) => createRangeReader(file, layout, range, repeatedRows),
          widen: (wider) => toSource(file, layout, wider),
        }
      : undefined,
  }
}

const toTable = ({ header, labels, headerRow, lines }: Layout, width: number): Table => ({
  ...{ header, labels, headerRow, headerLines: lines.length, width },
})

async function* readParts(
  file: FileBytes,
  layout: Layout,
  width: number,
  reading: { repeatedRows: RepeatedRows | undefined; lines: LineCounts },
): AsyncGenerator<Part> {
  const stream = await file.stream()
  try {
    for await (const rows of readCells(stream, layout, width, reading))
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

const describeMixedLines = ({ utf8, other }: LineCounts, name: string): MixedLines =>
  utf8 < other ? { count: utf8, encoding: 'UTF-8', main: name } : { count: other, encoding: name, main: 'UTF-8' }

async function detectLaterEncoding(file: FileBytes, layout: Layout, error: DecodingError): Promise<Layout> {
  const { byte, encoding, row = 0 } = error
  const { name, isCertain, isDeclared, other } = layout.encoding
  if (name !== 'utf-8' || isDeclared || other)
    throw unprocessable(message('files.undecodableRow', { row, byte, encoding }))
  const sample = await file.range(byte, byte + SNIFF_BYTES)
  const detected = detectEightBitEncoding(sample)
  const main = isCertain || hasMostLinesInUtf8(sample, detected) ? name : detected
  return { ...layout, encoding: { ...layout.encoding, name: main, isCertain: true, other: detected } }
}
