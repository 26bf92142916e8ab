/** A large file of delimited text, read by several functions side by side and committed by one. */
import { message } from '../../../schemas/messages/index.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { countParts } from '../../core/count-parts.ts'
import { processEnv } from '../../core/env.ts'
import { ApiError, unprocessable } from '../../core/errors.ts'
import { getRecordsPerSheet } from '../../core/records-per-sheet.ts'
import { Files } from '../../entities/files.ts'
import { type StoredPart, storePart } from '../../records/index.ts'
import type { Actor } from '../../tx.ts'
import { createStoredBytes } from './bytes.ts'
import { DecodingError } from './decode.ts'
import { RowTooWideError } from './delimited.ts'
import { type FormatOptions, openSource } from './formats.ts'
import { shareWithThreads } from './share-with-threads.ts'
import type { Source, SourceRanges } from './source.ts'
import { planTarget } from './target-workbook.ts'
import type { RangeRead, RangeReader, TextRange } from './text-range.ts'

export interface RangeRequest {
  fileId: string
  jobId: string
  actor: Actor
  options: FormatOptions
  range: TextRange
}

export interface StoredRange {
  read: RangeRead
  stored: StoredPart | undefined
  /** Bytes of another encoding were found, or the reason why the rows cannot be read. */
  problem?: 'encoding' | ApiProblems | undefined
}
type ApiProblems = Pick<ApiError, 'code' | 'problems'>

export async function storeRange({ fileId, jobId, actor, options, range }: RangeRequest): Promise<StoredRange> {
  const file = await Files.get(fileId)
  if (!file) throw new Error(`File ${fileId} was deleted`)
  const source = await openSource(createStoredBytes(file), options)
  const target = await planTarget({ file, actor, jobId }, [{ ...source.tables[0]!, width: range.width }])
  const sheet = toSheetRef(target.sheets[0]!)
  const keys = sheet.fields.map(({ key }) => key)
  return readRange(source.ranges!.open(range), async (rows) => {
    async function* addKeys() {
      for await (const part of rows) yield { ...part, keys }
    }
    return storePart(sheet, shareWithThreads(sheet, addKeys(), range.to - range.from))
  })
}

/** Failures become part of the result, because the range may have been read from the middle of a row. */
export async function readRange(
  reader: RangeReader,
  store: (rows: ReturnType<RangeReader['rows']>) => Promise<StoredPart | undefined>,
): Promise<StoredRange> {
  try {
    const stored = await store(reader.rows())
    return { read: reader.getRead(), stored }
  } catch (error) {
    const failed = { read: reader.getRead(), stored: undefined }
    if (error instanceof RowTooWideError) return failed
    if (error instanceof DecodingError) return { ...failed, problem: 'encoding' }
    if (!(error instanceof ApiError)) throw error
    return { ...failed, problem: { code: error.code, problems: error.problems } }
  }
}

export type StoreRanges = (
  requests: readonly RangeRequest[],
  onStored: (stored: StoredRange) => Promise<void>,
) => Promise<StoredRange[]>

export const isDivided = ({ ranges }: Source, size: number): boolean =>
  ranges !== undefined && countParts(size - ranges.start, processEnv().PART_BYTES) > 1

export interface DividedFile {
  parts: StoredPart[]
  rows: number
  omitted: number
}

/** @returns a source if the file must be read with more columns, undefined if only one function can read it */
export async function storeDivided(
  source: Source,
  { size }: { size: number },
  createRequest: (range: TextRange) => RangeRequest,
  storeRanges: StoreRanges,
  onProgress: (fraction: number) => Promise<void>,
): Promise<DividedFile | Source | undefined> {
  const { width } = source.tables[0]!
  const ranges = divideFile(source.ranges!, width, size)
  let finished = 0
  const guessed = await storeRanges(ranges.map(createRequest), () => onProgress(++finished / ranges.length))
  const storeAgain = async (range: TextRange): Promise<StoredRange> => {
    const [stored] = await storeRanges([createRequest(range)], async () => {})
    return stored!
  }
  const checked = await checkRanges(source.ranges!, ranges, guessed, storeAgain)
  if (!checked) return undefined
  const widest = Math.max(...checked.map(({ read }) => read.widest))
  if (widest > width) return source.ranges!.widen(widest)
  const divided = {
    parts: checked.flatMap(({ stored }) => stored ?? []),
    rows: checked.reduce((sum, { stored }) => sum + (stored?.rows ?? 0), 0),
    omitted: checked.reduce((sum, { read }) => sum + read.omitted, 0),
  }
  assertRowLimit(divided.rows)
  return divided
}

export function divideFile(
  { start }: Pick<SourceRanges, 'start'>,
  width: number,
  size: number,
  partBytes = processEnv().PART_BYTES,
): TextRange[] {
  const ranges: TextRange[] = []
  for (let from = start; from < size; from += partBytes)
    ranges.push({ from, to: Math.min(size, from + partBytes), isRowStart: from === start, rowsBefore: 0, width })
  return ranges
}

function assertRowLimit(rows: number): void {
  const limit = getRecordsPerSheet()
  if (rows > limit) throw unprocessable(message('files.tooManyRows', { count: limit }))
}

/**
 * The end of a range is exact if its start is. Ranges that started elsewhere, or failed, are read again from there.
 * @returns undefined if the file has bytes of another encoding
 */
export async function checkRanges(
  { start, ...first }: Pick<SourceRanges, 'start' | 'rowsBefore'>,
  ranges: readonly TextRange[],
  guessed: readonly StoredRange[],
  storeAgain: (range: TextRange) => Promise<StoredRange>,
): Promise<StoredRange[] | undefined> {
  const checked: StoredRange[] = []
  let next = start
  let { rowsBefore } = first
  for (const [i, range] of ranges.entries()) {
    if (next >= range.to) continue
    const guess = guessed[i]!
    const isExact = guess.read.from === next && !guess.problem
    const stored = isExact ? guess : await storeAgain({ ...range, from: next, isRowStart: true, rowsBefore })
    if (stored.problem === 'encoding') return undefined
    if (stored.problem) throw new ApiError(stored.problem.code, [...stored.problem.problems])
    checked.push(stored)
    next = stored.read.next
    rowsBefore += stored.read.lines
  }
  return checked
}
