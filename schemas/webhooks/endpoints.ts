/** Endpoints of webhooks, which post signed events to a URL, and of their deliveries. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, paged, pageQuery, Success } from '../kit/page.ts'
import { DAY_SECONDS } from '../kit/time.ts'
import { Attempt, DELIVERY_STATUSES, Delivery, Subscription, Webhook, WebhookFormat } from './shape.ts'

const settings = {
  url: z.string().max(2000),
  topics: z.array(Subscription).min(1).max(100),
  format: nullish(WebhookFormat),
  description: nullish(z.string().max(500)),
  active: nullish(z.boolean()),
}

const WebhookWithSecret = Webhook.extend({
  secret: z.string(),
})

export const create = endpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  summary: 'Creates a webhook that posts events of an environment or a space to a URL',
  description:
    'Each event is posted as JSON, or as a CloudEvent 1.0 if `format` is `cloudevents`, and signed according to Standard Webhooks (https://www.standardwebhooks.com): `webhook-id` is the event’s id, the same for every attempt; ' +
    'verify `webhook-timestamp` and `webhook-signature` with the secret, which only this response contains. Any 2xx within 15 s counts as success. ' +
    'Otherwise it is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h (± 10 %, and up to a minute later), 8 attempts in all. ' +
    'Deliveries may repeat and arrive in any order. An event too large for the bus has an empty payload and a `dataUrl`. ' +
    'After 5 days of only failures, or a 410 response, the webhook becomes inactive. The URL must be https and on the public internet; redirects are not followed.',
  policy: { can: 'webhooks:write', on: 'environment', at: 'body.environmentId', optional: true },
  audit: 'change',
  body: z.object({ environmentId: nullish(scoped('environment')), spaceId: nullish(scoped('space')), ...settings }),
  secrets: ['secret'],
  reply: data(WebhookWithSecret),
  errors: ['not-found', 'conflict'],
  example: {
    body: { environmentId: '{environmentId}', url: 'https://hooks.example.com/wharf', topics: ['job:failed'] },
  },
})

export const listed = endpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  summary: 'Lists webhooks, newest first',
  policy: { can: 'webhooks:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: narrowing('space').optional(),
    ...pageQuery(20),
  }),
  reply: paged(Webhook),
  example: { query: { environmentId: '{environmentId}' } },
})

const at = 'params.webhookId'
const params = z.object({ webhookId: Id })
const example = { params: { webhookId: '{webhookId}' } }

export const get = endpoint({
  id: 'webhooks.get',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  summary: 'Reads a webhook',
  policy: { can: 'webhooks:read', on: 'webhook', at },
  params,
  reply: data(Webhook),
  example,
})

export const update = endpoint({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  summary: 'Updates a webhook',
  description: '`active: true` reactivates a failing webhook and clears its failures.',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  audit: 'change',
  params,
  body: z.object({ ...settings, url: nullish(settings.url), topics: nullish(settings.topics) }),
  reply: data(Webhook),
  example: { ...example, body: { description: 'Notified about failed jobs' } },
})

export const remove = endpoint({
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  summary: 'Deletes a webhook; pending deliveries are dropped',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  audit: 'change',
  params,
  reply: Success,
  example,
})

export const rotateSecret = endpoint({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
  summary: 'Rotates the secret; for a while both secrets sign',
  description:
    'During the overlap, one day by default, every delivery has a signature by each secret. With 0 the old secret stops working immediately.',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  audit: 'change',
  params,
  body: z
    .object({
      overlapSeconds: nullish(
        z
          .number()
          .int()
          .min(0)
          .max(7 * DAY_SECONDS),
      ),
    })
    .nullable(),
  bodyOptional: true,
  secrets: ['secret'],
  reply: data(WebhookWithSecret),
  example: { ...example, body: { overlapSeconds: 3600 } },
})

export const ping = endpoint({
  id: 'webhooks.ping',
  method: 'POST',
  path: '/webhooks/{webhookId}/ping',
  summary: 'Posts a test event to the URL and returns the result',
  description: 'Its topic is `webhook:ping`. It is not stored with the events and not retried.',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  params,
  reply: data(Attempt),
  example,
})

export const deliveries = endpoint({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  summary: "Lists a webhook's deliveries with their attempts, newest event first",
  description: 'Deliveries are stored for 30 days.',
  policy: { can: 'webhooks:read', on: 'webhook', at },
  params,
  query: z.object({ status: z.enum(DELIVERY_STATUSES).optional(), ...pageQuery(20, 100) }),
  reply: list(Delivery),
  also: ['large'],
  example,
})

export const replay = endpoint({
  id: 'webhooks.replay',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
  summary: 'Redelivers an event immediately; if that fails, a new series of attempts follows',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  params: z.object({ webhookId: Id, deliveryId: scoped('delivery') }),
  reply: data(Delivery),
  errors: ['not-found', 'conflict'],
  example: { params: { webhookId: '{webhookId}', deliveryId: '{deliveryId}' } },
})
