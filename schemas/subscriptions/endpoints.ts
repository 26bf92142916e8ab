/** Endpoints of subscription tokens, which open one channel of live events (schemas/live/endpoints.ts) for a short time. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { scoped } from '../kit/ids.ts'
import { data } from '../kit/page.ts'
import { EventToken, SUBSCRIPTION_MINUTES } from './shape.ts'

const TOKEN_DESCRIPTION =
  `The token opens one channel of live events for ${SUBSCRIPTION_MINUTES} minutes, for every way to read them. It stops working as ` +
  'soon as the key, token or user that requested it, the space or the environment is deleted.'

export const get = endpoint({
  id: 'subscriptions.get',
  method: 'GET',
  path: '/subscription',
  summary: 'Creates a token to follow the events of an environment or a space',
  description: `${TOKEN_DESCRIPTION} \`scope\` is the id of an environment or a space; it defaults to \`spaceId\`, then to the scope of the caller.`,
  policy: { can: 'events:read', on: 'channel', at: 'query.scope', optional: true },
  query: z.object({ scope: scoped('environment', 'space').optional(), spaceId: scoped('space').optional() }),
  reply: data(EventToken),
  example: { query: { scope: '{environmentId}' } },
})

export const ofEnvironment = endpoint({
  id: 'subscriptions.ofEnvironment',
  method: 'GET',
  path: '/environments/subscription-token',
  summary: 'Creates a token to follow the events of an environment',
  description: TOKEN_DESCRIPTION,
  policy: { can: 'events:read', on: 'channel', at: 'query.environmentId' },
  query: z.object({ environmentId: scoped('environment') }),
  reply: data(EventToken),
  example: { query: { environmentId: '{environmentId}' } },
})
