/** Finds the records that an entry wrote, or that differ between two versions. */
import { decodeRows } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import { fieldOfColumn, valueColumn } from '../format/column-names.ts'
import { type Body, isFullReset, type LoadedEntry, type MergeBody, type StepBody } from '../format/entries.ts'
import { type Coordinate, compareCoordinates } from '../format/ids.ts'
import { stateAt } from '../log/log.ts'
import { readEntries } from '../log/read-entries.ts'
import type { Store } from '../log/store.ts'
import { listRowColumns } from '../segments/merge.ts'
import { readCellTexts } from '../segments/open.ts'
import { resolveSegmentName } from '../state/fold-context.ts'
import { hasRecord, listLiveRows, type State, toCoordinate } from '../state/state.ts'

export interface TouchedRecords {
  added: { key: string; rows: number }[]
  restored: Coordinate[]
  updated: Coordinate[]
  deleted: Coordinate[]
}

export async function findTouchedRecords(
  store: Store,
  sheetId: string,
  { seq, body }: LoadedEntry,
): Promise<TouchedRecords> {
  if ('to' in body) return findRestoredRecords(store, await stateAt(store, sheetId, seq + 1))
  const touched: TouchedRecords = { added: [], restored: [], updated: [], deleted: [] }
  if ('a' in body) touched.added = body.a.map(({ n }, i) => ({ key: `${seq}.${i}`, rows: n }))
  if ('d' in body)
    for (const [name, rows] of body.d)
      for (const row of decodeRows(rows)) touched.deleted.push({ key: resolveSegmentName(seq, name), row })
  for (const [key, { rows }] of await findChangedCells(store, sheetId, seq, body))
    for (const row of rows) touched.updated.push({ key, row })
  return touched
}

/** A restore does not list records, so both versions are compared. */
async function findRestoredRecords(store: Store, after: State): Promise<TouchedRecords> {
  const before = await stateAt(store, after.sheetId, after.seq - 1)
  const differences = await findDifferences(store, before, after)
  const touched: TouchedRecords = {
    added: [],
    restored: listCoordinates(differences.created),
    updated: [],
    deleted: listCoordinates(differences.deleted),
  }
  for await (const changed of differences.updated()) for (const { at } of changed) touched.updated.push(at)
  return touched
}

interface CellSet {
  rows: Set<number>
  fields: Set<string>
  anyField?: boolean
}
type CellSets = Map<string, CellSet>

const getCellSet = (sets: CellSets, key: string): CellSet =>
  getOrInsert(sets, key, (): CellSet => ({ rows: new Set(), fields: new Set() }))

async function findChangedCells(store: Store, sheetId: string, seq: number, body: StepBody): Promise<CellSets> {
  const sets: CellSets = new Map()
  const keys = 'keys' in body ? body.keys! : []
  for (const [name, patches] of ('p' in body && body.p) || []) {
    for (const { r, v } of patches) {
      if (!v?.length) continue
      const { rows, fields } = getCellSet(sets, resolveSegmentName(seq, name))
      rows.add(r)
      for (let i = 0; i < v.length; i += 2) fields.add(keys[v[i] as number]!)
    }
  }
  if (!('c' in body)) return sets
  let before: State | undefined
  for (const { s, w } of body.c) {
    // Only rows of merged segments need the older state to find their coordinates.
    if (w.length && s.includes('m')) before ??= await stateAt(store, sheetId, seq)
    const segment = before?.segments[before.positions.get(s) ?? -1]
    for (let i = 0; i < w.length; i += 2) {
      for (const row of decodeRows(w[i + 1] as number[] | string)) {
        const at = s.includes('m') ? toCoordinate(segment!, row) : { key: s, row }
        const { rows, fields } = getCellSet(sets, at.key)
        rows.add(at.row)
        fields.add(keys[w[i] as number]!)
      }
    }
  }
  return sets
}

export interface CoordinateSet {
  keys: ReadonlySet<string>
  has(at: Coordinate): boolean
}

export async function findChangedRecords(
  store: Store,
  state: State,
  from: number,
  to?: number,
): Promise<CoordinateSet> {
  const addedSegments = new Set<string>()
  const rows = new Map<string, Set<number>>()
  for (const loaded of await readEntries(store, state, from, to)) {
    if (loaded.entry.x) continue
    const touched = await findTouchedRecords(store, state.sheetId, loaded)
    for (const { key } of touched.added) addedSegments.add(key)
    for (const { key, row } of [...touched.restored, ...touched.updated])
      getOrInsert(rows, key, () => new Set<number>()).add(row)
  }
  return {
    keys: new Set([...addedSegments, ...rows.keys()]),
    has: ({ key, row }) => addedSegments.has(key) || (rows.get(key)?.has(row) ?? false),
  }
}

interface Candidates {
  wholeSegments: Set<string>
  cells: CellSets
}

/** Entries before a reset do not matter, except for those between `from` and the version that it restored. */
async function findCandidates(store: Store, state: State, range: { from: number; to: number }): Promise<Candidates> {
  const candidates: Candidates = { wholeSegments: new Set(), cells: new Map() }
  let { from } = range
  let entries = await readEntries(store, state, from, range.to)
  for (;;) {
    const reset = entries.findLast(({ body }) => isFullReset(body))
    const later = reset ? entries.filter(({ seq }) => seq > reset.seq) : entries
    for (const { seq, body } of later) await addStepCandidates(store, state.sheetId, seq, body, candidates)
    if (!reset) return candidates
    const { to: restored } = reset.body as { to: number }
    if (restored >= from) entries = entries.filter(({ seq }) => seq < restored)
    else {
      entries = await readEntries(store, state, restored, from)
      from = restored
    }
  }
}

async function addStepCandidates(
  store: Store,
  sheetId: string,
  seq: number,
  body: Body,
  candidates: Candidates,
): Promise<void> {
  if ('to' in body) {
    for (const step of body.steps!) {
      await addStepCandidates(store, sheetId, seq, step, candidates)
      if ('m' in step) addRestoredRows(step, candidates)
    }
    return
  }
  const { wholeSegments, cells } = candidates
  if ('a' in body) for (const i of body.a.keys()) wholeSegments.add(`${seq}.${i}`)
  for (const [name, rows] of ('d' in body && body.d) || [])
    for (const row of decodeRows(rows)) getCellSet(cells, resolveSegmentName(seq, name)).rows.add(row)
  for (const [key, { rows, fields }] of await findChangedCells(store, sheetId, seq, body)) {
    const set = getCellSet(cells, key)
    for (const row of rows) set.rows.add(row)
    for (const field of fields) set.fields.add(field)
  }
}

function addRestoredRows({ m }: MergeBody, { cells }: Candidates): void {
  for (const [key, firstRow, rows] of m.flatMap(({ u }) => u)) {
    const set = getCellSet(cells, key)
    set.anyField = true
    for (let row = firstRow; row < firstRow + rows; row++) set.rows.add(row)
  }
}

export interface ChangedRow {
  at: Coordinate
  cells: Map<string, { before: string; after: string }>
}

export interface Differences {
  created: ReadonlyMap<string, readonly number[]>
  deleted: ReadonlyMap<string, readonly number[]>
  updated(): AsyncGenerator<ChangedRow[]>
}

/** Finds the records that differ between two versions; reads only cells written in between. */
export async function findDifferences(store: Store, before: State, after: State): Promise<Differences> {
  const [older, newer] = before.seq > after.seq ? [after, before] : [before, after]
  const { wholeSegments, cells } = await findCandidates(store, newer, { from: older.seq, to: newer.seq })
  const created = new Map<string, number[]>()
  const deleted = new Map<string, number[]>()
  const shared: { key: string; rows: number[]; set: CellSet }[] = []
  const keys = [...new Set([...wholeSegments, ...cells.keys()])].sort((a, b) =>
    compareCoordinates({ key: a, row: 0 }, { key: b, row: 0 }),
  )
  for (const key of keys) {
    const set = cells.get(key)
    const rows = wholeSegments.has(key)
      ? new Set([...listLiveRowsOf(before, key), ...listLiveRowsOf(after, key)])
      : set!.rows
    const sharedRows: number[] = []
    for (const row of [...rows].sort((a, b) => a - b)) {
      const existedBefore = hasRecord(before, { key, row })
      const existsAfter = hasRecord(after, { key, row })
      if (existsAfter && !existedBefore) getOrInsert(created, key, (): number[] => []).push(row)
      else if (existedBefore && !existsAfter) getOrInsert(deleted, key, (): number[] => []).push(row)
      else if (existedBefore && existsAfter && set?.rows.has(row)) sharedRows.push(row)
    }
    if (sharedRows.length && (set!.fields.size || set!.anyField)) shared.push({ key, rows: sharedRows, set: set! })
  }
  return { created, deleted, updated: () => compareShared(store, before, after, shared) }
}

function listLiveRowsOf(state: State, key: string): number[] {
  const position = state.positions.get(key)
  if (position !== undefined) return listLiveRows(state.segments[position]!)
  return (state.moved.get(key) ?? []).flatMap(({ firstRow, rows }) =>
    Array.from({ length: rows }, (_, i) => firstRow + i).filter((row) => hasRecord(state, { key, row })),
  )
}

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
    const fields = collectFields(
      batch.map(({ set }) => set),
      [before, after],
    )
    const columns = fields.map(valueColumn)
    const records = batch.map(({ at }) => at)
    // Sequential: both mostly read the same chunks.
    const textsBefore = await readCellTexts(store, before, columns, records)
    const textsAfter = await readCellTexts(store, after, columns, records)
    const changed = batch.flatMap(({ at, set }, i) => {
      const cells = new Map<string, { before: string; after: string }>()
      fields.forEach((field, column) => {
        const texts = { before: textsBefore[i]![column]!, after: textsAfter[i]![column]! }
        if (texts.before !== texts.after && (set.anyField || set.fields.has(field))) cells.set(field, texts)
      })
      return cells.size ? [{ at, cells }] : []
    })
    if (changed.length) yield changed
  }
}

function collectFields(sets: readonly CellSet[], states: readonly State[]): string[] {
  const fields = new Set<string>()
  for (const set of new Set(sets)) for (const field of set.fields) fields.add(field)
  if (sets.some(({ anyField }) => anyField))
    for (const { segments } of states)
      for (const column of listRowColumns(segments)) {
        const field = fieldOfColumn(column)
        if (field !== undefined) fields.add(field)
      }
  return [...fields]
}

export const listCoordinates = (rows: ReadonlyMap<string, readonly number[]>): Coordinate[] =>
  [...rows].flatMap(([key, list]) => list.map((row) => ({ key, row })))
