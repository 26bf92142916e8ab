/** `sheet:export` and `workbook:export` are offered for the sheets of the job's source. */
import type * as z from 'zod'
import * as operations from '../../../schemas/operations.ts'
import { selectionOf, sortOf } from '../../commits/selection.ts'
import { ApiError, invalidField, notFound, unprocessable } from '../../core/errors.ts'
import { Sheets, type StoredSheet } from '../../entities/sheets.ts'
import { Workbooks } from '../../entities/workbooks.ts'
import type { ListQuery } from '../../records/index.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf, isMeant } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'

const offerOf = (operation: typeof operations.exportSheet | typeof operations.exportWorkbook): Offer => ({
  operation,
  takes: (job) => isMeant(operation, job),
  check: async (job, place) => void (await exported(job, place)),
})

export const exportSheet = offerOf(operations.exportSheet)
export const exportWorkbook = offerOf(operations.exportWorkbook)

export interface Exported {
  /** What the file is called unless told. */
  name: string
  options: operations.ExportOptions
  sheets: { sheet: StoredSheet; fields: StoredSheet['config']['fields']; query: ListQuery }[]
}

/** What a job exports. Throws 404 for sheets that live elsewhere, 400 for what cannot be selected. */
export async function exported(job: JobRequest, place: JobPlace): Promise<Exported> {
  const { options, name, sheets } = job.type === 'sheet' ? await ofSheet(job, place) : await ofWorkbook(job, place)
  const excluded = new Set(options.excludeFields)
  const known = new Set(sheets.flatMap(({ config }) => config.fields.map(({ key }) => key)))
  for (const key of excluded)
    if (!known.has(key)) throw invalidField('config.options.excludeFields', `there is no field ${key}`)
  const selected = sheets.map(async (sheet) => ({
    sheet,
    fields: sheet.config.fields.filter(({ key }) => !excluded.has(key)),
    query: await queryOf(sheet, options),
  }))
  return { options, name: options.fileName ?? name, sheets: await Promise.all(selected) }
}

async function ofSheet(job: JobRequest, place: JobPlace) {
  const { options } = configOf(operations.exportSheet, job)
  const sheet = await sheetOfJob(place, job.source)
  return { options, name: sheet.name, sheets: [sheet] }
}

async function ofWorkbook(job: JobRequest, place: JobPlace) {
  const { options, sheets: wanted } = configOf(operations.exportWorkbook, job)
  const workbook = await Workbooks.get(job.source)
  if (!workbook || workbook.spaceId !== place.spaceId) throw notFound('workbook', job.source)
  const all = await Sheets.inWorkbook(workbook.id)
  const missing = wanted?.find((id) => !all.some((sheet) => sheet.id === id))
  if (missing !== undefined) throw notFound('sheet', missing)
  const sheets = wanted ? all.filter(({ id }) => wanted.includes(id)) : all
  if (sheets.length === 0) throw unprocessable('The workbook has no sheets.')
  return { options, name: workbook.name ?? 'workbook', sheets }
}

type Options = z.output<typeof operations.ExportOptions>

/** A report of errors is of records with one, unless a filter says else. */
async function queryOf(sheet: StoredSheet, options: Options): Promise<ListQuery> {
  const { errors, filter = errors ? 'error' : undefined } = options
  const { filterField, searchValue, searchField, sortField, sortDirection, q, ids, commitId, versionId } = options
  const query = { filter, filterField, searchValue, searchField, sortField, sortDirection, q, ids, commitId, versionId }
  try {
    return { ...(await selectionOf(sheet, query)), ...sortOf(query) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(
      error.code,
      error.problems.map((problem) => ({ ...problem, key: `config.options.${problem.key}` })),
    )
  }
}
