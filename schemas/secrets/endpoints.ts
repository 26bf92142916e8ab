/** Endpoints of secrets: named values for listeners and agents, set on an environment, a space, or a user or agent. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { list as listOf } from '../kit/page.ts'
import { MAX_SECRET_NAME_LENGTH, MAX_SECRET_VALUE_LENGTH, MAX_SECRETS_PER_SCOPE, Secret } from './shape.ts'

export const list = endpoint({
  id: 'secrets.list',
  method: 'GET',
  path: '/secrets',
  summary: 'Lists the secrets of an environment with their values, by name',
  description:
    'With `spaceId`, the secrets of the space are added and override those of the environment with the same name; with `actorId`, the same applies to those of that user or agent.',
  policy: { can: 'secrets:read', on: 'environments', at: 'query.environmentId', optional: true },
  audit: 'read',
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: scoped('space').optional(),
    actorId: narrowing('user', 'agent').optional(),
  }),
  reply: listOf(Secret),
  errors: ['not-found'],
  example: { query: { environmentId: '{environmentId}', spaceId: '{spaceId}' } },
})

export const upsert = endpoint({
  id: 'secrets.upsert',
  method: 'POST',
  path: '/secrets',
  summary: 'Creates a secret, or sets a new value if the name exists',
  description:
    `A name is unique in an environment, in each of its spaces, and for each user or agent. The value is encrypted at rest. ` +
    `Each scope has at most ${MAX_SECRETS_PER_SCOPE} secrets. Returns the secret as a list of one.`,
  policy: { can: 'secrets:write', on: 'environments', at: 'body.environmentId', optional: true },
  body: z.object({
    name: z.string().trim().min(1).max(MAX_SECRET_NAME_LENGTH),
    value: z.string().max(MAX_SECRET_VALUE_LENGTH),
    environmentId: nullish(scoped('environment')),
    spaceId: nullish(scoped('space')),
    actorId: nullish(scoped('user', 'agent')),
  }),
  secrets: ['value'],
  reply: listOf(Secret),
  errors: ['not-found', 'conflict'],
  example: { body: { name: 'CRM_API_KEY', value: 'a-value-nobody-guesses', environmentId: '{environmentId}' } },
})

export const remove = endpoint({
  id: 'secrets.remove',
  method: 'DELETE',
  path: '/secrets/{secretId}',
  summary: 'Deletes a secret; returns the remaining secrets of the same scope',
  policy: { can: 'secrets:write', on: 'secret', at: 'params.secretId' },
  params: z.object({ secretId: Id }),
  reply: listOf(Secret),
  example: { params: { secretId: '{secretId}' } },
})
