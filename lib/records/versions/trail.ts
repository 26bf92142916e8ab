/**
 * Which entries of a log touched which records, kept for every 128 entries so that a record's history does not read the log
 * again. A trail says the same forever; whoever first needs one makes and stores it. It names too many entries, never too few.
 */

import { packJson, unpackJson } from '../../core/packed.ts'
import { putTrail, trailsIn } from '../../table/log.ts'
import { loadRows, type StoredRows, storeRows } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { LoadedEntry } from '../log/entries.ts'
import { PAGE_ENTRIES } from '../log/fold.ts'
import { entriesIn, type Touched, touchedBy } from '../log/history.ts'
import type { Coordinate } from '../log/ids.ts'
import type { State } from '../log/state.ts'
import type { Store } from '../log/store.ts'

/** Entries of one trail: whole pages. */
const TRAIL_ENTRIES = 8 * PAGE_ENTRIES
/** Trails read together. */
const TRAILS = 16
/** An entry that touched more rows is looked at whoever asks. */
const TRAIL_ROWS = 256
const FORM = 1

/** Entries by their place in the trail. */
interface Trail {
  form: number
  /** By segment: `[entry, rows, entry, rows, ...]`. */
  rows: { [key: string]: (number | StoredRows)[] }
  /** Entries that touched many rows, or whole segments. */
  any: number[]
}

/** The entries since `birth` that may have touched a record, newest first. */
export async function* entriesTouching(
  store: Store,
  state: State,
  at: Coordinate,
  birth: number,
): AsyncGenerator<LoadedEntry> {
  const oldest = trailOf(birth)
  for (let last = trailOf(state.seq - 1); last >= oldest; last -= TRAILS) {
    const first = Math.max(oldest, last - TRAILS + 1)
    const trails = await trailsIn(state.sheetId, first, last)
    for (let number = last; number >= first; number--) {
      const entries = await entriesOf(store, state, number, trails.get(number), at)
      yield* entries.filter(({ seq }) => seq >= birth).reverse()
    }
  }
}

const trailOf = (seq: number): number => Math.floor(seq / TRAIL_ENTRIES)

/** Those of one trail, ascending; of one that is not stored yet all. */
async function entriesOf(
  store: Store,
  state: State,
  number: number,
  stored: Uint8Array | undefined,
  at: Coordinate,
): Promise<LoadedEntry[]> {
  const from = number * TRAIL_ENTRIES
  const to = Math.min(state.seq, from + TRAIL_ENTRIES)
  const trail = stored && (unpackJson(stored) as Trail)
  if (trail?.form === FORM) return entriesAt(store, state, from, to, placesOf(trail, at))
  const entries = await entriesIn(store, state, from, to)
  if (to - from === TRAIL_ENTRIES)
    await putTrail(state.sheetId, number, packJson(await trailFrom(store, state, from, entries)))
  return entries
}

function placesOf({ rows, any }: Trail, at: Coordinate): Set<number> {
  const places = new Set(any)
  const list = Object.hasOwn(rows, at.key) ? rows[at.key]! : []
  for (let i = 0; i < list.length; i += 2)
    if (loadRows(list[i + 1] as StoredRows).includes(at.row)) places.add(list[i] as number)
  return places
}

function entriesAt(
  store: Store,
  state: State,
  from: number,
  to: number,
  places: ReadonlySet<number>,
): Promise<LoadedEntry[]> {
  const seqs = [...places].map((place) => from + place).filter((seq) => seq < to)
  return entriesIn(store, state, Math.min(...seqs), Math.max(...seqs) + 1, (seq) => places.has(seq - from))
}

async function trailFrom(store: Store, state: State, from: number, entries: readonly LoadedEntry[]): Promise<Trail> {
  const trail: Trail = { form: FORM, rows: {}, any: [] }
  for (const loaded of entries) {
    if (loaded.entry.x) continue
    const place = loaded.seq - from
    const rows = rowsOf(await touchedBy(store, state.sheetId, loaded))
    if (!rows) trail.any.push(place)
    for (const [key, list] of rows ?? []) {
      const stored = storeRows([...new Set(list)].sort((a, b) => a - b))
      trail.rows[key] = [...(trail.rows[key] ?? []), place, stored]
    }
  }
  return trail
}

/** Rows by segment; undefined when they are too many to be named. */
function rowsOf({ added, returned, updated, deleted }: Touched): Map<string, number[]> | undefined {
  const touched = [...returned, ...updated, ...deleted]
  if (added.length || touched.length > TRAIL_ROWS) return undefined
  const rows = new Map<string, number[]>()
  for (const { key, row } of touched) getOrMake(rows, key, (): number[] => []).push(row)
  return rows
}
