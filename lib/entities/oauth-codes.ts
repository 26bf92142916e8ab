/** Codes that a user approved, until the client exchanges them. Only the hash of a code is stored. */
import * as z from 'zod'
import { Id } from '../../schemas/kit/ids.ts'
import { AgentAccess } from '../../schemas/oauth/shape.ts'
import { entity } from '../table/entity.ts'

const Shape = z.object({
  /** SHA-256 of the code. */
  id: z.string(),
  accountId: Id,
  userId: Id,
  clientHash: z.string(),
  clientName: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
  environmentId: Id,
  access: AgentAccess,
  /** Seconds since 1970. */
  expires: z.number(),
})

export const OAuthCodes = entity({ name: 'oauth-code', shape: Shape, by: {} })
