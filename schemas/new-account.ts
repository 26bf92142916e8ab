/** The configuration of a new account. Only the operator of a deployment can provide it, never over HTTP. */
import * as z from 'zod'
import { Email } from './guests.ts'

export const NewAccountConfig = z.object({
  account: z.string().trim().min(1).max(200),
  name: z.string().trim().min(1).max(200),
  email: Email,
  password: z.string().min(12, 'must have at least 12 characters').max(200).optional(),
})
