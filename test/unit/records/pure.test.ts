/** Pure building blocks: row sets, hashes, chunks, columns and ids. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compressJson, decompressJson } from '../../../lib/core/compressed-json.ts'
import { decodeRows, encodeRows } from '../../../lib/records/columns/bits.ts'
import {
  createColumnWriter,
  joinColumn,
  locateCells,
  parseColumn,
  splitColumn,
  takeColumn,
  writeJson,
  writeNull,
  writeText,
} from '../../../lib/records/columns/columns.ts'
import {
  type Hashes,
  hashInto,
  lowerBound,
  packHashes,
  sortHashes,
  unpackHashes,
} from '../../../lib/records/columns/hash.ts'
import { packChunk, packRaw, unpackChunk } from '../../../lib/records/format/chunk.ts'
import {
  createRecordIdParser,
  formatCommitId,
  formatRecordId,
  parseCommitSeq,
  parseRecordId,
  parseSheetId,
} from '../../../lib/records/format/ids.ts'
import { cacheState, createStore } from '../../../lib/records/log/store.ts'
import { resolveErrorCounts } from '../../../lib/records/segments/open.ts'
import { emptyState } from '../../../lib/records/state/state.ts'
import { EMPTY_SEGMENT } from '../../support/segment.ts'

const text = fc.string({ unit: 'binary', maxLength: 20 })
const rowSet = fc.uniqueArray(fc.nat(3000)).map((rows) => rows.sort((a, b) => a - b))

describe('row sets', () => {
  it('round-trip through their stored format', () => {
    fc.assert(
      fc.property(rowSet, (rows) => {
        expect(decodeRows(encodeRows(rows))).toEqual(rows)
      }),
    )
  })
})

function createHashes(texts: readonly string[]): Hashes {
  const list = {
    hi: new Uint32Array(texts.length),
    lo: new Uint32Array(texts.length),
    at: new Uint32Array(texts.length),
  }
  for (const [i, one] of texts.entries()) {
    hashInto(one, list.hi, list.lo, i)
    list.at[i] = i
  }
  return list
}

describe('hashes', () => {
  it('sort by both halves, equal ones by ordinal, and round-trip through their packed format', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'dd', 'é', ''), { maxLength: 200 }), (texts) => {
        const sorted = unpackHashes(packHashes(sortHashes(createHashes(texts))))
        for (let i = 1; i < texts.length; i++) {
          const before = [sorted.hi[i - 1]!, sorted.lo[i - 1]!, sorted.at[i - 1]!]
          const here = [sorted.hi[i]!, sorted.lo[i]!, sorted.at[i]!]
          const order = before[0]! - here[0]! || before[1]! - here[1]! || before[2]! - here[2]!
          expect(order).toBeLessThan(0)
        }
        expect([...sorted.at].sort((a, b) => a - b)).toEqual(texts.map((_, i) => i))
      }),
    )
  })

  it('break ties of the high half by the low half', () => {
    const list = { hi: Uint32Array.of(7, 7, 7, 1), lo: Uint32Array.of(9, 2, 9, 5), at: Uint32Array.of(0, 1, 2, 3) }
    const sorted = sortHashes(list)
    expect([...sorted.at]).toEqual([3, 1, 0, 2])
    expect(lowerBound(sorted, 7, 9)).toBe(2)
    expect(lowerBound(sorted, 8, 0)).toBe(4)
  })

  it('sort in ordinal order where many share a value or their first bits', () => {
    const hash = fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constant(0xffff_ffff)),
      fc.integer({ min: 0, max: 9 }),
    )
    fc.assert(
      fc.property(fc.array(hash, { minLength: 60, maxLength: 2000 }), (pairs) => {
        const entries = pairs.map(([hi, lo], at) => ({ hi, lo, at }))
        const sorted = sortHashes({
          hi: Uint32Array.from(pairs, ([hi]) => hi),
          lo: Uint32Array.from(pairs, ([, lo]) => lo),
          at: Uint32Array.from(entries, ({ at }) => at),
        })
        const expected = entries.sort((a, b) => a.hi - b.hi || a.lo - b.lo || a.at - b.at)
        expect([...sorted.hi.keys()].map((i) => ({ hi: sorted.hi[i], lo: sorted.lo[i], at: sorted.at[i] }))).toEqual(
          expected,
        )
      }),
    )
  })

  it('are all different for a hundred thousand numbers as text', () => {
    const sorted = sortHashes(createHashes(Array.from({ length: 100_000 }, (_, i) => `C${i}`)))
    let equal = 0
    for (let i = 1; i < sorted.hi.length; i++)
      if (sorted.hi[i] === sorted.hi[i - 1] && sorted.lo[i] === sorted.lo[i - 1]) equal++
    expect(equal).toBe(0)
  })
})

describe('chunks', () => {
  it('round-trip, compressed inline or by the thread pool, or raw', async () => {
    for (const size of [0, 10, 5000, 100_000]) {
      const raw = Buffer.from('ab'.repeat(size / 2))
      expect(unpackChunk(await packChunk(raw)).equals(raw)).toBe(true)
      expect(unpackChunk(packRaw(raw)).equals(raw)).toBe(true)
    }
    expect(decompressJson(compressJson({ a: ['ü'] }))).toEqual({ a: ['ü'] })
  })

  it('in a newer format are rejected instead of misread', async () => {
    const chunk = await packChunk(Buffer.from('x'))
    chunk[0] = 2
    expect(() => unpackChunk(chunk)).toThrow('format 2')
  })
})

describe('columns', () => {
  it('store any value and return each cell from its bytes', () => {
    const value = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(text),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 50 }), rowSet, (values, picks) => {
        const writer = createColumnWriter(1)
        for (const one of values) {
          if (one === null) writeNull(writer)
          else if (typeof one === 'string') writeText(writer, one)
          else writeJson(writer, JSON.stringify(one))
        }
        const nulls = writer.nulls
        const raw = takeColumn(writer)
        expect(nulls).toBe(values.filter((one) => one === null).length)
        expect(JSON.stringify(parseColumn(raw))).toBe(JSON.stringify(values))
        expect(splitColumn(raw)).toEqual(values.map((one) => JSON.stringify(one)))
        expect(joinColumn(splitColumn(raw)).equals(raw)).toBe(true)
        const rows = [...new Set(picks.map((row) => row % values.length))].sort((a, b) => a - b)
        const { starts, ends } = locateCells(raw, rows)
        expect(rows.map((_, i) => raw.toString('utf8', starts[i], ends[i]))).toEqual(
          rows.map((row) => JSON.stringify(values[row])),
        )
      }),
    )
  })
})

describe('record ids', () => {
  it('contain their sheet and position, whatever the sheet id', () => {
    for (const sheetId of ['us_sh_01J9', 'us_sh_a_1_2_3', 'us_sh_x-y']) {
      const id = formatRecordId(sheetId, { key: '12.0', row: 345 })
      expect(parseRecordId(sheetId, id)).toEqual({ key: '12.0', row: 345 })
      expect(parseCommitSeq(sheetId, formatCommitId(sheetId, 7))).toBe(7)
      expect(parseSheetId(id)).toBe(sheetId)
      expect(parseSheetId(formatCommitId(sheetId, 7))).toBe(sheetId)
    }
  })

  it('are the same when parsed one after the other', () => {
    const rows = ['0', '7', '10', '00', '07', '-1', '1e3', '', ' 1', '999999999', '12345678901', '1_2']
    const ids = ['us_rc_a_0_0_', 'us_rc_a_0_1_', 'us_rc_a_1_0_', 'us_rc_b_0_0_', ''].flatMap((prefix) =>
      rows.map((row) => prefix + row),
    )
    for (const sorted of [ids, ids.toReversed()]) {
      const parse = createRecordIdParser('us_sh_a')
      expect(sorted.map(parse)).toEqual(sorted.map((id) => parseRecordId('us_sh_a', id)))
    }
  })

  it('from other sheets, formats and spellings are invalid', () => {
    expect(parseRecordId('us_sh_a', 'us_rc_b_0_0_0')).toBeUndefined()
    expect(parseRecordId('us_sh_a', 'us_rc_a_0_0_01')).toBeUndefined()
    expect(parseRecordId('us_sh_a', 'us_rc_a_0_0')).toBeUndefined()
    expect(parseCommitSeq('us_sh_a', 'us_vr_a_1e1')).toBeUndefined()
    expect(parseCommitSeq('us_sh_a', 'us_vr_a_-1')).toBeUndefined()
    expect(parseSheetId('us_vr_')).toBeUndefined()
    expect(parseSheetId('us_fl_a_1')).toBeUndefined()
    expect(() => formatCommitId('sheet', 1)).toThrow('us_sh_')
  })
})

describe('state with unsettled counts', () => {
  it('is settled as itself, even while a newer one is cached', async () => {
    const store = createStore({})
    const edit = { values: new Map(), slots: new Map(), base: null, wasFlagged: false }
    const segment = { ...EMPTY_SEGMENT, rows: 1, baseErrorCount: 1, edits: new Map([[0, edit]]) }
    const older = { ...emptyState('us_sh_1'), seq: 1, segments: [segment], positions: new Map([[segment.key, 0]]) }
    const newer = cacheState(store, { ...emptyState('us_sh_1'), seq: 2 })
    const settled = await resolveErrorCounts(store, older)
    expect(settled).toMatchObject({ seq: 1, segments: [{ key: segment.key, baseErrorCount: 1 }] })
    expect(settled.segments[0]!.edits.get(0)!.base).toEqual([])
    expect(store.states.get('us_sh_1')).toBe(newer)
    const known = cacheState(store, await resolveErrorCounts(store, { ...older, seq: 3 }))
    expect(store.states.get('us_sh_1')).toBe(known)
  })
})
