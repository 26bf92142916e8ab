/** What a write did to records: as it has just been planned, or read back from the log when its operation was done before. */

import { entriesIn, touchedBy } from '../log/history.ts'
import { type Coordinate, coordinateOf, recordIdOf } from '../log/ids.ts'
import { stateAt } from '../log/log.ts'
import { coordinateIn, isLive, placeOf, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { cellsAt, openSegments } from '../read/reader.ts'
import { rulesOf, type SheetRules, valueColumn } from '../rules/rules.ts'
import type { CellChange, SheetRef, WriteContext } from '../sheet.ts'
import { changesOf } from './cells-changed.ts'
import { cellChanges } from './changes.ts'
import type { SegmentChange } from './compare.ts'
import type { Added } from './ingest.ts'
import { type Removed, removedIds } from './removal.ts'
import { type WriteResult, writeResult } from './results.ts'

/** What a write did to records; ids and changes are made when asked for (a million of them are not held). */
export interface RecordsWritten extends WriteResult {
  created: number
  createdIds: Iterable<string>
  /** Records whose values changed. */
  updated: number
  updatedIds: Iterable<string>
  removed: number
  removedIds: Iterable<string>
  /** Every changed cell of updated records, with both values; some records at a time, each whole. */
  changes: AsyncIterable<CellChange[]>
}

export type Effect = Omit<RecordsWritten, keyof WriteResult>

const again = <T>(make: () => Iterator<T>): Iterable<T> => ({ [Symbol.iterator]: make })

/** What planned writes do, once they are in the log under `seq` and `after` is the state. */
export function effectOf(
  store: Store,
  rules: SheetRules,
  after: State,
  seq: number,
  writes: { added: Added | undefined; changes: readonly SegmentChange[]; removed: Removed },
): Effect {
  const { added, changes, removed } = writes
  const { sheetId } = rules
  const idOf = (segment: Segment, row: number): string => recordIdOf(sheetId, coordinateIn(segment, row))
  const placeIn = ({ segment }: SegmentChange): number => after.positions.get(segment.key) ?? after.segments.length
  // In the order of the sheet: whoever tells of the commit from the log alone tells the same.
  const valued = changes.filter(({ cells }) => cells.size > 0).sort((a, b) => placeIn(a) - placeIn(b))
  const created = (added?.segments ?? []).map(({ rows }, i) => ({ key: `${seq}.${i}`, rows }))
  return {
    created: added?.rows ?? 0,
    createdIds: again(() => idsOfWhole(sheetId, created)),
    updated: valued.reduce((sum, change) => sum + valuedRows(change).length, 0),
    updatedIds: again(function* () {
      for (const change of valued) for (const row of valuedRows(change)) yield idOf(change.segment, row)
    }),
    removed: removed.count,
    removedIds: again(() => removedIds(sheetId, removed)),
    changes: {
      async *[Symbol.asyncIterator]() {
        for (const change of valued) {
          const { segment, changes: kept, cells } = change
          if (kept) yield kept.flatMap((one) => cellChanges(idOf(segment, one.row), one))
          else yield* rereadChanges(store, rules, segment, after, valuedRows(change), [...cells.keys()])
        }
      },
    },
  }
}

function* idsOfWhole(sheetId: string, segments: readonly { key: string; rows: number }[]): Generator<string> {
  for (const { key, rows } of segments) for (let row = 0; row < rows; row++) yield recordIdOf(sheetId, { key, row })
}

/** Rows of which a value changed. */
function valuedRows({ rows, cells }: SegmentChange): readonly number[] {
  const lists = [...cells.values()]
  if (lists.some((list) => list.length === rows.length)) return rows
  const valued = new Set(lists.flat())
  return rows.filter((row) => valued.has(row))
}

/** Records whose changed cells are told of at a time. */
const CHANGED_RECORDS = 5000

/** Changed cells of a segment's rows, from its columns before and after. */
async function* rereadChanges(
  store: Store,
  rules: SheetRules,
  before: Segment,
  state: State,
  rows: readonly number[],
  fields: readonly string[],
): AsyncGenerator<CellChange[]> {
  const after = state.segments[state.positions.get(before.key)!]!
  const columns = fields.map(valueColumn)
  const [was, is] = await openSegments(store, [before, after], columns)
  const texts = columns.map((column) => [cellsAt(was!, column, rows), cellsAt(is!, column, rows)] as const)
  for (let from = 0; from < rows.length; from += CHANGED_RECORDS) {
    const some: CellChange[] = []
    for (let i = from; i < Math.min(from + CHANGED_RECORDS, rows.length); i++) {
      let recordId: string | undefined
      for (let at = 0; at < fields.length; at++) {
        const [previous, next] = [texts[at]![0][i]!, texts[at]![1][i]!]
        if (previous === next) continue
        recordId ??= recordIdOf(rules.sheetId, coordinateIn(before, rows[i]!))
        const [previousValue, newValue] = [JSON.parse(previous), JSON.parse(next)]
        some.push({ recordId, fieldKey: fields[at]!, previousValue, newValue })
      }
    }
    yield some
  }
}

/** The answer to an operation that was done before, under `seq`: what it did then, and what the sheet counts now. */
export async function earlierResult(
  store: Store,
  sheet: SheetRef,
  state: State,
  ctx: WriteContext,
  seq: number,
): Promise<RecordsWritten> {
  const { sheetId } = sheet
  const [loaded] = await entriesIn(store, state, seq, seq + 1)
  const touched = await touchedBy(store, sheetId, loaded!)
  const idsOf = (places: readonly Coordinate[]): Iterable<string> => places.map((at) => recordIdOf(sheetId, at))
  const result = await writeResult(store, state, ctx, { seq, state, page: undefined }, !loaded!.entry.x)
  return {
    ...result,
    created: touched.added.reduce((sum, { rows }) => sum + rows, 0),
    createdIds: again(() => idsOfWhole(sheetId, touched.added)),
    updated: touched.updated.length,
    updatedIds: idsOf(touched.updated),
    removed: touched.deleted.length,
    removedIds: idsOf(touched.deleted),
    changes: changesOf(store, rulesOf(sheet), seq, touched.updated),
  }
}

/** Which of the ids an operation done under `seq` found no record for. */
export async function missingThen(
  store: Store,
  sheetId: string,
  seq: number,
  ids: readonly string[],
): Promise<string[]> {
  const before = await stateAt(store, sheetId, seq)
  return ids.filter((id) => {
    const at = coordinateOf(sheetId, id)
    const place = at && placeOf(before, at)
    return !place || !isLive(place.segment, place.row)
  })
}

/** All of what comes in batches. */
export async function collect<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const list: T[] = []
  for await (const batch of batches) for (const item of batch) list.push(item)
  return list
}
