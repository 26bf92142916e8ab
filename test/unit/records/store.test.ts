/** The in-memory caches of a process are bounded and evict the least recently used entries. */
import { afterEach, describe, expect, it } from 'vitest'
import {
  type ChunkRef,
  cacheChunk,
  cacheState,
  cacheVersion,
  createStore,
  getCachedVersion,
  limitCaching,
} from '../../../lib/records/log/store.ts'
import { emptyState, type State } from '../../../lib/records/state/state.ts'

const createState = (sheetId: string, seq: number): State => ({ ...emptyState(sheetId), seq })
const createChunk = (id: string): ChunkRef => ({ blob: { id, tier: 's', names: ['v:a'], lengths: [10] }, index: 0 })

afterEach(() => {
  delete process.env.RECORDS_PER_SHEET
})

it('limits a sheet to ten million records, or to the configured number', () => {
  expect(createStore().sheetRows).toBe(10_000_000)
  process.env.RECORDS_PER_SHEET = '2500000'
  expect(createStore().sheetRows).toBe(2_500_000)
  expect(createStore({ sheetRows: 5 }).sheetRows).toBe(5)
})

describe('cached states', () => {
  it('keep the newest of a sheet, whatever the order of arrival', () => {
    const store = createStore()
    cacheState(store, createState('a', 2))
    expect(cacheState(store, createState('a', 1)).seq).toBe(2)
    expect(cacheState(store, createState('a', 3)).seq).toBe(3)
    expect(store.states.get('a')!.seq).toBe(3)
  })

  it('stay available when replaced by a newer one, and are dropped when replaced at the same position', () => {
    const store = createStore()
    const [first, settled, next] = [createState('a', 1), createState('a', 1), createState('a', 2)]
    cacheState(store, first)
    cacheState(store, settled)
    expect(store.versions.size).toBe(0)
    cacheState(store, next)
    expect(getCachedVersion(store, 'a', 1)).toBe(settled)
    expect(getCachedVersion(store, 'a', 2)).toBe(next)
    expect(getCachedVersion(store, 'a', 3)).toBeUndefined()
    expect(getCachedVersion(store, 'b', 1)).toBeUndefined()
  })

  it('are limited to the hundred most recently used sheets', () => {
    const store = createStore()
    for (let i = 0; i < 100; i++) cacheState(store, createState(`s${i}`, 1))
    expect(store.states.size).toBe(100)
    cacheState(store, createState('s0', 1))
    cacheState(store, createState('s100', 1))
    expect(store.states.size).toBe(100)
    expect([store.states.has('s0'), store.states.has('s1'), store.states.has('s2')]).toEqual([true, false, true])
  })

  it('for past versions are limited to the 32 most recently used', () => {
    const store = createStore()
    for (let i = 0; i < 32; i++) cacheVersion(store, createState('a', i))
    expect(getCachedVersion(store, 'a', 0)?.seq).toBe(0)
    cacheVersion(store, createState('a', 32))
    expect(store.versions.size).toBe(32)
    expect([0, 1, 2, 32].map((seq) => getCachedVersion(store, 'a', seq)?.seq)).toEqual([0, undefined, 2, 32])
  })
})

describe('cached chunks', () => {
  it('are limited in bytes, evict the oldest first, and exclude chunks larger than a quarter', () => {
    const store = createStore({ cacheBytes: 100 })
    for (const id of ['a', 'b', 'c', 'd']) cacheChunk(store, createChunk(id), Buffer.alloc(25))
    expect([...store.chunks.keys()]).toEqual(['a#0', 'b#0', 'c#0', 'd#0'])
    expect(store.chunkBytes).toBe(100)
    cacheChunk(store, createChunk('a'), Buffer.alloc(20))
    expect(store.chunkBytes).toBe(95)
    cacheChunk(store, createChunk('e'), Buffer.alloc(6))
    expect([...store.chunks.keys()]).toEqual(['c#0', 'd#0', 'a#0', 'e#0'])
    expect(store.chunkBytes).toBe(76)
    cacheChunk(store, createChunk('f'), Buffer.alloc(26))
    expect([...store.chunks.keys()]).toEqual(['c#0', 'd#0', 'a#0', 'e#0'])
    expect(store.chunkBytes).toBe(76)
  })

  it('stay when everything is read that would not fit', () => {
    const store = createStore({ cacheBytes: 100 })
    cacheChunk(store, createChunk('a'), Buffer.alloc(25))
    const packed = (bytes: number) => ({ ...createChunk('b'), blob: { ...createChunk('b').blob, lengths: [bytes] } })
    expect(limitCaching(store, [packed(33)])).toBe(store)
    const limited = limitCaching(store, [packed(20), packed(14)])
    cacheChunk(limited, createChunk('a'), Buffer.alloc(25))
    cacheChunk(limited, createChunk('b'), Buffer.alloc(10))
    expect([...store.chunks.keys()]).toEqual(['a#0'])
    expect([store.chunkBytes, limited.chunkBytes]).toEqual([25, 25])
  })
})
