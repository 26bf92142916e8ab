/** A sheet's state after `seq` entries. Immutable with structural sharing, so a change is detected by `!==`. */

import { memoize } from '../../core/memo.ts'
import { type Bits, hasBit } from '../columns/bits.ts'
import { type Coordinate, compareCoordinates, formatCommitId } from '../format/ids.ts'
import { hasError } from '../format/message-chunk.ts'
import type { Message } from '../sheet.ts'

/** The actor of entries that change no value: compaction and validation. */
export const SYSTEM_ACTOR = 'system'

export interface BlobRef {
  id: string
  tier: 'd' | 's'
  names: readonly string[]
  lengths: readonly number[]
}

export interface RowEdit {
  values: ReadonlyMap<string, string>
  /** By slot name (`r.<field>`, `h.<field>`); overrides the chunk's slot. */
  slots: ReadonlyMap<string, readonly Message[]>
  /** Error slots in the chunk; null while unknown because an entry raced with a rewrite. */
  base: readonly string[] | null
  /** Was the row flagged as a duplicate when first edited? Needed to correct `baseErrorCount` once `base` is known. */
  wasFlagged: boolean
}

export interface Segment {
  key: string
  rows: number
  /** Later blobs override earlier chunks of the same name. */
  blobs: readonly BlobRef[]
  /** Column texts stored in the log; blobs override them. */
  inline: ReadonlyMap<string, string> | null
  signature: string
  /** Live rows in error that have no edit. */
  baseErrorCount: number
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  deleted: Bits | null
  deletedCount: number
  edits: ReadonlyMap<number, RowEdit>
  flags: ReadonlyMap<string, Bits>
  /** Hints of entries before this seq refer to replaced chunks and are invalid. */
  rewrittenAt: number
  runs: readonly Run[] | null
}

export interface Run {
  key: string
  firstRow: number
  rows: number
}

export interface HashRun {
  id: string
  blob: BlobRef
  chunk: string
  length: number
  segments: readonly Run[]
  samples: Uint32Array | null
}

/** A rule's hash runs, overridden by the hashes of edited rows, in record coordinates. */
export interface UniqueIndex {
  runs: ReadonlyMap<string, HashRun>
  owner: ReadonlyMap<string, string>
  edited: ReadonlyMap<string, ReadonlyMap<number, string | null>>
}

export interface State {
  sheetId: string
  /** Entries folded, and so the seq of the next one. */
  seq: number
  segments: readonly Segment[]
  positions: ReadonlyMap<string, number>
  /** Current locations of the rows of segments that were merged. */
  moved: ReadonlyMap<string, readonly MovedRows[]>
  unique: ReadonlyMap<string, UniqueIndex>
  /** The version of the referenced sheet all flags of the rule were computed against. */
  links: ReadonlyMap<string, string>
  ops: ReadonlyMap<string, number>
  lastCommit: number | undefined
  /** The time of the latest commit, in epoch milliseconds. */
  latestAt: number
  /** On the current page only. */
  guarded: number
  guardedTotal: number
}

export interface MovedRows {
  firstRow: number
  rows: number
  segment: string
  at: number
}

/** A deterministic window: all readers must agree on which repeated operations are ignored. */
export const MAX_OPS_RETAINED = 512

export const emptyState = (sheetId: string): State => ({
  sheetId,
  seq: 0,
  segments: [],
  positions: new Map(),
  moved: new Map(),
  unique: new Map(),
  links: new Map(),
  ops: new Map(),
  lastCommit: undefined,
  latestAt: 0,
  guarded: 0,
  guardedTotal: 0,
})

export const EMPTY_INDEX: UniqueIndex = { runs: new Map(), owner: new Map(), edited: new Map() }

export interface RowRef {
  segment: Segment
  row: number
}

export function findRow(state: State, { key, row }: Coordinate): RowRef | undefined {
  const position = state.positions.get(key)
  if (position !== undefined) {
    const segment = state.segments[position]!
    return row < segment.rows ? { segment, row } : undefined
  }
  for (const moved of state.moved.get(key) ?? []) {
    const at = state.positions.get(moved.segment)
    if (at === undefined || row < moved.firstRow || row >= moved.firstRow + moved.rows) continue
    return { segment: state.segments[at]!, row: moved.at + row - moved.firstRow }
  }
  return undefined
}

export function hasRecord(state: State, at: Coordinate): boolean {
  const rowRef = findRow(state, at)
  return rowRef !== undefined && isLive(rowRef.segment, rowRef.row)
}

export function toCoordinate(segment: Segment, row: number): Coordinate {
  if (!segment.runs) return { key: segment.key, row }
  if (row >= segment.rows) throw new RangeError(`Segment ${segment.key} has no row ${row}`)
  const starts = getRunStarts(segment.runs)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const mid = (low + high + 1) >>> 1
    if (starts[mid]! <= row) low = mid
    else high = mid - 1
  }
  const run = segment.runs[low]!
  return { key: run.key, row: run.firstRow + row - starts[low]! }
}

/** Cached: a segment merged from single rows has thousands of runs. */
const getRunStarts = memoize((runs: readonly Run[]): Uint32Array => {
  const starts = new Uint32Array(runs.length)
  for (let i = 1; i < runs.length; i++) starts[i] = starts[i - 1]! + runs[i - 1]!.rows
  return starts
})

export function findInsertPosition(state: Pick<State, 'segments'>, { key, firstRow }: Run): number {
  const at = { key, row: firstRow }
  const next = state.segments.findIndex((segment) => compareCoordinates(toCoordinate(segment, 0), at) > 0)
  return next < 0 ? state.segments.length : next
}

export const getNewestCommitId = ({ sheetId, lastCommit }: State): string | undefined =>
  lastCommit === undefined ? undefined : formatCommitId(sheetId, lastCommit)

export const isLive = (segment: Segment, row: number): boolean => !hasBit(segment.deleted, row)
export const countLiveRows = (segment: Segment): number => segment.rows - segment.deletedCount

let sequence: number[] = []

export function listLiveRows(segment: Segment, from = 0, to = countLiveRows(segment)): number[] {
  if (!segment.deleted) {
    if (sequence.length < to) sequence = Array.from({ length: to }, (_, i) => i)
    return sequence.slice(from, Math.max(from, to))
  }
  const rows: number[] = []
  for (let row = 0, live = 0; row < segment.rows && live < to; row++) {
    if (!isLive(segment, row)) continue
    if (live >= from) rows.push(row)
    live++
  }
  return rows
}

export function findChunk(segment: Segment, name: string): { blob: BlobRef; index: number } | undefined {
  for (let i = segment.blobs.length - 1; i >= 0; i--) {
    const blob = segment.blobs[i]!
    const index = blob.names.indexOf(name)
    if (index >= 0) return { blob, index }
  }
  return undefined
}

export function isEdited({ edits }: Segment, column: string): boolean {
  for (const { values } of edits.values()) if (values.has(column)) return true
  return false
}

const getErrorFlags = ({ flags }: Segment): Bits[] =>
  [...flags].flatMap(([rule, bits]) => (rule.startsWith('error:') ? [bits] : []))

export const isFlagged = (segment: Segment, row: number): boolean =>
  getErrorFlags(segment).some((bits) => hasBit(bits, row))

const hasErrorSlot = memoize(
  (edit: RowEdit): boolean =>
    [...edit.slots.values()].some(hasError) || (edit.base ?? []).some((slot) => !edit.slots.has(slot)),
)

interface EditSummary {
  unresolved: readonly number[]
  inError: number
}

const summarizeEdits = memoize((segment: Segment): EditSummary => {
  const unresolved: number[] = []
  const flags = getErrorFlags(segment)
  let inError = 0
  segment.edits.forEach((edit, row) => {
    if (edit.base === null) unresolved.push(row)
    if (hasErrorSlot(edit) || flags.some((bits) => hasBit(bits, row))) inError++
  })
  return { unresolved, inError }
})

export const listUnresolvedRows = (segment: Segment): readonly number[] => summarizeEdits(segment).unresolved

/** Only exact for segments without unresolved rows. */
export const countErrorRows = (segment: Segment): number => segment.baseErrorCount + summarizeEdits(segment).inError

export function countRows(state: Pick<State, 'segments'>): number {
  let total = 0
  for (const segment of state.segments) total += countLiveRows(segment)
  return total
}

export const isValidatedBy = (state: State, signature: string): boolean =>
  state.segments.every((segment) => segment.signature === signature || countLiveRows(segment) === 0)

/** Resolves the ordinal of a row, counted across the runs. */
export function createLocator(segments: readonly Run[]): (ordinal: number) => Coordinate {
  const ends: number[] = []
  let end = 0
  for (const { rows } of segments) {
    end += rows
    ends.push(end)
  }
  return (ordinal) => {
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const mid = (low + high) >>> 1
      if (ends[mid]! <= ordinal) low = mid + 1
      else high = mid
    }
    const { key, firstRow, rows } = segments[low]!
    return { key, row: firstRow + ordinal - (ends[low]! - rows) }
  }
}
