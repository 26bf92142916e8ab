/**
 * A state being changed by a fold: copies a part the first time it is touched, so that the state it started from stays as
 * it is. Used by fold.ts alone. Pure.
 */
import { type Bits, clearBit, emptyBits, hasBit, setBit } from '../bytes/bits.ts'
import type { Coordinate } from './ids.ts'
import {
  type HashRun,
  isFlagged,
  isLive,
  type Moved,
  noIndex,
  type Place,
  placeOf,
  type RowEdit,
  type Segment,
  type State,
} from './state.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
export type DraftSegment = Omit<Mutable<Segment>, 'edits' | 'flags'> & {
  edits: Map<number, RowEdit>
  flags: Map<string, Bits>
}
interface DraftIndex {
  runs: Map<string, HashRun>
  owner: Map<string, string>
  edited: Map<string, Map<number, string | null>>
}

export interface Draft extends Mutable<State> {
  segments: Segment[]
  positions: Map<string, number>
  moved: Map<string, readonly Moved[]>
  unique: Map<string, DraftIndex>
  links: Map<string, string>
  ops: Map<string, number>
  /** What this draft may change in place. */
  owned: WeakSet<object>
}

export function draftOf(state: State): Draft {
  return {
    ...state,
    segments: [...state.segments],
    // Shared until the structure changes: see `own`.
    positions: state.positions as Map<string, number>,
    moved: state.moved as Map<string, readonly Moved[]>,
    unique: new Map(state.unique) as Map<string, DraftIndex>,
    links: new Map(state.links),
    ops: new Map(state.ops),
    owned: new WeakSet(),
  }
}

export function stateOf({ owned: _, ...state }: Draft): State {
  return state
}

function own<T extends object>(draft: Draft, value: T, copy: (value: T) => T): T {
  if (draft.owned.has(value)) return value
  const mine = copy(value)
  draft.owned.add(mine)
  return mine
}

/** The segment at a position, ready to be changed. */
export function segmentAt(draft: Draft, position: number): DraftSegment {
  const segment = own(draft, draft.segments[position]!, (shared) => ({
    ...shared,
    edits: new Map(shared.edits),
    flags: new Map(shared.flags),
  }))
  draft.segments[position] = segment
  return segment as DraftSegment
}

export function segmentNamed(draft: Draft, key: string): DraftSegment {
  const position = draft.positions.get(key)
  if (position === undefined) throw new Error(`The log names segment ${key}, which is not there`)
  return segmentAt(draft, position)
}

/** Where a live record is, its segment ready to be changed. */
export function livePlace(draft: Draft, at: Coordinate): { segment: DraftSegment; row: number } | undefined {
  const place: Place | undefined = placeOf(draft, at)
  if (!place || !isLive(place.segment, place.row)) return undefined
  return { segment: segmentNamed(draft, place.segment.key), row: place.row }
}

/** Replaces `count` segments from `position` on by others. */
export function spliceSegments(draft: Draft, position: number, count: number, ...segments: Segment[]): void {
  draft.segments.splice(position, count, ...segments)
  for (const segment of segments) draft.owned.add(segment)
  if (position + segments.length === draft.segments.length && count === 0) {
    draft.positions = own(draft, draft.positions, (shared) => new Map(shared))
    segments.forEach((segment, i) => {
      draft.positions.set(segment.key, position + i)
    })
  } else {
    draft.positions = new Map(draft.segments.map((segment, i) => [segment.key, i]))
    draft.owned.add(draft.positions)
  }
}

export function indexOf(draft: Draft, rule: string): DraftIndex {
  const index = own(draft, draft.unique.get(rule) ?? (noIndex as DraftIndex), (shared) => ({
    runs: new Map(shared.runs),
    owner: new Map(shared.owner),
    edited: new Map(shared.edited),
  }))
  draft.unique.set(rule, index)
  return index
}

/** Hashes of a segment's edited rows under a rule, ready to be changed. */
export function editedRows(draft: Draft, rule: string, key: string): Map<number, string | null> {
  const { edited } = indexOf(draft, rule)
  const rows = own(draft, edited.get(key) ?? new Map<number, string | null>(), (shared) => new Map(shared))
  edited.set(key, rows)
  return rows
}

/**
 * Makes a row one that is counted by itself: takes it out of the segment's `quiet` count, now if its error slots in the
 * chunk are known, else once they are.
 */
export function editOf(segment: DraftSegment, row: number, base: readonly string[] | null): RowEdit {
  const known = segment.edits.get(row)
  if (known && (known.base !== null || base === null)) return known
  const edit = known ?? {
    values: new Map(),
    slots: new Map(),
    base: null,
    flaggedAtFirst: isFlagged(segment, row),
  }
  if (base !== null && (base.length > 0 || edit.flaggedAtFirst)) segment.quiet--
  const settled = { ...edit, base }
  segment.edits.set(row, settled)
  return settled
}

export function flagRow(draft: Draft, segment: DraftSegment, rule: string, row: number, on: boolean): void {
  const bits = segment.flags.get(rule)
  if (!bits && !on) return
  const mine = own(draft, bits ?? emptyBits(segment.rows), (shared) => (bits ? shared.slice() : shared))
  if (on) setBit(mine, row)
  else clearBit(mine, row)
  if (!on && mine.every((byte) => byte === 0)) segment.flags.delete(rule)
  else segment.flags.set(rule, mine)
}

export function deleteRow(draft: Draft, segment: DraftSegment, row: number): void {
  if (hasBit(segment.deleted, row)) return
  segment.deleted = own(draft, segment.deleted ?? emptyBits(segment.rows), (shared) => shared.slice())
  setBit(segment.deleted, row)
  segment.deletedCount++
  segment.edits.delete(row)
  for (const [rule, bits] of segment.flags) if (hasBit(bits, row)) clearBit(ownFlags(draft, segment, rule, bits), row)
}

/** After rows were deleted: rules that flag no row of the segment any more are not among its flags. */
export function dropEmptyFlags(segment: DraftSegment): void {
  for (const [rule, bits] of segment.flags) if (bits.every((byte) => byte === 0)) segment.flags.delete(rule)
}

function ownFlags(draft: Draft, segment: DraftSegment, rule: string, bits: Bits): Bits {
  const mine = own(draft, bits, (shared) => shared.slice())
  segment.flags.set(rule, mine)
  return mine
}
