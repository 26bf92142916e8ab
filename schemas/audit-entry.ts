/** Entries of the audit log: who changed what others may do, and who looked at secrets. */
import * as z from 'zod'
import { Id, Time } from './ids.ts'

/** Entries one answer has at most. */
export const ENTRIES_AT_ONCE = 1000

export const AuditEntry = z.object({
  id: Id,
  accountId: Id,
  createdAt: Time,
  /** What was done: the endpoint's id, as `users.assignRole`. */
  action: z.string(),
  actorId: Id,
  /** As what the actor did it. */
  role: z.string(),
  /** The key or personal access token it did it with. */
  credentialId: Id.optional(),
  /** Where the request came from. */
  address: z.string(),
  userAgent: z.string().optional(),
  /** Ids of what it is about. */
  resources: z.array(Id),
  /** The thing before and after, without values that let anybody in. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
