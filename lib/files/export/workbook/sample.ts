import type { CellRange, RowFormat } from '../../../records/index.ts'
import type { WrittenSheet } from './sheet.ts'

const MAX_SAMPLED_ROWS = 100
const MAX_SAMPLED_BYTES = 256 * 1024
export const WIDTHS = { least: 8, most: 60 }

export interface Sample {
  accepts(): boolean
  add(at: number, cells: readonly CellRange[], messages: string): void
  longest: number[]
}

function createSample(columns: number): Sample {
  const longest = new Array<number>(columns).fill(0)
  let rows = 0
  let sampledBytes = 0
  const measureText = (column: number, text: string): void => {
    longest[column] = Math.max(longest[column]!, text.length)
  }
  const accepts = () => rows < MAX_SAMPLED_ROWS && sampledBytes < MAX_SAMPLED_BYTES
  return {
    longest,
    accepts,
    add(at, cells, messages) {
      if (at >= MAX_SAMPLED_ROWS || !accepts()) return
      rows++
      cells.forEach(({ bytes, from, to }, column) => {
        sampledBytes += to - from
        if (from !== to) measureText(column, toText(JSON.parse(bytes.toString('utf8', from, to))))
      })
      if (messages !== '' && cells.length < columns) measureText(cells.length, messages)
    },
  }
}

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

export async function* writeSampled(
  sheet: WrittenSheet,
  createFormat: (sample: Sample) => RowFormat,
  buildStart: (widths: readonly number[]) => string,
): AsyncGenerator<Buffer> {
  const sample = createSample(sheet.header.length)
  const pieces = sheet.rows(createFormat(sample))[Symbol.asyncIterator]()
  const sampledPieces: Buffer[] = []
  let next = await pieces.next()
  for (; !next.done; next = await pieces.next()) {
    sampledPieces.push(next.value)
    if (!sample.accepts()) break
  }
  yield Buffer.from(buildStart(computeWidths(sheet.header, sample.longest)))
  yield* sampledPieces
  if (!next.done) for (next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

const computeWidths = (header: readonly string[], longest: readonly number[]): number[] =>
  header.map((label, column) => Math.min(WIDTHS.most, Math.max(WIDTHS.least, label.length + 2, longest[column]! + 2)))
