/** Endpoints for accounts: the companies that own environments and users. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { Account, Entitlement, MAX_ENTITLEMENTS_PER_CALL } from './shape.ts'
import { Month, MonthlyUsage } from './usage.ts'

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
  summary: "Updates the caller's account",
  policy: { can: 'account:write', on: 'account' },
  audit: 'change',
  body: z.object({ name: nullish(z.string().trim().min(1).max(500)), defaultAppId: nullish(scoped('app')) }),
  reply: data(Account),
  errors: ['not-found', 'conflict'],
  example: { body: { name: 'Analytical Engines' } },
})
export const usage = endpoint({
  id: 'accounts.usage',
  method: 'GET',
  path: '/accounts/current/usage',
  summary: 'Lists the usage of each environment of the account in a month, including deleted environments',
  description: 'Measured as in `GET /environments/{environmentId}/usage`.',
  policy: { can: 'account:write', on: 'account' },
  query: z.object({
    month: Month.optional(),
  }),
  reply: list(MonthlyUsage),
  example: { query: { month: '2026-11' } },
})

export const entitlements = endpoint({
  id: 'accounts.entitlements',
  method: 'GET',
  path: '/entitlements',
  summary: 'Lists the entitlements that apply to a resource, including those of its space, environment and account',
  description: 'If several have the same key, the one closest to the resource applies.',
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
  summary: 'Replaces the entitlements of an account, environment or space',
  policy: { can: 'entitlements:write', on: 'environments' },
  body: z.object({
    resourceId: scoped('account', 'environment', 'space'),
    entitlements: z
      .array(Entitlement)
      .max(MAX_ENTITLEMENTS_PER_CALL)
      .refine(
        (entries) => new Set(entries.map(({ key }) => key)).size === entries.length,
        message('requests.duplicateEntitlements'),
      ),
  }),
  reply: list(Entitlement),
  errors: ['not-found', 'conflict'],
  example: {
    body: { resourceId: '{spaceId}', entitlements: [{ key: 'customRecordsPageSize', metadata: { pageSize: 5000 } }] },
  },
})
