/** Webhooks: events posted to an address, signed; for those without an agent. And the record of each delivery. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, narrowing, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list, paged, pageQuery, Success } from './page.ts'
import { patternProblem, TOPIC_FORM, topicProblem, topicText } from './topics.ts'

export const WEBHOOKS_PER_ENVIRONMENT = 50
/** Seconds from a failed try to the next one, each ± 10 %: 8 tries over about 27.5 hours. */
export const TRY_DELAYS_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const
export const TRIES = TRY_DELAYS_SECONDS.length + 1
/** A webhook that nothing but fails for so long is made inactive. */
export const FAILING_DAYS = 5
export const DELIVERY_RETENTION_DAYS = 30
/** Bytes of an answer that are kept. */
export const ANSWER_BYTES = 1024
const DAY_SECONDS = 86_400
export const OVERLAP_SECONDS = DAY_SECONDS

/** A topic by its exact name, all of a domain (`file:*`), or all but `cron:` (`**`). */
export const Subscription = topicText((text) => {
  if (text === '**') return undefined
  if (/^[^:\s*]+:\*$/.test(text)) return patternProblem(text)
  const problem = topicProblem(text)
  return problem === TOPIC_FORM ? 'must be <domain>:<event>, <domain>:* or **' : problem
})

const settings = {
  url: z.string().max(2000),
  topics: z.array(Subscription).min(1).max(100),
  description: maybe(z.string().max(500)),
  active: maybe(z.boolean()),
}

export const Webhook = z.object({
  id: Id,
  accountId: Id,
  environmentId: Id,
  /** Absent: events of the whole environment. */
  spaceId: Id.optional(),
  url: z.string(),
  topics: z.array(z.string()),
  description: z.string().optional(),
  active: z.boolean(),
  /** Since when every try has failed; absent while they succeed. */
  failingSince: Time.optional(),
  /** When the platform made it inactive, and why: every try failed for 5 days, or the address answered 410. */
  disabledAt: Time.optional(),
  disabledReason: z.enum(['failing', 'gone']).optional(),
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
})
export type Webhook = z.infer<typeof Webhook>

const WebhookWithSecret = Webhook.extend({
  /** `whsec_...`; shown in this answer only. */
  secret: z.string(),
})

/** One request to the address: how it ended. */
export const Attempt = z.object({
  at: Time,
  durationMs: z.number(),
  success: z.boolean(),
  /** Absent when there was no answer. */
  statusCode: z.number().int().optional(),
  error: z.string().optional(),
  /** The beginning of the answer, as text. */
  answer: z.string().optional(),
})
export type Attempt = z.infer<typeof Attempt>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

/** One event for one webhook. */
export const Delivery = z.object({
  id: Id,
  webhookId: Id,
  eventId: Id,
  topic: z.string(),
  /** `pending` while there are tries left. */
  status: z.enum(DELIVERY_STATUSES),
  /** The latest 20, oldest first. */
  attempts: z.array(Attempt),
  nextTryAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Delivery = z.infer<typeof Delivery>

export const create = endpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  summary: 'Posts events of an environment or a space to an address of yours',
  description:
    'Each event is posted as JSON, signed as Standard Webhooks has it (https://www.standardwebhooks.com): `webhook-id` is the event’s id, the same at every try, ' +
    '`webhook-timestamp` and `webhook-signature` are checked with the secret, which only this answer shows. Any 2xx within 15 s is success. ' +
    'Otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h (± 10 %, and up to a minute later), 8 tries in all. ' +
    'Deliveries may come twice and in any order. An event too large for the bus comes with an empty payload and a `dataUrl`. ' +
    'After 5 days of nothing but failures, or an answer 410, the webhook becomes inactive. The address must be https and on the internet; redirects are not followed.',
  policy: { can: 'webhooks:write', on: 'environment', at: 'body.environmentId', optional: true },
  audit: 'change',
  body: z.object({ environmentId: maybe(scoped('environment')), spaceId: maybe(scoped('space')), ...settings }),
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
  summary: 'Changes a webhook',
  description: '`active: true` makes one that was failing active again and forgets its failures.',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  audit: 'change',
  params,
  body: z.object({ ...settings, url: maybe(settings.url), topics: maybe(settings.topics) }),
  reply: data(Webhook),
  example: { ...example, body: { description: 'Told of failed jobs' } },
})

export const remove = endpoint({
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  summary: 'Deletes a webhook; what has not been delivered never will be',
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
  summary: 'Makes a new secret; for a while the old one signs too',
  description:
    'During the overlap, a day unless told, every delivery carries a signature by each secret. With 0 the old one ends at once.',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  audit: 'change',
  params,
  body: z
    .object({
      overlapSeconds: maybe(
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
  summary: 'Posts a test event to the address now, and answers how that went',
  description: 'Its topic is `webhook:ping`. It is neither kept among the events nor tried again.',
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
  description: 'Deliveries are kept for 30 days.',
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
  summary: 'Delivers an event once more, now; should that fail, a new series of tries follows',
  policy: { can: 'webhooks:write', on: 'webhook', at },
  params: z.object({ webhookId: Id, deliveryId: scoped('delivery') }),
  reply: data(Delivery),
  errors: ['not-found', 'conflict'],
  example: { params: { webhookId: '{webhookId}', deliveryId: '{deliveryId}' } },
})
