/** Endpoints of data retention: the number of days after which spaces, workbooks and files expire. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { data, list as listOf, Success } from '../kit/page.ts'
import { MAX_POLICIES_PER_ENVIRONMENT, REMOVAL_DAYS, RetentionConfig, RetentionPolicy } from './shape.ts'

const EXPIRY_DESCRIPTION =
  'Spaces, workbooks and files that are due expire within an hour: `space:expired`, `workbook:expired` or `file:expired` is emitted, ' +
  `lists omit them, and they can still be read by id, with \`expiredAt\`. ${REMOVAL_DAYS} days later they are removed with everything in them. ` +
  'A resource that is no longer due before then (because it was used again, or its policy was changed or deleted) returns within an hour.'

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
  summary: 'Creates a data retention policy for an environment',
  description: `${EXPIRY_DESCRIPTION} An environment has at most ${MAX_POLICIES_PER_ENVIRONMENT} policies; the first one that is due applies.`,
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
  summary: 'Updates a data retention policy; it cannot move to another environment',
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
