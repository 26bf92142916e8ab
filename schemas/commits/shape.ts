import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const MAX_OWN_COMMIT_ENTRIES = 2000

export const Commit = z.object({
  id: Id,
  sheetId: Id,
  createdBy: z.string(),
  createdByName: z.string().optional(),
  createdAt: Time,
  completedBy: z.string().optional(),
  completedAt: Time.optional(),
  /** The commit that this one undid. */
  undoes: Id.optional(),
  /** The job that made the commit. */
  jobId: Id.optional(),
  counts: z.object({ created: z.number().int(), updated: z.number().int(), deleted: z.number().int() }).optional(),
})
export type Commit = z.infer<typeof Commit>

/** `created` are records that the commit had deleted, and `deleted` those it had created. */
export const CommitUndone = z.object({
  sheetId: Id,
  commitId: Id.optional(),
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
})
export type CommitUndone = z.infer<typeof CommitUndone>
