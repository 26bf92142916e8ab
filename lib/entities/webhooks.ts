/** Stored webhooks, listed by environment, and their deliveries, one per event and webhook, in the order of events. */
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { Id, Time } from '../../schemas/kit/ids.ts'
import type { PageRequest } from '../../schemas/kit/page.ts'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { DELIVERY_RETENTION_DAYS, Delivery, Webhook } from '../../schemas/webhooks/shape.ts'
import { deriveId } from '../core/ids.ts'
import { listWebhook, unlistWebhook } from '../events/audience.ts'
import { parseEventTime } from '../events/id-time.ts'
import { dueBefore, enqueueAt } from '../table/due-queue.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { PutWrite, Write } from '../table/write.ts'

const Shape = Webhook.extend({
  secrets: z.array(z.object({ sealed: z.string(), until: Time.optional() })),
})

const stored = entity({
  name: 'webhook',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})
export type StoredWebhook = Stored<typeof Shape>
export type NewWebhook = z.infer<typeof Shape>

const isListedAlike = (before: NewWebhook, after: NewWebhook): boolean =>
  isDeepStrictEqual(listWebhook(before), listWebhook(after))

export const Webhooks = {
  ...stored,
  create: (webhook: NewWebhook): Write[] => [stored.create(webhook), listWebhook(webhook)],
  replace: (before: StoredWebhook, after: NewWebhook): Write[] => [
    stored.replace(before, after),
    ...(isListedAlike(before, after) ? [] : [listWebhook(after)]),
  ],
  remove: (before: StoredWebhook): Write[] => [stored.remove(before), unlistWebhook(before)],
  inEnvironment: (environmentId: string): Promise<StoredWebhook[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

const DeliveryShape = Delivery.extend({
  accountId: Id,
  environmentId: Id,
  attemptCount: z.number().int(),
  /** A worker is sending it, or died doing so; do not try before this time. */
  claimedUntil: Time.optional(),
  expires: z.number(),
})
export type StoredDelivery = Stored<typeof DeliveryShape>
export type NewDelivery = z.infer<typeof DeliveryShape>

const deliveries = entity({
  name: 'webhook-delivery',
  shape: DeliveryShape,
  by: {
    ofWebhook: { index: 'gsi1', of: ['webhookId'] },
    withStatus: { index: 'gsi2', of: ['webhookId', 'status'] },
  },
})

const QUEUE = 'webhook'
const READ_BATCH_SIZE = 100

const getNextCheckTime = ({ claimedUntil, nextAttemptAt }: NewDelivery): string | undefined =>
  claimedUntil ?? nextAttemptAt

const withRetryQueue = (write: PutWrite, delivery: NewDelivery): Write => {
  const at = getNextCheckTime(delivery)
  return at === undefined ? write : enqueueAt(write, QUEUE, delivery.id, at)
}

export const Deliveries = {
  get: deliveries.get,
  create: (delivery: NewDelivery): Write => withRetryQueue(deliveries.create(delivery), delivery),
  replace: (before: StoredDelivery, after: NewDelivery): Write =>
    withRetryQueue(deliveries.replace(before, after), after),
  remove: deliveries.remove,

  async page(
    webhookId: string,
    { status, pageSize, pageNumber }: PageRequest & { status?: Delivery['status'] | undefined },
  ): Promise<StoredDelivery[]> {
    const [by, facets] = status
      ? (['withStatus', { webhookId, status }] as const)
      : (['ofWebhook', { webhookId }] as const)
    const offset = (pageNumber - 1) * pageSize
    const found: StoredDelivery[] = []
    let after: string | undefined
    for (let position = 0; found.length < pageSize; ) {
      const batch = await deliveries.list(by, facets, { order: 'desc', limit: READ_BATCH_SIZE, after })
      if (batch.length === 0) break
      for (const delivery of batch) if (position++ >= offset && found.length < pageSize) found.push(delivery)
      after = batch.at(-1)!.id
    }
    return found
  },

  async *listDue(now: Date): AsyncGenerator<StoredDelivery[]> {
    for await (const ids of dueBefore(QUEUE, now)) {
      const found = await deliveries.getMany(ids)
      yield found.filter((delivery) => (getNextCheckTime(delivery) ?? '~') <= now.toISOString())
    }
  },
}

/** Deterministic, so a repeated event gives the same delivery; ids sort in the order of events. */
export const deriveDeliveryId = (webhookId: string, event: { id: string; createdAt: string }): string =>
  deriveId('delivery', {
    time: parseEventTime(event.id) ?? Date.parse(event.createdAt),
    sequence: 0,
    of: `${webhookId}#${event.id}`,
  })

export const computeDeliveryExpiry = (now: Date): number =>
  Math.floor(now.getTime() / 1000) + DELIVERY_RETENTION_DAYS * DAY_SECONDS
