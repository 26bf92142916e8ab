/** Accounts: the company that owns environments and users. */
import * as z from 'zod'
import { Account, Entitlement } from './account.ts'
import { endpoint } from './endpoint.ts'
import { scoped } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list } from './page.ts'
import { Month, MonthOfUse } from './usage.ts'

export const current = endpoint({
  id: 'accounts.current',
  method: 'GET',
  path: '/accounts/current',
  summary: "Reads the caller's account",
  policy: { can: 'account:read', on: 'account' },
  reply: data(Account),
  example: {},
})
export const update = endpoint({
  id: 'accounts.update',
  method: 'PATCH',
  path: '/accounts/current',
  summary: "Changes the caller's account",
  policy: { can: 'account:write', on: 'account' },
  audit: 'change',
  body: z.object({ name: maybe(z.string().trim().min(1).max(500)), defaultAppId: maybe(scoped('app')) }),
  reply: data(Account),
  errors: ['not-found', 'conflict'],
  example: { body: { name: 'Analytical Engines' } },
})
export const usage = endpoint({
  id: 'accounts.usage',
  method: 'GET',
  path: '/accounts/current/usage',
  summary: 'Lists what each environment of the account used in a month, also those that were deleted since',
  description: 'Counted as in `GET /environments/{environmentId}/usage`.',
  policy: { can: 'account:write', on: 'account' },
  query: z.object({
    /** `yyyy-mm`; the present one unless told. */
    month: Month.optional(),
  }),
  reply: list(MonthOfUse),
  example: { query: { month: '2026-11' } },
})

/** Entitlements one account, environment or space may be given itself. */
export const ENTITLEMENTS = 100
/** Those that public clients ask for in a guest's page; of the others guests and embedded pages learn nothing. */
export const OPEN_ENTITLEMENTS: readonly string[] = ['headerSelection', 'sourceEditor', 'customRecordsPageSize']

export const entitlements = endpoint({
  id: 'accounts.entitlements',
  method: 'GET',
  path: '/entitlements',
  summary: 'Lists what holds for a thing: given to it, its space, its environment or the account',
  description: 'Of several with one key the nearest holds.',
  policy: { can: 'entitlements:read', on: 'environments' },
  query: z.object({
    resourceId: scoped('account', 'environment', 'space', 'workbook', 'sheet', 'file', 'document', 'agent'),
  }),
  reply: list(Entitlement),
  errors: ['not-found'],
  example: { query: { resourceId: '{spaceId}' } },
})
export const entitle = endpoint({
  id: 'accounts.entitle',
  method: 'PUT',
  path: '/entitlements',
  summary: 'Says what an account, an environment or a space is entitled to itself, in place of what was said before',
  policy: { can: 'entitlements:write', on: 'environments' },
  body: z.object({
    resourceId: scoped('account', 'environment', 'space'),
    entitlements: z
      .array(Entitlement)
      .max(ENTITLEMENTS)
      .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must name each key once'),
  }),
  reply: list(Entitlement),
  errors: ['not-found', 'conflict'],
  example: {
    body: { resourceId: '{spaceId}', entitlements: [{ key: 'customRecordsPageSize', metadata: { pageSize: 5000 } }] },
  },
})
