/** Users: the administrators of an account. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { data, paged, pageQuery } from './page.ts'

export const User = z.object({
  id: Id,
  accountId: Id,
  email: z.string(),
  name: z.string(),
  /** Who vouches for the user: `wharf` for e-mail and password. */
  idp: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: Time,
  updatedAt: Time,
  lastSeenAt: Time.optional(),
})
export type User = z.infer<typeof User>

export const list = endpoint({
  id: 'users.list',
  method: 'GET',
  path: '/users',
  summary: "Lists the account's users",
  policy: { can: 'users:read', on: 'account' },
  query: z.object({ email: z.string().optional(), search: z.string().optional(), ...pageQuery(20) }),
  reply: paged(User),
  example: {},
})

export const get = endpoint({
  id: 'users.get',
  method: 'GET',
  path: '/users/{userId}',
  summary: 'Reads a user',
  policy: { can: 'users:read', on: 'user', at: 'params.userId' },
  params: z.object({ userId: Id }),
  reply: data(User),
  example: { params: { userId: '{userId}' } },
})
