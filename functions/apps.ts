import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import {
  AppConstraints,
  Apps,
  type NewConstraint,
  type StoredApp,
  type StoredConstraint,
} from '../lib/entities/apps.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { begin, type Tx } from '../lib/tx.ts'
import * as apps from '../schemas/apps/endpoints.ts'
import { MAX_CONSTRAINTS_PER_APP, MAX_VERSIONS_PER_CONSTRAINT } from '../schemas/apps/shape.ts'
import { message } from '../schemas/messages/index.ts'

const success = { success: true } as const

const assertNamespaceFree = (tx: Tx, namespace: string) =>
  tx.onConflict(() => conflict(message('requests.namespaceTaken', { namespace })))

export const create = serve(apps.create)(async ({ account, body, tx }) => {
  const entity = body.entity ?? 'Space'
  const app = {
    ...body,
    entity,
    entityPlural: body.entityPlural ?? `${entity}s`,
    id: newId('app'),
    accountId: account.id,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  Apps.insert(tx, app)
  assertNamespaceFree(tx, app.namespace)
  return { data: app }
})

export const list = serve(apps.listed)(async ({ account }) => ({ data: await Apps.inAccount(account.id) }))

export const get = serve(apps.get)(async ({ app }) => ({ data: app }))

export const update = serve(apps.update)(async ({ app, body, tx }) => {
  const changed = mergeDefined(app, body)
  if (diffFields(app, changed).length === 0) return { data: app }
  const after = { ...changed, updatedAt: tx.now }
  Apps.change(tx, app, after)
  assertNamespaceFree(tx, after.namespace)
  return { data: after }
})

export const remove = serve(apps.remove)(async ({ app, tx }) => {
  for (const constraint of await AppConstraints.ofApp(app.id)) {
    const constraintTx = begin(tx.actor)
    await AppConstraints.delete(constraintTx, constraint)
    await constraintTx.commit()
  }
  Apps.delete(tx, app)
  return success
})

async function getConstraint(app: StoredApp, id: string): Promise<StoredConstraint> {
  const found = await AppConstraints.get(id)
  if (found?.appId !== app.id) throw notFound('constraint', id)
  return found
}

export const constraints = serve(apps.constraints)(async ({ app }) => ({ data: await AppConstraints.ofApp(app.id) }))

export const createConstraint = serve(apps.createConstraint)(async ({ app, body, tx }) => {
  if (body.appId !== undefined && body.appId !== app.id) throw invalidField('appId', message('requests.otherApp'))
  if ((await AppConstraints.ofApp(app.id)).length >= MAX_CONSTRAINTS_PER_APP)
    throw conflict(message('requests.constraintsMaximum', { count: MAX_CONSTRAINTS_PER_APP }))
  const { appId: _, ...config } = body
  const constraint: NewConstraint = {
    ...config,
    id: newId('constraint'),
    appId: app.id,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  AppConstraints.insert(tx, constraint)
  tx.onConflict(() => conflict(message('requests.validatorTaken', { validator: constraint.validator })))
  return { data: constraint }
})

export const constraint = serve(apps.constraint)(async ({ app, params }) => ({
  data: await getConstraint(app, params.constraintId),
}))

export const updateConstraint = serve(apps.updateConstraint)(async ({ app, params, body, tx }) => {
  const before = await getConstraint(app, params.constraintId)
  const changed = mergeDefined(before, body)
  if (diffFields(before, changed).length === 0) return { data: before }
  const version = before.version + 1
  if (version > MAX_VERSIONS_PER_CONSTRAINT)
    throw conflict(message('requests.constraintVersionsMaximum', { count: MAX_VERSIONS_PER_CONSTRAINT }))
  const after = { ...changed, version, updatedAt: tx.now }
  AppConstraints.change(tx, before, after)
  return { data: after }
})

export const removeConstraint = serve(apps.removeConstraint)(async ({ app, params, tx }) => {
  await AppConstraints.delete(tx, await getConstraint(app, params.constraintId))
  return success
})

export const constraintVersions = serve(apps.constraintVersions)(async ({ app, params }) => {
  const { id } = await getConstraint(app, params.constraintId)
  return { data: await AppConstraints.versions(id) }
})

export const constraintVersion = serve(apps.constraintVersion)(async ({ app, params }) => {
  const { id } = await getConstraint(app, params.constraintId)
  const found = (await AppConstraints.versions(id)).find(({ version }) => version === params.version)
  if (!found) throw notFound('constraintVersion', `${id} ${params.version}`)
  return { data: found }
})

export const handler = lambda(
  create,
  list,
  get,
  update,
  remove,
  constraints,
  createConstraint,
  constraint,
  updateConstraint,
  removeConstraint,
  constraintVersions,
  constraintVersion,
)
