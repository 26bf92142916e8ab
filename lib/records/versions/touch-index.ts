/**
 * Indexes which records the log entries touched, one item per 128 entries, for record histories. An index never
 * changes; the first reader stores it. It may list too many entries, never too few.
 */

import { compressJson, decompressJson } from '../../core/compressed-json.ts'
import { putTouchIndex, readTouchIndexes } from '../../table/record-log.ts'
import { decodeRows, encodeRows, type StoredRows } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import { ENTRIES_PER_PAGE, type LoadedEntry } from '../format/entries.ts'
import type { Coordinate } from '../format/ids.ts'
import { readEntries } from '../log/read-entries.ts'
import type { Store } from '../log/store.ts'
import { findTouchedRecords, type TouchedRecords } from '../read/changed-records.ts'
import type { State } from '../state/state.ts'

const ENTRIES_PER_INDEX = 8 * ENTRIES_PER_PAGE
const INDEXES_PER_READ = 16
/** Entries that touched more rows are not indexed by row but returned for every record. */
const MAX_INDEXED_ROWS = 256
const FORMAT_VERSION = 1

interface TouchIndex {
  form: number
  rows: { [key: string]: (number | StoredRows)[] }
  any: number[]
}

export async function* entriesForRecord(
  store: Store,
  state: State,
  at: Coordinate,
  createdSeq: number,
): AsyncGenerator<LoadedEntry> {
  const oldest = getIndexNumber(createdSeq)
  for (let last = getIndexNumber(state.seq - 1); last >= oldest; last -= INDEXES_PER_READ) {
    const first = Math.max(oldest, last - INDEXES_PER_READ + 1)
    const touchIndexes = await readTouchIndexes(state.sheetId, first, last)
    for (let indexNumber = last; indexNumber >= first; indexNumber--) {
      const entries = await readIndexedEntries(store, state, indexNumber, touchIndexes.get(indexNumber), at)
      yield* entries.filter(({ seq }) => seq >= createdSeq).reverse()
    }
  }
}

const getIndexNumber = (seq: number): number => Math.floor(seq / ENTRIES_PER_INDEX)

async function readIndexedEntries(
  store: Store,
  state: State,
  indexNumber: number,
  stored: Uint8Array | undefined,
  at: Coordinate,
): Promise<LoadedEntry[]> {
  const from = indexNumber * ENTRIES_PER_INDEX
  const to = Math.min(state.seq, from + ENTRIES_PER_INDEX)
  const touchIndex = stored && (decompressJson(stored) as TouchIndex)
  if (touchIndex?.form === FORMAT_VERSION) return readEntriesAt(store, state, from, to, findOffsets(touchIndex, at))
  const entries = await readEntries(store, state, from, to)
  if (to - from === ENTRIES_PER_INDEX)
    await putTouchIndex(state.sheetId, indexNumber, compressJson(await buildTouchIndex(store, state, from, entries)))
  return entries
}

function findOffsets({ rows, any }: TouchIndex, at: Coordinate): Set<number> {
  const offsets = new Set(any)
  const list = Object.hasOwn(rows, at.key) ? rows[at.key]! : []
  for (let i = 0; i < list.length; i += 2)
    if (decodeRows(list[i + 1] as StoredRows).includes(at.row)) offsets.add(list[i] as number)
  return offsets
}

function readEntriesAt(
  store: Store,
  state: State,
  from: number,
  to: number,
  offsets: ReadonlySet<number>,
): Promise<LoadedEntry[]> {
  const seqs = [...offsets].map((offset) => from + offset).filter((seq) => seq < to)
  return readEntries(store, state, Math.min(...seqs), Math.max(...seqs) + 1, (seq) => offsets.has(seq - from))
}

async function buildTouchIndex(
  store: Store,
  state: State,
  from: number,
  entries: readonly LoadedEntry[],
): Promise<TouchIndex> {
  const touchIndex: TouchIndex = { form: FORMAT_VERSION, rows: {}, any: [] }
  for (const loaded of entries) {
    if (loaded.entry.x) continue
    const offset = loaded.seq - from
    const rows = groupTouchedRows(await findTouchedRecords(store, state.sheetId, loaded))
    if (!rows) touchIndex.any.push(offset)
    for (const [key, list] of rows ?? []) {
      const stored = encodeRows([...new Set(list)].sort((a, b) => a - b))
      touchIndex.rows[key] = [...(touchIndex.rows[key] ?? []), offset, stored]
    }
  }
  return touchIndex
}

function groupTouchedRows({ added, restored, updated, deleted }: TouchedRecords): Map<string, number[]> | undefined {
  const touched = [...restored, ...updated, ...deleted]
  if (added.length || touched.length > MAX_INDEXED_ROWS) return undefined
  const rows = new Map<string, number[]>()
  for (const { key, row } of touched) getOrInsert(rows, key, (): number[] => []).push(row)
  return rows
}
