/** Data clips as they are shown and stored; what guards endpoints reads this file alone. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** What a new clip's status is; a merged one's says so, and no other word a client gives a clip means anything. */
export const OPEN = 'open'
export const MERGED = 'merged'

export const SharedLinkAccess = z.enum(['public', 'restricted'])

/** A copy of some records of a sheet, in a workbook of its own, for those who are to see these and no others. */
export const Clip = z.object({
  id: Id,
  name: z.string(),
  description: z.string().optional(),
  sourceSheetId: Id,
  /** The copy's. */
  clipSheetId: Id,
  workbookId: Id,
  spaceId: Id,
  /** `open`, `merged` or any word a client gave it. */
  status: z.string(),
  /** Ids of guests and users. */
  collaborators: z.array(Id),
  /** `public`: whoever has the link comes in with an address. */
  sharedLinkAccess: SharedLinkAccess,
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
  mergedAt: Time.optional(),
  /** The commit of the source that took the changes over; absent where there were none. */
  mergedCommitId: Id.optional(),
})
export type Clip = z.infer<typeof Clip>
