/** Which events are put on the bus, in requests of the maximum size that AWS accepts. */
import { expect, it, vi } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { Event, MAX_BUS_EVENT_BYTES } from '../../../schemas/events/shape.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'

await startAuthCloud()
const { publish } = await import('../../../lib/events/publish.ts')
const { completeAudience } = await import('../../../lib/events/audience.ts')
const { env } = await import('../../../lib/core/env.ts')
const { withCorrelationId: correlated } = await import('../../../lib/core/log.ts')
const bus = await import('../../../lib/events/bus.ts')

vi.mock(import('../../../lib/events/bus.ts'), async (original) => {
  const { putEvents } = await original()
  return { putEvents: vi.fn(putEvents) }
})

const TOPIC = `size:${'€'.repeat(123)}`

function createEventOfSize(bytes: number): Event {
  const event = (text: string) =>
    Event.parse({
      id: newId('event'),
      topic: TOPIC,
      domain: 'size',
      context: { accountId: 'us_acc_1', environmentId: 'us_env_size' },
      payload: { text },
      createdAt: new Date().toISOString(),
    })
  return event('x'.repeat(bytes - Buffer.byteLength(JSON.stringify(event('')))))
}

async function publishAndCount(events: Event[]): Promise<number[]> {
  vi.mocked(bus.putEvents).mockClear()
  await correlated('c'.repeat(64), () => publish(events, { replayed: true }))
  return vi.mocked(bus.putEvents).mock.calls.map(([entries]) => entries.length)
}

it('ten events that fill the limit are one request, and one byte more are two', async () => {
  const tenth = MAX_BUS_EVENT_BYTES / 10
  const nine = Array.from({ length: 9 }, () => createEventOfSize(tenth))
  expect(await publishAndCount([...nine, createEventOfSize(tenth)])).toEqual([10])
  expect(await publishAndCount([...nine, createEventOfSize(tenth + 1)])).toEqual([9, 1])
  expect(await publishAndCount([...nine, ...nine].map(() => createEventOfSize(1_000)))).toEqual([10, 8])
})

it.each([
  ['listened', []],
  ['all', [1]],
] as const)('BUS_EVENTS=%s puts an event without listeners into requests of %j', async (mode, requests) => {
  await completeAudience('us_env_size', [], [])
  env().BUS_EVENTS = mode
  expect(await publishAndCount([createEventOfSize(1_000)])).toEqual(requests)
})
