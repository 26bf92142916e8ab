/**
 * Turns a file into a workbook of its own: a sheet for each of its tables, every cell as the file says it. All or nothing:
 * the workbook and its rows appear when the whole file is read. Repeatable: everything made is named after the job, so that
 * a run after a crash completes what was begun and repeats nothing.
 */
import { writeRecords } from '../../commits/write.ts'
import { ApiError } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import type { CellBytes } from '../../records/index.ts'
import type { Actor } from '../../tx.ts'
import { storedBytes } from './bytes.ts'
import { Channel } from './channel.ts'
import { type FormatOptions, openSource } from './formats.ts'
import { Progress } from './progress.ts'
import { Relearn, type Source } from './source.ts'
import { setFile } from './status.ts'
import { idsOf, type Target, targetOf } from './target.ts'

export interface Extraction {
  file: StoredFile
  actor: Actor
  /** Names what is made. */
  jobId: string
  /** How the file is to be read, where it does not say so itself. */
  options?: FormatOptions
  /** @param fraction of the file read, 0 to 1; 1 just before the rows become visible. Throws to stop the extraction. */
  onProgress(fraction: number): Promise<void>
}

export interface Extracted {
  workbookId: string
  sheetIds: string[]
  rows: number
  /** Names of what an archive has beside tables. */
  leftOut: readonly string[]
}

/**
 * Reads the file into a new workbook and tells of it. The file is `analyzing` meanwhile, then `complete` with its
 * workbook, or `failed`.
 * @throws ApiError that says where and why the file cannot be read; whatever `onProgress` throws
 */
export async function extractFile(extraction: Extraction): Promise<Extracted> {
  const { file, jobId } = extraction
  const progress = new Progress(extraction.onProgress)
  try {
    if (!(await isExtracted(file, jobId))) await setFile(extraction, { status: 'analyzing' })
    const { extracted, encoding } = await extract(extraction, progress)
    await setFile(extraction, {
      status: 'complete',
      workbookId: extracted.workbookId,
      ...(encoding ? { encoding } : {}),
    })
    return extracted
  } catch (error) {
    if (error === progress.stopped && !(error instanceof ApiError)) {
      await progress.release(extraction, jobId)
      throw error
    }
    const shown = error instanceof ApiError ? named(file, error) : error
    const statusReason = shown instanceof ApiError ? shown.message : `${file.name}: ${INTERNAL}`
    await setFile(extraction, { status: 'failed', statusReason })
    throw shown
  }
}

const INTERNAL = 'Something went wrong on our side; extract the file again later.'

/** Did an earlier run of the job come to its end? */
const isExtracted = async (file: StoredFile, jobId: string): Promise<boolean> =>
  (await Files.get(file.id))?.workbookId === idsOf(jobId).workbookId

/** The error with the file's name. */
const named = (file: StoredFile, error: ApiError): ApiError =>
  new ApiError(
    error.code,
    error.problems.map((problem) => ({ ...problem, message: `${file.name}: ${problem.message}` })),
    { cause: error },
  )

async function extract(
  extraction: Extraction,
  progress: Progress,
): Promise<{ extracted: Extracted; encoding: string | undefined }> {
  let source = await openSource(storedBytes(extraction.file), extraction.options)
  try {
    for (;;) {
      try {
        const target = await targetOf(extraction, source.tables)
        const rows = await fill(extraction, source, target, progress)
        const { encoding, leftOut = [] } = source
        const sheetIds = target.sheets.map(({ id }) => id)
        return { extracted: { workbookId: target.workbookId, sheetIds, rows, leftOut }, encoding }
      } catch (error) {
        // Nothing is visible yet: what was learnt on the way is what the file is read with from its beginning.
        if (!(error instanceof Relearn)) throw error
        source = error.source
      }
    }
  } finally {
    await source.close?.()
  }
}

/**
 * Reads the whole file, each table into a commit of its own; how many rows there are. No commit is made before the last row
 * of the file is read.
 */
async function fill({ actor, jobId }: Extraction, source: Source, target: Target, progress: Progress): Promise<number> {
  const imports: Promise<{ created: number }>[] = []
  const channels = target.sheets.map((sheet) => {
    const writer = writeRecords(sheet, { actor }, { op: jobId })
    return new Channel<CellBytes>((values) => {
      const importing = writer.importRows(values)
      imports.push(importing)
      return importing
    })
  })
  try {
    const keys = target.sheets.map((sheet) => sheet.config.fields.map(({ key }) => key))
    for await (const { table, rows, done } of source.parts()) {
      await channels[table]!.send({ ...rows, keys: keys[table]! })
      await progress.tell(done)
    }
    await progress.beforeEnd()
    // Whoever is told of the rows finds their sheet.
    await target.create()
  } catch (error) {
    for (const channel of channels) channel.fail(error)
    await Promise.allSettled(imports)
    throw error
  }
  for (const channel of channels) channel.end()
  const created = await Promise.all(imports)
  return created.reduce((sum, one) => sum + one.created, 0)
}
