/** The exported records, written by a format without objects for rows and cells. */
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { MIN_RECORDS_FOR_THREADS } from '../../core/threads/threads.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import {
  canWriteLinesInThreads,
  countRecords,
  type ListQuery,
  type RowFormat,
  type RowRange,
  readNewestCommitId,
  streamRows,
} from '../../records/index.ts'

export type ExportField = StoredSheet['config']['fields'][number]

export interface ExportedSheet {
  sheet: StoredSheet
  fields: readonly ExportField[]
  query: ListQuery
}

export const selectsAllRecords = ({ asOf: _, filter, ...others }: ListQuery): boolean =>
  (filter === undefined || filter === 'all') && Object.values(others).every((value) => value === undefined)

/** Undefined if threads cannot write the records, or are not worth it. */
export async function findLargeRange({
  sheet,
  query: { pageSize, pageNumber = 1, ...selection },
}: ExportedSheet): Promise<{ asOf: string; rows: RowRange } | undefined> {
  if (!selectsAllRecords(selection) || !canWriteLinesInThreads()) return undefined
  const ref = toSheetRef(sheet)
  const asOf = selection.asOf ?? (await readNewestCommitId(ref))
  if (asOf === undefined) return undefined
  const { total } = await countRecords(ref, { asOf })
  const from = pageSize === undefined ? 0 : pageSize * (pageNumber - 1)
  const to = pageSize === undefined ? total : Math.min(total, from + pageSize)
  return to - from >= MIN_RECORDS_FOR_THREADS ? { asOf, rows: { from, to } } : undefined
}

export const MESSAGES_HEADER = 'Messages'

export interface RowsOptions {
  messages: boolean
  bufferBytes?: number | undefined
  /** Rows written since the last call, in the bytes that follow. Throws to stop. */
  onRows(count: number): Promise<void>
}

export async function* streamExportRows(
  { sheet, fields, query }: ExportedSheet,
  { writeRow }: RowFormat,
  { messages, bufferBytes, onRows }: RowsOptions,
): AsyncGenerator<Buffer> {
  let count = 0
  const format: RowFormat = {
    writeRow(out, cells, at, text, getCellMessages) {
      writeRow(out, cells, at, text, getCellMessages)
      count++
    },
  }
  const fieldQuery = { ...query, fields: fields.map(({ key }) => key) }
  for await (const bytes of streamRows(toSheetRef(sheet), fieldQuery, format, { messages, bufferBytes })) {
    await onRows(count)
    count = 0
    yield bytes
  }
}

export async function* reportLines(
  pieces: AsyncIterable<Buffer>,
  onRows: RowsOptions['onRows'],
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    await onRows(countLines(piece))
    yield piece
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
