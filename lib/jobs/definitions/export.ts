/** The operations `sheet:export` and `workbook:export`, for the sheets of the job's source. */
import type * as z from 'zod'
import { message } from '../../../schemas/messages/index.ts'
import * as operations from '../../../schemas/operations.ts'
import { parseSelection, parseSort } from '../../commits/selection.ts'
import { ApiError, invalidField, notFound, unprocessable } from '../../core/errors.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Workbooks } from '../../entities/workbooks.ts'
import type { ListQuery } from '../../records/index.ts'
import { getJobSheet, type JobLocation } from '../resolve-resources.ts'
import { isPlatformOperation, parseConfig } from './config.ts'
import type { JobRequest, PlatformOperation } from './definition.ts'

const defineExport = (
  operation: typeof operations.exportSheet | typeof operations.exportWorkbook,
): PlatformOperation => ({
  operation,
  matches: (job) => isPlatformOperation(operation, job),
  validate: async (job, location) => void (await resolveExport(job, location)),
})

export const exportSheet = defineExport(operations.exportSheet)
export const exportWorkbook = defineExport(operations.exportWorkbook)

export interface ResolvedExport {
  name: string
  options: operations.ExportOptions
  sheets: { sheet: StoredSheet; fields: StoredSheet['config']['fields']; query: ListQuery }[]
}

export async function resolveExport(job: JobRequest, location: JobLocation): Promise<ResolvedExport> {
  const { options, name, sheets } =
    job.type === 'sheet' ? await resolveSheetExport(job, location) : await resolveWorkbookExport(job, location)
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
  const { options } = parseConfig(operations.exportSheet, job)
  const sheet = await getJobSheet(location, job.source)
  return { options, name: sheet.name, sheets: [sheet] }
}

async function resolveWorkbookExport(job: JobRequest, location: JobLocation) {
  const { options, sheets: requestedIds } = parseConfig(operations.exportWorkbook, job)
  const workbook = await Workbooks.get(job.source)
  if (!workbook || workbook.spaceId !== location.spaceId) throw notFound('workbook', job.source)
  const allSheets = await Sheets.inWorkbook(workbook.id)
  const missing = requestedIds?.find((id) => !allSheets.some((sheet) => sheet.id === id))
  if (missing !== undefined) throw notFound('sheet', missing)
  const sheets = requestedIds ? allSheets.filter(({ id }) => requestedIds.includes(id)) : allSheets
  if (sheets.length === 0) throw unprocessable(message('jobs.workbookWithoutSheets'))
  return { options, name: workbook.name ?? 'workbook', sheets }
}

type ExportOptions = z.output<typeof operations.ExportOptions>

async function buildQuery(sheet: StoredSheet, options: ExportOptions): Promise<ListQuery> {
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
