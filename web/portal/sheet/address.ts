/** The query of a sheet in the address, so that a reload, a link and the back button keep it. */
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Query } from './pages.ts'

const PARAMETERS = {
  filter: 'filter',
  filterField: 'field',
  searchValue: 'search',
  searchField: 'in',
  q: 'query',
  sortField: 'sort',
  sortDirection: 'order',
} as const satisfies Record<keyof Query, string>
const FILTERS = new Set(['valid', 'error', 'warning'])

export function parseAddress(search: string, fieldKeys: readonly string[]): Query {
  const parameters = new URLSearchParams(search)
  const query: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const value = parameters.get(parameter)
    const isField = name.endsWith('Field')
    if (value && (!isField || fieldKeys.includes(value))) query[name] = value
  }
  if (!FILTERS.has(query.filter ?? '')) delete query.filter
  if (query.sortField && query.sortDirection !== 'desc') query.sortDirection = 'asc'
  if (!query.sortField) delete query.sortDirection
  if (query.filter === undefined) delete query.filterField
  return query as Query
}

export function formatAddress(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, parameter] of Object.entries(PARAMETERS)) {
    const value = query[name as keyof Query]
    if (value && !(name === 'sortDirection' && value === 'asc')) parameters.set(parameter, value)
  }
  const search = parameters.toString()
  return search && `?${search}`
}

export interface SheetQuery {
  query: Query
  /** `replaces` the entry in the history, for texts that are being typed. */
  setQuery(next: Query, replaces?: boolean): void
}

export function useSheetQuery(fieldKeys: readonly string[]): SheetQuery {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const query = useMemo(() => parseAddress(search, fieldKeys), [search, fieldKeys])
  const setQuery = useCallback(
    (next: Query, replaces = false) => navigate(`${path}${formatAddress(next)}`, { replace: replaces }),
    [path, navigate],
  )
  return { query, setQuery }
}
