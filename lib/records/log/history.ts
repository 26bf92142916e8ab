/** Reading the log itself: single entries, what each wrote, and in which records two versions differ. */
import { type LogPage, pageAt, pagesFrom } from '../../table/log.ts'
import { loadRows } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { cellsAt, openAll } from '../read/reader.ts'
import { fieldOfColumn, valueColumn } from '../rules/rules.ts'
import { rowColumns } from '../versions/merge.ts'
import { named } from './applied.ts'
import {
  type Body,
  type Entry,
  isWholeReset,
  type LoadedEntry,
  type MergeBody,
  parseEntry,
  type StepBody,
} from './entries.ts'
import { PAGE_ENTRIES } from './fold.ts'
import { type Coordinate, compareCoordinates } from './ids.ts'
import { loadEntries, stateAt } from './log.ts'
import { coordinateIn, isLive, liveRows, type Place, placeOf, type Segment, type State } from './state.ts'
import type { Store } from './store.ts'

/** An entry as it stands on its page. */
export interface PageEntry {
  seq: number
  text: string
  entry: Entry
}

/**
 * The entries of a page that count. An append whose answer was lost and that was sent again stands there twice, and on no
 * other page: whoever finds a page full reads what is on it before going on.
 */
export function countedOn({ page, entries }: LogPage): PageEntry[] {
  const seen = new Set<string>()
  return entries.flatMap((text, i) => {
    const entry = parseEntry(text)
    if (seen.has(entry.o)) return []
    seen.add(entry.o)
    return [{ seq: page * PAGE_ENTRIES + i, text, entry }]
  })
}

/** One entry without its body; undefined when the log is not that long, or the entry repeats an earlier one. */
export async function entryAt(sheetId: string, seq: number): Promise<Entry | undefined> {
  const page = await pageAt(sheetId, Math.floor(seq / PAGE_ENTRIES))
  return page && countedOn(page).find((one) => one.seq === seq)?.entry
}

/** Entries with seqs in [from, to) that count; of those `wanted` alone the bodies are read. */
export async function entriesIn(
  store: Store,
  state: State,
  from: number,
  to = state.seq,
  wanted: (seq: number) => boolean = () => true,
): Promise<LoadedEntry[]> {
  if (from >= to) return []
  const pages = await pagesFrom(state.sheetId, Math.floor(from / PAGE_ENTRIES), Math.floor((to - 1) / PAGE_ENTRIES))
  const counted = pages.flatMap(countedOn).filter(({ seq }) => seq >= from && seq < to && wanted(seq))
  return loadEntries(store, state.sheetId, counted)
}

/** Pages whose entries are at hand at a time. */
const PAGES = 64

/** Every entry of a log, repeated ones too, some pages at a time. */
export async function* allEntries(store: Store, sheetId: string): AsyncGenerator<LoadedEntry[]> {
  for (let page = 0; ; page += PAGES) {
    const pages = await pagesFrom(sheetId, page, page + PAGES - 1)
    const texts = pages.flatMap(({ page: at, entries }) =>
      entries.map((text, i) => ({ seq: at * PAGE_ENTRIES + i, text })),
    )
    if (texts.length) yield await loadEntries(store, sheetId, texts)
    if (pages.length < PAGES) return
  }
}

/** Records an entry wrote, in record coordinates. */
export interface Touched {
  /** Whole segments added. */
  added: { key: string; rows: number }[]
  /** Deleted earlier, there again. */
  returned: Coordinate[]
  updated: Coordinate[]
  deleted: Coordinate[]
}

export async function touchedBy(store: Store, sheetId: string, { seq, body }: LoadedEntry): Promise<Touched> {
  if ('to' in body) return restoredBy(store, await stateAt(store, sheetId, seq + 1))
  const touched: Touched = { added: [], returned: [], updated: [], deleted: [] }
  if ('a' in body) touched.added = body.a.map(({ n }, i) => ({ key: `${seq}.${i}`, rows: n }))
  if ('d' in body)
    for (const [name, rows] of body.d)
      for (const row of loadRows(rows)) touched.deleted.push({ key: named(seq, name), row })
  for (const [key, { rows }] of await changedCells(store, sheetId, seq, body))
    for (const row of rows) touched.updated.push({ key, row })
  return touched
}

/** What the last entry of a state, a restore, did: records are compared, since it names none. */
async function restoredBy(store: Store, after: State): Promise<Touched> {
  const before = await stateAt(store, after.sheetId, after.seq - 1)
  const differences = await differencesBetween(store, before, after)
  const touched: Touched = {
    added: [],
    returned: coordinatesOf(differences.created),
    updated: [],
    deleted: coordinatesOf(differences.deleted),
  }
  for await (const changed of differences.updated()) for (const { at } of changed) touched.updated.push(at)
  return touched
}

/** Rows of a segment as it was added, and fields of which some row may differ. */
interface CellSet {
  rows: Set<number>
  fields: Set<string>
  /** Any field may. */
  anyField?: boolean
}
type CellSets = Map<string, CellSet>

const cellsOf = (sets: CellSets, key: string): CellSet =>
  getOrMake(sets, key, (): CellSet => ({ rows: new Set(), fields: new Set() }))

/** Cells whose values a step changes; messages and metadata alone do not count. */
async function changedCells(store: Store, sheetId: string, seq: number, body: StepBody): Promise<CellSets> {
  const sets: CellSets = new Map()
  const keys = 'keys' in body ? body.keys! : []
  for (const [name, patches] of ('p' in body && body.p) || []) {
    for (const { r, v } of patches) {
      if (!v?.length) continue
      const { rows, fields } = cellsOf(sets, named(seq, name))
      rows.add(r)
      for (let i = 0; i < v.length; i += 2) fields.add(keys[v[i] as number]!)
    }
  }
  if (!('c' in body)) return sets
  let before: State | undefined
  for (const { s, w } of body.c) {
    // Only a merged segment needs to be asked where its rows come from.
    if (w.length && s.includes('m')) before ??= await stateAt(store, sheetId, seq)
    const segment = before?.segments[before.positions.get(s) ?? -1]
    for (let i = 0; i < w.length; i += 2) {
      for (const row of loadRows(w[i + 1] as number[] | string)) {
        const at = s.includes('m') ? coordinateIn(segment!, row) : { key: s, row }
        const { rows, fields } = cellsOf(sets, at.key)
        rows.add(at.row)
        fields.add(keys[w[i] as number]!)
      }
    }
  }
  return sets
}

/** A set of record coordinates: whole segments and single rows. */
export interface CoordinateSet {
  has(at: Coordinate): boolean
}

/** Records added, brought back or changed by the entries with seqs in [from, to). */
export async function changedIn(store: Store, state: State, from: number, to?: number): Promise<CoordinateSet> {
  const whole = new Set<string>()
  const rows = new Map<string, Set<number>>()
  for (const loaded of await entriesIn(store, state, from, to)) {
    if (loaded.entry.x) continue
    const touched = await touchedBy(store, state.sheetId, loaded)
    for (const { key } of touched.added) whole.add(key)
    for (const { key, row } of [...touched.returned, ...touched.updated])
      getOrMake(rows, key, () => new Set<number>()).add(row)
  }
  return { has: ({ key, row }) => whole.has(key) || (rows.get(key)?.has(row) ?? false) }
}

/** All that may differ between two versions: a superset, to be compared. */
interface Candidates {
  /** Segments added in between, or taken away by a restore. */
  whole: Set<string>
  cells: CellSets
}

async function addCandidates(
  store: Store,
  state: State,
  from: number,
  to: number,
  candidates: Candidates,
): Promise<void> {
  const entries = await entriesIn(store, state, from, to)
  const reset = entries.findLastIndex(({ body }) => isWholeReset(body))
  for (const { seq, body } of entries.slice(reset + 1)) await addStep(store, state.sheetId, seq, body, candidates)
  if (reset < 0) return
  // What came before the reset does not count, but what lies between `from` and the version it brought back.
  const { to: back } = entries[reset]!.body as { to: number }
  await addCandidates(store, state, Math.min(from, back), Math.max(from, back), candidates)
}

async function addStep(store: Store, sheetId: string, seq: number, body: Body, candidates: Candidates): Promise<void> {
  if ('to' in body) {
    for (const step of body.steps!) {
      await addStep(store, sheetId, seq, step, candidates)
      if ('m' in step) addReturned(step, candidates)
    }
    return
  }
  const { whole, cells } = candidates
  if ('a' in body) for (const i of body.a.keys()) whole.add(`${seq}.${i}`)
  for (const [name, rows] of ('d' in body && body.d) || [])
    for (const row of loadRows(rows)) cellsOf(cells, named(seq, name)).rows.add(row)
  for (const [key, { rows, fields }] of await changedCells(store, sheetId, seq, body)) {
    const set = cellsOf(cells, key)
    for (const row of rows) set.rows.add(row)
    for (const field of fields) set.fields.add(field)
  }
}

/** Rows came back among these, with any values. */
function addReturned({ m }: MergeBody, { cells }: Candidates): void {
  for (const [key, firstRow, rows] of m.flatMap(({ u }) => u)) {
    const set = cellsOf(cells, key)
    set.anyField = true
    for (let row = firstRow; row < firstRow + rows; row++) set.rows.add(row)
  }
}

/** A record whose values are not the same in two versions: JSON texts by field. */
export interface ChangedRow {
  at: Coordinate
  cells: Map<string, { before: string; after: string }>
}

export interface Differences {
  /** Rows of the later version alone, and of the earlier alone: by segment as it was added, in the order of the sheet. */
  created: ReadonlyMap<string, readonly number[]>
  deleted: ReadonlyMap<string, readonly number[]>
  /** Records of both whose values differ, some at a time, in the order of the sheet. */
  updated(): AsyncGenerator<ChangedRow[]>
}

/** Which records differ between two versions of a sheet. Reads only cells that were written in between. */
export async function differencesBetween(store: Store, before: State, after: State): Promise<Differences> {
  const candidates: Candidates = { whole: new Set(), cells: new Map() }
  const newer = before.seq > after.seq ? before : after
  const range = [before.seq, after.seq].sort((a, b) => a - b)
  await addCandidates(store, newer, range[0]!, range[1]!, candidates)
  const { whole, cells } = candidates
  const created = new Map<string, number[]>()
  const deleted = new Map<string, number[]>()
  const shared: { key: string; rows: number[]; set: CellSet }[] = []
  const keys = [...new Set([...whole, ...cells.keys()])].sort((a, b) =>
    compareCoordinates({ key: a, row: 0 }, { key: b, row: 0 }),
  )
  for (const key of keys) {
    const set = cells.get(key)
    const rows = whole.has(key) ? new Set([...liveRowsOf(before, key), ...liveRowsOf(after, key)]) : set!.rows
    const both: number[] = []
    for (const row of [...rows].sort((a, b) => a - b)) {
      const was = isThere(before, { key, row })
      const is = isThere(after, { key, row })
      if (is && !was) getOrMake(created, key, (): number[] => []).push(row)
      else if (was && !is) getOrMake(deleted, key, (): number[] => []).push(row)
      else if (was && is && set?.rows.has(row)) both.push(row)
    }
    if (both.length && (set!.fields.size || set!.anyField)) shared.push({ key, rows: both, set: set! })
  }
  return { created, deleted, updated: () => compareShared(store, before, after, shared) }
}

/** Does the state have the record? */
export function isThere(state: State, at: Coordinate): boolean {
  const place = placeOf(state, at)
  return place !== undefined && isLive(place.segment, place.row)
}

/** Live rows of a segment as it was added, wherever they are now. */
function liveRowsOf(state: State, key: string): number[] {
  const position = state.positions.get(key)
  if (position !== undefined) return liveRows(state.segments[position]!)
  return (state.moved.get(key) ?? []).flatMap(({ firstRow, rows }) =>
    Array.from({ length: rows }, (_, i) => firstRow + i).filter((row) => isThere(state, { key, row })),
  )
}

/** Rows compared at a time. */
const COMPARED_ROWS = 20_000

async function* compareShared(
  store: Store,
  before: State,
  after: State,
  shared: readonly { key: string; rows: number[]; set: CellSet }[],
): AsyncGenerator<ChangedRow[]> {
  for (let from = 0; from < shared.length; ) {
    let to = from
    for (let rows = 0; to < shared.length && rows < COMPARED_ROWS; to++) rows += shared[to]!.rows.length
    const batch = shared.slice(from, to).flatMap(({ key, rows, set }) => rows.map((row) => ({ at: { key, row }, set })))
    from = to
    const fields = fieldsOf(
      batch.map(({ set }) => set),
      [before, after],
    )
    const columns = fields.map(valueColumn)
    const records = batch.map(({ at }) => at)
    // One after the other: they mostly look into the same chunks.
    const was = await textsAt(store, before, columns, records)
    const is = await textsAt(store, after, columns, records)
    const changed = batch.flatMap(({ at, set }, i) => {
      const cells = new Map<string, { before: string; after: string }>()
      fields.forEach((field, column) => {
        const texts = { before: was[i]![column]!, after: is[i]![column]! }
        if (texts.before !== texts.after && (set.anyField || set.fields.has(field))) cells.set(field, texts)
      })
      return cells.size ? [{ at, cells }] : []
    })
    if (changed.length) yield changed
  }
}

function fieldsOf(sets: readonly CellSet[], states: readonly State[]): string[] {
  const fields = new Set<string>()
  for (const set of new Set(sets)) for (const field of set.fields) fields.add(field)
  if (sets.some(({ anyField }) => anyField))
    for (const { segments } of states)
      for (const column of rowColumns(segments)) {
        const field = fieldOfColumn(column)
        if (field !== undefined) fields.add(field)
      }
  return [...fields]
}

/** Cell texts of records in a state, by column; undefined for one that is not there. */
export async function textsAt(
  store: Store,
  state: State,
  columns: readonly string[],
  records: readonly Coordinate[],
): Promise<(string[] | undefined)[]> {
  const bySegment = new Map<Segment, { row: number; i: number }[]>()
  records.forEach((at, i) => {
    const place: Place | undefined = placeOf(state, at)
    if (!place) return
    getOrMake(bySegment, place.segment, (): { row: number; i: number }[] => []).push({ row: place.row, i })
  })
  const texts = new Array<string[] | undefined>(records.length)
  for await (const open of openAll(store, [...bySegment.keys()], columns)) {
    const list = bySegment.get(open.segment)!.sort((a, b) => a.row - b.row)
    const rows = list.map(({ row }) => row)
    const cells = columns.map((column) => cellsAt(open, column, rows))
    list.forEach(({ i }, at) => {
      texts[i] = cells.map((column) => column[at]!)
    })
  }
  return texts
}

/** Coordinates of rows by segment. */
export const coordinatesOf = (rows: ReadonlyMap<string, readonly number[]>): Coordinate[] =>
  [...rows].flatMap(([key, list]) => list.map((row) => ({ key, row })))
