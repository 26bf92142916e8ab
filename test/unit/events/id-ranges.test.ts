import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packIds, packPayload, unpackIds, unpackPayload } from '../../../lib/events/id-ranges.ts'

describe('id ranges', () => {
  it('return exactly the same ids, whatever their format', () => {
    const id = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('us_rc_a_0_0_', 'us_rc_a_10_', 'x'), fc.nat(50))
        .map(([prefix, number]) => `${prefix}${number}`),
      fc.constantFrom('007', '7', '-1', '', '9'.repeat(20)),
    )
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        expect(unpackIds(packIds(ids))).toEqual(ids)
      }),
    )
  })
  it('take a few bytes for one insert', () => {
    const recordIds = Array.from({ length: 5000 }, (_, row) => `us_rc_01J9ABCDEFGHJKMNPQRSTVWXYZ_12_0_${row}`)
    const packed = packPayload({ sheetId: 's', recordIds, recordCount: 5000 })
    expect(JSON.stringify(packed).length).toBeLessThan(150)
    expect(unpackPayload(JSON.parse(JSON.stringify(packed)))).toEqual({ sheetId: 's', recordIds, recordCount: 5000 })
  })

  it('leave custom ids unchanged', () => {
    for (const recordIds of [{ runs: 5 }, { runs: [['x', 0, 1e9]] }, { runs: [], literal: 1 }]) {
      expect(unpackPayload(JSON.parse(JSON.stringify(packPayload({ recordIds }))))).toEqual({ recordIds })
    }
  })
})
