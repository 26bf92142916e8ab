/** The time in an event's id equals `createdAt`, so that a time window bounds both. */
import { decodeTime } from 'ulid'
import { expect, it } from 'vitest'
import { buildEvent, declareTopic } from '../../../lib/events/envelope.ts'

it('an event carries the time of its id, even when ids are created faster than the clock ticks', () => {
  const context = { accountId: 'us_acc_x', environmentId: 'us_env_x' }
  for (let n = 0; n < 500; n++) {
    const { id, createdAt } = buildEvent(declareTopic('some:thing'), context as never, {})
    expect(Date.parse(createdAt)).toBe(decodeTime(id.slice(-26)))
  }
})
