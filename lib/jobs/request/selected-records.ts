import { message } from '../../../schemas/messages/index.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { ApiError, invalid, invalidField } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { assertQuery, type Selection } from '../../records/index.ts'

interface SelectionCriteria {
  filter?: Selection['filter'] | undefined
  filterField?: string | undefined
  searchValue?: string | undefined
  searchField?: string | undefined
  q?: string | undefined
  ids?: readonly string[] | undefined
}

export function buildSelection(sheet: StoredSheet, criteria: SelectionCriteria, keyPrefix = 'config.'): Selection {
  for (const key of ['filterField', 'searchField'] as const)
    if (criteria[key] !== undefined) assertKnownField(sheet, criteria[key], `${keyPrefix}${key}`)
  const { filter, filterField, searchValue, searchField, q, ids } = criteria
  if (q !== undefined) assertValidQuery(sheet, q, keyPrefix)
  return {
    ...(filter ? { filter } : {}),
    ...(filterField ? { filterField } : {}),
    ...(searchValue === undefined
      ? {}
      : { search: { value: searchValue, ...(searchField ? { field: searchField } : {}) } }),
    ...(q?.trim() ? { q } : {}),
    ...(ids?.length ? { ids } : {}),
  }
}

export function assertKnownField(sheet: StoredSheet, field: string, key: string): void {
  if (!sheet.config.fields.some((candidate) => candidate.key === field))
    throw invalidField(key, message('jobs.unknownSheetField', { field }))
}

function assertValidQuery(sheet: StoredSheet, q: string, keyPrefix: string): void {
  try {
    assertQuery(toSheetRef(sheet), q)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalid(error.problems.map((problem) => ({ ...problem, key: `${keyPrefix}q` })))
  }
}
