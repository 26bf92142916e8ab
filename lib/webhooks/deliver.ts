/**
 * Deliveries. Each try is claimed by a conditional write before it is made: two runs never make the same try, and a run
 * that dies between claim and result leaves the try to be made again once its claim has ended.
 */
import type { Event } from '../../schemas/events.ts'
import type { Attempt } from '../../schemas/webhooks.ts'
import {
  Deliveries,
  deliveryExpires,
  deliveryId,
  type NewDelivery,
  type StoredDelivery,
  type StoredWebhook,
  Webhooks,
} from '../entities/webhooks.ts'
import { asEvent, Events } from '../events/store.ts'
import type { Write } from '../table/entity.ts'
import { committed, transact } from '../table/transact.ts'
import { afterAttempt, webhookAfter } from './outcome.ts'
import { send } from './send.ts'

/** A try takes 15 s at most; the rest is for reading and writing around it. */
const CLAIM_MS = 60_000
/** A change of the webhook's own state is given up after so many collisions: the next try brings it again. */
const NOTE_TRIES = 3

/** Tells the time. */
export type Clock = () => Date

const claim = (now: Date) => ({ claimedUntil: new Date(now.getTime() + CLAIM_MS).toISOString() })

/** Writes unless somebody else has written in between. */
const won = (write: Write): Promise<boolean> => committed(transact([write]))

/** Begins the delivery of an event and makes its first try. Does nothing when it has begun already. */
export async function deliver(webhook: StoredWebhook, event: Event, clock: Clock): Promise<void> {
  const now = clock()
  const delivery: NewDelivery = {
    id: deliveryId(webhook.id, event),
    webhookId: webhook.id,
    accountId: webhook.accountId,
    environmentId: webhook.environmentId,
    eventId: event.id,
    topic: event.topic,
    status: 'pending',
    attempts: [],
    tries: 0,
    nextTryAt: now.toISOString(),
    ...claim(now),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    expires: deliveryExpires(now),
  }
  if (await won(Deliveries.create(delivery))) await attempt({ ...delivery, rev: 1 }, clock)
}

/** Makes the delivery's next try, unless somebody else does. */
export async function retry(delivery: StoredDelivery, clock: Clock): Promise<void> {
  const claimed = { ...delivery, ...claim(clock()) }
  if (await won(Deliveries.replace(delivery, claimed))) await attempt({ ...claimed, rev: delivery.rev + 1 }, clock)
}

/**
 * Begins a new series of tries with one made now.
 * @returns the delivery after it; undefined when somebody else is trying
 */
export async function redeliver(delivery: StoredDelivery, clock: Clock): Promise<NewDelivery | undefined> {
  const now = clock()
  if ((delivery.claimedUntil ?? '') > now.toISOString()) return undefined
  const nextTryAt = now.toISOString()
  const fresh: NewDelivery = {
    ...delivery,
    status: 'pending',
    tries: 0,
    nextTryAt,
    ...claim(now),
    updatedAt: nextTryAt,
  }
  if (!(await won(Deliveries.replace(delivery, { ...fresh, expires: deliveryExpires(now) })))) return undefined
  return attempt({ ...fresh, expires: deliveryExpires(now), rev: delivery.rev + 1 }, clock)
}

/** Makes a try that is claimed, and writes what came of it. */
async function attempt(claimed: StoredDelivery, clock: Clock): Promise<NewDelivery | undefined> {
  const [webhook, event] = await Promise.all([Webhooks.get(claimed.webhookId), Events.get(claimed.eventId)])
  if (!webhook) {
    await won(Deliveries.remove(claimed))
    return undefined
  }
  const hopeless = !webhook.active
    ? 'The webhook is not active.'
    : event
      ? undefined
      : 'The event is not kept any more.'
  const made: Attempt =
    hopeless || !event
      ? { at: clock().toISOString(), durationMs: 0, success: false, error: hopeless! }
      : await send(webhook, asEvent(event), clock())
  const now = clock()
  const after = afterAttempt(claimed, made, { now, chance: Math.random(), final: hopeless !== undefined })
  await won(Deliveries.replace(claimed, after))
  if (hopeless === undefined) await note(webhook, made, now)
  return after
}

/** Keeps on the webhook since when it fails, and makes it inactive when that is too long. */
async function note(webhook: StoredWebhook, made: Attempt, now: Date): Promise<void> {
  let before: StoredWebhook | undefined = webhook
  for (let tries = 0; before && tries < NOTE_TRIES; tries++) {
    const after = webhookAfter(before, made, now)
    if (!after || (await won(Webhooks.replace(before, after)))) return
    before = await Webhooks.get(webhook.id)
  }
}
