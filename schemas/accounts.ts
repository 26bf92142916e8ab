/** Accounts: the company that owns environments and users. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { data, list } from './page.ts'

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

export const Entitlement = z.object({ key: z.string(), metadata: z.string().optional() })

export const entitlements = endpoint({
  id: 'accounts.entitlements',
  method: 'GET',
  path: '/entitlements',
  summary: 'Lists what is switched on beyond the usual for a resource: nothing is',
  description: 'Public extractor plugins ask for it before they read a file.',
  policy: { can: 'account:read', on: 'account' },
  query: z.object({ resourceId: Id }),
  reply: list(Entitlement),
  example: { query: { resourceId: '{spaceId}' } },
})
