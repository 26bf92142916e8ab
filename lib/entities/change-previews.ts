/** Changes that an AI agent previewed, until they are applied or expire. */
import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

/** An item has at most 400 KB. */
export const MAX_CHANGE_LENGTH = 300_000

const Shape = z.object({
  id: Id,
  accountId: Id,
  actorId: Id,
  change: z.string(),
  /** The reply when it was applied, as JSON. */
  result: z.string().optional(),
  /** Seconds since 1970. */
  expires: z.number(),
})

export const ChangePreviews = entity({ name: 'change-preview', shape: Shape, by: {} })
export type StoredChangePreview = Stored<typeof Shape>
