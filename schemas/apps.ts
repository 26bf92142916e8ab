/** Apps: what several spaces of an account have in common, with constraints that listeners run. */
import * as z from 'zod'
import { App, AppConstraint, ConstraintVersion } from './app.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list, QueryBoolean, QueryNumber } from './page.ts'

/** An app as JSON, in bytes: it is one item of the table. */
export const APP_BYTES = 300 * 1024
/** A constraint as JSON, in bytes. */
export const CONSTRAINT_BYTES = 64 * 1024
export const CONSTRAINTS_PER_APP = 100
/** Each change of a constraint is one. */
export const VERSIONS_PER_CONSTRAINT = 500

const sized = <T extends z.ZodType>(shape: T, bytes: number) =>
  shape.refine((value) => JSON.stringify(value).length <= bytes, `must have at most ${bytes} bytes as JSON`)

const Name = z.string().trim().min(1).max(500)
const config = {
  entity: maybe(Name),
  entityPlural: maybe(Name),
  icon: maybe(z.string().max(2000)),
  metadata: z.unknown().optional(),
  environmentFilters: z.unknown().optional(),
  blueprint: z.unknown().optional(),
}

const params = z.object({ appId: Id })
const at = 'params.appId'
const example = { params: { appId: '{appId}' } }
const Removed = z.object({ success: z.literal(true) })

export const create = endpoint({
  id: 'apps.create',
  method: 'POST',
  path: '/apps',
  summary: 'Creates an app',
  policy: { can: 'apps:write', on: 'account' },
  body: sized(z.object({ name: Name, namespace: Name, type: App.shape.type, ...config }), APP_BYTES),
  reply: data(App),
  errors: ['conflict'],
  example: { body: { name: 'Onboarding', namespace: 'onboarding', type: 'PROJECTS', entity: 'Customer' } },
})
export const listed = endpoint({
  id: 'apps.list',
  method: 'GET',
  path: '/apps',
  summary: "Lists the account's apps",
  policy: { can: 'apps:read', on: 'account' },
  reply: list(App),
  example: {},
})
export const get = endpoint({
  id: 'apps.get',
  method: 'GET',
  path: '/apps/{appId}',
  summary: 'Reads an app',
  policy: { can: 'apps:read', on: 'app', at },
  params,
  reply: data(App),
  example,
})
export const update = endpoint({
  id: 'apps.update',
  method: 'PATCH',
  path: '/apps/{appId}',
  summary: 'Changes an app',
  policy: { can: 'apps:write', on: 'app', at },
  params,
  body: sized(z.object({ name: maybe(Name), namespace: maybe(Name), activatedAt: maybe(Time), ...config }), APP_BYTES),
  reply: data(App),
  errors: ['conflict'],
  example: { ...example, body: { entityPlural: 'Customers' } },
})
export const remove = endpoint({
  id: 'apps.remove',
  method: 'DELETE',
  path: '/apps/{appId}',
  summary: 'Deletes an app with its constraints; its spaces stay',
  policy: { can: 'apps:write', on: 'app', at },
  params,
  reply: Removed,
  example,
})

const described = {
  description: maybe(z.string().max(5000)),
  function: maybe(z.string()),
  options: z.unknown().optional(),
  label: maybe(z.string().max(500)),
}
const one = z.object({ appId: Id, constraintId: scoped('constraint') })
const oneExample = { params: { appId: '{appId}', constraintId: '{constraintId}' } }

export const constraints = endpoint({
  id: 'apps.constraints',
  method: 'GET',
  path: '/apps/{appId}/constraints',
  summary: 'Lists the constraints of an app',
  description: '`includeBuiltins` is accepted: there are none that an app has not stored itself.',
  policy: { can: 'apps:read', on: 'app', at },
  params,
  query: z.object({ includeBuiltins: QueryBoolean.optional() }),
  reply: list(AppConstraint),
  example,
})
export const createConstraint = endpoint({
  id: 'apps.createConstraint',
  method: 'POST',
  path: '/apps/{appId}/constraints',
  summary: 'Stores a constraint',
  description: 'A field with `{ "type": "stored", "validator": ... }` names it; listeners fetch its source and run it.',
  policy: { can: 'apps:write', on: 'app', at },
  params,
  body: sized(z.object({ ...described, validator: Name, appId: maybe(scoped('app')) }), CONSTRAINT_BYTES),
  reply: data(AppConstraint),
  errors: ['conflict'],
  example: {
    ...example,
    body: {
      validator: 'positive',
      label: 'Positive',
      function: 'function constraint(value, key, { record }) { if (value < 0) record.addError(key, "is negative") }',
    },
  },
})
export const constraint = endpoint({
  id: 'apps.constraint',
  method: 'GET',
  path: '/apps/{appId}/constraints/{constraintId}',
  summary: 'Reads a constraint',
  policy: { can: 'apps:read', on: 'app', at },
  params: one,
  reply: data(AppConstraint),
  errors: ['not-found'],
  example: oneExample,
})
export const updateConstraint = endpoint({
  id: 'apps.updateConstraint',
  method: 'PATCH',
  path: '/apps/{appId}/constraints/{constraintId}',
  summary: 'Changes a constraint; what it was stays as a version',
  policy: { can: 'apps:write', on: 'app', at },
  params: one,
  body: sized(z.object(described), CONSTRAINT_BYTES),
  reply: data(AppConstraint),
  errors: ['not-found', 'conflict'],
  example: { ...oneExample, body: { label: 'Not negative' } },
})
export const removeConstraint = endpoint({
  id: 'apps.removeConstraint',
  method: 'DELETE',
  path: '/apps/{appId}/constraints/{constraintId}',
  summary: 'Deletes a constraint with its versions',
  policy: { can: 'apps:write', on: 'app', at },
  params: one,
  reply: Removed,
  errors: ['not-found'],
  example: oneExample,
})
export const constraintVersions = endpoint({
  id: 'apps.constraintVersions',
  method: 'GET',
  path: '/apps/{appId}/constraints/{constraintId}/versions',
  summary: 'Lists the versions of a constraint, newest first',
  policy: { can: 'apps:read', on: 'app', at },
  params: one,
  reply: list(ConstraintVersion),
  errors: ['not-found'],
  example: oneExample,
})
export const constraintVersion = endpoint({
  id: 'apps.constraintVersion',
  method: 'GET',
  path: '/apps/{appId}/constraints/{constraintId}/versions/{version}',
  summary: 'Reads a version of a constraint',
  policy: { can: 'apps:read', on: 'app', at },
  params: one.extend({ version: QueryNumber(1, VERSIONS_PER_CONSTRAINT) }),
  reply: data(ConstraintVersion),
  errors: ['not-found'],
  example: { params: { ...oneExample.params, version: '1' } },
})
