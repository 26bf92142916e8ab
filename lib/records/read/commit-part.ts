import { getOrInsert } from '../columns/maps.ts'
import { compareCoordinates } from '../format/ids.ts'
import { readEntries } from '../log/read-entries.ts'
import type { Store } from '../log/store.ts'
import type { Selection } from '../sheet.ts'
import type { State } from '../state/state.ts'
import { type CoordinateSet, findTouchedRecords } from './changed-records.ts'

interface WrittenRows {
  key: string
  count: number
  rows?: Uint32Array
}

export async function findCommitPart(
  store: Store,
  state: State,
  seq: number,
  { number, of }: NonNullable<Selection['part']>,
): Promise<CoordinateSet> {
  const written = await getWrittenRows(store, state, seq)
  const total = written.reduce((sum, { count }) => sum + count, 0)
  const first = Math.floor((total * (number - 1)) / of)
  const end = Math.floor((total * number) / of)
  const ranges = new Map<string, { firstRow: number; lastRow: number; rows?: ReadonlySet<number> }>()
  let position = 0
  for (const { key, count, rows } of written) {
    const from = Math.max(0, first - position)
    const to = Math.min(count, end - position)
    position += count
    if (from >= to) continue
    ranges.set(
      key,
      rows
        ? { firstRow: rows[from]!, lastRow: rows[to - 1]!, rows: new Set(rows.subarray(from, to)) }
        : { firstRow: from, lastRow: to - 1 },
    )
  }
  return {
    keys: new Set(ranges.keys()),
    has({ key, row }) {
      const range = ranges.get(key)
      return range !== undefined && row >= range.firstRow && row <= range.lastRow && (range.rows?.has(row) ?? true)
    },
  }
}

const cache = new Map<string, Promise<WrittenRows[]>>()
const MAX_CACHED_COMMITS = 4

async function getWrittenRows(store: Store, state: State, seq: number): Promise<WrittenRows[]> {
  const key = `${state.sheetId}#${seq}`
  const written = getOrInsert(cache, key, () => listWrittenRows(store, state, seq))
  if (cache.size > MAX_CACHED_COMMITS) cache.delete(cache.keys().next().value!)
  try {
    return await written
  } catch (error) {
    cache.delete(key)
    throw error
  }
}

async function listWrittenRows(store: Store, state: State, seq: number): Promise<WrittenRows[]> {
  const [loaded] = await readEntries(store, state, seq, seq + 1)
  if (!loaded || loaded.entry.x) return []
  const { added, restored, updated } = await findTouchedRecords(store, state.sheetId, loaded)
  const rowsByKey = new Map<string, Set<number>>()
  for (const coordinates of [restored, updated])
    for (const { key, row } of coordinates) getOrInsert(rowsByKey, key, () => new Set<number>()).add(row)
  for (const { key } of added) rowsByKey.delete(key)
  const listed = [...rowsByKey].map(([key, rows]): WrittenRows => {
    return { key, count: rows.size, rows: Uint32Array.from(rows).sort() }
  })
  return [...added.map(({ key, rows }): WrittenRows => ({ key, count: rows })), ...listed].sort((a, b) =>
    compareCoordinates({ key: a.key, row: 0 }, { key: b.key, row: 0 }),
  )
}
