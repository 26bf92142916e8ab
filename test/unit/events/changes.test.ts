/** Events for changed cells: the first parts carry changes, the rest a claim check, and each cell occurs once. */
import { describe, expect, it } from 'vitest'
import { buildCommitEvents, type CommitEffect, type CommitOrigin } from '../../../lib/commits/events.ts'
import { serializeDetail } from '../../../lib/events/claim-check.ts'
import { packPayload, serializePayload, unpackPayload } from '../../../lib/events/packed-payload.ts'
import { parseRecordId } from '../../../lib/records/format/ids.ts'
import type { CellChange, LogEntry } from '../../../lib/records/index.ts'
import { type ChangeBatch, createChangeWriter } from '../../../lib/records/segments/change-batch.ts'
import { type Event, MAX_BUS_EVENT_BYTES, MAX_EVENT_BYTES } from '../../../schemas/events/shape.ts'
import {
  INLINE_ID_EVENTS,
  INLINE_IDS_PER_EVENT,
  INLINE_UPDATE_EVENTS,
  MAX_IDS_PER_EVENT,
} from '../../../schemas/records/limits.ts'

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

const createChange = (row: number, fieldKey: string, newValue: unknown): CellChange => ({
  ...{ recordId: `us_rc_${SHEET}_0_0_${row}`, fieldKey, previousValue: `value ${row}`, newValue },
})

async function createUpdates(changes: CellChange[], batch: number): Promise<Event[]> {
  const batches = Array.from({ length: Math.ceil(changes.length / batch) }, (_, i) =>
    changes.slice(i * batch, (i + 1) * batch),
  )
  const counts = { total: 1, valid: 1, error: 0 } as CommitEffect['counts']
  const effect: CommitEffect = {
    created: [],
    deleted: [],
    changes: batches.map(toChangeBatch),
    counts,
    numberFields: [],
  }
  const told: Event[] = []
  for await (const event of buildCommitEvents(entry, effect)) if (event.topic === 'records:updated') told.push(event)
  return told
}

function toChangeBatch(changes: readonly CellChange[]): ChangeBatch {
  const keys = [...new Set(changes.map(({ fieldKey }) => fieldKey))]
  const writer = createChangeWriter(`us_sh_${SHEET}`, keys)
  let lastId: string | undefined
  for (const { recordId, fieldKey, previousValue, newValue } of changes) {
    if (recordId !== lastId) writer.startRecord(parseRecordId(`us_sh_${SHEET}`, recordId)!)
    lastId = recordId
    writer.addTexts(keys.indexOf(fieldKey), JSON.stringify(previousValue), JSON.stringify(newValue))
  }
  return writer.batch
}

const getChanges = (events: Event[]) => events.flatMap(({ payload }) => (payload as { changes: CellChange[] }).changes)
const measureSize = (event: Event): number => Buffer.byteLength(JSON.stringify(event))

describe('changed cells', () => {
  const rows = 60_000
  const changes = Array.from({ length: rows }, (_, row) => createChange(row, 'city', 'Winterfell'))

  it('are emitted once each: the first parts with all changes, the others with a claim check', async () => {
    const told = await createUpdates(changes, 5000)
    expect(getChanges(told)).toEqual(changes)
    const [first, rest] = [told.slice(0, INLINE_UPDATE_EVENTS), told.slice(INLINE_UPDATE_EVENTS, -1)]
    expect(rest.length).toBeGreaterThan(2)
    for (const event of first) expect(measureSize(event)).toBeLessThanOrEqual(MAX_BUS_EVENT_BYTES)
    for (const event of rest) expect(measureSize(event)).toBeGreaterThan(MAX_BUS_EVENT_BYTES)
    for (const event of told) {
      expect(measureSize(event)).toBeLessThanOrEqual(MAX_EVENT_BYTES)
      const travels = JSON.parse(serializeDetail(event)) as Event
      expect(travels.payload).toEqual(measureSize(event) > MAX_BUS_EVENT_BYTES ? {} : event.payload)
    }
  })

  it('produce the same events from memory and from the log', async () => {
    const some = changes.slice(0, 9000).flatMap((one) => [one, { ...one, fieldKey: 'note' }])
    const [one, other] = [await createUpdates(some, 2), await createUpdates(some, 10_000)]
    expect(one).toEqual(other)
    for (const { payload } of one) {
      const { recordIds, changes: own } = payload as { recordIds: string[]; changes: CellChange[] }
      expect(own.map(({ recordId }) => recordId)).toEqual(recordIds.flatMap((id) => [id, id]))
    }
  })

  it('are stored so that the same changes are read', async () => {
    const some = changes.slice(0, 3000).flatMap((one, row) => (row % 3 ? [one, { ...one, fieldKey: 'note' }] : [one]))
    for (const { payload } of await createUpdates(some, 700)) {
      const stored: unknown = JSON.parse(serializePayload(payload).toString())
      expect(unpackPayload(stored)).toEqual({ ...(payload as object) })
    }
  })

  it('with any characters stay within the limit of the bus', async () => {
    const odd = [
      '"'.repeat(200),
      '\\'.repeat(200),
      'ü'.repeat(200),
      '\u0001'.repeat(200),
      '😀'.repeat(100),
      [1, 'ß'],
      null,
    ]
    const told = await createUpdates(
      Array.from({ length: 4000 }, (_, row) => createChange(row, 'city', odd[row % odd.length])),
      1000,
    )
    expect(told.length).toBeGreaterThan(5)
    for (const event of told) expect(measureSize(event)).toBeLessThanOrEqual(MAX_BUS_EVENT_BYTES)
  })
})

describe('ids of many created or deleted records', () => {
  const ids = Array.from({ length: 60_000 }, (_, row) => `us_rc_${SHEET}_${row % 7}.${row}_${row}`)

  it.each(['created', 'deleted'] as const)(
    'are emitted once each when %s, at first with their payload',
    async (kind) => {
      const counts = { total: 1, valid: 1, error: 0 } as CommitEffect['counts']
      const effect: CommitEffect = { created: [], deleted: [], changes: [], counts, numberFields: [], [kind]: ids }
      const told: Event[] = []
      for await (const event of buildCommitEvents(entry, effect))
        if (event.topic === `records:${kind}`) told.push(event)
      const lists = told.map(({ payload }) => (payload as { recordIds: string[] }).recordIds)
      expect(lists.flat()).toEqual(ids)
      const first = Array<number>(INLINE_ID_EVENTS).fill(INLINE_IDS_PER_EVENT)
      expect(lists.map(({ length }) => length)).toEqual([...first, MAX_IDS_PER_EVENT, MAX_IDS_PER_EVENT, 6000])
      for (const event of told) expect(measureSize(event)).toBeLessThanOrEqual(MAX_EVENT_BYTES)
      const travels = told.map((event) => JSON.parse(serializeDetail(event)) as Event)
      expect(travels.map(({ payload }) => Object.keys(payload as object).length > 0)).toEqual(
        told.map((_, i) => i < INLINE_ID_EVENTS),
      )
    },
  )
})

describe('added records', () => {
  it('have the same events and stored ids from ranges as from single ids', async () => {
    const counts = { total: 1, valid: 1, error: 0 } as CommitEffect['counts']
    const ranges = [3, INLINE_IDS_PER_EVENT * INLINE_ID_EVENTS, 1, MAX_IDS_PER_EVENT * 2 + 5].map((count, part) => ({
      prefix: `us_rc_${SHEET}_7_${part}_`,
      count,
    }))
    const ids = ranges.flatMap(({ prefix, count }) => Array.from({ length: count }, (_, row) => prefix + row))
    const build = async (created: CommitEffect['created']): Promise<Event[]> => {
      const events: Event[] = []
      for await (const event of buildCommitEvents(entry, {
        created,
        deleted: [],
        changes: [],
        counts,
        numberFields: [],
      }))
        events.push(event)
      return events
    }
    const [fromRanges, fromIds] = [await build(Object.assign([...ids], { ranges })), await build(ids)]
    expect(fromRanges).toEqual(fromIds)
    const pack = (events: Event[]) => events.map(({ payload }) => packPayload(payload))
    expect(pack(fromRanges)).toEqual(pack(fromIds))
    expect(fromRanges.flatMap(({ payload }) => (payload as { recordIds?: string[] }).recordIds ?? [])).toEqual(ids)
  })
})
