/** A large sheet as one file, whose parts several functions write and upload side by side. */
import type { ExportOptions } from '../../../schemas/jobs/operations.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { countParts } from '../../core/count-parts.ts'
import { processEnv } from '../../core/env.ts'
import { notFound } from '../../core/errors.ts'
import { Sheets } from '../../entities/sheets.ts'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  MAX_PARTS_PER_UPLOAD,
  PART_BYTES,
  type PutOptions,
  putParts,
  type UploadedPart,
} from '../../objects/store.ts'
import { countRecords, readNewestCommitId } from '../../records/index.ts'
import { type ExportedSheet, selectsAllRecords } from './rows.ts'
import { streamSheet } from './stream-sheet.ts'

export interface ExportRequest {
  sheetId: string
  fields: readonly string[]
  query: { asOf: string; pageSize: number; pageNumber: number }
  options: Pick<ExportOptions, 'format' | 'escapeFormulas'>
  key: string
  uploadId: string
  numbers: { from: number; to: number }
}

/** `uploaded` is undefined if the bytes do not fit parts of an upload. */
export interface ExportedPart {
  uploaded: UploadedPart[] | undefined
  size: number
  rows: number
}

export type UploadExportParts = (
  requests: readonly ExportRequest[],
  onUploaded: (part: ExportedPart) => Promise<void>,
) => Promise<ExportedPart[]>

export async function uploadExportPart(request: ExportRequest): Promise<ExportedPart> {
  const { sheetId, fields: keys, query, options, key, uploadId, numbers } = request
  const sheet = await Sheets.get(sheetId)
  if (!sheet) throw notFound('sheet', sheetId)
  const fields = sheet.config.fields.filter((field) => keys.includes(field.key))
  let rows = 0
  const onRows = async (count: number): Promise<void> => {
    rows += count
  }
  const header = query.pageNumber === 1
  const bytes = streamSheet(
    { options, onRows },
    { sheet, fields, query },
    { messages: false, bufferBytes: PART_BYTES, header },
  )
  const { uploaded, size } = await putParts(key, uploadId, numbers, bytes)
  return { uploaded, size, rows }
}

const FORMATS: ReadonlySet<string> = new Set<ExportOptions['format']>(['csv', 'jsonl'])

interface DividedExport {
  sheets: readonly ExportedSheet[]
  options: Pick<ExportOptions, 'format' | 'escapeFormulas' | 'errors' | 'comments'>
  onRows(count: number): Promise<void>
  uploadParts?: UploadExportParts
}

/** @returns the size of the file, undefined if one function must write it */
export async function uploadDivided(
  { sheets, options, onRows, uploadParts }: DividedExport,
  key: string,
  putOptions: PutOptions,
): Promise<number | undefined> {
  const [exported] = sheets
  if (!uploadParts || sheets.length !== 1 || options.errors || !FORMATS.has(options.format)) return undefined
  if (!selectsAllRecords(exported!.query)) return undefined
  const ref = toSheetRef(exported!.sheet)
  const asOf = exported!.query.asOf ?? (await readNewestCommitId(ref))
  if (asOf === undefined) return undefined
  const { total } = await countRecords(ref, { asOf })
  const pageSize = processEnv().PART_RECORDS
  const count = countParts(total, pageSize)
  if (count === 1) return undefined
  const uploadId = await createMultipart(key, putOptions)
  const numbers = Math.floor(MAX_PARTS_PER_UPLOAD / count)
  const requests = Array.from(
    { length: count },
    (_, part): ExportRequest => ({
      sheetId: exported!.sheet.id,
      fields: exported!.fields.map((field) => field.key),
      query: { asOf, pageSize, pageNumber: part + 1 },
      options: { format: options.format, escapeFormulas: options.escapeFormulas },
      ...{ key, uploadId, numbers: { from: part * numbers + 1, to: (part + 1) * numbers } },
    }),
  )
  try {
    const parts = await uploadParts(requests, ({ rows }) => onRows(rows))
    const uploaded = parts.flatMap((part) => part.uploaded ?? [])
    if (parts.some((part) => !part.uploaded)) {
      await abortMultipart(key, uploadId)
      return undefined
    }
    await completeMultipart(key, uploadId, uploaded)
    return parts.reduce((sum, { size }) => sum + size, 0)
  } catch (error) {
    // The caller needs the first error.
    await abortMultipart(key, uploadId).catch(() => {})
    throw error
  }
}
