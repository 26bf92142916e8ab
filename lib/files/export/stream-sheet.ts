/** One sheet as a file of a format that has one. */
import type { ExportOptions } from '../../../schemas/jobs/operations.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { streamCsv, streamCsvInThreads } from '../../records/index.ts'
import { writeJsonLines } from './json.ts'
import { type ExportedSheet, findLargeRange, MESSAGES_HEADER, reportLines } from './rows.ts'

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
  const range = messages ? undefined : await findLargeRange(sheet)
  const bytes = range
    ? streamCsvInThreads(ref, { ...range, fields }, csvOptions)
    : streamCsv(ref, { ...sheet.query, fields }, { ...csvOptions, ...(messages ? { messages: MESSAGES_HEADER } : {}) })
  yield* reportLines(bytes, onRows)
}
