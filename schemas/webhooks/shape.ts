import * as z from 'zod'
import { findPatternProblem, findTopicProblem, TOPIC_FORM, topicSchema } from '../events/known-topics.ts'
import { Id, Time } from '../kit/ids.ts'
import { DAY_SECONDS } from '../kit/time.ts'
import { message } from '../messages/index.ts'

export const MAX_WEBHOOKS_PER_ENVIRONMENT = 50
/** Delay before each retry, ± 10 %: 8 attempts over about 27.5 hours. */
export const RETRY_DELAYS_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1
export const FAILING_DAYS = 5
export const DELIVERY_RETENTION_DAYS = 30
export const RESPONSE_BYTES = 1024
export const SECRET_OVERLAP_SECONDS = DAY_SECONDS

export const Subscription = topicSchema((text) => {
  if (text === '**') return undefined
  if (/^[^:\s*]+:\*$/.test(text)) return findPatternProblem(text)
  const problem = findTopicProblem(text)
  return problem === TOPIC_FORM ? message('requests.subscriptionForm') : problem
})

/** Bodies of deliveries: the event, or a CloudEvent whose data is the event. */
export const WebhookFormat = z.enum(['json', 'cloudevents'])

export const Webhook = z.object({
  id: Id,
  accountId: Id,
  environmentId: Id,
  spaceId: Id.optional(),
  url: z.string(),
  topics: z.array(z.string()),
  format: WebhookFormat.default('json'),
  description: z.string().optional(),
  active: z.boolean(),
  failingSince: Time.optional(),
  disabledAt: Time.optional(),
  disabledReason: z.enum(['failing', 'gone']).optional(),
  createdBy: Id,
  createdAt: Time,
  updatedAt: Time,
})
export type Webhook = z.infer<typeof Webhook>

export const Attempt = z.object({
  at: Time,
  durationMs: z.number(),
  success: z.boolean(),
  statusCode: z.number().int().optional(),
  error: z.string().optional(),
  answer: z.string().optional(),
})
export type Attempt = z.infer<typeof Attempt>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

export const Delivery = z.object({
  id: Id,
  webhookId: Id,
  eventId: Id,
  topic: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.array(Attempt),
  nextAttemptAt: Time.optional(),
  createdAt: Time,
  updatedAt: Time,
})
export type Delivery = z.infer<typeof Delivery>
