/** Environments over HTTP. */

import { addKey } from '../lib/auth/environment-keys.ts'
import { withNextLink } from '../lib/auth/link-version.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { conflict, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { Autobuilds } from '../lib/entities/autobuilds.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import { Environments, environmentContext, type StoredEnvironment } from '../lib/entities/environments.ts'
import { Keys } from '../lib/entities/keys.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { Tx } from '../lib/tx.ts'
import type { Environment } from '../schemas/environment.ts'
import * as environments from '../schemas/environments.ts'
import { success } from '../schemas/page.ts'

/** Keys removed with their environment in one transaction; it holds 100 writes and events. */
const KEYS_AT_ONCE = 90

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63) || 'environment'

const refuseTakenSlug = (tx: Tx, { slug }: Environment) =>
  tx.onConflict(() =>
    conflict(`There is an environment with the slug ${slug} already, or this one was changed at the same time.`),
  )

/** One production environment stays: another must be there when this one goes, or becomes one for development. */
async function keepProduction(tx: Tx, { id, accountId, isProd }: StoredEnvironment): Promise<void> {
  if (!isProd) return
  const all = await Environments.inAccount(accountId)
  const other = all.find((environment) => environment.isProd && environment.id !== id)
  if (!other) throw conflict('This is the last production environment of the account: create another one first.')
  tx.write(Environments.staysProduction(other.id))
}

export const list = serve(environments.list)(async ({ environments: all, query }) => pageOf(all, query))

export const create = serve(environments.create)(async ({ account, body, tx }) => {
  const environment: Environment = {
    ...body,
    id: newId('environment'),
    accountId: account.id,
    slug: body.slug ?? slugOf(body.name),
    guestAuthentication: body.guestAuthentication ?? 'shared_link',
    features: {},
    metadata: body.metadata ?? {},
  }
  Environments.insert(tx, environment)
  addKey(tx, environment.id, 'SECRET')
  addKey(tx, environment.id, 'PUBLISHABLE')
  const { name, slug, isProd } = environment
  tx.emit(environments.created, environmentContext(environment), { environmentId: environment.id, name, slug, isProd })
  refuseTakenSlug(tx, environment)
  return { data: environment }
})

export const get = serve(environments.get)(async ({ environment }) => ({ data: environment }))

export const update = serve(environments.update)(async ({ environment, body, tx }) => {
  const after = merged(environment, body)
  if (!after.isProd) await keepProduction(tx, environment)
  const changes = changesBetween(environment, after)
  if (changes.length > 0) {
    const closing = environment.guestAuthentication === 'shared_link' && after.guestAuthentication !== 'shared_link'
    Environments.change(tx, environment, closing ? withNextLink(after) : after)
    tx.emit(environments.updated, environmentContext(environment), { environmentId: environment.id, changes })
    refuseTakenSlug(tx, after)
  }
  return after
})

export const remove = serve(environments.remove)(async ({ environment, caller, tx }) => {
  await keepProduction(tx, environment)
  Environments.delete(tx, environment)
  // Keys end with the request; whatever else hangs below is removed in the background.
  const keys = await Keys.list('inEnvironment', { environmentId: environment.id }, { limit: KEYS_AT_ONCE })
  tx.write(...keys.map(Keys.remove))
  tx.emit(environments.deleted, environmentContext(environment), {
    environmentId: environment.id,
    deletedAt: tx.now,
    deletedBy: caller.actorId,
  })
  return success
})

export const createAutobuild = serve(environments.createAutobuild)(async ({ environment, body, caller, tx }) => {
  if (body.appId !== undefined) await loadScope('app', caller, body.appId)
  const autobuild = {
    ...body,
    id: newId('autobuild'),
    accountId: environment.accountId,
    environmentId: environment.id,
    createdBy: caller.actorId,
    createdAt: tx.now,
  }
  Autobuilds.insert(tx, autobuild)
  const { appId } = body
  tx.emit(environments.autobuildCreated, { ...environmentContext(environment), ...(appId ? { appId } : {}) }, {})
  tx.onConflict(() => conflict(`There is an autobuild configuration ${appId ? `of the app ${appId}` : 'of no app'}.`))
  return { data: autobuild }
})

export const autobuilds = serve(environments.autobuilds)(async ({ environment }) => ({
  data: await Autobuilds.inEnvironment(environment.id),
}))

export const removeAutobuild = serve(environments.removeAutobuild)(async ({ environment, params, tx }) => {
  const found = (await Autobuilds.inEnvironment(environment.id)).find(({ id }) => id === params.autobuildId)
  if (!found) throw notFound('autobuild configuration', params.autobuildId)
  Autobuilds.delete(tx, found)
  return success
})

export const usage = serve(environments.usage)(async ({ environment, query, tx }) => {
  const { usageOf } = await import('../lib/workbooks/usage.ts')
  return { data: await usageOf(environment, query, tx.now) }
})

export const handler = lambda(list, create, get, update, remove, createAutobuild, autobuilds, removeAutobuild, usage)
