/** Plans the deletion of rows and its effect on counts and uniqueness. */
import { type Bits, emptyBits, encodeRows, hasBit, setBit } from '../columns/bits.ts'
import { type Hashes, hashTexts, sortedUnion } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import { getComparedTexts, type SheetRules } from '../fields/rules.ts'
import { MESSAGES, valueColumn } from '../format/column-names.ts'
import type { DeleteBody } from '../format/entries.ts'
import { type Coordinate, createRecordIdParser, formatRecordId } from '../format/ids.ts'
import { groupRowsBySegment } from '../log/entry-builder.ts'
import type { Store } from '../log/store.ts'
import { selectRows } from '../read/select.ts'
import { findRowsInError, getCellTexts, type OpenSegment, openAll, resolveErrorCounts } from '../segments/open.ts'
import type { Selection } from '../sheet.ts'
import { countLiveRows, findRow, isLive, listLiveRows, type Segment, type State, toCoordinate } from '../state/state.ts'

export interface RemovedRows {
  rows: ReadonlyMap<Segment, readonly number[] | undefined>
  count: number
  has: (segment: Segment, row: number) => boolean
}

export const noRemovedRows: RemovedRows = { rows: new Map(), count: 0, has: () => false }

export function toRemovedRows(chosen: ReadonlyMap<Segment, readonly number[]>): RemovedRows {
  const rows = new Map<Segment, readonly number[] | undefined>()
  const bits = new Map<Segment, Bits>()
  let count = 0
  for (const [segment, list] of chosen) {
    count += list.length
    const isWholeSegment = list.length === countLiveRows(segment)
    rows.set(segment, isWholeSegment ? undefined : list)
    const rowBits = emptyBits(segment.rows)
    for (const row of list) setBit(rowBits, row)
    bits.set(segment, rowBits)
  }
  return { rows, count, has: (segment, row) => hasBit(bits.get(segment), row) }
}

export async function findRowsToRemove(
  store: Store,
  state: State,
  rules: SheetRules,
  target: readonly string[] | Selection,
): Promise<{ removed: RemovedRows; missing: string[] }> {
  if (!isIdList(target)) {
    const chosen = await findSelectedRows(store, state, rules, target)
    return {
      removed: toRemovedRows(new Map([...chosen].map(([segment, rows]) => [segment, rows ?? listLiveRows(segment)]))),
      missing: [],
    }
  }
  const missing: string[] = []
  const found = new Map<Segment, Set<number>>()
  const parseId = createRecordIdParser(state.sheetId)
  for (const id of target) {
    const at = parseId(id)
    const rowRef = at && findRow(state, at)
    if (!rowRef || !isLive(rowRef.segment, rowRef.row)) missing.push(id)
    else getOrInsert(found, rowRef.segment, () => new Set<number>()).add(rowRef.row)
  }
  const chosen = [...found].map(([segment, set]): [Segment, number[]] => [segment, [...set].sort((a, b) => a - b)])
  return { removed: toRemovedRows(new Map(chosen)), missing }
}

export const isIdList = (target: readonly string[] | Selection): target is readonly string[] => Array.isArray(target)

/** Selects in the resolved state but returns segments of the given one; undefined means all live rows. */
export async function findSelectedRows(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
): Promise<Map<Segment, readonly number[] | undefined>> {
  const chosen = new Map<Segment, readonly number[] | undefined>()
  for await (const { segment, rows } of selectRows(store, await resolveErrorCounts(store, state), rules, selection))
    chosen.set(state.segments[state.positions.get(segment.key)!]!, rows)
  return chosen
}

export function* generateRemovedIds(sheetId: string, { rows }: RemovedRows): Generator<string> {
  for (const [segment, list] of rows)
    for (const row of list ?? listLiveRows(segment)) yield formatRecordId(sheetId, toCoordinate(segment, row))
}

export const removesAllRows = (state: State, { rows }: RemovedRows): boolean =>
  state.segments.every((segment) => countLiveRows(segment) === 0 || (rows.has(segment) && !rows.get(segment)))

export interface RemovalPlan {
  d: DeleteBody['d']
  lost: ReadonlyMap<string, Hashes>
  /** Rows that readers can subtract from the count only once their error slots are known. */
  unresolved: Coordinate[]
}

export async function planRemoval(
  store: Store,
  state: State,
  rules: SheetRules,
  removed: RemovedRows,
): Promise<RemovalPlan> {
  const errorRowsBySegment = new Map<Segment, ReadonlySet<number>>()
  const lost = new Map<string, Hashes[]>()
  // A fully deleted segment needs no count, but its values matter if other rows share them.
  const isEverything = removesAllRows(state, removed)
  const segmentsToOpen = [...removed.rows].flatMap(([segment, rows]) =>
    (!isEverything && segment.flags.size > 0) || (rows && segment.baseErrorCount > 0) ? [segment] : [],
  )
  const hasFlags = !isEverything && segmentsToOpen.some((segment) => segment.flags.size > 0)
  const columns = hasFlags ? rules.unique.flatMap((rule) => rule.fields.map(valueColumn)) : []
  for await (const open of openAll(store, segmentsToOpen, [...new Set([...columns, MESSAGES])])) {
    const { segment } = open
    const rows = removed.rows.get(segment)
    if (rows)
      errorRowsBySegment.set(segment, new Set(findRowsInError(open, rules).filter((row) => !segment.edits.has(row))))
    collectLostHashes(open, rules, rows ?? listLiveRows(segment), lost)
  }
  return {
    d: [...removed.rows].flatMap(([segment, rows]) => encodeDeletions(segment, rows, errorRowsBySegment.get(segment))),
    lost: new Map([...lost].map(([rule, lists]) => [rule, sortedUnion(lists.map((hashes) => ({ hashes, rows: 0 })))])),
    unresolved: listUnresolvedRemovals(removed),
  }
}

function encodeDeletions(
  segment: Segment,
  rows: readonly number[] | undefined,
  errorRows: ReadonlySet<number> | undefined,
): DeleteBody['d'] {
  const list = rows ?? listLiveRows(segment)
  if (!segment.runs)
    return [[segment.key, encodeRows(list), errorRows ? list.filter((row) => errorRows.has(row)).length : 0]]
  const byName = groupRowsBySegment(list.map((row) => toCoordinate(segment, row)))
  const errorRowsByName = groupRowsBySegment(
    list.filter((row) => errorRows?.has(row)).map((row) => toCoordinate(segment, row)),
  )
  return [...byName].map(([key, rowNumbers]) => [key, encodeRows(rowNumbers), errorRowsByName.get(key)?.length ?? 0])
}

function collectLostHashes(
  open: OpenSegment,
  rules: SheetRules,
  rows: readonly number[],
  lost: Map<string, Hashes[]>,
): void {
  for (const rule of rules.unique) {
    const bits = open.segment.flags.get(rule.id)
    const flagged = bits ? rows.filter((row) => hasBit(bits, row)) : []
    if (!flagged.length) continue
    const texts = new Map(rule.fields.map((key) => [key, getCellTexts(open, valueColumn(key), flagged)]))
    const compared = flagged.flatMap((_, i) => getComparedTexts(rule, (key) => JSON.parse(texts.get(key)![i]!)))
    getOrInsert(lost, rule.id, (): Hashes[] => []).push(hashTexts(compared))
  }
}

function listUnresolvedRemovals({ rows }: RemovedRows): Coordinate[] {
  return [...rows].flatMap(([segment, list]) =>
    (list ?? []).flatMap((row) => (segment.edits.get(row)?.base === null ? [toCoordinate(segment, row)] : [])),
  )
}
