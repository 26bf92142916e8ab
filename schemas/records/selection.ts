/** Query parameters that select and sort records, shared by reads and bulk writes. */
import * as z from 'zod'
import { ID_SCOPES, scoped, unscoped } from '../kit/ids.ts'
import { QueryBoolean, QueryList, QueryNumber } from '../kit/page.ts'
import { MAX_PARTS_PER_COMMIT } from './limits.ts'

export const MAX_IDS_PER_CALL = 100
export const MAX_QUERY_LENGTH = 10_000
/** Limit of a `like` pattern with `_`, which costs time for every character of a value. */
export const MAX_WILDCARD_PATTERN_LENGTH = 1000

export const RecordIds = QueryList(MAX_IDS_PER_CALL).register(ID_SCOPES, { kinds: ['record'], rejectsForeign: false })

/**
 * `ids` only selects these records; with a filter, a search or a query it excludes them. `commitId` selects records
 * changed in that commit, `sinceCommitId` those changed after it. `versionId` is the older name.
 */
export const selectionParams = {
  filter: z.enum(['valid', 'error', 'all', 'none']).optional(),
  filterField: z.string().optional(),
  /** Part of a value, ignoring case; a quoted text matches the whole value, and `""` matches empty cells. */
  searchValue: z.string().optional(),
  searchField: z.string().optional(),
  q: z.string().max(MAX_QUERY_LENGTH).optional(),
  ids: RecordIds.optional(),
  commitId: scoped('commit').optional(),
  versionId: scoped('commit').optional(),
  sinceCommitId: scoped('commit').optional(),
  sinceVersionId: scoped('commit').optional(),
  for: scoped('event').optional(),
}

export const readParams = {
  ...selectionParams,
  asOfCommitId: scoped('commit').optional(),
  part: QueryNumber(1, MAX_PARTS_PER_COMMIT)
    .optional()
    .describe(
      'Only this of `parts` equal parts of the records that `commitId` wrote, from 1. Later changes move no record.',
    ),
  parts: QueryNumber(1, MAX_PARTS_PER_COMMIT).optional().describe('Number of parts that `part` counts.'),
}

export const writeParams = {
  silent: QueryBoolean.optional(),
  /** The event this write responds to. An agent that names it is not called for the commit. */
  for: unscoped('recorded with the commit, and compared with the event that an agent was called for').optional(),
}

/** For callers that read the sheet before, such as a preview. */
export const versionCondition = {
  ifVersionId: unscoped('compared with the latest version of the sheet').optional(),
}

export const interpretParam = { interpret: QueryBoolean.optional() }

export const sortParams = {
  sortField: z.string().optional(),
  sortDirection: z.enum(['asc', 'desc']).optional(),
}

const Selection = z.object({ ...readParams, ...sortParams }).partial()
export type SelectionQuery = z.output<typeof Selection>
