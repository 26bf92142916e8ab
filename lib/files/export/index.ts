/** Writes records to a file of their space, streaming: nothing but the piece at hand is in memory. */
import type { Readable } from 'node:stream'
import type { ExportOptions } from '../../../schemas/operations.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import { notFound } from '../../core/errors.ts'
import { Files, type NewFile } from '../../entities/files.ts'
import { Spaces } from '../../entities/spaces.ts'
import { putStream } from '../../objects/store.ts'
import { headersOf, streamCsv } from '../../records/index.ts'
import { committed } from '../../table/transact.ts'
import { type Actor, begin } from '../../tx.ts'
import { mediaTypeOf } from '../names.ts'
import { exportedFile } from '../upload.ts'
import { jsonlOf, jsonOf } from './json.ts'
import { type ExportedSheet, MESSAGES_HEADER, rowsOf } from './rows.ts'

export interface Export {
  /** The file's id: the same for every run of the same work. */
  fileId: string
  spaceId: string
  actor: Actor
  /** Without extension. */
  name: string
  sheets: readonly ExportedSheet[]
  options: Pick<ExportOptions, 'format' | 'escapeFormulas' | 'errors'>
  /** Rows written since it was last told; undefined when all are, and the file is about to appear. Throws to stop. */
  onRows(count: number | undefined): Promise<void>
}

/** The file; one that an earlier run has made is not made again. */
export async function exportFile(job: Export): Promise<NewFile> {
  const made = await Files.get(job.fileId)
  if (made) return made
  const space = await Spaces.get(job.spaceId)
  if (!space) throw notFound('space', job.spaceId)
  const name = nameOf(job)
  const tx = begin(job.actor)
  const file = exportedFile(tx, space, { id: job.fileId, name })
  const size = await putStream(file.objectKey, await bytesOf(job), { contentType: mediaTypeOf(name, undefined) })
  await job.onRows(undefined)
  const stored = file.store(size)
  tx.onConflict((error) => error)
  // Another run of the same work came first.
  await committed(tx.commit())
  return (await Files.get(job.fileId)) ?? stored
}

/** Formats that hold one sheet: several of them are packed together. */
const isPacked = ({ options, sheets }: Export): boolean =>
  sheets.length > 1 && (options.format === 'csv' || options.format === 'jsonl')

const nameOf = (job: Export): string =>
  `${job.name.replace(/[/\\\p{Cc}]/gu, ' ').trim() || 'export'}.${isPacked(job) ? 'zip' : job.options.format}`

async function bytesOf(job: Export): Promise<AsyncIterable<Uint8Array>> {
  const { options, sheets, onRows } = job
  const messages = options.errors === true
  if (options.format === 'xlsx') return workbookBytes(job, messages)
  if (options.format === 'json') return jsonOf(sheets, { messages, onRows })
  return isPacked(job) ? packed(job, messages) : lines(job, sheets[0]!, messages)
}

async function workbookBytes({ sheets, onRows }: Export, messages: boolean): Promise<Readable> {
  const { workbookOf } = await import('./xlsx.ts')
  async function* counted(sheet: ExportedSheet) {
    for await (const rows of rowsOf(sheet, messages)) {
      await onRows(rows.length)
      yield rows
    }
  }
  return workbookOf(
    sheets.map((sheet) => ({
      name: sheet.sheet.name,
      header: [...headersOf(sheet.fields), ...(messages ? [MESSAGES_HEADER] : [])],
      types: sheet.fields.map(({ type }) => type),
      rows: counted(sheet),
    })),
  )
}

async function* lines(
  { options, onRows }: Export,
  sheet: ExportedSheet,
  messages: boolean,
): AsyncGenerator<Uint8Array> {
  if (options.format === 'jsonl') return yield* jsonlOf(sheet, { messages, onRows })
  const query = { ...sheet.query, fields: sheet.fields.map(({ key }) => key) }
  const bytes = streamCsv(sheetRef(sheet.sheet), query, {
    neutralizeFormulas: options.escapeFormulas !== false,
    ...(messages ? { messages: MESSAGES_HEADER } : {}),
  })
  for await (const piece of bytes) {
    await onRows(linesIn(piece))
    yield piece
  }
}

/** About as many rows as it has: cells may hold line ends. */
function linesIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}

async function packed(job: Export, messages: boolean): Promise<Readable> {
  const { zipped } = await import('./zip.ts')
  const taken = new Set<string>()
  return zipped((archive) => {
    for (const sheet of job.sheets) {
      const base = sheet.sheet.name.replace(/[/\\:\p{Cc}]/gu, ' ').trim() || 'sheet'
      let name = base
      for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base} ${number}`
      taken.add(name.toLowerCase())
      archive.stream(`${name}.${job.options.format}`, () => lines(job, sheet, messages))
    }
  })
}
