/** Rows a write deletes: which they are, and what their going means for counts and uniqueness. */
import { type Bits, emptyBits, hasBit, setBit, storeRows } from '../bytes/bits.ts'
import type { Hashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import { rowsBySegment } from '../log/body.ts'
import type { DeleteBody } from '../log/entries.ts'
import { type Coordinate, coordinateOf, recordIdOf } from '../log/ids.ts'
import { coordinateIn, isLive, liveCount, liveRows, placeOf, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { cellsAt, type OpenSegment, openAll, resolve, rowsInError } from '../read/reader.ts'
import { select } from '../read/select.ts'
import { comparedTexts, type SheetRules, valueColumn } from '../rules/rules.ts'
import { hashesOf, sortedUnion } from '../rules/unique.ts'
import type { Selection } from '../sheet.ts'
import { MESSAGES } from './segment.ts'

/** Rows to delete. */
export interface Removed {
  /** Ascending; undefined when all live ones of the segment go. */
  rows: ReadonlyMap<Segment, readonly number[] | undefined>
  count: number
  has: (segment: Segment, row: number) => boolean
}

export const nothingRemoved: Removed = { rows: new Map(), count: 0, has: () => false }

export function removedOf(chosen: ReadonlyMap<Segment, readonly number[]>): Removed {
  const rows = new Map<Segment, readonly number[] | undefined>()
  const bits = new Map<Segment, Bits>()
  let count = 0
  for (const [segment, list] of chosen) {
    count += list.length
    const whole = list.length === liveCount(segment)
    rows.set(segment, whole ? undefined : list)
    const some = emptyBits(segment.rows)
    for (const row of list) setBit(some, row)
    bits.set(segment, some)
  }
  return { rows, count, has: (segment, row) => hasBit(bits.get(segment), row) }
}

/** Which rows the given ids, or a selection, mean; ids of no record are `missing`. */
export async function rowsToRemove(
  store: Store,
  state: State,
  rules: SheetRules,
  what: readonly string[] | Selection,
): Promise<{ removed: Removed; missing: string[] }> {
  if (!isIds(what)) {
    const chosen = await chosenRows(store, state, rules, what)
    return {
      removed: removedOf(new Map([...chosen].map(([segment, rows]) => [segment, rows ?? liveRows(segment)]))),
      missing: [],
    }
  }
  const missing: string[] = []
  const found = new Map<Segment, Set<number>>()
  for (const id of what) {
    const at = coordinateOf(state.sheetId, id)
    const place = at && placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) missing.push(id)
    else getOrMake(found, place.segment, () => new Set<number>()).add(place.row)
  }
  const chosen = [...found].map(([segment, set]): [Segment, number[]] => [segment, [...set].sort((a, b) => a - b)])
  return { removed: removedOf(new Map(chosen)), missing }
}

export const isIds = (what: readonly string[] | Selection): what is readonly string[] => Array.isArray(what)

/** Selecting asks a resolved state; the rows are told in the segments of the given one. Undefined: all live ones. */
export async function chosenRows(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
): Promise<Map<Segment, readonly number[] | undefined>> {
  const chosen = new Map<Segment, readonly number[] | undefined>()
  for await (const { segment, rows } of select(store, await resolve(store, state), rules, selection))
    chosen.set(state.segments[state.positions.get(segment.key)!]!, rows)
  return chosen
}

export function* removedIds(sheetId: string, { rows }: Removed): Generator<string> {
  for (const [segment, list] of rows)
    for (const row of list ?? liveRows(segment)) yield recordIdOf(sheetId, coordinateIn(segment, row))
}

/** Is every record of the state deleted? */
export const isAllGone = (state: State, { rows }: Removed): boolean =>
  state.segments.every((segment) => liveCount(segment) === 0 || (rows.has(segment) && !rows.get(segment)))

/** What deleting comes to. */
export interface Removal {
  d: DeleteBody['d']
  /** By uniqueness rule: what the flagged ones of the rows were compared by. */
  lost: ReadonlyMap<string, Hashes>
  /** Rows whose count readers can take away only once their error slots are known. */
  unresolved: Coordinate[]
}

export async function removalOf(store: Store, state: State, rules: SheetRules, removed: Removed): Promise<Removal> {
  const quiet = new Map<Segment, ReadonlySet<number>>()
  const lost = new Map<string, Hashes[]>()
  // Of a segment that goes as a whole no count is left over; its values still count when others go on sharing them.
  const everything = isAllGone(state, removed)
  const needed = [...removed.rows].flatMap(([segment, rows]) =>
    (!everything && segment.flags.size > 0) || (rows && segment.quiet > 0) ? [segment] : [],
  )
  const flagged = !everything && needed.some((segment) => segment.flags.size > 0)
  const columns = flagged ? rules.unique.flatMap((rule) => rule.fields.map(valueColumn)) : []
  for await (const open of openAll(store, needed, [...new Set([...columns, MESSAGES])])) {
    const { segment } = open
    const rows = removed.rows.get(segment)
    if (rows) quiet.set(segment, new Set(rowsInError(open, rules).filter((row) => !segment.edits.has(row))))
    collectLost(open, rules, rows ?? liveRows(segment), lost)
  }
  return {
    d: [...removed.rows].flatMap(([segment, rows]) => deleteForms(segment, rows, quiet.get(segment))),
    lost: new Map([...lost].map(([rule, lists]) => [rule, sortedUnion(lists.map((hashes) => ({ hashes, rows: 0 })))])),
    unresolved: unresolvedOf(removed),
  }
}

/** Rows by name, with how many of them count among the segment's quiet errors. */
function deleteForms(
  segment: Segment,
  rows: readonly number[] | undefined,
  quiet: ReadonlySet<number> | undefined,
): DeleteBody['d'] {
  const list = rows ?? liveRows(segment)
  if (!segment.runs) return [[segment.key, storeRows(list), quiet ? list.filter((row) => quiet.has(row)).length : 0]]
  const byName = rowsBySegment(list.map((row) => coordinateIn(segment, row)))
  const quietByName = rowsBySegment(list.filter((row) => quiet?.has(row)).map((row) => coordinateIn(segment, row)))
  return [...byName].map(([key, named]) => [key, storeRows(named), quietByName.get(key)?.length ?? 0])
}

/** What the flagged ones of these rows were compared by. */
function collectLost(open: OpenSegment, rules: SheetRules, rows: readonly number[], lost: Map<string, Hashes[]>): void {
  for (const rule of rules.unique) {
    const bits = open.segment.flags.get(rule.id)
    const flagged = bits ? rows.filter((row) => hasBit(bits, row)) : []
    if (!flagged.length) continue
    const texts = new Map(rule.fields.map((key) => [key, cellsAt(open, valueColumn(key), flagged)]))
    const compared = flagged.flatMap((_, i) => comparedTexts(rule, (key) => JSON.parse(texts.get(key)![i]!)))
    getOrMake(lost, rule.id, (): Hashes[] => []).push(hashesOf(compared))
  }
}

function unresolvedOf({ rows }: Removed): Coordinate[] {
  return [...rows].flatMap(([segment, list]) =>
    (list ?? []).flatMap((row) => (segment.edits.get(row)?.base === null ? [coordinateIn(segment, row)] : [])),
  )
}
