import { describe, expect, it } from 'vitest'
import type { NewDelivery, NewWebhook } from '../../../lib/entities/webhooks.ts'
import { matchesEvent } from '../../../lib/events/webhook-match.ts'
import { deliveryAfter, webhookAfter } from '../../../lib/webhooks/retry-policy.ts'
import { Subscription } from '../../../schemas/webhooks/shape.ts'

const START = Date.UTC(2031, 0, 1)
const HOUR = 3_600_000
const timeAfter = (ms: number) => new Date(START + ms)
const createAttempt = (success: boolean, more = {}) => ({
  at: timeAfter(0).toISOString(),
  durationMs: 1,
  success,
  ...more,
})
const delivery: NewDelivery = {
  id: 'd',
  webhookId: 'w',
  accountId: 'a',
  environmentId: 'e',
  eventId: 'v',
  topic: 'space:created',
  status: 'pending',
  attempts: [],
  attemptCount: 0,
  nextAttemptAt: timeAfter(0).toISOString(),
  claimedUntil: timeAfter(60_000).toISOString(),
  createdAt: timeAfter(0).toISOString(),
  updatedAt: timeAfter(0).toISOString(),
  expires: 0,
}

describe('webhook delivery', () => {
  const computeWaits = (chance: number) => {
    const seconds: number[] = []
    let state = delivery
    let now = START
    while (state.status === 'pending') {
      state = deliveryAfter(state, createAttempt(false), { now: new Date(now), chance })
      if (!state.nextAttemptAt) break
      seconds.push((Date.parse(state.nextAttemptAt) - now) / 1000)
      now = Date.parse(state.nextAttemptAt)
    }
    return { seconds, state, hours: (now - START) / HOUR }
  }

  it('is attempted eight times over 27.6 hours, with up to 10 % jitter', () => {
    const middle = computeWaits(0.5)
    expect(middle.seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    expect(middle.hours).toBeCloseTo(27.6, 1)
    expect(computeWaits(0).seconds[1]).toBeCloseTo(270)
    expect(computeWaits(1).seconds[1]).toBeCloseTo(330)
  })

  it('fails after the eighth attempt, with its attempts and no next one', () => {
    const { state } = computeWaits(0.5)
    expect(state).toMatchObject({ status: 'failed', attemptCount: 8 })
    expect(state.attempts).toHaveLength(8)
    expect(state).not.toHaveProperty('nextTryAt')
    expect(state).not.toHaveProperty('claimedUntil')
  })

  it('ends with a success, or when a retry cannot help', () => {
    const now = timeAfter(0)
    const done = deliveryAfter(delivery, createAttempt(true, { statusCode: 204 }), { now, chance: 0.5 })
    expect(done).toMatchObject({ status: 'delivered', attemptCount: 1 })
    expect(done).not.toHaveProperty('nextTryAt')
    expect(deliveryAfter(delivery, createAttempt(false), { now, chance: 0.5, final: true }).status).toBe('failed')
  })

  it('keeps its latest 20 attempts', () => {
    const many = Array.from({ length: 20 }, (_, index) => createAttempt(false, { statusCode: 500 + index }))
    const after = deliveryAfter({ ...delivery, attempts: many }, createAttempt(true), { now: timeAfter(0), chance: 0 })
    expect(after.attempts).toHaveLength(20)
    expect(after.attempts[0]!.statusCode).toBe(501)
  })
})

describe('webhook', () => {
  const webhook: NewWebhook = {
    id: 'w',
    accountId: 'a',
    environmentId: 'e',
    url: 'https://example.com/',
    topics: ['**'],
    active: true,
    format: 'json',
    secrets: [],
    createdBy: 'u',
    createdAt: timeAfter(0).toISOString(),
    updatedAt: timeAfter(0).toISOString(),
  }

  it('records when it started to fail, and resets that on the first success', () => {
    const failing = webhookAfter(webhook, createAttempt(false), timeAfter(HOUR))!
    expect(failing.failingSince).toBe(timeAfter(HOUR).toISOString())
    expect(webhookAfter(failing, createAttempt(false), timeAfter(2 * HOUR))).toBeUndefined()
    expect(webhookAfter(failing, createAttempt(true), timeAfter(3 * HOUR))).not.toHaveProperty('failingSince')
    expect(webhookAfter(webhook, createAttempt(true), timeAfter(0))).toBeUndefined()
  })

  it('is deactivated after 5 days of failures, or immediately by a 410, and only once', () => {
    const failing = webhookAfter(webhook, createAttempt(false), timeAfter(0))!
    expect(webhookAfter(failing, createAttempt(false), timeAfter(120 * HOUR - 1))).toBeUndefined()
    const disabled = webhookAfter(failing, createAttempt(false), timeAfter(120 * HOUR))!
    expect(disabled).toMatchObject({
      active: false,
      disabledReason: 'failing',
      failingSince: timeAfter(0).toISOString(),
    })
    expect(webhookAfter(disabled, createAttempt(false), timeAfter(121 * HOUR))).toBeUndefined()
    expect(webhookAfter(webhook, createAttempt(false, { statusCode: 410 }), timeAfter(0))).toMatchObject({
      disabledReason: 'gone',
    })
  })

  it('matches its topics in its space while it is active', () => {
    const createEvent = (topic: string, spaceId = 's') => ({
      topic,
      context: { accountId: 'a', environmentId: 'e', spaceId },
    })
    const matchesTopics = (...topics: string[]) => ({ ...webhook, topics })
    expect(matchesEvent(matchesTopics('space:created'), createEvent('space:created'))).toBe(true)
    expect(matchesEvent(matchesTopics('space:created'), createEvent('space:created-too'))).toBe(false)
    expect(matchesEvent(matchesTopics('space:*'), createEvent('space:created'))).toBe(true)
    expect(matchesEvent(matchesTopics('space:*'), createEvent('spaces:created'))).toBe(false)
    expect(matchesEvent(matchesTopics('**'), createEvent('my-own:thing'))).toBe(true)
    expect(matchesEvent(matchesTopics('**'), createEvent('cron:hourly'))).toBe(false)
    expect(matchesEvent(matchesTopics('**', 'cron:hourly'), createEvent('cron:hourly'))).toBe(true)
    expect(matchesEvent(matchesTopics('cron:*'), createEvent('cron:hourly'))).toBe(true)
    expect(matchesEvent({ ...matchesTopics('**'), spaceId: 's' }, createEvent('a:b'))).toBe(true)
    expect(matchesEvent({ ...matchesTopics('**'), spaceId: 's' }, createEvent('a:b', 't'))).toBe(false)
    expect(matchesEvent({ ...matchesTopics('**'), active: false }, createEvent('a:b'))).toBe(false)
  })

  it.each(['space:created', 'space:*', '**', 'data-clip:*', 'my:own:topic'])('accepts the topic %s', (topic) =>
    expect(Subscription.safeParse(topic).success).toBe(true),
  )
  it.each(['*', 'space', '*:created', 'space:cre*', '**:*', '***', 'a b:c', ''])('rejects the topic %s', (topic) =>
    expect(Subscription.safeParse(topic).success).toBe(false),
  )
})
