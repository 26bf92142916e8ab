import { buildInThreads, type CellBytes, type RowsPart, type SheetRef } from '../../records/index.ts'

/** Starting threads costs more than they save below this size. */
const MIN_BYTES_FOR_THREADS = 24 * 1024 * 1024

export const shareWithThreads = (
  sheet: SheetRef,
  cells: AsyncIterable<CellBytes>,
  sourceBytes: number,
): AsyncIterable<RowsPart> => (sourceBytes < MIN_BYTES_FOR_THREADS ? cells : buildInThreads(sheet, cells))
