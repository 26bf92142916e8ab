import { type ImportMode, importOptions, KEYED_MODES } from '../../../schemas/jobs/import-modes.ts'
import type { ImportCounts } from '../../../schemas/jobs/preview.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { createRecordWriter } from '../../commits/write.ts'
import { invalid, unprocessable } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import type { Program } from '../../mapping/rules/compile.ts'
import {
  type KeyedImport,
  type KeyedImportResult,
  previewByKey,
  previewWrite,
  type ReadBatches,
  type SheetRef,
  type WritePreview,
} from '../../records/index.ts'
import { type JobRequest, parseOptions } from '../request/config.ts'
import type { MappedRecords } from './map-records.ts'

export interface ImportSettings {
  mode: ImportMode
  key: readonly string[]
}

export function getImportSettings(job: JobRequest, destination: StoredSheet): ImportSettings {
  const { place, options } = parseOptions(job, importOptions)
  const { importMode: mode = 'add', keyFields = [] } = options
  const fields = new Set(destination.config.fields.map(({ key }) => key))
  const problems = [
    ...findKeyProblems(mode, keyFields.length).map((text) => ({ key: `${place}.keyFields`, message: text })),
    ...keyFields.flatMap((field, index) =>
      fields.has(field)
        ? []
        : [{ key: `${place}.keyFields.${index}`, message: message('mappings.unknownDestinationField', { field }) }],
    ),
  ]
  if (problems.length > 0) throw invalid(problems)
  return { mode, key: [...new Set(keyFields)] }
}

function findKeyProblems(mode: ImportMode, keyFields: number): string[] {
  const isKeyed = KEYED_MODES.includes(mode)
  if (isKeyed && keyFields === 0) return [message('mappings.keyRequired', { mode })]
  return !isKeyed && keyFields > 0 ? [message('mappings.keyNotUsed', { modes: KEYED_MODES.join(', ') })] : []
}

export function buildKeyedImport({ mode, key }: ImportSettings, program: Program): KeyedImport {
  const fields = [...program.mapColumns(new Map(), 0).keys()]
  const missing = key.filter((field) => !fields.includes(field))
  if (missing.length > 0)
    throw unprocessable(missing.map((field) => message('mappings.keyNotMapped', { field })).join(' '))
  return { key, fields, addsNew: mode === 'upsert' }
}

export interface ImportResult {
  counts: ImportCounts
  commitId: string | undefined
}

type RecordWriter = Pick<ReturnType<typeof createRecordWriter>, 'importParts' | 'importRows' | 'write' | 'importByKey'>

export async function importRecords(
  writer: RecordWriter,
  settings: ImportSettings,
  program: Program,
  { readColumns, readRows, storeParts }: Pick<MappedRecords, 'readColumns' | 'readRows' | 'storeParts'>,
  beforeCommit: () => Promise<void>,
): Promise<ImportResult> {
  if (storeParts && !KEYED_MODES.includes(settings.mode)) {
    const parts = await storeParts()
    await beforeCommit()
    return toImportResult(await writer.importParts(parts, { truncate: settings.mode === 'replace' }))
  }
  if (settings.mode === 'add') return toImportResult(await writer.importRows(readRows()))
  if (settings.mode === 'replace') return toImportResult(await writer.write(readRows(), { truncate: true }))
  return toImportResult(await writer.importByKey(readColumns, { ...buildKeyedImport(settings, program), beforeCommit }))
}

export type ImportPreview = ImportResult & Pick<WritePreview, 'records'>

/** @throws ApiError unprocessable if the import would fail */
export async function previewImport(
  destination: SheetRef,
  settings: ImportSettings,
  program: Program,
  readBatches: ReadBatches,
  recordCount: number,
): Promise<ImportPreview> {
  const preview = KEYED_MODES.includes(settings.mode)
    ? await previewByKey(destination, readBatches, buildKeyedImport(settings, program), recordCount)
    : await previewWrite(destination, readBatches(), { recordCount, truncate: settings.mode === 'replace' })
  return { ...toImportResult(preview), records: preview.records }
}

type Written = Pick<WritePreview, 'created' | 'createdErrors' | 'commitId'> &
  Partial<Pick<KeyedImportResult, 'updated' | 'unchanged' | 'removed' | 'emptyKey' | 'noRecord'>>

function toImportResult({ created, createdErrors, commitId, ...written }: Written): ImportResult {
  const { updated = 0, unchanged = 0, removed = 0, emptyKey = 0, noRecord = 0 } = written
  const valid = created - createdErrors
  const skipped = { emptyKey, noRecord }
  return { counts: { created, updated, unchanged, deleted: removed, skipped, valid, invalid: createdErrors }, commitId }
}

export function describeImport(
  { mode }: ImportSettings,
  { created, updated, unchanged, deleted, skipped }: ImportCounts,
): string {
  if (mode === 'add') return message('mappings.recordsMapped', { count: created })
  if (mode === 'replace') return message('mappings.importedReplacing', { created, deleted })
  const skippedCount = skipped.emptyKey + skipped.noRecord
  return message('mappings.importedByKey', { created, updated, unchanged, skipped: skippedCount })
}

export function explainImport(
  settings: ImportSettings,
  counts: ImportCounts,
  names: { source: string; destination: string },
): string {
  const { created, updated, skipped } = counts
  const mapped = message('mappings.recordsMappedTo', { count: created + updated, ...names })
  const { emptyKey, noRecord } = skipped
  if (settings.mode === 'add') return mapped
  const sentences = [mapped, `${describeImport(settings, counts)}.`]
  if (emptyKey + noRecord > 0)
    sentences.push(message('mappings.rowsSkipped', { source: names.source, emptyKey, noRecord }))
  return sentences.join(' ')
}
