/** One sheet as a file of a format that has one. */
import type { ExportOptions } from '../../../schemas/jobs/operations.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { MIN_RECORDS_FOR_THREADS } from '../../core/threads/threads.ts'
import {
  canWriteCsvInThreads,
  countRecords,
  type ListQuery,
  type RowRange,
  readNewestCommitId,
  type SheetRef,
  streamCsv,
  streamCsvInThreads,
} from '../../records/index.ts'
import { writeJsonLines } from './json.ts'
import { type ExportedSheet, MESSAGES_HEADER, selectsAllRecords } from './rows.ts'

export interface SheetStream {
  options: Pick<ExportOptions, 'format' | 'escapeFormulas'>
  /** Rows written since the last call. Throws to stop. */
  onRows(count: number): Promise<void>
}

export interface SheetStreamOptions {
  messages: boolean
  bufferBytes: number
  /** False for rows that continue a file. */
  header?: boolean
}

export async function* streamSheet(
  { options, onRows }: SheetStream,
  sheet: ExportedSheet,
  { messages, bufferBytes, header = true }: SheetStreamOptions,
): AsyncGenerator<Uint8Array> {
  if (options.format.startsWith('jsonl')) return yield* writeJsonLines(sheet, { messages, bufferBytes, onRows })
  if (options.format === 'parquet') {
    const { writeParquet } = await import('./parquet/index.ts')
    return yield* writeParquet(sheet, { messages, onRows })
  }
  const ref = toSheetRef(sheet.sheet)
  const fields = sheet.fields.map(({ key }) => key)
  const csvOptions = { neutralizeFormulas: options.escapeFormulas !== false, bufferBytes, header }
  const range = messages ? undefined : await findLargeRange(ref, sheet.query)
  const bytes = range
    ? streamCsvInThreads(ref, { ...range, fields }, csvOptions)
    : streamCsv(ref, { ...sheet.query, fields }, { ...csvOptions, ...(messages ? { messages: MESSAGES_HEADER } : {}) })
  for await (const piece of bytes) {
    await onRows(countLines(piece))
    yield piece
  }
}

/** Undefined if threads cannot write the records, or are not worth it. */
async function findLargeRange(
  sheet: SheetRef,
  { pageSize, pageNumber = 1, ...selection }: ListQuery,
): Promise<{ asOf: string; rows: RowRange } | undefined> {
  if (!selectsAllRecords(selection) || !canWriteCsvInThreads()) return undefined
  const asOf = selection.asOf ?? (await readNewestCommitId(sheet))
  if (asOf === undefined) return undefined
  const { total } = await countRecords(sheet, { asOf })
  const from = pageSize === undefined ? 0 : pageSize * (pageNumber - 1)
  const to = pageSize === undefined ? total : Math.min(total, from + pageSize)
  return to - from >= MIN_RECORDS_FOR_THREADS ? { asOf, rows: { from, to } } : undefined
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
