import type * as z from 'zod'
import { addEnvironmentKey } from '../lib/auth/environment-keys.ts'
import { withNextLink } from '../lib/auth/link-version.ts'
import { loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { conflict, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { Autobuilds } from '../lib/entities/autobuilds.ts'
import { Environments, environmentContext, type StoredEnvironment } from '../lib/entities/environments.ts'
import { Keys } from '../lib/entities/keys.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { Tx } from '../lib/tx.ts'
import { assertRules } from '../lib/workbooks/rules.ts'
import type { AutobuildConfig } from '../schemas/environments/autobuild.ts'
import * as environments from '../schemas/environments/endpoints.ts'
import * as environmentEvents from '../schemas/environments/events.ts'
import type { Environment } from '../schemas/environments/shape.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

/** Keys are deleted with their environment in one transaction, which holds 100 writes and events. */
const MAX_KEYS_PER_TRANSACTION = 90

const buildSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63) || 'environment'

const assertSlugFree = (tx: Tx, { slug }: Environment) =>
  tx.onConflict(() => conflict(message('requests.environmentSlugTaken', { slug })))

/** Checks that another production environment remains, and makes the transaction depend on it. */
async function assertProductionRemains(tx: Tx, { id, accountId, isProd }: StoredEnvironment): Promise<void> {
  if (!isProd) return
  const all = await Environments.inAccount(accountId)
  const remaining = all.find((environment) => environment.isProd && environment.id !== id)
  if (!remaining) throw conflict(message('requests.lastProduction'))
  tx.write(Environments.staysProduction(remaining.id))
}

export const list = serve(environments.list)(async ({ environments: all, query }) => paginate(all, query))

export const create = serve(environments.create)(async ({ account, body, tx }) => {
  const environment: Environment = {
    ...body,
    id: newId('environment'),
    accountId: account.id,
    slug: body.slug ?? buildSlug(body.name),
    guestAuthentication: body.guestAuthentication ?? 'shared_link',
    features: {},
    metadata: body.metadata ?? {},
  }
  Environments.insert(tx, environment)
  addEnvironmentKey(tx, environment.id, 'SECRET')
  addEnvironmentKey(tx, environment.id, 'PUBLISHABLE')
  const { name, slug, isProd } = environment
  tx.emit(environmentEvents.created, environmentContext(environment), {
    environmentId: environment.id,
    name,
    slug,
    isProd,
  })
  assertSlugFree(tx, environment)
  return { data: environment }
})

export const get = serve(environments.get)(async ({ environment }) => ({ data: environment }))

export const update = serve(environments.update)(async ({ environment, body, tx }) => {
  const after = mergeDefined(environment, body)
  if (!after.isProd) await assertProductionRemains(tx, environment)
  const changes = diffFields(environment, after)
  if (changes.length > 0) {
    const closesSharedLink =
      environment.guestAuthentication === 'shared_link' && after.guestAuthentication !== 'shared_link'
    Environments.change(tx, environment, closesSharedLink ? withNextLink(after) : after)
    tx.emit(environmentEvents.updated, environmentContext(environment), { environmentId: environment.id, changes })
    assertSlugFree(tx, after)
  }
  return after
})

export const remove = serve(environments.remove)(async ({ environment, caller, tx }) => {
  await assertProductionRemains(tx, environment)
  Environments.delete(tx, environment)
  const keys = await Keys.list('inEnvironment', { environmentId: environment.id }, { limit: MAX_KEYS_PER_TRANSACTION })
  tx.write(...keys.map(Keys.remove))
  tx.emit(environmentEvents.deleted, environmentContext(environment), {
    environmentId: environment.id,
    deletedAt: tx.now,
    deletedBy: caller.actorId,
  })
  return success
})

async function prepareAutobuild(
  environment: StoredEnvironment,
  body: z.infer<typeof AutobuildConfig>,
  caller: Principal,
  tx: Tx,
) {
  if (body.appId !== undefined) await loadScope('app', caller, body.appId)
  for (const [index, { sheets = [] }] of body.workbooks.entries())
    await assertRules(sheets, (sheet, path) => ['workbooks', index, 'sheets', sheet, ...path].join('.'))
  const { appId } = body
  tx.emit(environmentEvents.autobuildCreated, { ...environmentContext(environment), ...(appId ? { appId } : {}) }, {})
  return {
    ...body,
    id: newId('autobuild'),
    accountId: environment.accountId,
    environmentId: environment.id,
    createdBy: caller.actorId,
    createdAt: tx.now,
  }
}

export const createAutobuild = serve(environments.createAutobuild)(async ({ environment, body, caller, tx }) => {
  const autobuild = await prepareAutobuild(environment, body, caller, tx)
  Autobuilds.insert(tx, autobuild)
  const { appId } = body
  tx.onConflict(() =>
    conflict(
      appId ? message('requests.autobuildOfAppExists', { appId }) : message('requests.autobuildWithoutAppExists'),
    ),
  )
  return { data: autobuild }
})

export const replaceAutobuild = serve(environments.replaceAutobuild)(async ({ environment, body, caller, tx }) => {
  const autobuild = await prepareAutobuild(environment, body, caller, tx)
  const before = await Autobuilds.find(environment.id, body.appId)
  if (!before) {
    Autobuilds.insert(tx, autobuild)
    return { data: autobuild }
  }
  const { id, createdBy, createdAt } = before
  const after = { ...autobuild, id, createdBy, createdAt }
  Autobuilds.replace(tx, before, after)
  return { data: after }
})

export const autobuilds = serve(environments.autobuilds)(async ({ environment }) => ({
  data: await Autobuilds.inEnvironment(environment.id),
}))

export const removeAutobuild = serve(environments.removeAutobuild)(async ({ environment, params, tx }) => {
  const found = (await Autobuilds.inEnvironment(environment.id)).find(({ id }) => id === params.autobuildId)
  if (!found) throw notFound('autobuild', params.autobuildId)
  Autobuilds.delete(tx, found)
  return success
})

export const usage = serve(environments.usage)(async ({ environment, query, tx }) => {
  const { getUsage } = await import('../lib/workbooks/usage.ts')
  return { data: await getUsage(environment, query, tx.now) }
})

export const handler = lambda(
  list,
  create,
  get,
  update,
  remove,
  createAutobuild,
  replaceAutobuild,
  autobuilds,
  removeAutobuild,
  usage,
)
