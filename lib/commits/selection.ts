/** Which records of a sheet a request means: its query parameters as the record engine takes them. */
import * as z from 'zod'
import { type SelectionQuery, selection } from '../../schemas/selection.ts'
import { invalid, invalidField, notFound } from '../core/errors.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { Events } from '../events/store.ts'
import { type ListQuery, type Selection, sheetIdOf } from '../records/index.ts'

/**
 * The selection of a query.
 * @throws ApiError invalid naming every field the sheet has not and every commit of another sheet
 */
export async function selectionOf(sheet: StoredSheet, query: SelectionQuery): Promise<Selection> {
  const given = await withEvent(sheet, query)
  check(sheet, given)
  const commitId = given.commitId ?? given.versionId
  const sinceCommitId = given.sinceCommitId ?? given.sinceVersionId
  return {
    ...(given.filter ? { filter: given.filter } : {}),
    ...(given.filterField ? { filterField: given.filterField } : {}),
    ...(given.ids?.length ? { ids: given.ids } : {}),
    ...(given.q?.trim() ? { q: given.q } : {}),
    ...(commitId ? { commitId } : {}),
    ...(sinceCommitId ? { sinceCommitId } : {}),
    ...(given.asOfCommitId ? { asOf: given.asOfCommitId } : {}),
    ...(given.searchValue === undefined
      ? {}
      : { search: { value: given.searchValue, ...(given.searchField ? { field: given.searchField } : {}) } }),
  }
}

/** The order of a query; nothing when it names none. */
export const sortOf = ({ sortField, sortDirection }: SelectionQuery): Pick<ListQuery, 'sort'> =>
  sortField ? { sort: { field: sortField, direction: sortDirection ?? 'asc' } } : {}

const Parameters = z.object(selection).partial()

/** With `for` alone the records are those the event points to: the parameters of its `dataUrl`. */
async function withEvent(sheet: StoredSheet, query: SelectionQuery): Promise<SelectionQuery> {
  const own = Object.keys(selection).filter((name) => name !== 'for') as (keyof typeof selection)[]
  if (!query.for || own.some((name) => query[name] !== undefined)) return query
  const event = await Events.get(query.for)
  if (!event || event.environmentId !== sheet.environmentId || event.context.sheetId !== sheet.id)
    throw notFound('event', query.for)
  const parameters = new URLSearchParams(event.dataUrl?.split('?')[1] ?? '')
  const ids = parameters.getAll('ids')
  const meant = Parameters.safeParse({ ...Object.fromEntries(parameters), ids: ids.length > 0 ? ids : undefined })
  return { ...query, ...(meant.success ? meant.data : {}) }
}

const FIELDS = ['filterField', 'searchField', 'sortField'] as const
const COMMITS = ['commitId', 'versionId', 'sinceCommitId', 'sinceVersionId', 'asOfCommitId'] as const

function check(sheet: StoredSheet, query: SelectionQuery): void {
  const known = new Set(sheet.config.fields.map(({ key }) => key))
  const problems = [
    ...FIELDS.flatMap((name) => {
      const key = query[name]
      return key !== undefined && !known.has(key) ? [{ key: name, message: `the sheet has no field ${key}` }] : []
    }),
    ...COMMITS.flatMap((name) => {
      const id = query[name]
      return id !== undefined && sheetIdOf(id) !== sheet.id
        ? [{ key: name, message: `the sheet has no commit ${id}` }]
        : []
    }),
  ]
  if (problems.length > 0) throw invalid(problems)
}

/** The keys if the sheet has them all. @throws ApiError invalid */
export function knownFields(sheet: StoredSheet, parameter: string, keys: readonly string[]): readonly string[] {
  const known = new Set(sheet.config.fields.map(({ key }) => key))
  const unknown = keys.find((key) => !known.has(key))
  if (unknown !== undefined) throw invalidField(parameter, `the sheet has no field ${unknown}`)
  return keys
}
