import * as z from 'zod'
import { Id, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'
import { MAX_QUERY_LENGTH } from '../records/selection.ts'

const MAX_KEYS_LENGTH = 30_000

const storedId = unscoped('stored for clients, which send it with a query for records, and that query resolves it')

export const ViewConfig = z.object({
  versionId: nullish(storedId),
  commitId: nullish(storedId),
  sinceVersionId: nullish(storedId),
  sinceCommitId: nullish(storedId),
  sortField: nullish(z.string().max(512)),
  sortDirection: nullish(z.enum(['asc', 'desc'])),
  filter: nullish(z.enum(['valid', 'error', 'all', 'none'])),
  filterField: nullish(z.string().max(512)),
  searchValue: nullish(z.string().max(MAX_QUERY_LENGTH)),
  searchField: nullish(z.string().max(512)),
  ids: nullish(z.array(storedId).max(1000)),
  pageSize: nullish(z.number().int().min(1).max(10_000)),
  pageNumber: nullish(z.number().int().min(1)),
  includeCounts: nullish(z.boolean()),
  includeLength: nullish(z.boolean()),
  includeLinks: nullish(z.boolean()),
  includeMessages: nullish(z.boolean()),
  for: nullish(storedId),
  q: nullish(z.string().max(MAX_QUERY_LENGTH)),
  hiddenColumns: nullish(
    z
      .array(z.string().max(512))
      .refine(
        (keys) => keys.join().length <= MAX_KEYS_LENGTH,
        message('records.viewKeysTooLong', { count: MAX_KEYS_LENGTH }),
      ),
  ),
})

export const View = z.object({
  id: Id,
  sheetId: Id,
  name: z.string(),
  config: ViewConfig,
  createdBy: Id,
})

export const MAX_VIEWS_PER_SHEET = 1000
