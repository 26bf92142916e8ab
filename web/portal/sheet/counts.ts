/** How many records a sheet has: with the query, in total, and with errors by field. */
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../shared/api/client.ts'
import { type Query, toSelection } from './pages.ts'

export interface Counts {
  total: number
  valid: number
  error: number
  errorsByField?: Record<string, number>
}

/** The API finds warnings by reading all messages. */
const MAX_COUNTED_WARNINGS = 200_000
const NONE: Readonly<Record<string, number>> = {}

function countsQuery(sheetId: string, query: Query, byField = false) {
  const filters = toSelection(query)
  return {
    queryKey: ['counts', sheetId, JSON.stringify({ ...filters, byField })],
    async queryFn(): Promise<Counts> {
      const params = { path: { sheetId }, query: { ...filters, ...(byField ? { byField: true } : {}) } }
      return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/counts', { params }))).data.counts
    },
  }
}

export function useSheetCounts(sheetId: string, query: Query) {
  const counts = useQuery({
    ...countsQuery(sheetId, query),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === sheetId ? previous : undefined),
  })
  const overall = useQuery(countsQuery(sheetId, {}))
  const hasErrors = (overall.data?.error ?? 0) > 0
  const byField = useQuery({ ...countsQuery(sheetId, {}, true), enabled: hasErrors })
  const warnings = useQuery({
    ...countsQuery(sheetId, { filter: 'warning' }),
    enabled: overall.data !== undefined && overall.data.total > 0 && overall.data.total <= MAX_COUNTED_WARNINGS,
  })
  return {
    counts,
    overall,
    warnings: warnings.data?.total,
    errors: (hasErrors && byField.data?.errorsByField) || NONE,
  }
}
