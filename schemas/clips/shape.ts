import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

/** Clients can set any other status, which has no effect. */
export const OPEN = 'open'
export const MERGED = 'merged'

export const SharedLinkAccess = z.enum(['public', 'restricted'])

/** A copy of selected records in a separate workbook, for people who may only see these. */
export const Clip = z.object({
  id: Id,
  name: z.string(),
  description: z.string().optional(),
  sourceSheetId: Id,
  clipSheetId: Id,
  workbookId: Id,
  spaceId: Id,
  status: z.string(),
  collaborators: z.array(Id),
  /** `public`: anyone with the link can open the clip after entering an email address. */
  sharedLinkAccess: SharedLinkAccess,
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
  mergedAt: Time.optional(),
  mergedCommitId: Id.optional(),
})
export type Clip = z.infer<typeof Clip>

/** Limited because all are added in one transaction, which holds 100 writes and events. */
export const MAX_COLLABORATORS_PER_CLIP = 20
export const MAX_RECORDS_PER_ADDITION = 10_000
export const MAX_ADDITIONS_PER_CLIP = 100
export const MAX_DECISIONS_PER_CLIP = 5000
export const MAX_RESOLUTIONS_PER_EVENT = 200
