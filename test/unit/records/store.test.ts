/** What a process keeps in memory is bounded, and the last used of it stays. */
import { afterEach, describe, expect, it } from 'vitest'
import { emptyState, type State } from '../../../lib/records/log/state.ts'
import {
  type ChunkRef,
  cacheChunk,
  newStore,
  recallVersion,
  rememberState,
  rememberVersion,
} from '../../../lib/records/log/store.ts'

const state = (sheetId: string, seq: number): State => ({ ...emptyState(sheetId), seq })
const chunk = (id: string): ChunkRef => ({ blob: { id, tier: 's', names: ['v:a'], lengths: [10] }, index: 0 })

afterEach(() => {
  delete process.env.RECORDS_PER_SHEET
})

it('holds a sheet to a million records, or to as many as the deployment says', () => {
  expect(newStore().sheetRows).toBe(1_000_000)
  process.env.RECORDS_PER_SHEET = '2500000'
  expect(newStore().sheetRows).toBe(2_500_000)
  expect(newStore({ sheetRows: 5 }).sheetRows).toBe(5)
})

describe('states', () => {
  it('keep the newest of a sheet, whoever comes last', () => {
    const store = newStore()
    rememberState(store, state('a', 2))
    expect(rememberState(store, state('a', 1)).seq).toBe(2)
    expect(rememberState(store, state('a', 3)).seq).toBe(3)
    expect(store.states.get('a')!.seq).toBe(3)
  })

  it('replaced by a newer one can still be asked for, and one of the same place is replaced without a trace', () => {
    const store = newStore()
    const [first, settled, next] = [state('a', 1), state('a', 1), state('a', 2)]
    rememberState(store, first)
    rememberState(store, settled)
    expect(store.versions.size).toBe(0)
    rememberState(store, next)
    expect(recallVersion(store, 'a', 1)).toBe(settled)
    expect(recallVersion(store, 'a', 2)).toBe(next)
    expect(recallVersion(store, 'a', 3)).toBeUndefined()
    expect(recallVersion(store, 'b', 1)).toBeUndefined()
  })

  it('are those of the hundred sheets last used', () => {
    const store = newStore()
    for (let i = 0; i < 100; i++) rememberState(store, state(`s${i}`, 1))
    expect(store.states.size).toBe(100)
    rememberState(store, state('s0', 1))
    rememberState(store, state('s100', 1))
    expect(store.states.size).toBe(100)
    expect([store.states.has('s0'), store.states.has('s1'), store.states.has('s2')]).toEqual([true, false, true])
  })

  it('of the past are the 32 last used', () => {
    const store = newStore()
    for (let i = 0; i < 32; i++) rememberVersion(store, state('a', i))
    expect(recallVersion(store, 'a', 0)?.seq).toBe(0)
    rememberVersion(store, state('a', 32))
    expect(store.versions.size).toBe(32)
    expect([0, 1, 2, 32].map((seq) => recallVersion(store, 'a', seq)?.seq)).toEqual([0, undefined, 2, 32])
  })
})

describe('chunks', () => {
  it('take so many bytes at most, the oldest go first, and one larger than a quarter is not kept', () => {
    const store = newStore({ cacheBytes: 100 })
    for (const id of ['a', 'b', 'c', 'd']) cacheChunk(store, chunk(id), Buffer.alloc(25))
    expect([...store.chunks.keys()]).toEqual(['a#0', 'b#0', 'c#0', 'd#0'])
    expect(store.chunkBytes).toBe(100)
    cacheChunk(store, chunk('a'), Buffer.alloc(20))
    expect(store.chunkBytes).toBe(95)
    cacheChunk(store, chunk('e'), Buffer.alloc(6))
    expect([...store.chunks.keys()]).toEqual(['c#0', 'd#0', 'a#0', 'e#0'])
    expect(store.chunkBytes).toBe(76)
    cacheChunk(store, chunk('f'), Buffer.alloc(26))
    cacheChunk(store, chunk('e'), Buffer.alloc(26))
    expect([...store.chunks.keys()]).toEqual(['c#0', 'd#0', 'a#0'])
    expect(store.chunkBytes).toBe(70)
  })
})
