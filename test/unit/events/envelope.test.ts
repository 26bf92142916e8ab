/** An event's envelope: one moment in its id and in `createdAt`, so that a window bounds both alike. */
import { decodeTime } from 'ulid'
import { expect, it } from 'vitest'
import { customTopic, envelope } from '../../../lib/events/envelope.ts'

it('carries the time of its id, also of ids made faster than the clock ticks', () => {
  const context = { accountId: 'us_acc_x', environmentId: 'us_env_x' }
  for (let n = 0; n < 500; n++) {
    const { id, createdAt } = envelope(customTopic('some:thing'), context as never, {})
    expect(Date.parse(createdAt)).toBe(decodeTime(id.slice(-26)))
  }
})
