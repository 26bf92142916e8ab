/** A mirror built only from a sheet's events, which arrive in any order, some twice and some not at all. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { createRandom } from '../support/record-writes.ts'

const WRITERS = 4
const WRITES = 25
const seed = Date.now() % 1e9
const because = `seed ${seed}`

let call: ReturnType<typeof createCaller>
let sheetId: string
let spaceId: string
let accepted = 1

interface Change {
  recordId: string
  fieldKey: string
  newValue: unknown
}
interface Payload {
  recordIds: string[]
  changes: Change[]
}

function buildMirror(events: readonly Event[]): { ids: string[]; values: { [cell: string]: unknown } } {
  const ids = new Set<string>()
  const values: { [cell: string]: unknown } = {}
  const each = new Map(events.map((event) => [event.id, event]))
  for (const [, { topic, payload }] of [...each].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { recordIds, changes } = payload as Payload
    if (topic === 'records:created') for (const id of recordIds) ids.add(id)
    if (topic === 'records:deleted') for (const id of recordIds) ids.delete(id)
    if (topic === 'records:updated')
      for (const { recordId, fieldKey, newValue } of changes) values[`${recordId} ${fieldKey}`] = newValue
  }
  return { ids: [...ids].sort(), values }
}

const eventsSince = async (since?: string): Promise<Event[]> => {
  const all: Event[] = []
  for (let page = 1; ; page++) {
    const from = since ? `&since=${encodeURIComponent(since)}` : ''
    const query = `spaceId=${spaceId}&domain=records&pageSize=100&pageNumber=${page}${from}`
    const { data } = (await call('GET', `/events?${query}`)).body
    all.push(...data)
    if (data.length < 100) return all
  }
}

beforeAll(async () => {
  call = createCaller((await createTestAccount()).secretKey)
  spaceId = (await call('POST', '/spaces', { name: 'Mirror' })).body.data.id
  const fields = [
    { key: 'a', type: 'string' },
    { key: 'b', type: 'string' },
  ]
  const sheets = [{ name: 'S', slug: 's', fields }]
  sheetId = (await call('POST', '/workbooks', { spaceId, name: 'w', sheets })).body.data.sheets[0].id
  const path = `/sheets/${sheetId}/records`
  const rows = Array.from({ length: 40 }, (_, i) => ({ a: { value: `${i}` } }))
  const { records } = (await call('POST', path, rows)).body.data
  const work = async (writer: number): Promise<void> => {
    const random = createRandom(seed + writer)
    const one = () => records[Math.floor(random() * records.length)].id as string
    for (let i = 0; i < WRITES; i++) {
      const what = random()
      const written = () => {
        if (what < 0.1) return call('POST', path, [{ a: { value: 'new' } }])
        if (what < 0.2) return call('DELETE', `${path}?ids=${one()}`)
        const values = { [random() < 0.5 ? 'a' : 'b']: { value: `${writer} ${i}` } }
        return call('PUT', path, [{ id: one(), values }])
      }
      const { status, body } = await written()
      expect([200, 404], JSON.stringify(body)).toContain(status)
      if (status === 200) accepted += 1
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)))
}, 120_000)

describe('a mirror of a sheet', () => {
  it('matches the sheet, however its events arrived', { timeout: 90_000 }, async () => {
    const sent = await waitUntil(async () => {
      const events = await eventsSince()
      return events.length >= accepted && events
    }, 60)
    expect(sent, because).toHaveLength(accepted)
    const random = createRandom(seed)
    const arrived = sent
      .filter((_, i) => i % 20 !== 7)
      .flatMap((event) => (random() < 0.2 ? [event, event] : [event]))
      .map((event) => ({ event, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ event }) => event)
    const missed = sent.filter((event) => !arrived.includes(event))
    expect(missed.length, because).toBeGreaterThan(0)

    const asked = await eventsSince(sent[0]!.createdAt)
    const mirror = buildMirror([...arrived, ...asked])
    expect(mirror, because).toEqual(buildMirror(sent))
    const { records } = (await call('GET', `/sheets/${sheetId}/records`)).body.data
    expect(mirror.ids, because).toEqual(pluck(records, 'id').sort())
    const there = new Map<string, { [key: string]: { value: unknown } }>(
      records.map(({ id, values }: { id: string; values: object }) => [id, values]),
    )
    for (const [cell, value] of Object.entries(mirror.values)) {
      const [id, key] = cell.split(' ') as [string, string]
      if (there.has(id)) expect(there.get(id)![key]!.value, `${cell}, ${because}`).toEqual(value)
    }
  })
})
