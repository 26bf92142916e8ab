/** The shape of a secret. Its endpoints are in secrets.ts. */
import * as z from 'zod'
import { Id } from './ids.ts'

export const Secret = z.object({
  id: Id,
  name: z.string(),
  /** In clear: whoever may read secrets needs their values. */
  value: z.string(),
  environmentId: Id,
  /** Set on a secret of one space. */
  spaceId: Id.optional(),
  /** Set on a secret of one user or agent. */
  actorId: Id.optional(),
})
export type Secret = z.infer<typeof Secret>
