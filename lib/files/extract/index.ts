/**
 * Turns a file into a workbook of its own: one sheet, every cell as the file says it. All or nothing: the workbook and its
 * rows appear when the whole file is read. Repeatable: everything made is named after the job, so that a run after a crash
 * completes what was begun and repeats nothing.
 */
import { writeRecords } from '../../commits/write.ts'
import { ApiError, unprocessable } from '../../core/errors.ts'
import { Files, type StoredFile } from '../../entities/files.ts'
import { getRange, getStream } from '../../objects/store.ts'
import type { CellBytes } from '../../records/index.ts'
import type { Actor } from '../../tx.ts'
import { eightBitEncodingOf } from '../sniff/encoding.ts'
import { type Layout, SNIFF_BYTES, sniff } from '../sniff.ts'
import { Undecodable } from './decode.ts'
import { readCells, WiderThanExpected } from './delimited.ts'
import { Progress } from './progress.ts'
import { setFile } from './status.ts'
import { idsOf, type Target, targetOf } from './target.ts'

export interface Extraction {
  file: StoredFile
  actor: Actor
  /** Names what is made. */
  jobId: string
  /** @param fraction of the file read, 0 to 1; 1 just before the rows become visible. Throws to stop the extraction. */
  onProgress(fraction: number): Promise<void>
}

export interface Extracted {
  workbookId: string
  sheetIds: string[]
  rows: number
}

/**
 * Reads the file into a new workbook and tells of it. The file is `analyzing` meanwhile, then `complete` with its
 * workbook, or `failed`.
 * @throws ApiError that says where and why the file cannot be read; whatever `onProgress` throws
 */
export async function extractDelimited(extraction: Extraction): Promise<Extracted> {
  const { file, jobId } = extraction
  const progress = new Progress(extraction.onProgress, file.size)
  try {
    if (!(await isExtracted(file, jobId))) await setFile(extraction, { status: 'analyzing' })
    const { extracted, encoding } = await extract(extraction, progress)
    await setFile(extraction, { status: 'complete', workbookId: extracted.workbookId, encoding })
    return extracted
  } catch (error) {
    if (error === progress.stopped && !(error instanceof ApiError)) await progress.release(extraction, jobId)
    else await setFile(extraction, { status: 'failed' })
    throw error instanceof ApiError ? named(file, error) : error
  }
}

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
): Promise<{ extracted: Extracted; encoding: string }> {
  const { file } = extraction
  let layout = await layoutOf(file)
  let width = layout.width
  for (;;) {
    try {
      const target = await targetOf(extraction, layout, width)
      const rows = await fill(extraction, layout, target, progress)
      const extracted = { workbookId: target.workbookId, sheetIds: [target.sheet.id], rows }
      return { extracted, encoding: layout.encoding.name }
    } catch (error) {
      // Nothing is visible yet: what was learnt on the way is what the file is read with from its beginning.
      if (error instanceof WiderThanExpected) width = error.width
      else if (error instanceof Undecodable) layout = await otherEncoding(file, layout, error)
      else throw error
    }
  }
}

async function layoutOf(file: StoredFile): Promise<Layout> {
  const sample = file.size > 0 ? await getRange(file.objectKey, 0, Math.min(SNIFF_BYTES, file.size)) : Buffer.alloc(0)
  return sniff(sample, { whole: file.size <= SNIFF_BYTES, declared: file.encoding, ext: file.ext })
}

/** A file that began with ASCII alone goes on in an encoding of its own: its first other letters tell which. */
async function otherEncoding(file: StoredFile, layout: Layout, error: Undecodable): Promise<Layout> {
  const { byte, row, message } = error
  if (layout.encoding.certain) throw unprocessable(`In row ${row} ${message}. Save the file as UTF-8 and try again.`)
  const sample = await getRange(file.objectKey, byte, Math.min(file.size, byte + SNIFF_BYTES))
  return { ...layout, encoding: { name: eightBitEncodingOf(sample), markBytes: 0, certain: true } }
}

/** Reads the whole file into one commit; how many rows it has. */
async function fill(
  { file, actor, jobId }: Extraction,
  layout: Layout,
  target: Target,
  progress: Progress,
): Promise<number> {
  const keys = target.sheet.config.fields.map(({ key }) => key)
  const writer = writeRecords(target.sheet, { actor }, { op: jobId })
  const { created } = await writer.importRows(batches())
  await target.create()
  return created

  async function* batches(): AsyncGenerator<CellBytes> {
    const stream = await getStream(file.objectKey)
    try {
      for await (const cells of readCells(stream, layout, keys.length)) {
        yield { ...cells, keys }
        await progress.tell(cells.bytesDone)
      }
    } finally {
      stream.destroy()
    }
    await progress.beforeEnd()
    // Whoever is told of the rows finds their sheet.
    await target.create()
  }
}
