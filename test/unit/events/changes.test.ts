/** How a commit's changed cells are told of: the first parts travel whole, the rest to be claimed, and each cell once. */
import { describe, expect, it } from 'vitest'
import { type CommitEffect, type CommitOrigin, eventsOf } from '../../../lib/commits/events.ts'
import { detailOf } from '../../../lib/events/claimed.ts'
import type { CellChange, LogEntry } from '../../../lib/records/index.ts'
import { EVENT_BUS_BYTES, EVENT_BYTES, type Event } from '../../../schemas/events.ts'
import { WHOLE_UPDATES } from '../../../schemas/records.ts'

const SHEET = '01M83DFTW31EV5K99Q02R8CG39'
const at = '2026-01-02T03:04:05.678Z'
const context = { accountId: 'us_acc_1', environmentId: 'us_env_1', spaceId: 'us_sp_1', workbookId: 'us_wb_1' }
const origin = {
  context: { ...context, sheetId: `us_sh_${SHEET}`, sheetSlug: 's' },
  namespaces: [],
  trackChanges: false,
}
const entry = {
  ...{ seq: 7, commitId: `us_vr_${SHEET}_7`, at, actorId: 'us_usr_1', isCommit: true },
  event: origin as unknown as CommitOrigin,
} as unknown as LogEntry

const change = (row: number, fieldKey: string, newValue: unknown): CellChange => ({
  ...{ recordId: `us_rc_${SHEET}_0_${row}`, fieldKey, previousValue: `value ${row}`, newValue },
})

/** @param batch changes handed over at a time */
async function updates(changes: CellChange[], batch: number): Promise<Event[]> {
  const batches = Array.from({ length: Math.ceil(changes.length / batch) }, (_, i) =>
    changes.slice(i * batch, (i + 1) * batch),
  )
  const counts = { total: 1, valid: 1, error: 0 } as CommitEffect['counts']
  const effect: CommitEffect = { created: [], deleted: [], changes: batches, counts, numbers: [] }
  const told: Event[] = []
  for await (const event of eventsOf(entry, effect)) if (event.topic === 'records:updated') told.push(event)
  return told
}

const changesIn = (events: Event[]) => events.flatMap(({ payload }) => (payload as { changes: CellChange[] }).changes)
const size = (event: Event): number => Buffer.byteLength(JSON.stringify(event))

describe('changed cells', () => {
  const rows = 60_000
  const changes = Array.from({ length: rows }, (_, row) => change(row, 'city', 'Winterfell'))

  it('are told once each, the first parts whole on the bus, the others larger and without payload', async () => {
    const told = await updates(changes, 5000)
    expect(changesIn(told)).toEqual(changes)
    const [first, rest] = [told.slice(0, WHOLE_UPDATES), told.slice(WHOLE_UPDATES, -1)]
    expect(rest.length).toBeGreaterThan(2)
    for (const event of first) expect(size(event)).toBeLessThanOrEqual(EVENT_BUS_BYTES)
    for (const event of rest) expect(size(event)).toBeGreaterThan(EVENT_BUS_BYTES)
    for (const event of told) {
      expect(size(event)).toBeLessThanOrEqual(EVENT_BYTES)
      const travels = JSON.parse(detailOf(event)) as Event
      expect(travels.payload).toEqual(size(event) > EVENT_BUS_BYTES ? {} : event.payload)
    }
  })

  it('are told alike however they come: who reads them from the log makes the same events', async () => {
    const some = changes.slice(0, 9000).flatMap((one) => [one, { ...one, fieldKey: 'note' }])
    const [one, other] = [await updates(some, 2), await updates(some, 10_000)]
    expect(one).toEqual(other)
    for (const { payload } of one) {
      const { recordIds, changes: own } = payload as { recordIds: string[]; changes: CellChange[] }
      expect(own.map(({ recordId }) => recordId)).toEqual(recordIds.flatMap((id) => [id, id]))
    }
  })

  it('of any characters stay within what the bus takes', async () => {
    const odd = [
      '"'.repeat(200),
      '\\'.repeat(200),
      'ü'.repeat(200),
      '\u0001'.repeat(200),
      '😀'.repeat(100),
      [1, 'ß'],
      null,
    ]
    const told = await updates(
      Array.from({ length: 4000 }, (_, row) => change(row, 'city', odd[row % odd.length])),
      1000,
    )
    expect(told.length).toBeGreaterThan(5)
    for (const event of told) expect(size(event)).toBeLessThanOrEqual(EVENT_BUS_BYTES)
  })
})
