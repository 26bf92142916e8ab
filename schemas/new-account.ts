/** What a new account is made of: given by the operator of a deployment, never over HTTP. */
import * as z from 'zod'
import { Email } from './guests.ts'

export const NewAccountConfig = z.object({
  /** The account's name. */
  account: z.string().trim().min(1).max(200),
  /** Its first administrator. */
  name: z.string().trim().min(1).max(200),
  email: Email,
  /** Made up when it is not given. */
  password: z.string().min(12, 'must have at least 12 characters').max(200).optional(),
})
