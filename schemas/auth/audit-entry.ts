/** The schema of the audit log: changes of access rights, and reads of secrets. */
import * as z from 'zod'
import { Id, Time } from '../kit/ids.ts'

export const MAX_ENTRIES_PER_PAGE = 1000

export const AuditEntry = z.object({
  id: Id,
  accountId: Id,
  createdAt: Time,
  action: z.string(),
  actorId: Id,
  role: z.string(),
  credentialId: Id.optional(),
  address: z.string(),
  userAgent: z.string().optional(),
  resources: z.array(Id),
  /** The resource before and after, without secrets. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
