/** Accounts and what they are entitled to, over HTTP. */

import { loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { notFound } from '../lib/core/errors.ts'
import { parseKind } from '../lib/core/ids.ts'
import { Accounts } from '../lib/entities/accounts.ts'
import { Entitlements } from '../lib/entities/entitlements.ts'
import { getMonth, listMonthlyUsage } from '../lib/entities/usage.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as accounts from '../schemas/accounts/endpoints.ts'
import { PUBLIC_ENTITLEMENTS } from '../schemas/accounts/shape.ts'

export const current = serve(accounts.current)(async ({ account }) => ({ data: account }))

export const update = serve(accounts.update)(async ({ account, body, caller, tx }) => {
  if (body.defaultAppId !== undefined) await loadScope('app', caller, body.defaultAppId)
  const changed = mergeDefined(account, body)
  if (diffFields(account, changed).length === 0) return { data: account }
  const after = { ...changed, updatedAt: tx.now }
  tx.write(Accounts.replace(account, after))
  return { data: after }
})

export const usage = serve(accounts.usage)(async ({ account, query, tx }) => ({
  data: await listMonthlyUsage(account.id, query.month ?? getMonth(tx.now)),
}))

async function resolveAncestors(caller: Principal, id: string): Promise<string[]> {
  const { accountId } = caller
  switch (parseKind(id)) {
    case 'account':
      if (id !== accountId) throw notFound('account', id)
      return [id]
    case 'environment':
      return [(await loadScope('environment', caller, id)).id, accountId]
    case 'space':
      return [id, (await loadScope('space', caller, id)).environmentId, accountId]
    default: {
      const resource = Object.values(await loadScope('resource', caller, id)).find(
        (value) => typeof value === 'object',
      ) as {
        environmentId: string
        spaceId?: string
      }
      return [...(resource.spaceId ? [resource.spaceId] : []), resource.environmentId, accountId]
    }
  }
}

export const entitlements = serve(accounts.entitlements)(async ({ caller, query }) => {
  const found = await Entitlements.resolve(await resolveAncestors(caller, query.resourceId))
  const livesInSpaces = caller.grants !== undefined || caller.spaceId !== undefined
  return { data: livesInSpaces ? found.filter(({ key }) => PUBLIC_ENTITLEMENTS.includes(key)) : found }
})

const ENTITLED = ['account', 'environment', 'space']

export const entitle = serve(accounts.entitle)(async ({ caller, body, tx }) => {
  if (!ENTITLED.includes(parseKind(body.resourceId) ?? '')) throw notFound('accountEnvironmentOrSpace', body.resourceId)
  const [id] = await resolveAncestors(caller, body.resourceId)
  await Entitlements.set(tx, id!, body.entitlements)
  return { data: body.entitlements }
})

export const handler = lambda(current, update, usage, entitlements, entitle)
