/** The schema of a secret. Endpoints are in secrets.ts. */
import * as z from 'zod'
import { Id } from './ids.ts'

export const Secret = z.object({
  id: Id,
  name: z.string(),
  /** Plain text: readers of secrets need the value. */
  value: z.string(),
  environmentId: Id,
  spaceId: Id.optional(),
  actorId: Id.optional(),
})
export type Secret = z.infer<typeof Secret>
