/** The result of a write: its commit, and the affected records from its plan, or from the log if it was repeated. */

import { equalsBytes } from '../columns/equal-bytes.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { valueColumn } from '../format/column-names.ts'
import type { Body } from '../format/entries.ts'
import {
  type Coordinate,
  createRecordIdFormatter,
  createRecordIdParser,
  formatCommitId,
  formatRecordId,
  formatRecordIdPrefix,
} from '../format/ids.ts'
import { type AppendResult, stateAt } from '../log/log.ts'
import { readEntries } from '../log/read-entries.ts'
import type { Store } from '../log/store.ts'
import { readCellChanges } from '../read/changed-cells.ts'
import { findTouchedRecords } from '../read/changed-records.ts'
import { computeCounts } from '../read/counts.ts'
import { type ChangeBatch, createChangeWriter } from '../segments/change-batch.ts'
import { type CellRanges, getCellRanges, type OpenSegment, openSegments } from '../segments/open.ts'
import type { CellChange, Counts, SheetRef, WriteContext } from '../sheet.ts'
import { findRow, isLive, type Segment, type State, toCoordinate } from '../state/state.ts'
import type { RowChange } from './compare-rows.ts'
import type { SegmentChange } from './compare-segments.ts'
import type { AddedRows } from './ingest.ts'
import { createOwnOutbox, type Outbox } from './outbox.ts'
import { generateRemovedIds, type RemovedRows } from './plan-removal.ts'

export interface CommitResult {
  commitId: string | undefined
  changed: boolean
  counts: Counts
  outbox: Outbox | undefined
}

export async function createCommitResult(
  store: Store,
  state: State,
  ctx: WriteContext,
  appended: AppendResult | undefined,
  changed: boolean,
): Promise<CommitResult> {
  const finalState = appended?.state ?? state
  return {
    commitId: appended && changed ? formatCommitId(finalState.sheetId, appended.seq) : undefined,
    changed,
    counts: await computeCounts(store, finalState),
    outbox: appended && createOwnOutbox(finalState.sheetId, appended, ctx),
  }
}

export interface RecordIds extends Iterable<string> {
  /** Set if the ids of each range end in the numbers from 0 to its count. */
  ranges?: readonly { prefix: string; count: number }[]
}

/** Ids and changes are generated lazily, so that a million are not held in memory. */
export interface AffectedRecords {
  created: number
  createdIds: RecordIds
  updated: number
  updatedIds: Iterable<string>
  removed: number
  removedIds: Iterable<string>
  /** Every changed cell of updated records with both values, in batches of whole records. */
  changes: AsyncIterable<ChangeBatch>
}

export type RecordsWritten = CommitResult &
  AffectedRecords & { createdErrors: number; unwritten?: readonly number[] | undefined }

export const countAddedErrors = (body: Body | undefined): number =>
  body && 'a' in body ? body.a.reduce((sum, { q }) => sum + q, 0) : 0

const createIterable = <T>(make: () => Iterator<T>): Iterable<T> => ({ [Symbol.iterator]: make })

export function describeAffectedRecords(
  store: Store,
  rules: SheetRules,
  after: State,
  seq: number,
  writes: { added: AddedRows | undefined; changes: readonly SegmentChange[]; removed: RemovedRows },
): AffectedRecords {
  const { added, changes, removed } = writes
  const { sheetId } = rules
  const formatId = createRecordIdFormatter(sheetId)
  const toRecordId = (segment: Segment, row: number): string => formatId(toCoordinate(segment, row))
  const getSegmentIndex = ({ segment }: SegmentChange): number =>
    after.positions.get(segment.key) ?? after.segments.length
  // In sheet order, as when the events are rebuilt from the log.
  const changedSegments = changes
    .filter(({ cells }) => cells.size > 0)
    .sort((a, b) => getSegmentIndex(a) - getSegmentIndex(b))
  const created = (added?.segments ?? []).map(({ rows }, i) => ({ key: `${seq}.${i}`, rows }))
  return {
    created: added?.rows ?? 0,
    createdIds: createAddedIds(sheetId, created),
    updated: changedSegments.reduce((sum, change) => sum + listChangedRows(change).length, 0),
    updatedIds: createIterable(function* () {
      for (const change of changedSegments)
        for (const row of listChangedRows(change)) yield toRecordId(change.segment, row)
    }),
    removed: removed.count,
    removedIds: createIterable(() => generateRemovedIds(sheetId, removed)),
    changes: {
      async *[Symbol.asyncIterator]() {
        for await (const { change, opened } of openChanges(store, after, changedSegments)) {
          const { segment, changes: rowChanges, cells } = change
          if (rowChanges) yield batchRowChanges(sheetId, segment, rowChanges, [...cells.keys()])
          else yield* rereadChanges(opened!, sheetId, listChangedRows(change), [...cells.keys()])
        }
      },
    },
  }
}

function createAddedIds(sheetId: string, segments: readonly { key: string; rows: number }[]): RecordIds {
  const ranges = segments.map(({ key, rows }) => ({ prefix: formatRecordIdPrefix(sheetId, key), count: rows }))
  return {
    ranges,
    *[Symbol.iterator]() {
      for (const { prefix, count } of ranges) for (let row = 0; row < count; row++) yield prefix + row
    },
  }
}

function listChangedRows({ rows, cells }: SegmentChange): readonly number[] {
  const lists = [...cells.values()]
  if (lists.some((list) => list.length === rows.length)) return rows
  const changedRows = new Set(lists.flat())
  return rows.filter((row) => changedRows.has(row))
}

const RECORDS_PER_BATCH = 5000

type OpenChange = readonly [before: OpenSegment, after: OpenSegment]

const SEGMENTS_PER_READ = 4

async function* openChanges(store: Store, state: State, changes: readonly SegmentChange[]) {
  const openNext = (from: number): Promise<(OpenChange | undefined)[]> => {
    const opening = openTogether(store, state, changes.slice(from, from + SEGMENTS_PER_READ))
    opening.catch(() => {})
    return opening
  }
  let opening = openNext(0)
  for (let from = 0; from < changes.length; from += SEGMENTS_PER_READ) {
    const opened = await opening
    opening = openNext(from + SEGMENTS_PER_READ)
    for (const [i, change] of changes.slice(from, from + SEGMENTS_PER_READ).entries())
      yield { change, opened: opened[i] }
  }
}

async function openTogether(
  store: Store,
  state: State,
  changes: readonly SegmentChange[],
): Promise<(OpenChange | undefined)[]> {
  const unread = changes.filter(({ changes: rowChanges }) => !rowChanges)
  const columns = new Set(unread.flatMap(({ cells }) => [...cells.keys()].map(valueColumn)))
  const segments = unread.flatMap(({ segment }) => [segment, state.segments[state.positions.get(segment.key)!]!])
  const opened = await openSegments(store, segments, [...columns])
  return changes.map((change) => {
    const at = 2 * unread.indexOf(change)
    return at < 0 ? undefined : [opened[at]!, opened[at + 1]!]
  })
}

function batchRowChanges(
  sheetId: string,
  segment: Segment,
  rowChanges: readonly RowChange[],
  keys: readonly string[],
): ChangeBatch {
  const positions = new Map(keys.map((key, position) => [key, position]))
  const { batch, startRecord, addTexts } = createChangeWriter(sheetId, keys)
  for (const { row, values } of rowChanges) {
    startRecord(toCoordinate(segment, row))
    for (const [key, { before, after }] of values) addTexts(positions.get(key)!, before, after)
  }
  return batch
}

function* rereadChanges(
  [before, after]: OpenChange,
  sheetId: string,
  rows: readonly number[],
  fields: readonly string[],
): Generator<ChangeBatch> {
  const columns = fields.map((fieldKey) => {
    const column = valueColumn(fieldKey)
    return { previous: getCellRanges(before, column, rows), next: getCellRanges(after, column, rows) }
  })
  for (let from = 0; from < rows.length; from += RECORDS_PER_BATCH) {
    const { batch, startRecord, addCells } = createChangeWriter(sheetId, fields)
    for (let i = from; i < Math.min(from + RECORDS_PER_BATCH, rows.length); i++) {
      startRecord(toCoordinate(before.segment, rows[i]!))
      for (const [field, { previous, next }] of columns.entries())
        if (!hasSameCell(previous, next, i)) addCells(field, previous, next, i)
    }
    yield batch
  }
}

const hasSameCell = (one: CellRanges, other: CellRanges, at: number): boolean =>
  equalsBytes(one.bytes, one.starts[at]!, one.ends[at]!, other.bytes, other.starts[at]!, other.ends[at]!)

/** The result of a repeated operation: its original effect, with the sheet's current counts. */
export async function loadPreviousResult(
  store: Store,
  sheet: SheetRef,
  state: State,
  ctx: WriteContext,
  seq: number,
): Promise<RecordsWritten> {
  const { sheetId } = sheet
  const [loaded] = await readEntries(store, state, seq, seq + 1)
  const touched = await findTouchedRecords(store, sheetId, loaded!)
  const toRecordIds = (coordinates: readonly Coordinate[]): Iterable<string> =>
    coordinates.map((at) => formatRecordId(sheetId, at))
  const result = await createCommitResult(store, state, ctx, { seq, state, page: undefined }, !loaded!.entry.x)
  return {
    ...result,
    created: touched.added.reduce((sum, { rows }) => sum + rows, 0),
    createdErrors: countAddedErrors(loaded!.body),
    createdIds: createAddedIds(sheetId, touched.added),
    updated: touched.updated.length,
    updatedIds: toRecordIds(touched.updated),
    removed: touched.deleted.length,
    removedIds: toRecordIds(touched.deleted),
    changes: readCellChanges(store, rulesOf(sheet), seq, touched.updated),
    unwritten: loaded!.entry.n,
  }
}

export async function findMissingIds(
  store: Store,
  sheetId: string,
  seq: number,
  ids: readonly string[],
): Promise<string[]> {
  const before = await stateAt(store, sheetId, seq)
  const parseId = createRecordIdParser(sheetId)
  return ids.filter((id) => {
    const at = parseId(id)
    const rowRef = at && findRow(before, at)
    return !rowRef || !isLive(rowRef.segment, rowRef.row)
  })
}

export async function collectChanges(batches: AsyncIterable<ChangeBatch>): Promise<CellChange[]> {
  const list: CellChange[] = []
  for await (const batch of batches) for (const change of batch) list.push(change)
  return list
}
