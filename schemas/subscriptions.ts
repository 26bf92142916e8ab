/** Subscription tokens: they open one channel of live events (schemas/live.ts), for a short time. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, scoped } from './ids.ts'
import { data } from './page.ts'

/** Minutes a subscription token lives. */
export const SUBSCRIPTION_MINUTES = 15

export const EventToken = z.object({
  accountId: Id,
  /** What stands in the paths of the long poll. */
  subscribeKey: z.string(),
  /** Minutes until the token ends. */
  ttl: z.number().int(),
  token: z.string(),
  /** Where the same events are pushed over a WebSocket; absent where this deployment has none. */
  webSocketUrl: z.string().optional(),
})
export type EventToken = z.infer<typeof EventToken>

const DESCRIPTION =
  `The token opens one channel of live events for ${SUBSCRIPTION_MINUTES} minutes, whichever way they are read. It is refused from the ` +
  'moment the key, token or user that asked for it is gone, or the space or environment is.'

export const get = endpoint({
  id: 'subscriptions.get',
  method: 'GET',
  path: '/subscription',
  summary: 'Gets a token to follow the events of an environment or a space',
  description: `${DESCRIPTION} \`scope\` is an environment's id or a space's; without it \`spaceId\` is meant, then what the caller lives in.`,
  policy: { can: 'events:read', on: 'channel', at: 'query.scope', optional: true },
  query: z.object({ scope: scoped('environment', 'space').optional(), spaceId: scoped('space').optional() }),
  reply: data(EventToken),
  example: { query: { scope: '{environmentId}' } },
})

export const ofEnvironment = endpoint({
  id: 'subscriptions.ofEnvironment',
  method: 'GET',
  path: '/environments/subscription-token',
  summary: 'Gets a token to follow the events of an environment',
  description: DESCRIPTION,
  policy: { can: 'events:read', on: 'channel', at: 'query.environmentId' },
  query: z.object({ environmentId: scoped('environment') }),
  reply: data(EventToken),
  example: { query: { environmentId: '{environmentId}' } },
})
