/** What a try makes of a delivery and of its webhook. Pure; time and chance are passed in. */
import { type Attempt, FAILING_DAYS, TRIES, TRY_DELAYS_SECONDS } from '../../schemas/webhooks.ts'
import type { NewDelivery, NewWebhook } from '../entities/webhooks.ts'

/** Attempts kept on a delivery. */
const ATTEMPTS_KEPT = 20
/** Tries are spread by this much, so that what failed together does not come back together. */
const JITTER = 0.1
const FAILING_MS = FAILING_DAYS * 86_400_000
const GONE = 410

/**
 * The delivery after a try of it.
 * @param chance from 0 to 1
 * @param final no further try is made, however many are left
 */
export function afterAttempt(
  delivery: NewDelivery,
  attempt: Attempt,
  { now, chance, final = false }: { now: Date; chance: number; final?: boolean },
): NewDelivery {
  const { claimedUntil: _claimed, nextTryAt: _due, ...rest } = delivery
  const tries = delivery.tries + 1
  const after = {
    ...rest,
    tries,
    attempts: [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT),
    updatedAt: now.toISOString(),
  }
  if (attempt.success) return { ...after, status: 'delivered' }
  if (final || tries >= TRIES) return { ...after, status: 'failed' }
  const delay = TRY_DELAYS_SECONDS[tries - 1]! * 1000 * (1 - JITTER + 2 * JITTER * chance)
  return { ...after, status: 'pending', nextTryAt: new Date(now.getTime() + Math.round(delay)).toISOString() }
}

/** The webhook after a try, or undefined when it stays as it is. */
export function webhookAfter(webhook: NewWebhook, attempt: Attempt, now: Date): NewWebhook | undefined {
  const { failingSince, ...rest } = webhook
  const time = now.toISOString()
  if (attempt.success) return failingSince === undefined ? undefined : { ...rest, updatedAt: time }
  const disabled = (disabledReason: 'failing' | 'gone'): NewWebhook => ({
    ...rest,
    failingSince: failingSince ?? time,
    active: false,
    disabledAt: time,
    disabledReason,
    updatedAt: time,
  })
  if (!webhook.active) return undefined
  if (attempt.statusCode === GONE) return disabled('gone')
  if (failingSince === undefined) return { ...rest, failingSince: time, updatedAt: time }
  return now.getTime() - Date.parse(failingSince) >= FAILING_MS ? disabled('failing') : undefined
}
