/** Which records a request means, and in which order: query parameters shared by reads and by changes of many records. */
import * as z from 'zod'
import { free, ID_SCOPES, scoped } from './ids.ts'
import { QueryBoolean, QueryList } from './page.ts'

/** One call names at most this many records by `ids`. */
export const IDS_PER_CALL = 100
/** Characters of an FFQL query. */
export const QUERY_CHARACTERS = 10_000
/** Characters of a pattern of `like` with a `_` in it: each costs time for each character of a value. */
export const WILDCARD_PATTERN_CHARACTERS = 1000

/** Records of the sheet. */
export const RecordIds = QueryList(IDS_PER_CALL).register(ID_SCOPES, { kinds: ['record'], refused: false })

/**
 * `ids` alone: these records; with a filter, a search or a query: all but these. `commitId`: records changed in that commit;
 * `sinceCommitId`: changed after it. `versionId` is the older name.
 */
export const meaning = {
  filter: z.enum(['valid', 'error', 'all', 'none']).optional(),
  /** Restricts `filter` to the cells of one field. */
  filterField: z.string().optional(),
  /** Part of a value in any letter case; in double quotes the whole value; `""` for empty cells. */
  searchValue: z.string().optional(),
  searchField: z.string().optional(),
  /** A query such as `age gt 30 and (city eq "New York" or name is error)`. */
  q: z.string().max(QUERY_CHARACTERS).optional(),
  ids: RecordIds.optional(),
  commitId: scoped('commit').optional(),
  versionId: scoped('commit').optional(),
  sinceCommitId: scoped('commit').optional(),
  sinceVersionId: scoped('commit').optional(),
  /** The event whose records are meant, when nothing else says which. */
  for: scoped('event').optional(),
}

/** What a read means. */
export const selection = {
  ...meaning,
  /** The records as they were right after this commit. */
  asOfCommitId: scoped('commit').optional(),
}

/** Whom a write tells. */
export const telling = {
  /** Tells nobody. */
  silent: QueryBoolean.optional(),
  /** The event this write answers: a deployed agent that names it is not called for the commit. */
  for: free('noted with the commit, and compared with the event that an agent was called for').optional(),
}

export const sorting = {
  sortField: z.string().optional(),
  sortDirection: z.enum(['asc', 'desc']).optional(),
}

const Selection = z.object({ ...selection, ...sorting }).partial()
export type SelectionQuery = z.output<typeof Selection>
