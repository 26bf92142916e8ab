/** Endpoints for apps, with the constraints that listeners run. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, Time } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, QueryBoolean, QueryNumber } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import {
  App,
  AppConstraint,
  ConstraintVersion,
  MAX_APP_BYTES,
  MAX_CONSTRAINT_BYTES,
  MAX_VERSIONS_PER_CONSTRAINT,
} from './shape.ts'

const limitSize = <T extends z.ZodType>(shape: T, bytes: number) =>
  shape.refine((value) => JSON.stringify(value).length <= bytes, message('shape.bytesAsJson', { count: bytes }))

const Name = z.string().trim().min(1).max(500)
const config = {
  entity: nullish(Name),
  entityPlural: nullish(Name),
  icon: nullish(z.string().max(2000)),
  metadata: z.unknown().optional(),
  environmentFilters: z.unknown().optional(),
  blueprint: z.unknown().optional(),
}

const params = z.object({ appId: Id })
const idPath = 'params.appId'
const example = { params: { appId: '{appId}' } }
const DeletionReply = z.object({ success: z.literal(true) })

export const create = endpoint({
  id: 'apps.create',
  method: 'POST',
  path: '/apps',
  summary: 'Creates an app',
  policy: { can: 'apps:write', on: 'account' },
  body: limitSize(z.object({ name: Name, namespace: Name, type: App.shape.type, ...config }), MAX_APP_BYTES),
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
  policy: { can: 'apps:read', on: 'app', at: idPath },
  params,
  reply: data(App),
  example,
})
export const update = endpoint({
  id: 'apps.update',
  method: 'PATCH',
  path: '/apps/{appId}',
  summary: 'Updates an app',
  policy: { can: 'apps:write', on: 'app', at: idPath },
  params,
  body: limitSize(
    z.object({ name: nullish(Name), namespace: nullish(Name), activatedAt: nullish(Time), ...config }),
    MAX_APP_BYTES,
  ),
  reply: data(App),
  errors: ['conflict'],
  example: { ...example, body: { entityPlural: 'Customers' } },
})
export const remove = endpoint({
  id: 'apps.remove',
  method: 'DELETE',
  path: '/apps/{appId}',
  summary: 'Deletes an app with its constraints; its spaces are not deleted',
  policy: { can: 'apps:write', on: 'app', at: idPath },
  params,
  reply: DeletionReply,
  example,
})

const constraintShape = {
  description: nullish(z.string().max(5000)),
  function: nullish(z.string()),
  options: z.unknown().optional(),
  label: nullish(z.string().max(500)),
}
const constraintParams = z.object({ appId: Id, constraintId: scoped('constraint') })
const constraintExample = { params: { appId: '{appId}', constraintId: '{constraintId}' } }

export const constraints = endpoint({
  id: 'apps.constraints',
  method: 'GET',
  path: '/apps/{appId}/constraints',
  summary: 'Lists the constraints of an app',
  description: '`includeBuiltins` is accepted but has no effect, since there are no built-in constraints.',
  policy: { can: 'apps:read', on: 'app', at: idPath },
  params,
  query: z.object({ includeBuiltins: QueryBoolean.optional() }),
  reply: list(AppConstraint),
  example,
})
export const createConstraint = endpoint({
  id: 'apps.createConstraint',
  method: 'POST',
  path: '/apps/{appId}/constraints',
  summary: 'Creates a constraint of an app',
  description: 'Fields use it by `{ "type": "stored", "validator": ... }`; listeners fetch its source code and run it.',
  policy: { can: 'apps:write', on: 'app', at: idPath },
  params,
  body: limitSize(
    z.object({ ...constraintShape, validator: Name, appId: nullish(scoped('app')) }),
    MAX_CONSTRAINT_BYTES,
  ),
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
  policy: { can: 'apps:read', on: 'app', at: idPath },
  params: constraintParams,
  reply: data(AppConstraint),
  errors: ['not-found'],
  example: constraintExample,
})
export const updateConstraint = endpoint({
  id: 'apps.updateConstraint',
  method: 'PATCH',
  path: '/apps/{appId}/constraints/{constraintId}',
  summary: 'Updates a constraint; previous versions remain available',
  policy: { can: 'apps:write', on: 'app', at: idPath },
  params: constraintParams,
  body: limitSize(z.object(constraintShape), MAX_CONSTRAINT_BYTES),
  reply: data(AppConstraint),
  errors: ['not-found', 'conflict'],
  example: { ...constraintExample, body: { label: 'Not negative' } },
})
export const removeConstraint = endpoint({
  id: 'apps.removeConstraint',
  method: 'DELETE',
  path: '/apps/{appId}/constraints/{constraintId}',
  summary: 'Deletes a constraint with its versions',
  policy: { can: 'apps:write', on: 'app', at: idPath },
  params: constraintParams,
  reply: DeletionReply,
  errors: ['not-found'],
  example: constraintExample,
})
export const constraintVersions = endpoint({
  id: 'apps.constraintVersions',
  method: 'GET',
  path: '/apps/{appId}/constraints/{constraintId}/versions',
  summary: 'Lists the versions of a constraint, newest first',
  policy: { can: 'apps:read', on: 'app', at: idPath },
  params: constraintParams,
  reply: list(ConstraintVersion),
  errors: ['not-found'],
  example: constraintExample,
})
export const constraintVersion = endpoint({
  id: 'apps.constraintVersion',
  method: 'GET',
  path: '/apps/{appId}/constraints/{constraintId}/versions/{version}',
  summary: 'Reads a version of a constraint',
  policy: { can: 'apps:read', on: 'app', at: idPath },
  params: constraintParams.extend({ version: QueryNumber(1, MAX_VERSIONS_PER_CONSTRAINT) }),
  reply: data(ConstraintVersion),
  errors: ['not-found'],
  example: { params: { ...constraintExample.params, version: '1' } },
})
