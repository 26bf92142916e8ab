import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDataUrl, findPartEvent, listParts, parsePartId, splitEvent } from '../../../lib/events/commit-parts.ts'
import type { Event } from '../../../schemas/events/shape.ts'

const SHEET = 'us_sh_1'

function buildEvents(recordCount: number, { commitId }: { commitId?: string } = { commitId: 'us_vr_1_0' }): Event[] {
  return [...listParts(recordCount)].map((part): Event => {
    const id = `us_evt_${part.part}`
    const context = { accountId: 'us_acc_1', environmentId: 'us_env_1', sheetId: SHEET, commitId: 'us_vr_1_0' }
    const payload = { sheetId: SHEET, workbookId: 'w', versionId: 'v', sheetSlug: 's', trackChanges: true, ...part }
    const dataUrl = buildDataUrl(SHEET, { event: id, part, ...(commitId ? { commitId } : {}) })
    return { id, topic: 'commit:created', domain: 'commit', context, payload, dataUrl, createdAt: '2026-01-01' }
  })
}

const getPart = ({ payload }: Event) => (payload as { part: number }).part

describe('splitEvent', () => {
  it('gives each part of a commit to exactly one of its events, with an id that finds it again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 100, max: 10_000 }), (recordCount, size) => {
        const events = buildEvents(recordCount)
        const parts = events.flatMap((event) => splitEvent(event, size).map((part) => ({ event, part })))
        const expected = Math.ceil(recordCount / size)
        expect(parts.map(({ part }) => getPart(part)).sort((a, b) => a - b)).toEqual(
          Array.from({ length: expected }, (_, i) => i + 1),
        )
        for (const { event, part } of parts) {
          const partId = parsePartId(part.id)
          if (partId) expect(findPartEvent(event, partId)).toEqual(part)
          else expect(part).toBe(event)
        }
      }),
    )
  })

  it('leaves an event of another topic, of a small commit, of a part, or without a size as it is', () => {
    const [event] = buildEvents(500) as [Event]
    const [part] = splitEvent(event, 200) as [Event]
    expect(splitEvent({ ...event, topic: 'job:ready' }, 100)).toHaveLength(1)
    expect(splitEvent(event, 500)).toEqual([event])
    expect(splitEvent(event, undefined)).toEqual([event])
    expect(splitEvent(part, 100)).toEqual([part])
  })

  it('reads the part of the commit, or a page of the sheet if the event is not limited to a commit', () => {
    const urlOf = (event: Event) => splitEvent(event, 200)[1]!.dataUrl
    const common = 'includeMessages=true&includeLinks=true'
    expect(urlOf(buildEvents(500)[0]!)).toBe(
      `v1/sheets/${SHEET}/records?commitId=us_vr_1_0&${common}&part=2&parts=3&for=us_evt_1.3.2`,
    )
    expect(urlOf(buildEvents(500, {})[0]!)).toBe(
      `v1/sheets/${SHEET}/records?${common}&pageSize=167&pageNumber=2&for=us_evt_1.3.2`,
    )
  })
})

describe('findPartEvent', () => {
  it.each(['us_evt_1.3.0', 'us_evt_1.3.4', 'us_evt_1.501.1', 'us_evt_1.0.1'])('finds no event for %s', (id) => {
    expect(findPartEvent(buildEvents(500)[0]!, parsePartId(id)!)).toBeUndefined()
  })

  it('finds no part in an event of the commit that has other records', () => {
    const [first, second] = buildEvents(20_000) as [Event, Event]
    expect(findPartEvent(first, { eventId: first.id, part: 1, parts: 4 })).toBeDefined()
    expect(findPartEvent(second, { eventId: second.id, part: 1, parts: 4 })).toBeUndefined()
  })
})
