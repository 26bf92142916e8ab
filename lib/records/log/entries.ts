/**
 * The stored forms of the log: one entry a write. An entry is JSON text; a body over the inline limit is stored beside
 * it. Segments are named by the entry that added them: `<seq>.<i>`; inside an entry, `+<i>` is its own segment i (the seq
 * is known only once appended). Rows are the rows of these names, so merges do not touch older entries. Pure.
 *
 * FORM is raised when a reader of the older form would misread a new one; new kinds and new optional keys do not raise it.
 */
import type { StoredRows } from '../bytes/bits.ts'
import type { Message } from '../sheet.ts'

export const FORM = 1

/** add, patch, columns replaced, delete, several of these (write), reset (restore), merge of segments. */
export type EntryKind = 'a' | 'p' | 'c' | 'd' | 'w' | 'r' | 'm'

/** A segment's name in an entry: `<seq>.<i>`, or `+<i>` for one of the entry itself. */
export type SegmentName = string

export interface Entry {
  f: typeof FORM
  /** Operation id: an entry whose `o` was seen before counts for nothing. */
  o: string
  /** Epoch milliseconds. */
  t: number
  /** Who wrote. */
  w: string
  k: EntryKind
  /** Entries the writer had seen when it built the body. */
  v: number
  /** No user commit: no value changed. */
  x?: 1
  /** Guarded: was appended on condition that no other guarded entry came between `v` and itself. */
  g?: 1
  /** Silent: its events are not to be emitted. */
  s?: 1
  /** What the events of the commit need, as the caller gave it: itself, or the id of the context item that holds it. */
  e?: object | string
  /** The body, or where it is: the id of a body item, or a blob. */
  b?: Body
  r?: string | BlobForm
}

/** `[id, tier, layout index, lengths of its chunks]`; tier `d`: DynamoDB, `s`: S3. */
export type BlobForm = [id: string, tier: 'd' | 's', layout: number, lengths: number[]]

/** Flat `[field index, count, ...]`. */
export type Tally = number[]

export interface SegmentForm {
  /** Rows. */
  n: number
  /** Rows in error, uniqueness included. */
  q: number
  /** The chunks, as a blob or inline as texts in the order of layout `l`. */
  b?: BlobForm
  i?: string[]
  l?: number
  /** Empty cells and cells in error; fields by index of `keys`. */
  z?: Tally
  e?: Tally
}

/** A run of sorted hashes: where, how many, which rows (ordinals count through `s`), and every 4,096th hash's high half. */
export interface RunForm {
  /** Rule. */
  u: string
  b: BlobForm
  /** Name of the chunk. */
  c: string
  n: number
  s: [SegmentName, rows: number, firstRow?: number][]
  /** base64 of u32s. */
  h?: string
}

/** What a write does to uniqueness. */
export interface UniqueForm {
  /** Rows that now share, or no longer share, their value. */
  u?: [rule: string, segment: SegmentName, flagged: StoredRows, cleared: StoredRows][]
  /** Hashes of rows whose compared value was patched; `0` when the row takes no part any more. */
  h?: [rule: string, segment: SegmentName, rows: number[], hashes: (string | 0)[]][]
}

/** Error slots of rows in their segment's message chunk as seen at `v`; slot = index in `slots`. */
export type HintForm = [segment: SegmentName, rows: number[], slots: number[][]]

export interface Common extends UniqueForm {
  /** Signature of the rules messages were made by. */
  sig: string
  /** Column layouts of blobs, messages, field keys, error slots: numbered once an entry. */
  layouts?: string[][]
  messages?: Message[]
  keys?: string[]
  slots?: string[]
  hints?: HintForm[]
  /**
   * Against which version of the referenced sheets the references of the rows written here were judged; with `relinked`,
   * those of all rows of the sheet.
   */
  links?: [rule: string, version: string][]
  relinked?: 1
  /** `quiet` counts of segments anew, this entry's flags included: only in an entry appended exactly. */
  recounts?: [segment: SegmentName, quiet: number][]
}

export interface AddBody extends Common {
  a: SegmentForm[]
  runs?: RunForm[]
}

/**
 * One row: flat `[key index, value, ...]` for values, `[key index, [message index, ...], ...]` for the messages of the
 * two slots; `m`, `c`: metadata and config, null when cleared.
 */
export interface RowPatch {
  r: number
  v?: unknown[]
  k?: (number | number[])[]
  h?: (number | number[])[]
  m?: unknown
  c?: unknown
}

export interface PatchBody extends Common {
  p: [segment: SegmentName, rows: RowPatch[]][]
}

/**
 * New chunks of a segment, messages among them; older chunks of the same name no longer count. Every patched column is
 * among them: afterwards the segment has no edits.
 */
export interface ColumnsForm {
  s: SegmentName
  b: BlobForm
  q: number
  z: Tally
  e: Tally
  /** What changed: `[key index, rows, ...]`. */
  w: (number | StoredRows)[]
}

export interface ColumnsBody extends Common {
  c: ColumnsForm[]
  /** Patches of further segments in the same commit. */
  p?: PatchBody['p']
  runs?: RunForm[]
  /** The flags of all segments anew: rules not named here have none. */
  flags?: [rule: string, segment: SegmentName, rows: StoredRows][]
  /** Messages were made anew by these rules over the whole sheet; runs given replace all older ones. */
  revalidated?: 1
}

export interface DeleteBody extends Common {
  /** Rows, and how many of them were in error without any patch on them. */
  d: [segment: SegmentName, rows: StoredRows, quiet: number][]
}

/**
 * The version that comes back: the whole of it, or, with `steps`, a part. Steps are applied one after the other, each made
 * for what the ones before it leave.
 */
export interface ResetBody {
  to: number
  steps?: StepBody[]
}

export interface MergeForm {
  /** Segments it replaces, adjacent, in order; none when its rows were nowhere: it then goes where they once stood. */
  o: SegmentName[]
  n: number
  q: number
  b: BlobForm
  z: Tally
  e: Tally
  /** Where its rows come from, in order. */
  u: [segment: SegmentName, firstRow: number, rows: number][]
}

export interface MergeBody extends Common {
  m: MergeForm[]
  runs?: RunForm[]
}

/** A body that says all it does by itself. */
export type StepBody = AddBody | PatchBody | ColumnsBody | DeleteBody | MergeBody
export type Body = StepBody | ResetBody

/** Does the whole of an older version come back? Folding it needs that version. */
export const isWholeReset = (body: Body): body is ResetBody => 'to' in body && !body.steps

/** The parts of the body of one write. */
export type WriteParts = Partial<AddBody & PatchBody & ColumnsBody & DeleteBody> & Common

/** The caller's word: at least one of `a`, `p`, `c` and `d` is there. */
export const bodyOf = (parts: WriteParts): Body => parts as Body

/** An entry with its place in the log and its body at hand. */
export interface LoadedEntry {
  seq: number
  entry: Entry
  body: Body
}

/** @throws when the entry was written by a newer form */
export function parseEntry(text: string): Entry {
  const entry = JSON.parse(text) as Entry
  if (entry.f !== FORM) throw new Error(`Unknown form ${entry.f} of a log entry`)
  return entry
}
