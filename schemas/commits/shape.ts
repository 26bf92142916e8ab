import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const Commit = z.object({
  id: Id,
  sheetId: Id,
  createdBy: z.string(),
  createdAt: Time,
  completedBy: z.string().optional(),
  completedAt: Time.optional(),
})

/** `created` are records that the commit had deleted, and `deleted` those it had created. */
export const CommitUndone = z.object({
  sheetId: Id,
  commitId: Id.optional(),
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
})
export type CommitUndone = z.infer<typeof CommitUndone>
