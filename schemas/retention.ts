/** Data retention: after how many days the spaces, workbooks and files of an environment expire and are removed. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, scoped } from './ids.ts'
import { data, list as listOf, Success } from './page.ts'
import { REMOVAL_DAYS, RetentionConfig, RetentionPolicy } from './retention-policy.ts'

/** Policies one environment may have: a thing expires by the first that is due. */
export const POLICIES_PER_ENVIRONMENT = 10

const promise =
  'Spaces, workbooks and files that are due expire within an hour: `space:expired`, `workbook:expired` and `file:expired` tell of it, ' +
  `lists leave them out, and they are still read by id, with \`expiredAt\`. ${REMOVAL_DAYS} days later they are removed with everything below them. ` +
  'What is due no longer until then (used again, or its policy was changed or deleted) is back within an hour.'

export const list = endpoint({
  id: 'retention.list',
  method: 'GET',
  path: '/data-retention-policies',
  summary: 'Lists data retention policies',
  policy: { can: 'retention:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({ environmentId: scoped('environment').optional() }),
  reply: listOf(RetentionPolicy),
  errors: ['not-found'],
  example: { query: { environmentId: '{environmentId}' } },
})
export const create = endpoint({
  id: 'retention.create',
  method: 'POST',
  path: '/data-retention-policies',
  summary: 'Creates a data retention policy of an environment',
  description: `${promise} An environment has at most ${POLICIES_PER_ENVIRONMENT} policies; the first that is due holds.`,
  policy: { can: 'retention:write', on: 'environment', at: 'body.environmentId' },
  body: RetentionConfig,
  reply: data(RetentionPolicy),
  errors: ['conflict'],
  example: { body: { type: 'lastActivity', period: 3650, environmentId: '{environmentId}' } },
})

const params = z.object({ id: Id })
const at = 'params.id'
const example = { params: { id: '{retentionPolicyId}' } }

export const get = endpoint({
  id: 'retention.get',
  method: 'GET',
  path: '/data-retention-policies/{id}',
  summary: 'Reads a data retention policy',
  policy: { can: 'retention:read', on: 'retentionPolicy', at },
  params,
  reply: data(RetentionPolicy),
  example,
})
export const update = endpoint({
  id: 'retention.update',
  method: 'PATCH',
  path: '/data-retention-policies/{id}',
  summary: 'Changes a data retention policy; it stays with its environment',
  policy: { can: 'retention:write', on: 'retentionPolicy', at },
  params,
  body: RetentionConfig.partial(),
  reply: data(RetentionPolicy),
  example: { ...example, body: { type: 'sinceCreated', period: 3650, environmentId: '{environmentId}' } },
})
export const remove = endpoint({
  id: 'retention.remove',
  method: 'DELETE',
  path: '/data-retention-policies/{id}',
  summary: 'Deletes a data retention policy',
  policy: { can: 'retention:write', on: 'retentionPolicy', at },
  params,
  reply: Success,
  example,
})
