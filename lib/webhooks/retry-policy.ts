/** Computes a delivery and its webhook after an attempt. Pure. */
import { DAY_MS } from '../../schemas/kit/time.ts'
import { type Attempt, FAILING_DAYS, MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from '../../schemas/webhooks/shape.ts'
import type { NewDelivery, NewWebhook } from '../entities/webhooks.ts'

const MAX_STORED_ATTEMPTS = 20
/** Spreads retries, so that deliveries that failed together are not retried together. */
const JITTER = 0.1
const FAILING_MS = FAILING_DAYS * DAY_MS
const GONE = 410

/** @param chance from 0 to 1 */
export function deliveryAfter(
  delivery: NewDelivery,
  attempt: Attempt,
  { now, chance, final = false }: { now: Date; chance: number; final?: boolean },
): NewDelivery {
  const { claimedUntil: _claimed, nextAttemptAt: _due, ...remaining } = delivery
  const attemptCount = delivery.attemptCount + 1
  const base = {
    ...remaining,
    attemptCount,
    attempts: [...delivery.attempts, attempt].slice(-MAX_STORED_ATTEMPTS),
    updatedAt: now.toISOString(),
  }
  if (attempt.success) return { ...base, status: 'delivered' }
  if (final || attemptCount >= MAX_ATTEMPTS) return { ...base, status: 'failed' }
  const delay = RETRY_DELAYS_SECONDS[attemptCount - 1]! * 1000 * (1 - JITTER + 2 * JITTER * chance)
  return { ...base, status: 'pending', nextAttemptAt: new Date(now.getTime() + Math.round(delay)).toISOString() }
}

export function webhookAfter(webhook: NewWebhook, attempt: Attempt, now: Date): NewWebhook | undefined {
  const { failingSince, ...remaining } = webhook
  const time = now.toISOString()
  if (attempt.success) return failingSince === undefined ? undefined : { ...remaining, updatedAt: time }
  const disable = (disabledReason: 'failing' | 'gone'): NewWebhook => ({
    ...remaining,
    failingSince: failingSince ?? time,
    active: false,
    disabledAt: time,
    disabledReason,
    updatedAt: time,
  })
  if (!webhook.active) return undefined
  if (attempt.statusCode === GONE) return disable('gone')
  if (failingSince === undefined) return { ...remaining, failingSince: time, updatedAt: time }
  return now.getTime() - Date.parse(failingSince) >= FAILING_MS ? disable('failing') : undefined
}
