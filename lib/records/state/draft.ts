/** A state being modified by a fold. Parts are copied on first write, so the original never changes. */
import { type Bits, clearBit, emptyBits, hasBit, setBit } from '../columns/bits.ts'
import type { Coordinate } from '../format/ids.ts'
import {
  EMPTY_INDEX,
  findRow,
  type HashRun,
  isFlagged,
  isLive,
  type MovedRows,
  type RowEdit,
  type RowRef,
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
  moved: Map<string, readonly MovedRows[]>
  unique: Map<string, DraftIndex>
  links: Map<string, string>
  ops: Map<string, number>
  owned: WeakSet<object>
}

export function createDraft(state: State): Draft {
  return {
    ...state,
    segments: [...state.segments],
    // Shared until the structure changes: see `copyOnWrite`.
    positions: state.positions as Map<string, number>,
    moved: state.moved as Map<string, readonly MovedRows[]>,
    unique: new Map(state.unique) as Map<string, DraftIndex>,
    links: new Map(state.links),
    ops: new Map(state.ops),
    owned: new WeakSet(),
  }
}

export function toState({ owned: _, ...state }: Draft): State {
  return state
}

function copyOnWrite<T extends object>(draft: Draft, value: T, copy: (value: T) => T): T {
  if (draft.owned.has(value)) return value
  const ownCopy = copy(value)
  draft.owned.add(ownCopy)
  return ownCopy
}

export function getSegmentAt(draft: Draft, position: number): DraftSegment {
  const segment = copyOnWrite(draft, draft.segments[position]!, (shared) => ({
    ...shared,
    edits: new Map(shared.edits),
    flags: new Map(shared.flags),
  }))
  draft.segments[position] = segment
  return segment as DraftSegment
}

export function getSegment(draft: Draft, key: string): DraftSegment {
  const position = draft.positions.get(key)
  if (position === undefined) throw new Error(`The log refers to segment ${key}, which does not exist`)
  return getSegmentAt(draft, position)
}

export function findLiveRow(draft: Draft, at: Coordinate): { segment: DraftSegment; row: number } | undefined {
  const rowRef: RowRef | undefined = findRow(draft, at)
  if (!rowRef || !isLive(rowRef.segment, rowRef.row)) return undefined
  return { segment: getSegment(draft, rowRef.segment.key), row: rowRef.row }
}

export function spliceSegments(draft: Draft, position: number, count: number, ...segments: Segment[]): void {
  draft.segments.splice(position, count, ...segments)
  for (const segment of segments) draft.owned.add(segment)
  if (position + segments.length === draft.segments.length && count === 0) {
    draft.positions = copyOnWrite(draft, draft.positions, (shared) => new Map(shared))
    segments.forEach((segment, i) => {
      draft.positions.set(segment.key, position + i)
    })
  } else {
    draft.positions = new Map(draft.segments.map((segment, i) => [segment.key, i]))
    draft.owned.add(draft.positions)
  }
}

export function getIndex(draft: Draft, rule: string): DraftIndex {
  const index = copyOnWrite(draft, draft.unique.get(rule) ?? (EMPTY_INDEX as DraftIndex), (shared) => ({
    runs: new Map(shared.runs),
    owner: new Map(shared.owner),
    edited: new Map(shared.edited),
  }))
  draft.unique.set(rule, index)
  return index
}

export function getEditedHashes(draft: Draft, rule: string, key: string): Map<number, string | null> {
  const { edited } = getIndex(draft, rule)
  const rows = copyOnWrite(draft, edited.get(key) ?? new Map<number, string | null>(), (shared) => new Map(shared))
  edited.set(key, rows)
  return rows
}

/** Moves the row from `baseErrorCount` to its edit; deferred while its chunk error slots are unknown. */
export function ensureEdit(segment: DraftSegment, row: number, base: readonly string[] | null): RowEdit {
  const existing = segment.edits.get(row)
  if (existing && (existing.base !== null || base === null)) return existing
  const edit = existing ?? {
    values: new Map(),
    slots: new Map(),
    base: null,
    wasFlagged: isFlagged(segment, row),
  }
  if (base !== null && (base.length > 0 || edit.wasFlagged)) segment.baseErrorCount--
  const resolved = { ...edit, base }
  segment.edits.set(row, resolved)
  return resolved
}

export function flagRow(draft: Draft, segment: DraftSegment, rule: string, row: number, flagged: boolean): void {
  const bits = segment.flags.get(rule)
  if (!bits && !flagged) return
  const ownCopy = copyOnWrite(draft, bits ?? emptyBits(segment.rows), (shared) => (bits ? shared.slice() : shared))
  if (flagged) setBit(ownCopy, row)
  else clearBit(ownCopy, row)
  if (!flagged && ownCopy.every((byte) => byte === 0)) segment.flags.delete(rule)
  else segment.flags.set(rule, ownCopy)
}

export function deleteRow(draft: Draft, segment: DraftSegment, row: number): void {
  if (hasBit(segment.deleted, row)) return
  segment.deleted = copyOnWrite(draft, segment.deleted ?? emptyBits(segment.rows), (shared) => shared.slice())
  setBit(segment.deleted, row)
  segment.deletedCount++
  segment.edits.delete(row)
  for (const [rule, bits] of segment.flags)
    if (hasBit(bits, row)) clearBit(copyFlagsOnWrite(draft, segment, rule, bits), row)
}

export function dropEmptyFlags(segment: DraftSegment): void {
  for (const [rule, bits] of segment.flags) if (bits.every((byte) => byte === 0)) segment.flags.delete(rule)
}

function copyFlagsOnWrite(draft: Draft, segment: DraftSegment, rule: string, bits: Bits): Bits {
  const ownCopy = copyOnWrite(draft, bits, (shared) => shared.slice())
  segment.flags.set(rule, ownCopy)
  return ownCopy
}
