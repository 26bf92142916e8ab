/** Secrets: named values listeners and agents need (an API key, a password), of an environment, a space or one actor. */
import * as z from 'zod'
import { EnvironmentContext, IdOrEmpty } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, narrowing, scoped } from './ids.ts'
import { maybe } from './optional.ts'
import { list as listOf } from './page.ts'
import { Secret } from './secret.ts'
import { topic } from './topic.ts'

/** Longest name and value, in characters. */
export const NAME_CHARACTERS = 1024
export const VALUE_CHARACTERS = 4096
/** Secrets one place (an environment, a space in it, an actor) may have. */
export const SECRETS_PER_PLACE = 200

export const list = endpoint({
  id: 'secrets.list',
  method: 'GET',
  path: '/secrets',
  summary: 'Lists the secrets that hold in an environment, with their values, by name',
  description:
    'With `spaceId` those of the space are added and stand in place of the environment’s of the same name; with `actorId` likewise those of that user or agent.',
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
  summary: 'Writes a secret: a new one, or a new value of the one with this name',
  description:
    `A name exists once in an environment, once more in each of its spaces, and once more for each user or agent. The value is sealed at rest. ` +
    `A place has at most ${SECRETS_PER_PLACE} secrets. Answers the secret as a list of one.`,
  policy: { can: 'secrets:write', on: 'environments', at: 'body.environmentId', optional: true },
  body: z.object({
    name: z.string().trim().min(1).max(NAME_CHARACTERS),
    value: z.string().max(VALUE_CHARACTERS),
    environmentId: maybe(scoped('environment')),
    spaceId: maybe(scoped('space')),
    actorId: maybe(scoped('user', 'agent')),
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
  summary: 'Deletes a secret; answers those of the same place that are left',
  policy: { can: 'secrets:write', on: 'secret', at: 'params.secretId' },
  params: z.object({ secretId: Id }),
  reply: listOf(Secret),
  example: { params: { secretId: '{secretId}' } },
})

const about = {
  payload: z.object({
    secretId: Id,
    spaceId: IdOrEmpty.describe('empty for a secret of the whole environment'),
    environmentId: Id,
  }),
  context: z.looseObject({ ...EnvironmentContext.shape, spaceId: Id.optional() }),
}
export const created = topic('secret:created', { when: 'a secret is written for the first time', ...about })
export const updated = topic('secret:updated', { when: 'a secret gets another value', ...about })
export const deleted = topic('secret:deleted', { when: 'a secret is deleted', ...about })
