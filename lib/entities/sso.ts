/** An account's single sign-on configuration, at most one; the client secret is encrypted. */
import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = z.object({
  id: Id,
  issuer: z.string(),
  clientId: z.string(),
  /** Accept addresses as verified without the `email_verified` claim. */
  trustEmails: z.boolean().default(false),
  sealedSecret: z.string().optional(),
  createdAt: Time,
  updatedAt: Time,
})

export const SignOns = entity({ name: 'sso', shape: Shape, by: {} })
export type StoredSignOn = Stored<typeof Shape>
