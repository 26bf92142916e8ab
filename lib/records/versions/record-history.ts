/** What happened to single records: their history, and the commit each was last touched by. Read from the log alone. */

import { getOrMake } from '../bytes/maps.ts'
import type { LoadedEntry } from '../log/entries.ts'
import { entriesIn, type Touched, touchedBy } from '../log/history.ts'
import { type Coordinate, commitIdOf, coordinateOf } from '../log/ids.ts'
import { sync } from '../log/log.ts'
import type { State } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { rulesOf } from '../rules/rules.ts'
import type { CellChange, SheetRef } from '../sheet.ts'
import { changesOf } from '../write/cells-changed.ts'
import { collect } from '../write/outcome.ts'
import { entriesTouching } from './trail.ts'

export interface RecordEvent {
  commitId: string
  /** A restore creates what it brings back. */
  action: 'created' | 'updated' | 'deleted'
  /** ISO-8601 UTC. */
  createdAt: string
  createdBy: string
  /** Of an update. */
  changes: Omit<CellChange, 'recordId'>[]
}

/** Entries looked at together. */
const ENTRIES = 512

/**
 * The commits that touched a record, the newest first; undefined when the sheet never had it. Costs an item for every 128
 * commits since the record's creation, and what the shown changes changed; the first time, these commits.
 */
export async function recordHistory(
  sheet: SheetRef,
  recordId: string,
  { pageSize = 100, pageNumber = 1 }: { pageSize?: number; pageNumber?: number } = {},
  store: Store = processStore,
): Promise<RecordEvent[] | undefined> {
  const at = coordinateOf(sheet.sheetId, recordId)
  const state = await sync(store, sheet.sheetId)
  const birth = at && Number.parseInt(at.key, 10)
  if (!at || birth === undefined || birth >= state.seq) return undefined
  if (!(await wasAdded(store, state, at, birth))) return undefined
  const found: RecordEvent[] = []
  let skip = (pageNumber - 1) * pageSize
  for await (const loaded of entriesTouching(store, state, at, birth)) {
    const action = await actionOn(store, state, loaded, at)
    if (!action || skip-- > 0) continue
    found.push(await eventOf(store, sheet, loaded, at, action))
    if (found.length === pageSize) break
  }
  return found
}

async function wasAdded(store: Store, state: State, at: Coordinate, birth: number): Promise<boolean> {
  const [loaded] = await entriesIn(store, state, birth, birth + 1)
  if (!loaded || !('a' in loaded.body)) return false
  const { added } = await touchedBy(store, state.sheetId, loaded)
  return added.some(({ key, rows }) => key === at.key && at.row < rows)
}

async function actionOn(
  store: Store,
  state: State,
  loaded: LoadedEntry,
  at: Coordinate,
): Promise<RecordEvent['action'] | undefined> {
  if (loaded.entry.x) return undefined
  const touched = await touchedBy(store, state.sheetId, loaded)
  const isIt = ({ key, row }: Coordinate): boolean => key === at.key && row === at.row
  if (touched.added.some(({ key }) => key === at.key) || touched.returned.some(isIt)) return 'created'
  if (touched.deleted.some(isIt)) return 'deleted'
  return touched.updated.some(isIt) ? 'updated' : undefined
}

async function eventOf(
  store: Store,
  sheet: SheetRef,
  { seq, entry }: LoadedEntry,
  at: Coordinate,
  action: RecordEvent['action'],
): Promise<RecordEvent> {
  const changes = action === 'updated' ? await collect(changesOf(store, rulesOf(sheet), seq, [at])) : []
  return {
    commitId: commitIdOf(sheet.sheetId, seq),
    action,
    createdAt: new Date(entry.t).toISOString(),
    createdBy: entry.w,
    changes: changes.map(({ recordId: _, ...change }) => change),
  }
}

/** When and by which commit a record was last created or changed. */
export interface Touch {
  commitId: string
  /** ISO-8601 UTC. */
  at: string
}

/** The last touch of every record of a state; costs the whole log, and no record is read. */
export async function lastTouches(store: Store, state: State): Promise<(at: Coordinate) => Touch | undefined> {
  const segments = new Map<string, Touch>()
  const rows = new Map<string, Map<number, Touch>>()
  const note = (touched: Touched, touch: Touch): void => {
    for (const { key } of touched.added) segments.set(key, touch)
    for (const list of [touched.returned, touched.updated])
      for (const { key, row } of list) getOrMake(rows, key, () => new Map<number, Touch>()).set(row, touch)
  }
  for (let from = 0; from < state.seq; from += ENTRIES)
    for (const loaded of await entriesIn(store, state, from, Math.min(state.seq, from + ENTRIES))) {
      if (loaded.entry.x) continue
      const at = new Date(loaded.entry.t).toISOString()
      note(await touchedBy(store, state.sheetId, loaded), { commitId: commitIdOf(state.sheetId, loaded.seq), at })
    }
  return ({ key, row }) => rows.get(key)?.get(row) ?? segments.get(key)
}
