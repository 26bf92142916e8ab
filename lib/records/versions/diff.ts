/** Versions of a sheet, and what changed between two of them: counts, and records with both values. */

import { getOrMake } from '../bytes/maps.ts'
import { type ChangedRow, coordinatesOf, type Differences, differencesBetween } from '../log/history.ts'
import { type Coordinate, commitIdOf, recordIdOf } from '../log/ids.ts'
import { stateAt, sync } from '../log/log.ts'
import { coordinateIn, isLive, liveCount, liveRows, placeOf, type Segment, type State } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { cellsAt, effectiveMessages, type OpenSegment, openAll, settle } from '../read/reader.ts'
import { rulesOf, type SheetRules } from '../rules/rules.ts'
import { validated } from '../rules/validate.ts'
import type { Counts, JsonObject, Message, SheetRef } from '../sheet.ts'
import { countsOf } from '../write/results.ts'
import { CONFIG, MESSAGES, METADATA } from '../write/segment.ts'
import { versionIn } from './restore.ts'

/** A moment of a sheet: all it takes to read, compare or restore it later. */
export interface Version {
  /** Entries of the log. */
  seq: number
  /** The latest commit; absent before the first. */
  commitId?: string
  counts: Counts
}

/** The present version. A sheet's counts are those of its present constraints, a sheet id's those last stored. */
export async function versionOf(sheet: string | SheetRef, store: Store = processStore): Promise<Version> {
  const state = typeof sheet === 'string' ? await sync(store, sheet) : await validated(store, sheet)
  return {
    seq: state.seq,
    ...(state.lastCommit === undefined ? {} : { commitId: commitIdOf(state.sheetId, state.lastCommit) }),
    counts: await countsOf(store, state),
  }
}

export interface DiffSummary {
  createdSince: { total: number }
  /** Records, and changed cells by field. */
  updatedSince: { total: number; byField: { [field: string]: number } }
  deletedSince: { total: number }
}

export interface DiffRange {
  from: number
  /** The present when left out. */
  to?: number
}

/** Counts what changed between two versions. What was changed and set back is no change. */
export async function diff(sheet: SheetRef, range: DiffRange, store: Store = processStore): Promise<DiffSummary> {
  const rules = rulesOf(sheet)
  const { differences } = await compareVersions(store, sheet, range)
  const byField = new Map<string, number>()
  let total = 0
  for await (const changed of differences.updated()) {
    for (const { cells } of changed) {
      const fields = [...cells.keys()].filter((field) => rules.byKey.has(field))
      if (fields.length) total++
      for (const field of fields) byField.set(field, (byField.get(field) ?? 0) + 1)
    }
  }
  return {
    createdSince: { total: rowCount(differences.created) },
    updatedSince: { total, byField: Object.fromEntries(byField) },
    deletedSince: { total: rowCount(differences.deleted) },
  }
}

async function compareVersions(
  store: Store,
  sheet: SheetRef,
  { from, to }: DiffRange,
): Promise<{ before: State; after: State; differences: Differences }> {
  const now = await validated(store, sheet)
  const version = (seq: number): Promise<State> => stateAt(store, now.sheetId, seq)
  const [earlier, later] = await Promise.all([
    version(versionIn(now, from, 'from')),
    to === undefined ? now : version(versionIn(now, to, 'to')),
  ])
  const [before, after] = await Promise.all([settle(store, earlier), settle(store, later)])
  return { before, after, differences: await differencesBetween(store, before, after) }
}

const rowCount = (rows: ReadonlyMap<string, readonly number[]>): number =>
  [...rows.values()].reduce((sum, list) => sum + list.length, 0)

export type ChangeType = 'createdSince' | 'updatedSince' | 'deletedSince'

export interface DiffQuery extends DiffRange {
  /** Without one: all records of the earlier version. */
  changeType?: ChangeType
  /** Default 1,000. */
  pageSize?: number
  /** From 1, the default. */
  pageNumber?: number
}

export interface DiffCell {
  /** In the later version; null when the record is not there. */
  value: unknown
  /** In the earlier version; null when the record was not there. */
  snapshotValue: unknown
  valid: boolean
  messages: Message[]
}

/** A record with its values in two versions; all else is of the later version, or of the earlier if it is gone. */
export interface DiffRecord {
  id: string
  values: { [field: string]: DiffCell }
  valid: boolean
  metadata: JsonObject
  config: JsonObject
}

const PAGE_SIZE = 1000

/** One page of the records a change type means, in the order of the sheet, and how many there are. */
export async function diffRecords(
  sheet: SheetRef,
  query: DiffQuery,
  store: Store = processStore,
): Promise<{ records: DiffRecord[]; total: number }> {
  const rules = rulesOf(sheet)
  const { before, after, differences } = await compareVersions(store, sheet, query)
  const size = query.pageSize ?? PAGE_SIZE
  const first = ((query.pageNumber ?? 1) - 1) * size
  const { page, total } = query.changeType
    ? cut(await changedRows(rules, differences, query.changeType), first, size)
    : pageOf(before, first, size)
  const [was, is] = await Promise.all([rowsAt(store, before, rules, page), rowsAt(store, after, rules, page)])
  return { records: page.map((at, i) => diffRecord(rules, recordIdOf(rules.sheetId, at), was[i], is[i])), total }
}

const cut = (rows: readonly Coordinate[], first: number, size: number): { page: Coordinate[]; total: number } => ({
  page: rows.slice(first, first + size),
  total: rows.length,
})

async function changedRows(rules: SheetRules, differences: Differences, type: ChangeType): Promise<Coordinate[]> {
  if (type === 'createdSince') return coordinatesOf(differences.created)
  if (type === 'deletedSince') return coordinatesOf(differences.deleted)
  const isSeen = ({ cells }: ChangedRow): boolean => [...cells.keys()].some((field) => rules.byKey.has(field))
  const found: Coordinate[] = []
  for await (const changed of differences.updated()) for (const row of changed) if (isSeen(row)) found.push(row.at)
  return found
}

/** Records of a version by their place in the sheet. */
function pageOf(state: State, first: number, size: number): { page: Coordinate[]; total: number } {
  const page: Coordinate[] = []
  let at = 0
  for (const segment of state.segments) {
    const count = liveCount(segment)
    const rows = liveRows(segment, Math.max(0, first - at), Math.min(count, first + size - at))
    for (const row of rows) page.push(coordinateIn(segment, row))
    at += count
  }
  return { page, total: at }
}

/** A record as one version has it. */
interface VersionRow {
  values: ReadonlyMap<string, unknown>
  messages: ReadonlyMap<string, readonly Message[]>
  metadata: JsonObject
  config: JsonObject
}

async function rowsAt(
  store: Store,
  state: State,
  rules: SheetRules,
  records: readonly Coordinate[],
): Promise<(VersionRow | undefined)[]> {
  const bySegment = new Map<Segment, { row: number; i: number }[]>()
  records.forEach((at, i) => {
    const place = placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) return
    getOrMake(bySegment, place.segment, (): { row: number; i: number }[] => []).push({ row: place.row, i })
  })
  const found = new Array<VersionRow | undefined>(records.length)
  const names = [...rules.fields.map(({ column }) => column), METADATA, CONFIG, MESSAGES]
  for await (const open of openAll(store, [...bySegment.keys()], names)) {
    const list = bySegment.get(open.segment)!.sort((a, b) => a.row - b.row)
    const rows = versionRows(
      open,
      rules,
      list.map(({ row }) => row),
    )
    for (const [at, { i }] of list.entries()) found[i] = rows[at]
  }
  return found
}

function versionRows(open: OpenSegment, rules: SheetRules, rows: readonly number[]): VersionRow[] {
  const columns = rules.fields.map(({ key, column }) => ({ key, cells: cellsAt(open, column, rows) }))
  const metadata = cellsAt(open, METADATA, rows)
  const config = cellsAt(open, CONFIG, rows)
  const messagesOf = effectiveMessages(open, rules)
  return rows.map((row, i) => ({
    values: new Map(columns.map(({ key, cells }) => [key, JSON.parse(cells[i]!)])),
    messages: messagesOf(row) ?? new Map(),
    metadata: JSON.parse(metadata[i]!) ?? {},
    config: JSON.parse(config[i]!) ?? {},
  }))
}

function diffRecord(
  rules: SheetRules,
  id: string,
  was: VersionRow | undefined,
  is: VersionRow | undefined,
): DiffRecord {
  const cells = rules.fields.map(({ key }): [string, DiffCell] => {
    const messages = [...(is?.messages.get(key) ?? [])]
    const valid = messages.every(({ type }) => type !== 'error')
    return [key, { value: is?.values.get(key) ?? null, snapshotValue: was?.values.get(key) ?? null, valid, messages }]
  })
  const { metadata, config } = (is ?? was)!
  const valid = cells.every(([, cell]) => cell.valid)
  return { id, values: Object.fromEntries(cells), valid, metadata, config }
}
