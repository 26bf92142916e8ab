/** Views as they are shown and stored; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { free, Id } from './ids.ts'
import { maybe } from './optional.ts'
import { QUERY_CHARACTERS } from './selection.ts'

/** Of the keys of columns in a view, together. */
const KEYS_CHARACTERS = 30_000

const held = free('stored for clients, which send it with a query for records: that query loads it')

/** The parameters of a query for records, as they are given there; the query itself judges them. */
export const ViewConfig = z.object({
  versionId: maybe(held),
  commitId: maybe(held),
  sinceVersionId: maybe(held),
  sinceCommitId: maybe(held),
  sortField: maybe(z.string().max(512)),
  sortDirection: maybe(z.enum(['asc', 'desc'])),
  filter: maybe(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: maybe(z.string().max(512)),
  searchValue: maybe(z.string().max(QUERY_CHARACTERS)),
  searchField: maybe(z.string().max(512)),
  ids: maybe(z.array(held).max(1000)),
  pageSize: maybe(z.number().int().min(1).max(10_000)),
  pageNumber: maybe(z.number().int().min(1)),
  includeCounts: maybe(z.boolean()),
  includeLength: maybe(z.boolean()),
  includeLinks: maybe(z.boolean()),
  includeMessages: maybe(z.boolean()),
  for: maybe(held),
  q: maybe(z.string().max(QUERY_CHARACTERS)),
  /** Columns that are not shown, as in the outcome of a job; a read of records has no use for it. */
  hiddenColumns: maybe(
    z.array(z.string().max(512)).refine((keys) => keys.join().length <= KEYS_CHARACTERS, 'must be shorter together'),
  ),
})

/** A query for records of a sheet, kept under a name. */
export const View = z.object({
  id: Id,
  sheetId: Id,
  name: z.string(),
  config: ViewConfig,
  createdBy: Id,
})
