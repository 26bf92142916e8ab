/**
 * Stored formats of the log: one JSON entry per write, with large bodies stored separately.
 * Segments are named `<seq>.<i>` after the entry that added them (`+<i>` inside it), and merges keep these names.
 * FORM is raised only when older readers would misread an entry, not for new kinds or optional keys.
 */
import type { StoredRows } from '../columns/bits.ts'
import type { Message } from '../sheet.ts'

export const FORMAT_VERSION = 1
export const ENTRIES_PER_PAGE = 16

/** add, patch, columns, delete, write (several of these), reset (restore), merge. */
export type EntryKind = 'a' | 'p' | 'c' | 'd' | 'w' | 'r' | 'm'

export type SegmentName = string

export interface Entry {
  f: typeof FORMAT_VERSION
  /** Operation id; a repeated one is ignored. */
  o: string
  /** Epoch milliseconds. */
  t: number
  w: string
  k: EntryKind
  /** Number of entries the writer had seen. */
  v: number
  /** 1 if no value changed: not a user commit. */
  x?: 1
  /** 1 if appended on condition that no other guarded entry came between `v` and this one. */
  g?: 1
  /** 1 if the commit emits no events. */
  s?: 1
  /** Rows of an import by key that wrote nothing: unchanged, without a key, without a record. */
  n?: readonly number[]
  /** Context for the commit's events: inline, or the id of a context item. */
  e?: object | string
  /** The body: inline, or the id of a body item, or a blob. */
  b?: Body
  r?: string | BlobForm
}

/** Tier `d` is DynamoDB, `s` is S3. */
export type BlobForm = [id: string, tier: 'd' | 's', layout: number, lengths: number[]]

/** Flat `[field index, count, ...]`. */
export type FieldCountsForm = number[]

export interface SegmentForm {
  n: number
  /** Rows in error, uniqueness included. */
  q: number
  /** The chunks: a blob, or inline texts in the order of layout `l`. */
  b?: BlobForm
  i?: string[]
  l?: number
  /** Empty cells and cells in error by index in `keys`. */
  z?: FieldCountsForm
  e?: FieldCountsForm
}

/** A run of sorted hashes; ordinals count through `s`, `h` has the high half of every 4,096th hash. */
export interface RunForm {
  u: string
  b: BlobForm
  c: string
  n: number
  s: [SegmentName, rows: number, firstRow?: number][]
  h?: string
}

export interface UniqueForm {
  u?: [rule: string, segment: SegmentName, flagged: StoredRows, cleared: StoredRows][]
  /** Hashes of patched rows; `0` when the row no longer takes part. */
  h?: [rule: string, segment: SegmentName, rows: number[], hashes: (string | 0)[]][]
}

/** Error slots of rows in the message chunk as of `v`, as indices into `slots`. */
export type HintForm = [segment: SegmentName, rows: number[], slots: number[][]]

export interface CommonBody extends UniqueForm {
  sig: string
  layouts?: string[][]
  messages?: Message[]
  keys?: string[]
  slots?: string[]
  hints?: HintForm[]
  /** Versions of the referenced sheets the written rows were validated against; with `relinked`, all rows. */
  links?: [rule: string, version: string][]
  relinked?: 1
  /** New error counts of segments, including this entry's flags; only in exact entries. */
  recounts?: [segment: SegmentName, quiet: number][]
}

export interface AddBody extends CommonBody {
  a: SegmentForm[]
  runs?: RunForm[]
}

/** `v`: `[key index, value, ...]`; `k` and `h`: `[key index, [message index, ...], ...]` of rules and hooks. */
export interface RowPatch {
  r: number
  v?: unknown[]
  k?: (number | number[])[]
  h?: (number | number[])[]
  m?: unknown
  c?: unknown
}

export interface PatchBody extends CommonBody {
  p: [segment: SegmentName, rows: RowPatch[]][]
}

/** These chunks cover every patched column, so the segment has no edits afterwards. */
export interface ColumnsForm {
  s: SegmentName
  b: BlobForm
  q: number
  z: FieldCountsForm
  e: FieldCountsForm
  w: (number | StoredRows)[]
}

export interface ColumnsBody extends CommonBody {
  c: ColumnsForm[]
  p?: PatchBody['p']
  runs?: RunForm[]
  /** Replaces the flags of all segments; unlisted rules have none. */
  flags?: [rule: string, segment: SegmentName, rows: StoredRows][]
  /** The whole sheet was validated again by these rules; `runs` replaces all older ones. */
  revalidated?: 1
}

export interface DeleteBody extends CommonBody {
  /** `quiet` is how many of the deleted rows were in error without an edit. */
  d: [segment: SegmentName, rows: StoredRows, quiet: number][]
}

/** Restores version `to`: completely, or by `steps`, each planned for the result of the previous one. */
export interface ResetBody {
  to: number
  steps?: StepBody[]
}

export interface MergeForm {
  o: SegmentName[]
  n: number
  q: number
  b: BlobForm
  z: FieldCountsForm
  e: FieldCountsForm
  u: [segment: SegmentName, firstRow: number, rows: number][]
}

export interface MergeBody extends CommonBody {
  m: MergeForm[]
  runs?: RunForm[]
}

export type StepBody = AddBody | PatchBody | ColumnsBody | DeleteBody | MergeBody
export type Body = StepBody | ResetBody

/** A full restore can only be folded with the older state. */
export const isFullReset = (body: Body): body is ResetBody => 'to' in body && !body.steps

export type WriteParts = Partial<AddBody & PatchBody & ColumnsBody & DeleteBody> & CommonBody

export const toBody = (parts: WriteParts): Body => parts as Body

export interface LoadedEntry {
  seq: number
  entry: Entry
  body: Body
}

export function parseEntry(text: string): Entry {
  const entry = JSON.parse(text) as Entry
  if (entry.f !== FORMAT_VERSION) throw new Error(`Unknown log entry format ${entry.f}`)
  return entry
}
