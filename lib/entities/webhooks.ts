/**
 * Stored webhooks, listed by environment, and their deliveries: one for each event and webhook, listed by webhook in the
 * order of the events. A delivery that has a try before it waits in the queue of due tries. Deliveries expire by themselves.
 */
import * as z from 'zod'
import { Id, Time } from '../../schemas/ids.ts'
import type { PageRequest } from '../../schemas/page.ts'
import { DELIVERY_RETENTION_DAYS, Delivery, Webhook } from '../../schemas/webhooks.ts'
import { derivedId } from '../core/ids.ts'
import { timeOfEventId } from '../events/ids.ts'
import { due, dueAt } from '../table/due.ts'
import { entity, type Stored, type Write } from '../table/entity.ts'

const Shape = Webhook.extend({
  /** Newest first, sealed with the webhook's id; all but the first end at a time. */
  secrets: z.array(z.object({ sealed: z.string(), until: Time.optional() })),
})

const stored = entity({
  name: 'webhook',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } },
})
export type StoredWebhook = Stored<typeof Shape>
export type NewWebhook = z.infer<typeof Shape>

export const Webhooks = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredWebhook[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
}

const DeliveryShape = Delivery.extend({
  accountId: Id,
  environmentId: Id,
  /** Tries of the present series. */
  tries: z.number().int(),
  /** Somebody is trying, or died at it: not to be tried before. */
  claimedUntil: Time.optional(),
  /** Seconds since 1970, as DynamoDB's time to live has it. */
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
/** Items one request reads. */
const READ = 100
const DAY_SECONDS = 86_400

/** When the delivery is to be looked at next. */
const waitsUntil = ({ claimedUntil, nextTryAt }: NewDelivery): string | undefined => claimedUntil ?? nextTryAt

/** The write of a delivery, in the queue as long as it waits for a try. */
const queued = (write: Write, delivery: NewDelivery): Write => {
  const at = waitsUntil(delivery)
  return at === undefined ? write : dueAt(write, QUEUE, delivery.id, at)
}

export const Deliveries = {
  get: deliveries.get,
  create: (delivery: NewDelivery): Write => queued(deliveries.create(delivery), delivery),
  replace: (before: StoredDelivery, after: NewDelivery): Write => queued(deliveries.replace(before, after), after),
  remove: deliveries.remove,

  /** One page of a webhook's deliveries, newest event first. */
  async page(
    webhookId: string,
    { status, pageSize, pageNumber }: PageRequest & { status?: Delivery['status'] | undefined },
  ): Promise<StoredDelivery[]> {
    const [by, facets] = status
      ? (['withStatus', { webhookId, status }] as const)
      : (['ofWebhook', { webhookId }] as const)
    const first = (pageNumber - 1) * pageSize
    const found: StoredDelivery[] = []
    let after: string | undefined
    for (let position = 0; found.length < pageSize; ) {
      const some = await deliveries.list(by, facets, { order: 'desc', limit: READ, after })
      if (some.length === 0) break
      for (const delivery of some) if (position++ >= first && found.length < pageSize) found.push(delivery)
      after = some.at(-1)!.id
    }
    return found
  },

  /** Deliveries whose next try is due at `now`, some at a time. */
  async *due(now: Date): AsyncGenerator<StoredDelivery[]> {
    for await (const ids of due(QUEUE, now)) {
      const found = await deliveries.getMany(ids)
      yield found.filter((delivery) => (waitsUntil(delivery) ?? '~') <= now.toISOString())
    }
  },
}

/** The id of an event's delivery to a webhook: the same however often the event comes, in the order of the events. */
export const deliveryId = (webhookId: string, event: { id: string; createdAt: string }): string =>
  derivedId('delivery', {
    time: timeOfEventId(event.id) ?? Date.parse(event.createdAt),
    sequence: 0,
    of: `${webhookId}#${event.id}`,
  })

/** When a delivery begun now expires. */
export const deliveryExpires = (now: Date): number =>
  Math.floor(now.getTime() / 1000) + DELIVERY_RETENTION_DAYS * DAY_SECONDS
