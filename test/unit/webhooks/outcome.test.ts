import { describe, expect, it } from 'vitest'
import type { NewDelivery, NewWebhook } from '../../../lib/entities/webhooks.ts'
import { wants } from '../../../lib/webhooks/match.ts'
import { afterAttempt, webhookAfter } from '../../../lib/webhooks/outcome.ts'
import { Subscription } from '../../../schemas/webhooks.ts'

const START = Date.UTC(2031, 0, 1)
const HOUR = 3_600_000
const at = (ms: number) => new Date(START + ms)
const attempt = (success: boolean, more = {}) => ({ at: at(0).toISOString(), durationMs: 1, success, ...more })
const delivery: NewDelivery = {
  id: 'd',
  webhookId: 'w',
  accountId: 'a',
  environmentId: 'e',
  eventId: 'v',
  topic: 'space:created',
  status: 'pending',
  attempts: [],
  tries: 0,
  nextTryAt: at(0).toISOString(),
  claimedUntil: at(60_000).toISOString(),
  createdAt: at(0).toISOString(),
  updatedAt: at(0).toISOString(),
  expires: 0,
}

describe('a delivery', () => {
  const waits = (chance: number) => {
    const seconds: number[] = []
    let state = delivery
    let now = START
    while (state.status === 'pending') {
      state = afterAttempt(state, attempt(false), { now: new Date(now), chance })
      if (!state.nextTryAt) break
      seconds.push((Date.parse(state.nextTryAt) - now) / 1000)
      now = Date.parse(state.nextTryAt)
    }
    return { seconds, state, hours: (now - START) / HOUR }
  }

  it('is tried eight times over 27.6 hours, each wait within a tenth of its length', () => {
    const middle = waits(0.5)
    expect(middle.seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    expect(middle.hours).toBeCloseTo(27.6, 1)
    expect(waits(0).seconds[1]).toBeCloseTo(270)
    expect(waits(1).seconds[1]).toBeCloseTo(330)
  })

  it('ends as failed after the eighth, with its attempts and nothing to wait for', () => {
    const { state } = waits(0.5)
    expect(state).toMatchObject({ status: 'failed', tries: 8 })
    expect(state.attempts).toHaveLength(8)
    expect(state).not.toHaveProperty('nextTryAt')
    expect(state).not.toHaveProperty('claimedUntil')
  })

  it('ends with a success, or when no try can help', () => {
    const now = at(0)
    const done = afterAttempt(delivery, attempt(true, { statusCode: 204 }), { now, chance: 0.5 })
    expect(done).toMatchObject({ status: 'delivered', tries: 1 })
    expect(done).not.toHaveProperty('nextTryAt')
    expect(afterAttempt(delivery, attempt(false), { now, chance: 0.5, final: true }).status).toBe('failed')
  })

  it('keeps its latest 20 attempts', () => {
    const many = Array.from({ length: 20 }, (_, index) => attempt(false, { statusCode: 500 + index }))
    const after = afterAttempt({ ...delivery, attempts: many }, attempt(true), { now: at(0), chance: 0 })
    expect(after.attempts).toHaveLength(20)
    expect(after.attempts[0]!.statusCode).toBe(501)
  })
})

describe('a webhook', () => {
  const webhook: NewWebhook = {
    id: 'w',
    accountId: 'a',
    environmentId: 'e',
    url: 'https://example.com/',
    topics: ['**'],
    active: true,
    secrets: [],
    createdBy: 'u',
    createdAt: at(0).toISOString(),
    updatedAt: at(0).toISOString(),
  }

  it('notes when it began to fail, and forgets it at the first success', () => {
    const failing = webhookAfter(webhook, attempt(false), at(HOUR))!
    expect(failing.failingSince).toBe(at(HOUR).toISOString())
    expect(webhookAfter(failing, attempt(false), at(2 * HOUR))).toBeUndefined()
    expect(webhookAfter(failing, attempt(true), at(3 * HOUR))).not.toHaveProperty('failingSince')
    expect(webhookAfter(webhook, attempt(true), at(0))).toBeUndefined()
  })

  it('is made inactive after 5 days of failures, at once by a 410, and then no more', () => {
    const failing = webhookAfter(webhook, attempt(false), at(0))!
    expect(webhookAfter(failing, attempt(false), at(120 * HOUR - 1))).toBeUndefined()
    const disabled = webhookAfter(failing, attempt(false), at(120 * HOUR))!
    expect(disabled).toMatchObject({ active: false, disabledReason: 'failing', failingSince: at(0).toISOString() })
    expect(webhookAfter(disabled, attempt(false), at(121 * HOUR))).toBeUndefined()
    expect(webhookAfter(webhook, attempt(false, { statusCode: 410 }), at(0))).toMatchObject({ disabledReason: 'gone' })
  })

  it('wants what its topics cover, in its space, while it is active', () => {
    const event = (topic: string, spaceId = 's') => ({
      topic,
      context: { accountId: 'a', environmentId: 'e', spaceId },
    })
    const of = (...topics: string[]) => ({ ...webhook, topics })
    expect(wants(of('space:created'), event('space:created'))).toBe(true)
    expect(wants(of('space:created'), event('space:created-too'))).toBe(false)
    expect(wants(of('space:*'), event('space:created'))).toBe(true)
    expect(wants(of('space:*'), event('spaces:created'))).toBe(false)
    expect(wants(of('**'), event('my-own:thing'))).toBe(true)
    expect(wants(of('**'), event('cron:hourly'))).toBe(false)
    expect(wants(of('**', 'cron:hourly'), event('cron:hourly'))).toBe(true)
    expect(wants(of('cron:*'), event('cron:hourly'))).toBe(true)
    expect(wants({ ...of('**'), spaceId: 's' }, event('a:b'))).toBe(true)
    expect(wants({ ...of('**'), spaceId: 's' }, event('a:b', 't'))).toBe(false)
    expect(wants({ ...of('**'), active: false }, event('a:b'))).toBe(false)
  })

  it.each(['space:created', 'space:*', '**', 'data-clip:*', 'my:own:topic'])('may name %s', (topic) =>
    expect(Subscription.safeParse(topic).success).toBe(true),
  )
  it.each(['*', 'space', '*:created', 'space:cre*', '**:*', '***', 'a b:c', ''])('may not name %s', (topic) =>
    expect(Subscription.safeParse(topic).success).toBe(false),
  )
})
