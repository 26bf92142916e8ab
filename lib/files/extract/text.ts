/** Delimited text as a source of one table: how it is written is found out from its beginning, and again where that was wrong. */
import { unprocessable } from '../../core/errors.ts'
import { eightBitEncodingOf } from '../sniff/encoding.ts'
import { type Layout, SNIFF_BYTES, type SniffOptions, sniff } from '../sniff.ts'
import type { FileBytes } from './bytes.ts'
import { Undecodable } from './decode.ts'
import { readCells, WiderThanExpected } from './delimited.ts'
import { type Part, Relearn, type Source } from './source.ts'

/** What a job says of how the text is written. */
export type TextOptions = Pick<SniffOptions, 'delimiter' | 'headerRow'> & { encoding?: string | undefined }

/** @throws ApiError unprocessable for content that is no text, and for empty files */
export async function openText(file: FileBytes, options: TextOptions = {}): Promise<Source> {
  const sample = await file.range(0, SNIFF_BYTES + 1)
  const layout = sniff(sample.subarray(0, SNIFF_BYTES), {
    ...options,
    whole: sample.length <= SNIFF_BYTES,
    declared: options.encoding ?? file.declared,
    ext: file.ext,
  })
  return sourceOf(file, layout, layout.width)
}

const sourceOf = (file: FileBytes, layout: Layout, width: number): Source => ({
  encoding: layout.encoding.name,
  tables: [{ header: layout.header, headerRow: layout.headerRow, width }],
  parts: () => partsOf(file, layout, width),
})

async function* partsOf(file: FileBytes, layout: Layout, width: number): AsyncGenerator<Part> {
  const stream = await file.stream()
  try {
    for await (const rows of readCells(stream, layout, width))
      yield { table: 0, rows, done: rows.bytesDone / Math.max(1, file.size) }
  } catch (error) {
    if (error instanceof WiderThanExpected) throw new Relearn(sourceOf(file, layout, error.width))
    if (error instanceof Undecodable) throw new Relearn(sourceOf(file, await otherEncoding(file, layout, error), width))
    throw error
  } finally {
    stream.destroy()
  }
}

/** A file that began with ASCII alone goes on in an encoding of its own: its first other letters tell which. */
async function otherEncoding(file: FileBytes, layout: Layout, error: Undecodable): Promise<Layout> {
  const { byte, row, message } = error
  if (layout.encoding.certain) throw unprocessable(`In row ${row} ${message}. Save the file as UTF-8 and try again.`)
  const sample = await file.range(byte, byte + SNIFF_BYTES)
  return { ...layout, encoding: { name: eightBitEncodingOf(sample), markBytes: 0, certain: true } }
}
