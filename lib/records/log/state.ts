/**
 * The state of a sheet: what its log says after `seq` entries. Immutable: folding an entry makes a new state that shares
 * what did not change, so a reader keeps its view while others write, and "did this segment change?" is `!==`. Pure.
 */

import { type Bits, hasBit } from '../bytes/bits.ts'
import { hasError } from '../rules/messages.ts'
import type { Message } from '../sheet.ts'
import { type Coordinate, compareCoordinates } from './ids.ts'

/** A stored blob: chunks by name, in order; `lengths` are stored bytes. */
export interface BlobRef {
  id: string
  tier: 'd' | 's'
  names: readonly string[]
  lengths: readonly number[]
}

/** What was written over a row since its segment's chunks. */
export interface RowEdit {
  /** JSON texts by column name. */
  values: ReadonlyMap<string, string>
  /** Messages by slot name (`r.<field>`, `h.<field>`); replaces the chunk's slot. */
  slots: ReadonlyMap<string, readonly Message[]>
  /** Error slots in the chunk; null while unknown (an entry raced with a rewrite): see `unresolved`. */
  base: readonly string[] | null
  /** Was the row in error by a uniqueness flag when first edited? Needed to settle `quiet` once `base` is known. */
  flaggedAtFirst: boolean
}

export interface Segment {
  key: string
  rows: number
  /** A later blob's chunk replaces an earlier one's of the same name. */
  blobs: readonly BlobRef[]
  /** Column texts kept in the log itself, under the blobs. */
  inline: ReadonlyMap<string, string> | null
  signature: string
  /** Live rows in error that have no edit. */
  quiet: number
  /** Empty cells and cells in error in the chunks, by field. */
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  deleted: Bits | null
  deletedCount: number
  edits: ReadonlyMap<number, RowEdit>
  /** Rows that share their value, by uniqueness rule. */
  flags: ReadonlyMap<string, Bits>
  /** Entries before this seq spoke of other chunks: their hints do not hold. */
  rewrittenAt: number
  /** For a merged segment: where its rows come from, in order. */
  runs: readonly Run[] | null
}

export interface Run {
  key: string
  firstRow: number
  rows: number
}

/** Sorted hashes of a rule's values at some point, see unique.ts. */
export interface HashRun {
  id: string
  blob: BlobRef
  chunk: string
  length: number
  /** What ordinals count through. */
  segments: readonly Run[]
  /** The high half of every 4,096th hash, when there are more. */
  samples: Uint32Array | null
}

/** A uniqueness rule's view of all values: runs, and hashes of edited rows over them. All in record coordinates. */
export interface UniqueIndex {
  runs: ReadonlyMap<string, HashRun>
  /** Which run speaks for a segment. */
  owner: ReadonlyMap<string, string>
  /** Segment -> row -> hash; null for a row that takes no part. */
  edited: ReadonlyMap<string, ReadonlyMap<number, string | null>>
}

export interface State {
  sheetId: string
  /** Entries folded: the seq of the next. */
  seq: number
  segments: readonly Segment[]
  /** Position in `segments` by key. */
  positions: ReadonlyMap<string, number>
  /** Rows of merged-away segments: key -> where their rows are now. */
  moved: ReadonlyMap<string, readonly Moved[]>
  unique: ReadonlyMap<string, UniqueIndex>
  /** By reference rule: the version of the other sheet all flags of the rule were made against. */
  links: ReadonlyMap<string, string>
  /** Seqs by operation id, of the last `OPS_KEPT` entries that counted. */
  ops: ReadonlyMap<string, number>
  lastCommit: number | undefined
  /** Guarded entries on the page `seq` is on. */
  guarded: number
  /** Guarded entries since the log's begin. */
  guardedTotal: number
}

export interface Moved {
  firstRow: number
  rows: number
  segment: string
  at: number
}

/** A deterministic window, part of the state: all readers must agree which repeated operation is ignored. */
export const OPS_KEPT = 512

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
  guarded: 0,
  guardedTotal: 0,
})

export const noIndex: UniqueIndex = { runs: new Map(), owner: new Map(), edited: new Map() }

export interface Place {
  segment: Segment
  row: number
}

/** Where a record is now; undefined when there is no such row. Deleted rows are found: see `isLive`. */
export function placeOf(state: State, { key, row }: Coordinate): Place | undefined {
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

/** The name of a row that stays through merges. */
export function coordinateIn(segment: Segment, row: number): Coordinate {
  if (!segment.runs) return { key: segment.key, row }
  if (row >= segment.rows) throw new RangeError(`Segment ${segment.key} has no row ${row}`)
  const starts = startsOf(segment.runs)
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

/** First rows of the runs of a merged segment: thousands, when it was single rows. */
const runStarts = new WeakMap<readonly Run[], Uint32Array>()

function startsOf(runs: readonly Run[]): Uint32Array {
  const known = runStarts.get(runs)
  if (known) return known
  const starts = new Uint32Array(runs.length)
  for (let i = 1; i < runs.length; i++) starts[i] = starts[i - 1]! + runs[i - 1]!.rows
  runStarts.set(runs, starts)
  return starts
}

/** Where among the segments rows from this one on belong, when they are in none of them: segments keep the log's order. */
export function positionFor(state: Pick<State, 'segments'>, { key, firstRow }: Run): number {
  const at = { key, row: firstRow }
  const next = state.segments.findIndex((segment) => compareCoordinates(coordinateIn(segment, 0), at) > 0)
  return next < 0 ? state.segments.length : next
}

export const isLive = (segment: Segment, row: number): boolean => !hasBit(segment.deleted, row)
export const liveCount = (segment: Segment): number => segment.rows - segment.deletedCount

/** 0, 1, 2 ...: what most segments' live rows are a part of. */
let counting: number[] = []

/** Rows that are not deleted, ascending; from the `from`-th to before the `to`-th of them. */
export function liveRows(segment: Segment, from = 0, to = liveCount(segment)): number[] {
  if (!segment.deleted) {
    if (counting.length < to) counting = Array.from({ length: to }, (_, i) => i)
    return counting.slice(from, Math.max(from, to))
  }
  const rows: number[] = []
  for (let row = 0, live = 0; row < segment.rows && live < to; row++) {
    if (!isLive(segment, row)) continue
    if (live >= from) rows.push(row)
    live++
  }
  return rows
}

/** The chunk of a name: the last blob that has it. */
export function chunkOf(segment: Segment, name: string): { blob: BlobRef; index: number } | undefined {
  for (let i = segment.blobs.length - 1; i >= 0; i--) {
    const blob = segment.blobs[i]!
    const index = blob.names.indexOf(name)
    if (index >= 0) return { blob, index }
  }
  return undefined
}

/** Was a cell of the column written over since its chunk? */
export function isEdited({ edits }: Segment, column: string): boolean {
  for (const { values } of edits.values()) if (values.has(column)) return true
  return false
}

/** Rows that uniqueness rules of level error flag, by rule. */
const errorFlags = ({ flags }: Segment): Bits[] =>
  [...flags].flatMap(([rule, bits]) => (rule.startsWith('error:') ? [bits] : []))

/** Does a uniqueness rule of level error flag the row? */
export const isFlagged = (segment: Segment, row: number): boolean =>
  errorFlags(segment).some((bits) => hasBit(bits, row))

/** An edit never changes once its state is made either, and most of a segment's are the same after a write. */
const errorOf = new WeakMap<RowEdit, boolean>()

/** Has an edited row a cell in error? Needs its base to be known. */
function hasErrorSlot(edit: RowEdit): boolean {
  let known = errorOf.get(edit)
  if (known === undefined) {
    known = [...edit.slots.values()].some(hasError) || (edit.base ?? []).some((slot) => !edit.slots.has(slot))
    errorOf.set(edit, known)
  }
  return known
}

/** What the edits of a segment come to. */
interface Edited {
  unresolved: readonly number[]
  inError: number
}

/** A segment never changes once its state is made, and each write asks this of all of them. */
const editedOf = new WeakMap<Segment, Edited>()

function edited(segment: Segment): Edited {
  let known = editedOf.get(segment)
  if (!known) {
    const unresolved: number[] = []
    const flags = errorFlags(segment)
    let inError = 0
    segment.edits.forEach((edit, row) => {
      if (edit.base === null) unresolved.push(row)
      if (hasErrorSlot(edit) || flags.some((bits) => hasBit(bits, row))) inError++
    })
    known = { unresolved, inError }
    editedOf.set(segment, known)
  }
  return known
}

/** Rows whose base is unknown: reading their segment's message chunk settles them, see `resolve`. */
export const unresolvedRows = (segment: Segment): readonly number[] => edited(segment).unresolved

/** Live rows in error of a segment without unresolved rows. */
export const errorCount = (segment: Segment): number => segment.quiet + edited(segment).inError

export function totalRows(state: State): number {
  let total = 0
  for (const segment of state.segments) total += liveCount(segment)
  return total
}

/** All segments' messages were made by the rules of this signature. */
export const isValidatedBy = (state: State, signature: string): boolean =>
  state.segments.every((segment) => segment.signature === signature || liveCount(segment) === 0)
