/** Streams records to a file in their space, with only the current chunk in memory. */
import { type ExportOptions, isWorkbookFormat } from '../../../schemas/jobs/operations.ts'
import { notFound } from '../../core/errors.ts'
import { Files, type NewFile } from '../../entities/files.ts'
import { Spaces } from '../../entities/spaces.ts'
import { PART_BYTES, putStream } from '../../objects/store.ts'
import { buildHeaders, type RowFormat, recycleBytes } from '../../records/index.ts'
import { tryCommit } from '../../table/transact.ts'
import { type Actor, begin } from '../../tx.ts'
import { getMediaType } from '../file-types.ts'
import { prepareExportFile } from '../upload.ts'
import { gzip, PIECE_BYTES } from './compression.ts'
import { type UploadExportParts, uploadDivided } from './divided.ts'
import { writeJson } from './json.ts'
import { type ExportedSheet, MESSAGES_HEADER, streamExportRows } from './rows.ts'
import { streamSheet } from './stream-sheet.ts'

export interface ExportJob {
  /** Deterministic, so that every run of the same job writes the same file. */
  fileId: string
  spaceId: string
  actor: Actor
  name: string
  sheets: readonly ExportedSheet[]
  options: Pick<ExportOptions, 'format' | 'escapeFormulas' | 'errors' | 'comments'>
  /** Rows written since the last call; undefined just before the file appears. Throws to stop. */
  onRows(count: number | undefined): Promise<void>
  uploadParts?: UploadExportParts
}

export async function exportFile(job: ExportJob): Promise<NewFile> {
  const existing = await Files.get(job.fileId)
  if (existing) return existing
  const space = await Spaces.get(job.spaceId)
  if (!space) throw notFound('space', job.spaceId)
  const name = buildFileName(job)
  const tx = begin(job.actor)
  const file = prepareExportFile(tx, space, { id: job.fileId, name })
  const options = { contentType: getMediaType(name, undefined), onUploaded: recycleBytes }
  const size =
    (await uploadDivided(job, file.objectKey, options)) ??
    (await putStream(file.objectKey, await createExportStream(job), options))
  await job.onRows(undefined)
  const stored = file.store(size)
  await tryCommit(tx.commit())
  return (await Files.get(job.fileId)) ?? stored
}

const FORMATS_OF_ONE_SHEET: ReadonlySet<string> = new Set<ExportOptions['format']>([
  ...(['csv', 'jsonl', 'jsonl.gz', 'parquet'] as const),
])

const needsArchive = ({ options, sheets }: ExportJob): boolean =>
  sheets.length > 1 && FORMATS_OF_ONE_SHEET.has(options.format)

const buildFileName = (job: ExportJob): string =>
  `${job.name.replace(/[/\\\p{Cc}]/gu, ' ').trim() || 'export'}.${needsArchive(job) ? 'zip' : job.options.format}`

async function createExportStream(job: ExportJob): Promise<AsyncIterable<Uint8Array>> {
  const { options, sheets, onRows } = job
  const messages = options.errors === true
  if (isWorkbookFormat(options.format)) return createWorkbookStream(job, messages, options.format)
  if (options.format === 'json') return writeJson(sheets, { messages, bufferBytes: PART_BYTES, onRows })
  if (needsArchive(job)) return createArchiveStream(job, messages)
  if (options.format === 'jsonl.gz') return gzip(streamSheet(job, sheets[0]!, { messages, bufferBytes: PIECE_BYTES }))
  return streamSheet(job, sheets[0]!, { messages, bufferBytes: PART_BYTES })
}

async function createWorkbookStream(
  { sheets, options, onRows }: ExportJob,
  messages: boolean,
  format: 'xlsx' | 'ods',
): Promise<AsyncIterable<Buffer>> {
  const comments = options.comments === true
  const written = sheets.map((sheet) => ({
    name: sheet.sheet.name,
    header: [...buildHeaders(sheet.fields), ...(messages ? [MESSAGES_HEADER] : [])],
    types: sheet.fields.map(({ type }) => type),
    comments,
    rows: (format: RowFormat) =>
      streamExportRows(sheet, format, { messages: messages || comments, bufferBytes: PIECE_BYTES, onRows }),
  }))
  if (format === 'ods') return (await import('./workbook/ods.ts')).writeOds(written)
  return (await import('./workbook/xlsx.ts')).writeXlsx(written)
}

async function createArchiveStream(job: ExportJob, messages: boolean): Promise<AsyncIterable<Buffer>> {
  const { createZip } = await import('./zip.ts')
  const usedNames = new Set<string>()
  return createZip((archive) => {
    for (const sheet of job.sheets) {
      const base = sheet.sheet.name.replace(/[/\\:\p{Cc}]/gu, ' ').trim() || 'sheet'
      let name = base
      for (let number = 2; usedNames.has(name.toLowerCase()); number++) name = `${base} ${number}`
      usedNames.add(name.toLowerCase())
      archive.stream(`${name}.${job.options.format.replace('.gz', '')}`, () =>
        streamSheet(job, sheet, { messages, bufferBytes: PIECE_BYTES }),
      )
    }
  })
}
