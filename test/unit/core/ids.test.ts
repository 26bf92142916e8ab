import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveId, newId, parseKind } from '../../../lib/core/ids.ts'

describe('ids', () => {
  it('contain their kind and increase', () => {
    const ids = Array.from({ length: 1000 }, () => newId('event'))
    expect(ids.toSorted()).toEqual(ids)
    expect(parseKind(ids[0]!)).toBe('event')
    expect(parseKind('something')).toBeUndefined()
  })
  it('derived from a cause are always the same, of one length, and sort by time and sequence', () => {
    const cause = fc.record({
      time: fc.integer({ min: 0, max: 2 ** 47 }),
      sequence: fc.integer({ min: 0, max: 2 ** 30 - 1 }),
      of: fc.string(),
    })
    fc.assert(
      fc.property(cause, cause, (a, b) => {
        const [first, second] = [deriveId('event', a), deriveId('event', b)]
        expect(deriveId('event', a)).toBe(first)
        expect(first).toHaveLength(newId('event').length)
        if (a.time !== b.time) expect(first < second).toBe(a.time < b.time)
        else if (a.sequence !== b.sequence) expect(first < second).toBe(a.sequence < b.sequence)
      }),
    )
  })
})
