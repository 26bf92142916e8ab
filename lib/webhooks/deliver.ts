/** Webhook deliveries: a conditional write claims each attempt; a crashed one is repeated when its claim expires. */

import type { Event } from '../../schemas/events/shape.ts'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import type { Attempt } from '../../schemas/webhooks/shape.ts'
import {
  computeDeliveryExpiry,
  Deliveries,
  deriveDeliveryId,
  type NewDelivery,
  type StoredDelivery,
  type StoredWebhook,
  Webhooks,
} from '../entities/webhooks.ts'
import { Events, toEvent } from '../events/store.ts'
import { retryOnConflict, transact, tryCommit } from '../table/transact.ts'
import type { Write } from '../table/write.ts'
import { deliveryAfter, webhookAfter } from './retry-policy.ts'
import { send } from './send.ts'

/** An attempt takes at most 15 s; the rest is a margin for reads and writes. */
const CLAIM_MS = MINUTE_MS
/** After this many write conflicts the webhook's status is left to the next attempt. */
const STATUS_ATTEMPTS = 3

export type Clock = () => Date

const buildClaim = (now: Date) => ({ claimedUntil: new Date(now.getTime() + CLAIM_MS).toISOString() })

const tryStore = (write: Write): Promise<boolean> => tryCommit(transact([write]))

export async function deliver(webhook: StoredWebhook, event: Event, clock: Clock): Promise<void> {
  const now = clock()
  const delivery: NewDelivery = {
    id: deriveDeliveryId(webhook.id, event),
    webhookId: webhook.id,
    accountId: webhook.accountId,
    environmentId: webhook.environmentId,
    eventId: event.id,
    topic: event.topic,
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    nextAttemptAt: now.toISOString(),
    ...buildClaim(now),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    expires: computeDeliveryExpiry(now),
  }
  if (await tryStore(Deliveries.create(delivery))) await runAttempt({ ...delivery, rev: 1 }, clock)
}

export async function retry(delivery: StoredDelivery, clock: Clock): Promise<void> {
  const claimed = { ...delivery, ...buildClaim(clock()) }
  if (await tryStore(Deliveries.replace(delivery, claimed)))
    await runAttempt({ ...claimed, rev: delivery.rev + 1 }, clock)
}

export async function redeliver(delivery: StoredDelivery, clock: Clock): Promise<NewDelivery | undefined> {
  const now = clock()
  if ((delivery.claimedUntil ?? '') > now.toISOString()) return undefined
  const nextAttemptAt = now.toISOString()
  const restarted: NewDelivery = {
    ...delivery,
    status: 'pending',
    attemptCount: 0,
    nextAttemptAt,
    ...buildClaim(now),
    updatedAt: nextAttemptAt,
  }
  if (!(await tryStore(Deliveries.replace(delivery, { ...restarted, expires: computeDeliveryExpiry(now) }))))
    return undefined
  return runAttempt({ ...restarted, expires: computeDeliveryExpiry(now), rev: delivery.rev + 1 }, clock)
}

async function runAttempt(claimed: StoredDelivery, clock: Clock): Promise<NewDelivery | undefined> {
  const [webhook, event] = await Promise.all([Webhooks.get(claimed.webhookId), Events.get(claimed.eventId)])
  if (!webhook) {
    await tryStore(Deliveries.remove(claimed))
    return undefined
  }
  const skipReason = !webhook.active
    ? message('requests.webhookNotActive')
    : event
      ? undefined
      : message('requests.eventNotStored')
  const result: Attempt =
    skipReason || !event
      ? { at: clock().toISOString(), durationMs: 0, success: false, error: skipReason! }
      : await send(webhook, toEvent(event), clock())
  const now = clock()
  const after = deliveryAfter(claimed, result, { now, chance: Math.random(), final: skipReason !== undefined })
  await tryStore(Deliveries.replace(claimed, after))
  if (skipReason === undefined) await updateHealth(webhook, result, now)
  return after
}

async function updateHealth(webhook: StoredWebhook, result: Attempt, now: Date): Promise<void> {
  const updated = retryOnConflict(STATUS_ATTEMPTS, async (attemptNumber) => {
    const before = attemptNumber === 1 ? webhook : await Webhooks.get(webhook.id)
    const after = before && webhookAfter(before, result, now)
    if (after) await transact(Webhooks.replace(before, after))
  })
  await tryCommit(updated)
}
