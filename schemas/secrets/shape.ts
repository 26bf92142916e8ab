import * as z from 'zod'
import { Id } from '../kit/ids.ts'

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

export const MAX_SECRET_NAME_LENGTH = 1024
export const MAX_SECRET_VALUE_LENGTH = 4096
export const MAX_SECRETS_PER_SCOPE = 200
