/** The records of a sheet that an operation's configuration means, checked before a job is made of it. */
import { sheetRef } from '../../commits/sheet-ref.ts'
import { ApiError, invalid, invalidField } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { assertQuery, type Selection } from '../../records/index.ts'

interface Chosen {
  filter?: Selection['filter'] | undefined
  filterField?: string | undefined
  searchValue?: string | undefined
  searchField?: string | undefined
  q?: string | undefined
  ids?: readonly string[] | undefined
}

/** Throws 400 naming a field that the sheet has not, or what is wrong in a query, below `at`. */
export function selectedBy(sheet: StoredSheet, chosen: Chosen, at = 'config.'): Selection {
  for (const key of ['filterField', 'searchField'] as const)
    if (chosen[key] !== undefined) knownField(sheet, chosen[key], `${at}${key}`)
  const { filter, filterField, searchValue, searchField, q, ids } = chosen
  if (q !== undefined) checkQuery(sheet, q, at)
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

/** Throws 400 under `key` for a field that the sheet has not. */
export function knownField(sheet: StoredSheet, field: string, key: string): void {
  if (!sheet.config.fields.some((own) => own.key === field)) throw invalidField(key, `the sheet has no field ${field}`)
}

function checkQuery(sheet: StoredSheet, q: string, at: string): void {
  try {
    assertQuery(sheetRef(sheet), q)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalid(error.problems.map(({ message }) => ({ key: `${at}q`, message })))
  }
}
