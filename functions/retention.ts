import { mergeDefined } from '../lib/core/diff.ts'
import { conflict, invalidField } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { RetentionPolicies } from '../lib/entities/retention.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as retention from '../schemas/retention/endpoints.ts'
import { MAX_POLICIES_PER_ENVIRONMENT } from '../schemas/retention/shape.ts'

export const list = serve(retention.list)(async ({ environments }) => ({
  data: (await Promise.all(environments.map(({ id }) => RetentionPolicies.inEnvironment(id)))).flat(),
}))

export const create = serve(retention.create)(async ({ environment, body, tx }) => {
  if ((await RetentionPolicies.inEnvironment(environment.id)).length >= MAX_POLICIES_PER_ENVIRONMENT)
    throw conflict(message('requests.policiesMaximum', { count: MAX_POLICIES_PER_ENVIRONMENT }))
  const policy = {
    ...body,
    id: newId('retentionPolicy'),
    accountId: environment.accountId,
    environmentId: environment.id,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(...RetentionPolicies.create(policy))
  return { data: policy }
})

export const get = serve(retention.get)(async ({ retentionPolicy }) => ({ data: retentionPolicy }))

export const update = serve(retention.update)(async ({ retentionPolicy, body, tx }) => {
  if (body.environmentId !== undefined && body.environmentId !== retentionPolicy.environmentId)
    throw invalidField('environmentId', message('requests.policyEnvironment'))
  const after = { ...mergeDefined(retentionPolicy, body), updatedAt: tx.now }
  tx.write(RetentionPolicies.replace(retentionPolicy, after))
  return { data: after }
})

export const remove = serve(retention.remove)(async ({ retentionPolicy, tx }) => {
  tx.write(RetentionPolicies.remove(retentionPolicy))
  return success
})

export const handler = lambda(list, create, get, update, remove)
