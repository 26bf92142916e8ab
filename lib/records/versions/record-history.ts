/** The history of single records and the commit that last touched each, read only from the log. */

import { getOrInsert } from '../columns/maps.ts'
import { rulesOf } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import type { LoadedEntry } from '../format/entries.ts'
import { type Coordinate, formatCommitId, parseRecordId } from '../format/ids.ts'
import { stateAt, sync } from '../log/log.ts'
import { readEntries } from '../log/read-entries.ts'
import { processStore, type Store } from '../log/store.ts'
import { readCellChanges } from '../read/changed-cells.ts'
import { findTouchedRecords, type TouchedRecords } from '../read/changed-records.ts'
import { createMessageLookup, openSegments } from '../segments/open.ts'
import type { CellChange, Message, SheetRef } from '../sheet.ts'
import { findRow, type State } from '../state/state.ts'
import { collectChanges } from '../write/write-result.ts'
import { entriesForRecord } from './touch-index.ts'

export interface RecordEvent {
  commitId: string
  action: 'created' | 'updated' | 'deleted'
  createdAt: string
  createdBy: string
  changes: Omit<CellChange, 'recordId'>[]
  originals?: { [field: string]: string }
}

const ENTRIES_PER_READ = 512

/** Newest first; undefined when the sheet never had the record. Reads one item per 128 commits since its creation. */
export async function readRecordHistory(
  sheet: SheetRef,
  recordId: string,
  { pageSize = 100, pageNumber = 1 }: { pageSize?: number; pageNumber?: number } = {},
  store: Store = processStore,
): Promise<RecordEvent[] | undefined> {
  const at = parseRecordId(sheet.sheetId, recordId)
  const state = await sync(store, sheet.sheetId)
  const createdSeq = at && Number.parseInt(at.key, 10)
  if (!at || createdSeq === undefined || createdSeq >= state.seq) return undefined
  if (!(await wasAdded(store, state, at, createdSeq))) return undefined
  const events: RecordEvent[] = []
  let skip = (pageNumber - 1) * pageSize
  for await (const loaded of entriesForRecord(store, state, at, createdSeq)) {
    const action = await findAction(store, state, loaded, at)
    if (!action || skip-- > 0) continue
    events.push(await buildEvent(store, sheet, loaded, at, action))
    if (events.length === pageSize) break
  }
  return events
}

async function wasAdded(store: Store, state: State, at: Coordinate, createdSeq: number): Promise<boolean> {
  const [loaded] = await readEntries(store, state, createdSeq, createdSeq + 1)
  if (!loaded || !('a' in loaded.body)) return false
  const { added } = await findTouchedRecords(store, state.sheetId, loaded)
  return added.some(({ key, rows }) => key === at.key && at.row < rows)
}

async function findAction(
  store: Store,
  state: State,
  loaded: LoadedEntry,
  at: Coordinate,
): Promise<RecordEvent['action'] | undefined> {
  if (loaded.entry.x) return undefined
  const touched = await findTouchedRecords(store, state.sheetId, loaded)
  const isRecord = ({ key, row }: Coordinate): boolean => key === at.key && row === at.row
  if (touched.added.some(({ key }) => key === at.key) || touched.restored.some(isRecord)) return 'created'
  if (touched.deleted.some(isRecord)) return 'deleted'
  return touched.updated.some(isRecord) ? 'updated' : undefined
}

async function buildEvent(
  store: Store,
  sheet: SheetRef,
  { seq, entry }: LoadedEntry,
  at: Coordinate,
  action: RecordEvent['action'],
): Promise<RecordEvent> {
  const changes = action === 'updated' ? await collectChanges(readCellChanges(store, rulesOf(sheet), seq, [at])) : []
  const fields = action === 'updated' ? new Set(changes.map(({ fieldKey }) => fieldKey)) : undefined
  const originals = action === 'deleted' ? {} : await readOriginals(store, sheet, seq, at, fields)
  return {
    commitId: formatCommitId(sheet.sheetId, seq),
    action,
    createdAt: new Date(entry.t).toISOString(),
    createdBy: entry.w,
    changes: changes.map(({ recordId: _, ...change }) => change),
    ...(Object.keys(originals).length > 0 ? { originals } : {}),
  }
}

async function readOriginals(
  store: Store,
  sheet: SheetRef,
  seq: number,
  at: Coordinate,
  fields: ReadonlySet<string> | undefined,
): Promise<{ [field: string]: string }> {
  const found = findRow(await stateAt(store, sheet.sheetId, seq + 1), at)
  if (!found) return {}
  const [open] = await openSegments(store, [found.segment], [MESSAGES])
  const messages = createMessageLookup(open!, rulesOf(sheet))(found.row) ?? new Map<string, Message[]>()
  return Object.fromEntries(
    [...messages].flatMap(([field, list]) => {
      const original = list.find((message) => message.original !== undefined)?.original
      return original !== undefined && (!fields || fields.has(field)) ? [[field, original]] : []
    }),
  )
}

export interface Touch {
  commitId: string
  at: string
}

/** The last touch of every record. Reads the whole log but no records. */
export async function loadLastTouches(store: Store, state: State): Promise<(at: Coordinate) => Touch | undefined> {
  const segments = new Map<string, Touch>()
  const rows = new Map<string, Map<number, Touch>>()
  const recordTouch = (touched: TouchedRecords, touch: Touch): void => {
    for (const { key } of touched.added) segments.set(key, touch)
    for (const list of [touched.restored, touched.updated])
      for (const { key, row } of list) getOrInsert(rows, key, () => new Map<number, Touch>()).set(row, touch)
  }
  for (let from = 0; from < state.seq; from += ENTRIES_PER_READ)
    for (const loaded of await readEntries(store, state, from, Math.min(state.seq, from + ENTRIES_PER_READ))) {
      if (loaded.entry.x) continue
      const at = new Date(loaded.entry.t).toISOString()
      recordTouch(await findTouchedRecords(store, state.sheetId, loaded), {
        commitId: formatCommitId(state.sheetId, loaded.seq),
        at,
      })
    }
  return ({ key, row }) => rows.get(key)?.get(row) ?? segments.get(key)
}
