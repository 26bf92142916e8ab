/** Accounts: the company that owns environments and users. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { data } from './page.ts'

export const Account = z.object({
  id: Id,
  name: z.string(),
  subdomain: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: Time,
  updatedAt: Time,
})
export type Account = z.infer<typeof Account>

export const current = endpoint({
  id: 'accounts.current',
  method: 'GET',
  path: '/accounts/current',
  summary: "Reads the caller's account",
  policy: { can: 'account:read', on: 'account' },
  reply: data(Account),
  example: {},
})
