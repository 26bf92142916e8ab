/** Versions of a sheet and the differences between two of them, as counts or as records with both values. */

import { getOrInsert } from '../columns/maps.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import { type Coordinate, formatCommitId, formatRecordId } from '../format/ids.ts'
import { stateAt, sync } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import { type ChangedRow, type Differences, findDifferences, listCoordinates } from '../read/changed-records.ts'
import { computeCounts } from '../read/counts.ts'
import { computeErrorCounts, createMessageLookup, getCellTexts, type OpenSegment, openAll } from '../segments/open.ts'
import type { Counts, JsonObject, Message, SheetRef } from '../sheet.ts'
import { countLiveRows, findRow, isLive, listLiveRows, type Segment, type State, toCoordinate } from '../state/state.ts'
import { assertVersion } from './restore.ts'

export interface Version {
  seq: number
  commitId?: string
  counts: Counts
}

/** A `SheetRef` gives counts by its current constraints, an id the counts last stored. */
export async function readVersion(sheet: string | SheetRef, store: Store = processStore): Promise<Version> {
  const state = typeof sheet === 'string' ? await sync(store, sheet) : await loadValidatedState(store, sheet)
  return {
    seq: state.seq,
    ...(state.lastCommit === undefined ? {} : { commitId: formatCommitId(state.sheetId, state.lastCommit) }),
    counts: await computeCounts(store, state),
  }
}

export interface DiffSummary {
  createdSince: { total: number }
  updatedSince: { total: number; byField: { [field: string]: number } }
  deletedSince: { total: number }
}

export interface DiffRange {
  from: number
  to?: number
}

/** A cell that was changed and changed back does not count. */
export async function diffVersions(
  sheet: SheetRef,
  range: DiffRange,
  store: Store = processStore,
): Promise<DiffSummary> {
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
    createdSince: { total: sumRowCounts(differences.created) },
    updatedSince: { total, byField: Object.fromEntries(byField) },
    deletedSince: { total: sumRowCounts(differences.deleted) },
  }
}

async function compareVersions(
  store: Store,
  sheet: SheetRef,
  { from, to }: DiffRange,
): Promise<{ before: State; after: State; differences: Differences }> {
  const current = await loadValidatedState(store, sheet)
  const loadVersion = (seq: number): Promise<State> => stateAt(store, current.sheetId, seq)
  const [earlier, later] = await Promise.all([
    loadVersion(assertVersion(current, from, 'from')),
    to === undefined ? current : loadVersion(assertVersion(current, to, 'to')),
  ])
  const [before, after] = await Promise.all([computeErrorCounts(store, earlier), computeErrorCounts(store, later)])
  return { before, after, differences: await findDifferences(store, before, after) }
}

const sumRowCounts = (rows: ReadonlyMap<string, readonly number[]>): number =>
  [...rows.values()].reduce((sum, list) => sum + list.length, 0)

export type ChangeType = 'createdSince' | 'updatedSince' | 'deletedSince'

export interface DiffQuery extends DiffRange {
  /** By default, all records of the earlier version. */
  changeType?: ChangeType
  pageSize?: number
  pageNumber?: number
}

export interface DiffCell {
  value: unknown
  snapshotValue: unknown
  valid: boolean
  messages: Message[]
}

/** Metadata, config and messages are those of the later version, or of the earlier one if the record was deleted. */
export interface DiffRecord {
  id: string
  values: { [field: string]: DiffCell }
  valid: boolean
  metadata: JsonObject
  config: JsonObject
}

const PAGE_SIZE = 1000

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
    ? paginate(await listChangedRows(rules, differences, query.changeType), first, size)
    : selectPage(before, first, size)
  const [beforeRows, afterRows] = await Promise.all([
    readVersionRows(store, before, rules, page),
    readVersionRows(store, after, rules, page),
  ])
  return {
    records: page.map((at, i) =>
      buildDiffRecord(rules, formatRecordId(rules.sheetId, at), beforeRows[i], afterRows[i]),
    ),
    total,
  }
}

const paginate = (rows: readonly Coordinate[], first: number, size: number): { page: Coordinate[]; total: number } => ({
  page: rows.slice(first, first + size),
  total: rows.length,
})

async function listChangedRows(rules: SheetRules, differences: Differences, type: ChangeType): Promise<Coordinate[]> {
  if (type === 'createdSince') return listCoordinates(differences.created)
  if (type === 'deletedSince') return listCoordinates(differences.deleted)
  const hasKnownField = ({ cells }: ChangedRow): boolean => [...cells.keys()].some((field) => rules.byKey.has(field))
  const found: Coordinate[] = []
  for await (const changed of differences.updated())
    for (const row of changed) if (hasKnownField(row)) found.push(row.at)
  return found
}

function selectPage(state: State, first: number, size: number): { page: Coordinate[]; total: number } {
  const page: Coordinate[] = []
  let at = 0
  for (const segment of state.segments) {
    const count = countLiveRows(segment)
    const rows = listLiveRows(segment, Math.max(0, first - at), Math.min(count, first + size - at))
    for (const row of rows) page.push(toCoordinate(segment, row))
    at += count
  }
  return { page, total: at }
}

interface VersionRow {
  values: ReadonlyMap<string, unknown>
  messages: ReadonlyMap<string, readonly Message[]>
  metadata: JsonObject
  config: JsonObject
}

async function readVersionRows(
  store: Store,
  state: State,
  rules: SheetRules,
  records: readonly Coordinate[],
): Promise<(VersionRow | undefined)[]> {
  const bySegment = new Map<Segment, { row: number; i: number }[]>()
  records.forEach((at, i) => {
    const rowRef = findRow(state, at)
    if (!rowRef || !isLive(rowRef.segment, rowRef.row)) return
    getOrInsert(bySegment, rowRef.segment, (): { row: number; i: number }[] => []).push({ row: rowRef.row, i })
  })
  const found = new Array<VersionRow | undefined>(records.length)
  const names = [...rules.fields.map(({ column }) => column), METADATA, CONFIG, MESSAGES]
  for await (const open of openAll(store, [...bySegment.keys()], names)) {
    const list = bySegment.get(open.segment)!.sort((a, b) => a.row - b.row)
    const rows = toVersionRows(
      open,
      rules,
      list.map(({ row }) => row),
    )
    for (const [at, { i }] of list.entries()) found[i] = rows[at]
  }
  return found
}

function toVersionRows(open: OpenSegment, rules: SheetRules, rows: readonly number[]): VersionRow[] {
  const columns = rules.fields.map(({ key, column }) => ({ key, cells: getCellTexts(open, column, rows) }))
  const metadata = getCellTexts(open, METADATA, rows)
  const config = getCellTexts(open, CONFIG, rows)
  const getMessages = createMessageLookup(open, rules)
  return rows.map((row, i) => ({
    values: new Map(columns.map(({ key, cells }) => [key, JSON.parse(cells[i]!)])),
    messages: getMessages(row) ?? new Map(),
    metadata: JSON.parse(metadata[i]!) ?? {},
    config: JSON.parse(config[i]!) ?? {},
  }))
}

function buildDiffRecord(
  rules: SheetRules,
  id: string,
  before: VersionRow | undefined,
  after: VersionRow | undefined,
): DiffRecord {
  const cells = rules.fields.map(({ key }): [string, DiffCell] => {
    const messages = [...(after?.messages.get(key) ?? [])]
    const valid = messages.every(({ type }) => type !== 'error')
    return [
      key,
      { value: after?.values.get(key) ?? null, snapshotValue: before?.values.get(key) ?? null, valid, messages },
    ]
  })
  const { metadata, config } = (after ?? before)!
  const valid = cells.every(([, cell]) => cell.valid)
  return { id, values: Object.fromEntries(cells), valid, metadata, config }
}
