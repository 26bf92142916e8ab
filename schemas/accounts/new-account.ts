/** The configuration of a new account. Only the operator of a deployment can provide it, never over HTTP. */

import * as z from 'zod'
import { Email } from '../guests/shape.ts'
import { message } from '../messages/index.ts'

export const NewAccountConfig = z.object({
  account: z.string().trim().min(1).max(200),
  name: z.string().trim().min(1).max(200),
  email: Email,
  password: z
    .string()
    .min(12, message('shape.charactersAtLeast', { count: 12 }))
    .max(200)
    .optional(),
})
