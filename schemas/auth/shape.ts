import * as z from 'zod'
import { Id, Time, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'

export const AccessToken = z.object({
  accessToken: z.string(),
  expiresIn: z.string(),
  expires: Time,
  email: z.string().optional(),
  userId: Id.optional(),
  accountId: Id.optional(),
})

export const UserCredentials = z.object({
  type: z.literal('userCredentials').optional(),
  email: z.string().min(1),
  password: z.string().min(1),
  accountId: nullish(unscoped('the account whose user signs in with the password')),
})
export const ApiCredentials = z.object({
  type: z.literal('apiCredentials').optional(),
  clientId: unscoped('identified only by its secret', z.string().min(1)),
  secret: z.string().min(1),
})

export const KeyType = z.enum(['SECRET', 'PUBLISHABLE'])

export const ApiKey = z.object({
  id: Id,
  rawKey: z.string().optional(),
  type: KeyType,
  environmentId: Id,
  accountId: Id,
  operations: z.array(z.object({ path: z.string(), method: z.string() })),
  createdAt: Time,
})
export type ApiKey = z.infer<typeof ApiKey>
