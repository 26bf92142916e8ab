/** An account's single sign-on: at most one; the client's secret is sealed. */
import * as z from 'zod'
import { Id, Time } from '../../schemas/ids.ts'
import { entity, type Stored } from '../table/entity.ts'

const Shape = z.object({
  /** The account's id. */
  id: Id,
  issuer: z.string(),
  clientId: z.string(),
  /** Addresses count as proven without the claim `email_verified`. */
  trustEmails: z.boolean().default(false),
  sealedSecret: z.string().optional(),
  createdAt: Time,
  updatedAt: Time,
})

export const SignOns = entity({ name: 'sso', shape: Shape, by: {} })
export type StoredSignOn = Stored<typeof Shape>
