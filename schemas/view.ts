/** Views as they are shown and stored; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id } from './ids.ts'
import { maybe } from './optional.ts'
import { QUERY_CHARACTERS } from './selection.ts'

/** The parameters of a query for records, as they are given there; the query itself judges them. */
export const ViewConfig = z.object({
  versionId: maybe(Id),
  commitId: maybe(Id),
  sinceVersionId: maybe(Id),
  sinceCommitId: maybe(Id),
  sortField: maybe(z.string().max(512)),
  sortDirection: maybe(z.enum(['asc', 'desc'])),
  filter: maybe(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: maybe(z.string().max(512)),
  searchValue: maybe(z.string().max(QUERY_CHARACTERS)),
  searchField: maybe(z.string().max(512)),
  ids: maybe(z.array(Id).max(1000)),
  pageSize: maybe(z.number().int().min(1).max(10_000)),
  pageNumber: maybe(z.number().int().min(1)),
  includeCounts: maybe(z.boolean()),
  includeLength: maybe(z.boolean()),
  includeLinks: maybe(z.boolean()),
  includeMessages: maybe(z.boolean()),
  for: maybe(Id),
  q: maybe(z.string().max(QUERY_CHARACTERS)),
})

/** A query for records of a sheet, kept under a name. */
export const View = z.object({
  id: Id,
  sheetId: Id,
  name: z.string(),
  config: ViewConfig,
  createdBy: Id,
})
