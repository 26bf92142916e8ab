/** Encodes flag changes. Few rows carry error slots for counting; many are recounted, which needs an exact append. */
import { type Bits, bitsToRows, clearBit, countBits, emptyBits, hasBit, setBit } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import { isErrorRule } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import type { HintForm, UniqueForm } from '../format/entries.ts'
import type { Coordinate } from '../format/ids.ts'
import { findErrorSlots } from '../format/message-chunk.ts'
import { type BodyDictionaries, encodeFlags, groupRowsBySegment, type RowsBySegment } from '../log/entry-builder.ts'
import type { Store } from '../log/store.ts'
import { type OpenSegment, openAll, openSegments, readBaseMessages } from '../segments/open.ts'
import { findRow, isLive, type Segment, type State, toCoordinate } from '../state/state.ts'

/** Rows of a segment that the entry adds use its name in the entry, `+<i>`. */
export interface FlagChange {
  rule: string
  flagged: RowsBySegment
  cleared: RowsBySegment
}

export interface FlagForms {
  u?: NonNullable<UniqueForm['u']>
  hints?: HintForm[]
  recounts?: [segment: string, quiet: number][]
}

export interface OwnRows {
  hinted: readonly Coordinate[]
  patched: ReadonlyMap<Segment, readonly number[]>
  counted: ReadonlySet<Segment>
  isRemoved: (segment: Segment, row: number) => boolean
}

export type ResultingFlags = ReadonlyMap<Segment, ReadonlyMap<string, Bits>>

/** If the result has `recounts`, the entry must be appended exactly. */
export async function encodeFlagChanges(
  store: Store,
  state: State,
  dictionaries: BodyDictionaries,
  changes: readonly FlagChange[],
  flags: ResultingFlags,
  ownRows: OwnRows,
): Promise<FlagForms> {
  const touched = findTouchedRows(state, changes, ownRows)
  const recountedSegments = [...touched.keys()].filter((segment) => countBits(touched.get(segment)) > store.editedRows)
  for (const segment of recountedSegments) touched.delete(segment)
  const hintedRows = [...touched].flatMap(([segment, bits]) =>
    bitsToRows(bits).map((row) => toCoordinate(segment, row)),
  )
  const hints = await encodeErrorHints(store, state, dictionaries, ownRows.hinted.concat(hintedRows))
  const u = changes.flatMap(({ rule, flagged, cleared }) => encodeFlags(rule, flagged, cleared))
  const recounts = await computeRecounts(store, recountedSegments, flags, ownRows)
  return {
    ...(u.length ? { u } : {}),
    ...(hints.length ? { hints } : {}),
    ...(recounts.length ? { recounts } : {}),
  }
}

/** Chunk error slots of newly edited rows, so that readers keep exact error counts without reading chunks. */
async function encodeErrorHints(
  store: Store,
  state: State,
  dictionaries: BodyDictionaries,
  coordinates: Iterable<Coordinate>,
): Promise<HintForm[]> {
  const unhinted = new Map<Segment, Map<number, Coordinate>>()
  for (const at of coordinates) {
    const rowRef = findRow(state, at)
    if (!rowRef || rowRef.segment.edits.get(rowRef.row)?.base) continue
    getOrInsert(unhinted, rowRef.segment, () => new Map<number, Coordinate>()).set(rowRef.row, at)
  }
  if (!unhinted.size) return []
  const opened = await openSegments(store, [...unhinted.keys()], [MESSAGES])
  return opened.flatMap((open) => {
    const base = readBaseMessages(open)
    return [...groupRowsBySegment(unhinted.get(open.segment)!.values())].map(([key, rows]): HintForm => {
      const slots = rows.map((row) =>
        findErrorSlots(base.get(findRow(state, { key, row })!.row)).map((slot) => dictionaries.slots.indexOf(slot)),
      )
      return [key, rows, slots]
    })
  })
}

function forEachRow(state: State, rows: RowsBySegment, visit: (segment: Segment, row: number) => void): void {
  for (const [key, list] of rows) {
    const position = state.positions.get(key)
    if (position !== undefined) for (const row of list) visit(state.segments[position]!, row)
    else
      for (const row of list) {
        const rowRef = findRow(state, { key, row })
        if (rowRef) visit(rowRef.segment, rowRef.row)
      }
  }
}

function findTouchedRows(state: State, changes: readonly FlagChange[], ownRows: OwnRows): Map<Segment, Bits> {
  const touched = new Map<Segment, Bits>()
  const addTouchedRow = (segment: Segment, row: number): void => {
    if (ownRows.counted.has(segment)) return
    setBit(
      getOrInsert(touched, segment, () => emptyBits(segment.rows)),
      row,
    )
  }
  for (const { flagged, cleared } of changes) {
    forEachRow(state, flagged, addTouchedRow)
    forEachRow(state, cleared, addTouchedRow)
  }
  return touched
}

async function computeRecounts(
  store: Store,
  segments: readonly Segment[],
  flags: ResultingFlags,
  ownRows: OwnRows,
): Promise<[string, number][]> {
  if (!segments.length) return []
  const forms: [string, number][] = []
  for await (const open of openAll(store, segments, [MESSAGES])) {
    const { segment } = open
    const patched = new Set(ownRows.patched.get(segment))
    const isCounted = (row: number): boolean =>
      isLive(segment, row) &&
      !ownRows.isRemoved(segment, row) &&
      !patched.has(row) &&
      segment.edits.get(row)?.base == null
    forms.push([segment.key, countBaseErrorRows(open, flags.get(segment) ?? segment.flags, isCounted)])
  }
  return forms
}

/** An unresolved row counts as it was when first edited; resolving it subtracts that. */
function countBaseErrorRows(
  open: OpenSegment,
  flags: ReadonlyMap<string, Bits>,
  isCounted: (row: number) => boolean,
): number {
  const base = readBaseMessages(open)
  const errorFlags = [...flags].filter(([rule]) => isErrorRule(rule)).map(([, bits]) => bits)
  const isFlagged = (row: number): boolean =>
    open.segment.edits.get(row)?.wasFlagged ?? errorFlags.some((bits) => hasBit(bits, row))
  let baseErrorCount = 0
  for (let row = 0; row < open.segment.rows; row++)
    if (isCounted(row) && (isFlagged(row) || findErrorSlots(base.get(row)).length)) baseErrorCount++
  return baseErrorCount
}

export function applyFlagChanges(state: State, changes: readonly FlagChange[]): ResultingFlags {
  const after = new Map<Segment, Map<string, Bits>>()
  const getBits = (segment: Segment, rule: string): Bits => {
    const segmentFlags = getOrInsert(
      after,
      segment,
      () => new Map([...segment.flags].map(([id, bits]): [string, Bits] => [id, bits.slice()])),
    )
    return getOrInsert(segmentFlags, rule, () => emptyBits(segment.rows))
  }
  for (const { rule, flagged, cleared } of changes) {
    forEachRow(state, flagged, (segment, row) => setBit(getBits(segment, rule), row))
    forEachRow(state, cleared, (segment, row) => clearBit(getBits(segment, rule), row))
  }
  return after
}
