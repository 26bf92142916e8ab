/** The schema of data clips. Access checks load only this file, not the endpoints. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

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
