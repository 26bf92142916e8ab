import * as z from 'zod'
import { message } from '../../schemas/messages/index.ts'
import { readParams, type SelectionQuery } from '../../schemas/records/selection.ts'
import { invalid, invalidField, notFound } from '../core/errors.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { Events } from '../events/store.ts'
import { type ListQuery, parseSheetId, type Selection } from '../records/index.ts'

export async function parseSelection(sheet: StoredSheet, query: SelectionQuery): Promise<Selection> {
  const resolved = await resolveEventSelection(sheet, query)
  assertFieldsAndCommits(sheet, resolved)
  const commitId = resolved.commitId ?? resolved.versionId
  const sinceCommitId = resolved.sinceCommitId ?? resolved.sinceVersionId
  return {
    ...(resolved.filter ? { filter: resolved.filter } : {}),
    ...(resolved.filterField ? { filterField: resolved.filterField } : {}),
    ...(resolved.ids?.length ? { ids: resolved.ids } : {}),
    ...(resolved.q?.trim() ? { q: resolved.q } : {}),
    ...(commitId ? { commitId } : {}),
    ...(resolved.part && resolved.parts ? { part: { number: resolved.part, of: resolved.parts } } : {}),
    ...(sinceCommitId ? { sinceCommitId } : {}),
    ...(resolved.asOfCommitId ? { asOf: resolved.asOfCommitId } : {}),
    ...(resolved.searchValue === undefined
      ? {}
      : { search: { value: resolved.searchValue, ...(resolved.searchField ? { field: resolved.searchField } : {}) } }),
  }
}

export const parseSort = ({ sortField, sortDirection }: SelectionQuery): Pick<ListQuery, 'sort'> =>
  sortField ? { sort: { field: sortField, direction: sortDirection ?? 'asc' } } : {}

const SelectionParameters = z.object(readParams).partial()

/** A query with only `for` selects the records of that event, by the parameters of its `dataUrl`. */
async function resolveEventSelection(sheet: StoredSheet, query: SelectionQuery): Promise<SelectionQuery> {
  const parameterNames = Object.keys(readParams).filter((name) => name !== 'for') as (keyof typeof readParams)[]
  if (!query.for || parameterNames.some((name) => query[name] !== undefined)) return query
  const event = await Events.get(query.for)
  if (!event || event.environmentId !== sheet.environmentId || event.context.sheetId !== sheet.id)
    throw notFound('event', query.for)
  const parameters = new URLSearchParams(event.dataUrl?.split('?')[1] ?? '')
  const ids = parameters.getAll('ids')
  const parsed = SelectionParameters.safeParse({
    ...Object.fromEntries(parameters),
    ids: ids.length > 0 ? ids : undefined,
  })
  return { ...query, ...(parsed.success ? parsed.data : {}) }
}

const FIELD_PARAMETERS = ['filterField', 'searchField', 'sortField'] as const
const COMMIT_PARAMETERS = ['commitId', 'versionId', 'sinceCommitId', 'sinceVersionId', 'asOfCommitId'] as const

function assertFieldsAndCommits(sheet: StoredSheet, query: SelectionQuery): void {
  const known = new Set(sheet.config.fields.map(({ key }) => key))
  const problems = [
    ...FIELD_PARAMETERS.flatMap((name) => {
      const key = query[name]
      return key !== undefined && !known.has(key)
        ? [{ key: name, message: message('records.noField', { field: key }) }]
        : []
    }),
    ...COMMIT_PARAMETERS.flatMap((name) => {
      const id = query[name]
      return id !== undefined && parseSheetId(id) !== sheet.id
        ? [{ key: name, message: message('records.noCommit', { commit: id }) }]
        : []
    }),
    ...findPartProblems(query),
  ]
  if (problems.length > 0) throw invalid(problems)
}

function findPartProblems({ part, parts, commitId, versionId }: SelectionQuery) {
  if (part === undefined && parts === undefined) return []
  const missing = {
    part: part === undefined,
    parts: parts === undefined,
    commitId: (commitId ?? versionId) === undefined,
  }
  const problems = Object.entries(missing).flatMap(([key, isMissing]) =>
    isMissing ? [{ key, message: message('records.partIncomplete') }] : [],
  )
  if (part !== undefined && parts !== undefined && part > parts)
    problems.push({ key: 'part', message: message('records.partTooHigh', { count: parts }) })
  return problems
}

export function assertKnownFields(sheet: StoredSheet, parameter: string, keys: readonly string[]): readonly string[] {
  const known = new Set(sheet.config.fields.map(({ key }) => key))
  const unknown = keys.find((key) => !known.has(key))
  if (unknown !== undefined) throw invalidField(parameter, message('records.noField', { field: unknown }))
  return keys
}
