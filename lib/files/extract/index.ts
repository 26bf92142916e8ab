/**
 * Extracts a file into a new workbook with one sheet per table. All or nothing.
 * Idempotent: ids derive from the job, so that a run after a crash completes the earlier one.
 */
import { MAX_UNDIVIDED_BYTES } from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { createRecordWriter } from '../../commits/write.ts'
import { ApiError, isPasswordNeeded, unprocessable } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import type { CellBytes } from '../../records/index.ts'
import type { Actor } from '../../tx.ts'
import { createStoredBytes } from './bytes.ts'
import { Channel } from './channel.ts'
import { isDivided, type StoreRanges, storeDivided } from './divided.ts'
import { type FormatOptions, openSource } from './formats.ts'
import { Progress } from './progress.ts'
import { shareWithThreads } from './share-with-threads.ts'
import { type MixedLines, ReopenWith, type Source } from './source.ts'
import { updateExtractedFile } from './status.ts'
import { deriveIds, planTarget, type Target } from './target-workbook.ts'

export interface Extraction {
  file: StoredFile
  actor: Actor
  jobId: string
  options?: FormatOptions
  /** @param fraction of the file read, 0 to 1; 1 just before the rows become visible. Throw to stop the extraction. */
  onProgress(fraction: number): Promise<void>
  storeRanges?: StoreRanges
}

export interface ExtractionResult {
  workbookId: string
  sheetIds: string[]
  rows: number
  skipped: readonly string[]
  omitted: number
  splitSheets: readonly string[]
  mixedLines: MixedLines | undefined
}

/** @throws ApiError with the position and reason; rethrows errors from `onProgress` */
export async function extractFile(extraction: Extraction): Promise<ExtractionResult> {
  const { file, jobId } = extraction
  const progress = new Progress(extraction.onProgress)
  try {
    if (!(await isExtracted(file, jobId))) await updateExtractedFile(extraction, { status: 'analyzing' })
    const { result, encoding } = await readIntoWorkbook(extraction, progress)
    await updateExtractedFile(extraction, {
      status: 'complete',
      workbookId: result.workbookId,
      ...(encoding ? { encoding } : {}),
    })
    return result
  } catch (error) {
    if (error === progress.stopped && !(error instanceof ApiError)) {
      await progress.release(extraction, jobId)
      throw error
    }
    const namedError = error instanceof ApiError ? prefixFileName(file, error) : error
    const statusReason =
      namedError instanceof ApiError ? namedError.message : addFileName(file, message('files.internalError'))
    await updateExtractedFile(extraction, {
      status: 'failed',
      statusReason,
      ...(isPasswordNeeded(error) ? { passwordRequired: true } : {}),
    })
    throw namedError
  }
}

const addFileName = (file: StoredFile, reason: string): string => message('files.reason', { file: file.name, reason })

const isExtracted = async (file: StoredFile, jobId: string): Promise<boolean> =>
  (await Files.get(file.id))?.workbookId === deriveIds(jobId).workbookId

const prefixFileName = (file: StoredFile, error: ApiError): ApiError =>
  new ApiError(
    error.code,
    error.problems.map((problem) => ({ ...problem, message: addFileName(file, problem.message) })),
    { cause: error },
  )

async function readIntoWorkbook(
  extraction: Extraction,
  progress: Progress,
): Promise<{ result: ExtractionResult; encoding: string | undefined }> {
  let source = await openSource(createStoredBytes(extraction.file), extraction.options)
  try {
    for (;;) {
      try {
        const target = await planTarget(extraction, source.tables)
        const divided = await importDivided(extraction, source, target, progress)
        if (!divided) assertUndivided(extraction.file)
        const rows = divided?.rows ?? (await importTables(extraction, source, target, progress))
        const { encoding, skipped = [], splitSheets = [] } = source
        const sheetIds = target.sheets.map(({ id }) => id)
        const omitted = divided?.omitted ?? source.countOmitted?.() ?? 0
        const mixedLines = source.getMixedLines?.()
        return {
          result: { workbookId: target.workbookId, sheetIds, rows, skipped, omitted, splitSheets, mixedLines },
          encoding,
        }
      } catch (error) {
        // Nothing is visible yet, so the file can be read again with what was learned.
        if (!(error instanceof ReopenWith)) throw error
        source = error.source
      }
    }
  } finally {
    await source.close?.()
  }
}

function assertUndivided({ size }: StoredFile): void {
  if (size > MAX_UNDIVIDED_BYTES)
    throw unprocessable(message('files.tooLargeForOneFunction', { count: MAX_UNDIVIDED_BYTES }))
}

async function importDivided(
  { file, actor, jobId, options = {}, storeRanges }: Extraction,
  source: Source,
  target: Target,
  progress: Progress,
): Promise<{ rows: number; omitted: number } | undefined> {
  if (!storeRanges || !isDivided(source, file.size)) return undefined
  const divided = await storeDivided(
    source,
    file,
    (range) => ({ fileId: file.id, jobId, actor, options, range }),
    storeRanges,
    (fraction) => progress.report(fraction),
  )
  if (!divided) return undefined
  if ('tables' in divided) throw new ReopenWith(divided)
  await progress.reportBeforeCommit()
  await target.create()
  const { created } = await createRecordWriter(target.sheets[0]!, { actor }, { op: jobId }).importParts(divided.parts)
  return { rows: created, omitted: divided.omitted }
}

/** No commit is made before the file's last row is read. Returns the number of rows. */
async function importTables(
  { file, actor, jobId }: Extraction,
  source: Source,
  target: Target,
  progress: Progress,
): Promise<number> {
  const imports: Promise<{ created: number }>[] = []
  const channels = target.sheets.map((sheet) => {
    const writer = createRecordWriter(sheet, { actor }, { op: jobId })
    return new Channel<CellBytes>((values) => {
      const importing = writer.importRows(shareWithThreads(toSheetRef(sheet), values, file.size))
      imports.push(importing)
      return importing
    })
  })
  try {
    const keys = target.sheets.map((sheet) => sheet.config.fields.map(({ key }) => key))
    for await (const { table, rows, done } of source.parts()) {
      await channels[table]!.send({ ...rows, keys: keys[table]! })
      await progress.report(done)
    }
    await progress.reportBeforeCommit()
    // Sheets are created first, so that receivers of the row events can find them.
    await target.create()
  } catch (error) {
    for (const channel of channels) channel.fail(error)
    await Promise.allSettled(imports)
    throw error
  }
  for (const channel of channels) channel.end()
  const created = await Promise.all(imports)
  return created.reduce((sum, imported) => sum + imported.created, 0)
}
