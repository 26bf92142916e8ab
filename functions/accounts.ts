/** Accounts and what they are entitled to, over HTTP. */

import type { Principal } from '../lib/auth/principal.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { notFound } from '../lib/core/errors.ts'
import { kindOf } from '../lib/core/ids.ts'
import { Accounts } from '../lib/entities/accounts.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import { Entitlements } from '../lib/entities/entitlements.ts'
import { monthOf, usedIn } from '../lib/entities/usage.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as accounts from '../schemas/accounts.ts'

export const current = serve(accounts.current)(async ({ account }) => ({ data: account }))

export const update = serve(accounts.update)(async ({ account, body, caller, tx }) => {
  if (body.defaultAppId !== undefined) await loadScope('app', caller, body.defaultAppId)
  const changed = merged(account, body)
  if (changesBetween(account, changed).length === 0) return { data: account }
  const after = { ...changed, updatedAt: tx.now }
  tx.write(Accounts.replace(account, after))
  return { data: after }
})

export const usage = serve(accounts.usage)(async ({ account, query, tx }) => ({
  data: await usedIn(account.id, query.month ?? monthOf(tx.now)),
}))

/** The thing and all that is around it, nearest first. @throws 404 for what the caller cannot know of */
async function around(caller: Principal, id: string): Promise<string[]> {
  const { accountId } = caller
  switch (kindOf(id)) {
    case 'account':
      if (id !== accountId) throw notFound('account', id)
      return [id]
    case 'environment':
      return [(await loadScope('environment', caller, id)).id, accountId]
    case 'space':
      return [id, (await loadScope('space', caller, id)).environmentId, accountId]
    default: {
      const thing = Object.values(await loadScope('resource', caller, id)).find(
        (value) => typeof value === 'object',
      ) as {
        environmentId: string
        spaceId?: string
      }
      return [...(thing.spaceId ? [thing.spaceId] : []), thing.environmentId, accountId]
    }
  }
}

export const entitlements = serve(accounts.entitlements)(async ({ caller, query }) => {
  const found = await Entitlements.of(await around(caller, query.resourceId))
  const livesInSpaces = caller.grants !== undefined || caller.spaceId !== undefined
  return { data: livesInSpaces ? found.filter(({ key }) => accounts.OPEN_ENTITLEMENTS.includes(key)) : found }
})

const ENTITLED = ['account', 'environment', 'space']

export const entitle = serve(accounts.entitle)(async ({ caller, body, tx }) => {
  if (!ENTITLED.includes(kindOf(body.resourceId) ?? ''))
    throw notFound('account, environment or space', body.resourceId)
  const [id] = await around(caller, body.resourceId)
  await Entitlements.set(tx, id!, body.entitlements)
  return { data: body.entitlements }
})

export const handler = lambda(current, update, usage, entitlements, entitle)
