import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packIds, unpackIds } from '../../../lib/events/id-ranges.ts'
import { packPayload, unpackPayload } from '../../../lib/events/packed-payload.ts'

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
})

describe('packed payloads', () => {
  const store = (payload: unknown): unknown => unpackPayload(JSON.parse(JSON.stringify(packPayload(payload))))

  it('return exactly the same ids and changes, whatever a caller sends', () => {
    const id = fc.constantFrom('us_rc_a_0', 'us_rc_a_1', 'us_rc_a_2', 'x')
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined))
    const change = fc.record({
      recordId: id,
      fieldKey: fc.constantFrom('a', 'b'),
      previousValue: value,
      newValue: value,
    })
    const other = fc.oneof(fc.jsonValue(), fc.record({ recordId: id, fieldKey: fc.string(), more: fc.nat() }))
    const changes = fc.oneof(fc.array(change), fc.array(fc.oneof(change, other)), fc.jsonValue())
    const recordIds = fc.oneof(fc.array(id), fc.jsonValue())
    fc.assert(
      fc.property(fc.record({ recordIds, changes, sheetId: fc.string() }, { requiredKeys: [] }), (payload) => {
        expect(store(payload)).toEqual(JSON.parse(JSON.stringify(payload)))
      }),
    )
  })

  it('take little more than the values of the changes', () => {
    const recordIds = Array.from({ length: 1000 }, (_, row) => `us_rc_01J9ABCDEFGHJKMNPQRSTVWXYZ_12_0_${row}`)
    const changes = recordIds.flatMap((recordId, row) => [
      { recordId, fieldKey: 'name', previousValue: null, newValue: `name ${row}` },
      { recordId, fieldKey: 'age', previousValue: row, newValue: row + 1 },
    ])
    const values = changes.flatMap(({ previousValue, newValue }) => [previousValue, newValue])
    const packed = JSON.stringify(packPayload({ sheetId: 's', recordIds, changes })).length
    expect(packed).toBeLessThan(JSON.stringify(values).length + 5000)
  })

  it('leave ids and changes of other forms unchanged', () => {
    for (const recordIds of [{ runs: 5 }, { runs: [['x', 0, 1e9]] }, { runs: [], literal: 1 }]) {
      expect(store({ recordIds })).toEqual({ recordIds })
      expect(store({ changes: recordIds })).toEqual({ changes: recordIds })
    }
  })
})
