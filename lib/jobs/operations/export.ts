import { decodeTime } from 'ulid'
import * as contracts from '../../../schemas/jobs/operations.ts'
import { message } from '../../../schemas/messages/index.ts'
import { MAX_RECORDS_PER_WORKSHEET } from '../../../schemas/records/limits.ts'
import { parseSelection, parseSort } from '../../commits/selection.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { ApiError, invalidField, notFound, unprocessable } from '../../core/errors.ts'
import { deriveId } from '../../core/ids.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Workbooks } from '../../entities/workbooks.ts'
import { type ListQuery, listRecords } from '../../records/index.ts'
import { runParts } from '../parts/run-parts.ts'
import { type JobRequest, parseConfig } from '../request/config.ts'
import { getJobSheet, type JobLocation } from '../request/resources.ts'
import { fitsContract, type JobResult, type PlatformOperation, type Run } from './operation.ts'

const defineExport = (contract: typeof contracts.exportSheet | typeof contracts.exportWorkbook): PlatformOperation => ({
  contract,
  matches: (job) => fitsContract(contract, job),
  validate: async (job, location) => void (await resolveExport(job, location)),
  run: runExport,
})

export const exportSheet = defineExport(contracts.exportSheet)
export const exportWorkbook = defineExport(contracts.exportWorkbook)

async function runExport({ job, actor, op, progress }: Run): Promise<JobResult> {
  const { name, options, sheets } = await resolveExport(job, job)
  const { exportFile } = await import('../../files/export/index.ts')
  const totals = await Promise.all(
    sheets.map(({ sheet, query }) => listRecords(toSheetRef(sheet), { ...query, pageSize: 1, includeLength: true })),
  )
  const largest = Math.max(...totals.map((page) => page.total ?? 0))
  if (contracts.isWorkbookFormat(options.format) && largest > MAX_RECORDS_PER_WORKSHEET)
    throw unprocessable(message('jobs.tooManyForWorksheet', { count: MAX_RECORDS_PER_WORKSHEET }))
  const total = totals.reduce((sum, page) => sum + (page.total ?? 0), 0)
  let written = 0
  const file = await exportFile({
    fileId: deriveId('file', { time: decodeTime(job.id.slice(job.id.lastIndexOf('_') + 1)), sequence: 0, of: op }),
    spaceId: job.spaceId!,
    actor,
    name,
    sheets,
    options,
    onRows: async (count) => {
      written += count ?? 0
      const fraction = Math.min(0.99, written / Math.max(1, total))
      await progress(
        count === undefined ? 1 : fraction,
        message('jobs.exportProgress', { done: Math.min(written, total), count: total }),
      )
    },
    uploadParts: runParts((upload) => ({ upload })),
  })
  return {
    info: message('jobs.recordsExported', { count: total }),
    result: { fileId: file.id, records: total },
    outcome: {
      acknowledge: true,
      heading: message('jobs.exportFinished'),
      message: message('jobs.recordsInFile', { count: total, file: file.name }),
      next: { type: 'files', files: [{ fileId: file.id, label: file.name }] },
    },
  }
}

interface ResolvedExport {
  name: string
  options: contracts.ExportOptions
  sheets: { sheet: StoredSheet; fields: StoredSheet['config']['fields']; query: ListQuery }[]
}

async function resolveExport(job: JobRequest, location: JobLocation): Promise<ResolvedExport> {
  const { options, name, sheets } =
    job.type === 'sheet' ? await resolveSheetExport(job, location) : await resolveWorkbookExport(job, location)
  if (options.comments && !contracts.isWorkbookFormat(options.format))
    throw invalidField('config.options.comments', message('jobs.commentsNeedWorkbook'))
  const excluded = new Set(options.excludeFields)
  const knownKeys = new Set(sheets.flatMap(({ config }) => config.fields.map(({ key }) => key)))
  for (const key of excluded)
    if (!knownKeys.has(key))
      throw invalidField('config.options.excludeFields', message('jobs.unknownField', { field: key }))
  const targets = sheets.map(async (sheet) => ({
    sheet,
    fields: sheet.config.fields.filter(({ key }) => !excluded.has(key)),
    query: await buildQuery(sheet, options),
  }))
  return { options, name: options.fileName ?? name, sheets: await Promise.all(targets) }
}

async function resolveSheetExport(job: JobRequest, location: JobLocation) {
  const { options } = parseConfig(contracts.exportSheet, job)
  const sheet = await getJobSheet(location, job.source)
  return { options, name: sheet.name, sheets: [sheet] }
}

async function resolveWorkbookExport(job: JobRequest, location: JobLocation) {
  const { options, sheets: requestedIds } = parseConfig(contracts.exportWorkbook, job)
  const workbook = await Workbooks.get(job.source)
  if (!workbook || workbook.spaceId !== location.spaceId) throw notFound('workbook', job.source)
  const allSheets = await Sheets.inWorkbook(workbook.id)
  const missing = requestedIds?.find((id) => !allSheets.some((sheet) => sheet.id === id))
  if (missing !== undefined) throw notFound('sheet', missing)
  const sheets = requestedIds ? allSheets.filter(({ id }) => requestedIds.includes(id)) : allSheets
  if (sheets.length === 0) throw unprocessable(message('jobs.workbookWithoutSheets'))
  return { options, name: workbook.name ?? 'workbook', sheets }
}

async function buildQuery(sheet: StoredSheet, options: contracts.ExportOptions): Promise<ListQuery> {
  const { errors, filter = errors ? 'error' : undefined } = options
  const { filterField, searchValue, searchField, sortField, sortDirection, q, ids, commitId, versionId } = options
  const query = { filter, filterField, searchValue, searchField, sortField, sortDirection, q, ids, commitId, versionId }
  try {
    return { ...(await parseSelection(sheet, query)), ...parseSort(query) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(
      error.code,
      error.problems.map((problem) => ({ ...problem, key: `config.options.${problem.key}` })),
    )
  }
}
