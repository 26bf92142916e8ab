/** How many events go to the bus in one request: as many as AWS takes, whose limit the embedded bus has too. */
import { beforeAll, expect, it, vi } from 'vitest'
import { newId } from '../../../lib/core/ids.ts'
import { EVENT_BUS_BYTES, Event } from '../../../schemas/events.ts'
import { server } from '../../support/api.ts'

let publish: typeof import('../../../lib/events/publish.ts').publish
let correlated: typeof import('../../../lib/core/log.ts').correlated
let bus: typeof import('../../../lib/events/bus.ts')

beforeAll(async () => {
  server()
  ;({ publish } = await import('../../../lib/events/publish.ts'))
  ;({ correlated } = await import('../../../lib/core/log.ts'))
  bus = await import('../../../lib/events/bus.ts')
})

vi.mock(import('../../../lib/events/bus.ts'), async (original) => {
  const { putEvents } = await original()
  return { putEvents: vi.fn(putEvents) }
})

/** As long as AWS takes a `DetailType`, 128 characters, of three bytes each. */
const TOPIC = `size:${'€'.repeat(123)}`

/** An event whose JSON has so many bytes. */
function eventOf(bytes: number): Event {
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

/** How many events each request had. @throws when the bus refuses one */
async function requests(events: Event[]): Promise<number[]> {
  vi.mocked(bus.putEvents).mockClear()
  await correlated('c'.repeat(64), () => publish(events, { marked: false, replayed: true }))
  return vi.mocked(bus.putEvents).mock.calls.map(([entries]) => entries.length)
}

it('ten events whose JSON fills the limit are one request that the bus takes, and a byte more are two', async () => {
  const tenth = EVENT_BUS_BYTES / 10
  const nine = Array.from({ length: 9 }, () => eventOf(tenth))
  expect(await requests([...nine, eventOf(tenth)])).toEqual([10])
  expect(await requests([...nine, eventOf(tenth + 1)])).toEqual([9, 1])
  expect(await requests([...nine, ...nine].map(() => eventOf(1_000)))).toEqual([10, 8])
})
