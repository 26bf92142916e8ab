/**
 * Folds log entries into a state. Deterministic: every reader of the same entries comes to the same state, whoever wrote
 * them and however stale the writers' views were. Pure: bodies, and for a reset the older state, are handed in.
 */
import { loadRows } from './bits.ts'
import {
  type Draft,
  type DraftSegment,
  deleteRow,
  draftOf,
  editedRows,
  editOf,
  flagRow,
  indexOf,
  livePlace,
  segmentNamed,
  spliceSegments,
  stateOf,
} from './draft.ts'
import type {
  AddBody,
  BlobForm,
  Body,
  ColumnsBody,
  DeleteBody,
  Entry,
  LoadedEntry,
  MergeBody,
  PatchBody,
  RowPatch,
  RunForm,
  SegmentForm,
  Tally,
  UniqueForm,
} from './entries.ts'
import { slotName } from './messages.ts'
import { valueColumn } from './rules.ts'
import { CONFIG, METADATA } from './segment.ts'
import type { Message } from './sheet.ts'
import {
  type BlobRef,
  type HashRun,
  liveCount,
  OPS_KEPT,
  type RowEdit,
  type Run,
  type Segment,
  type State,
} from './state.ts'

/** Entries of one page of the log. */
export const PAGE_ENTRIES = 16

/** Folds entries in order; each must be the next one. A reset among them must be handed to `foldReset` instead. */
export function fold(state: State, entries: readonly LoadedEntry[]): State {
  const draft = draftOf(state)
  for (const { seq, entry, body } of entries) {
    if (seq !== draft.seq) throw new Error(`Entry ${seq} of ${state.sheetId} does not follow entry ${draft.seq - 1}`)
    if (!step(draft, entry)) continue
    applyBody(draft, seq, entry, body)
  }
  return stateOf(draft)
}

/** Folds a reset: the content of `older`, the log position and memory of `state`. */
export function foldReset(state: State, older: State, { seq, entry }: LoadedEntry): State {
  const draft = draftOf(state)
  if (!step(draft, entry)) return stateOf(draft)
  const { segments, positions, moved, unique, links } = older
  const rewritten = segments.map((segment) => ({ ...segment, rewrittenAt: seq + 1 }))
  return { ...stateOf(draft), segments: rewritten, positions, moved, unique, links }
}

/** Moves past an entry; false when it repeats an operation and therefore counts for nothing. */
function step(draft: Draft, entry: Entry): boolean {
  const { seq } = draft
  draft.seq++
  if (entry.g) {
    draft.guarded++
    draft.guardedTotal++
  }
  if (draft.seq % PAGE_ENTRIES === 0) draft.guarded = 0
  if (draft.ops.has(entry.o)) return false
  draft.ops.set(entry.o, seq)
  if (draft.ops.size > OPS_KEPT) draft.ops.delete(draft.ops.keys().next().value!)
  if (!entry.x) draft.lastCommit = seq
  return true
}

/** An entry being applied: what its names and hints mean. */
interface Applied {
  draft: Draft
  seq: number
  view: number
  body: Exclude<Body, { to: number }>
  hints: ReadonlyMap<string, ReadonlyMap<number, string[]>>
  /** Segments this entry writes whole: their rows' errors are in their own count already. */
  whole: ReadonlySet<string>
}

function applyBody(draft: Draft, seq: number, entry: Entry, body: Body): void {
  if ('to' in body) throw new Error('A reset needs the older state')
  applyLinks(draft, body)
  const whole = new Set<string>()
  const applied: Applied = { draft, seq, view: entry.v, body, hints: hintsOf(seq, body), whole }
  if ('a' in body) for (const [i, form] of body.a.entries()) whole.add(addSegment(applied, body, form, i))
  else if ('d' in body) applyDeletes(applied, body)
  else if ('m' in body) mergeSegments(applied, body)
  else {
    if ('c' in body) for (const key of replaceColumns(applied, body)) whole.add(key)
    applyPatches(applied, body)
  }
  for (const [key, quiet] of body.recounts ?? []) {
    segmentNamed(draft, key).quiet = quiet
    whole.add(key)
  }
  applyUnique(applied, body)
  if ('d' in body) dropEmptySegments(draft)
}

/** Flags made against different versions of the other sheet are as good as none: whoever reads next makes them anew. */
function applyLinks(draft: Draft, body: Exclude<Body, { to: number }>): void {
  const first = draft.segments.every((segment) => liveCount(segment) === 0)
  for (const [rule, version] of body.links ?? []) {
    if (body.relinked || first) draft.links.set(rule, version)
    else if (draft.links.get(rule) !== version) draft.links.delete(rule)
  }
}

const named = (seq: number, name: string): string => (name.startsWith('+') ? `${seq}.${name.slice(1)}` : name)

function hintsOf(seq: number, body: Exclude<Body, { to: number }>): Map<string, Map<number, string[]>> {
  const hints = new Map<string, Map<number, string[]>>()
  for (const [name, rows, slots] of body.hints ?? [])
    hints.set(named(seq, name), new Map(rows.map((row, i) => [row, slots[i]!.map((slot) => body.slots![slot]!)])))
  return hints
}

/** A row's error slots as the writer saw them, if it saw the chunks the segment still has. */
function hintFor(applied: Applied, segment: Segment, key: string, row: number): string[] | null {
  if (applied.view < segment.rewrittenAt) return null
  return applied.hints.get(key)?.get(row) ?? null
}

export function blobOf(layouts: readonly string[][] | undefined, [id, tier, layout, lengths]: BlobForm): BlobRef {
  return { id, tier, names: layouts![layout]!, lengths }
}

function tally(keys: readonly string[] | undefined, flat: Tally | undefined): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; flat && i < flat.length; i += 2) counts.set(keys![flat[i]!]!, flat[i + 1]!)
  return counts
}

const fresh = (key: string, rows: number): DraftSegment => ({
  key,
  rows,
  blobs: [],
  inline: null,
  signature: '',
  quiet: 0,
  nulls: new Map(),
  errors: new Map(),
  deleted: null,
  deletedCount: 0,
  edits: new Map(),
  flags: new Map(),
  rewrittenAt: 0,
  runs: null,
})

function addSegment({ draft, seq }: Applied, body: AddBody, form: SegmentForm, i: number): string {
  const layout = form.l === undefined ? undefined : body.layouts![form.l]!
  const segment: DraftSegment = {
    ...fresh(`${seq}.${i}`, form.n),
    blobs: form.b ? [blobOf(body.layouts, form.b)] : [],
    inline: form.i ? new Map(form.i.map((text, column) => [layout![column]!, text])) : null,
    signature: body.sig,
    quiet: form.q,
    nulls: tally(body.keys, form.z),
    errors: tally(body.keys, form.e),
  }
  spliceSegments(draft, draft.segments.length, 0, segment)
  return segment.key
}

function applyPatches(applied: Applied, body: PatchBody | ColumnsBody): void {
  for (const [name, rows] of body.p ?? []) {
    const key = named(applied.seq, name)
    for (const patch of rows) {
      const place = livePlace(applied.draft, { key, row: patch.r })
      // A row deleted by an entry in between: the deletion stands.
      if (!place) continue
      const { segment, row } = place
      const edit = editOf(segment, row, hintFor(applied, segment, key, patch.r))
      segment.edits.set(row, patched(body, edit, patch))
      if (segment.signature !== body.sig) segment.signature = ''
    }
  }
}

function patched(body: PatchBody | ColumnsBody, edit: RowEdit, patch: RowPatch): RowEdit {
  const values = new Map(edit.values)
  for (let i = 0; patch.v && i < patch.v.length; i += 2)
    values.set(valueColumn(body.keys![patch.v[i] as number]!), JSON.stringify(patch.v[i + 1]))
  if (patch.m !== undefined) values.set(METADATA, JSON.stringify(patch.m))
  if (patch.c !== undefined) values.set(CONFIG, JSON.stringify(patch.c))
  const slots = new Map(edit.slots)
  setSlots(body, slots, 'rules', patch.k)
  setSlots(body, slots, 'hooks', patch.h)
  return { ...edit, values, slots }
}

function setSlots(
  body: PatchBody | ColumnsBody,
  slots: Map<string, readonly Message[]>,
  slot: 'rules' | 'hooks',
  flat: (number | number[])[] | undefined,
): void {
  for (let i = 0; flat && i < flat.length; i += 2) {
    const messages = (flat[i + 1] as number[]).map((message) => body.messages![message]!)
    slots.set(slotName(slot, body.keys![flat[i] as number]!), messages)
  }
}

function replaceColumns({ draft, seq }: Applied, body: ColumnsBody): string[] {
  return body.c.map((form) => {
    const segment = segmentNamed(draft, form.s)
    segment.blobs = withoutReplaced([...segment.blobs, blobOf(body.layouts, form.b)])
    segment.signature = body.sig
    segment.quiet = form.q
    segment.nulls = tally(body.keys, form.z)
    segment.errors = tally(body.keys, form.e)
    segment.edits = new Map()
    segment.rewrittenAt = seq + 1
    return segment.key
  })
}

/** Drops blobs all of whose chunks later blobs replace. */
function withoutReplaced(blobs: readonly BlobRef[]): BlobRef[] {
  const later = new Set<string>()
  const kept: BlobRef[] = []
  for (const blob of blobs.toReversed()) {
    if (blob.names.some((name) => !later.has(name))) kept.unshift(blob)
    for (const name of blob.names) later.add(name)
  }
  return kept
}

function applyDeletes(applied: Applied, body: DeleteBody): void {
  const { draft, seq } = applied
  for (const [name, stored, quiet] of body.d) {
    const key = named(seq, name)
    let last: DraftSegment | undefined
    for (const row of loadRows(stored)) {
      const place = livePlace(draft, { key, row })
      if (!place) continue
      const edit = place.segment.edits.get(place.row)
      if (edit?.base === null) editOf(place.segment, place.row, hintFor(applied, place.segment, key, row))
      deleteRow(draft, place.segment, place.row)
      last = place.segment
    }
    if (last) last.quiet -= quiet
  }
}

function dropEmptySegments(draft: Draft): void {
  for (let i = draft.segments.length - 1; i >= 0; i--)
    if (liveCount(draft.segments[i]!) === 0) spliceSegments(draft, i, 1)
}

/** Edits of the merged segments are in the new chunks; flags move with their rows. */
function mergeSegments({ draft, seq }: Applied, body: MergeBody): void {
  body.m.forEach((form, i) => {
    const position = draft.positions.get(form.o[0]!)!
    const segment: DraftSegment = {
      ...fresh(`${seq}.m${i}`, form.n),
      blobs: [blobOf(body.layouts, form.b)],
      signature: body.sig,
      quiet: form.q,
      nulls: tally(body.keys, form.z),
      errors: tally(body.keys, form.e),
      rewrittenAt: seq + 1,
      runs: form.u.map(([name, firstRow, rows]) => ({ key: name, firstRow, rows })),
    }
    moveFlags(draft, segment)
    spliceSegments(draft, position, form.o.length, segment)
    moveRows(draft, segment, segment.runs!)
  })
}

function moveFlags(draft: Draft, segment: DraftSegment): void {
  let at = 0
  for (const run of segment.runs!) {
    for (let row = run.firstRow; row < run.firstRow + run.rows; row++, at++) {
      const from = livePlace(draft, { key: run.key, row })
      for (const [rule, bits] of from?.segment.flags ?? [])
        if (bits[from!.row >> 3]! & (1 << (from!.row & 7))) flagRow(draft, segment, rule, at, true)
    }
  }
}

function moveRows(draft: Draft, segment: Segment, runs: readonly Run[]): void {
  const moved = new Map(draft.moved)
  for (const { key } of runs) moved.delete(key)
  let at = 0
  for (const run of runs) {
    const rows = { firstRow: run.firstRow, rows: run.rows, segment: segment.key, at }
    moved.set(run.key, [...(moved.get(run.key) ?? []), rows])
    at += run.rows
  }
  draft.moved = moved
}

function applyUnique(
  applied: Applied,
  body: UniqueForm & { runs?: RunForm[]; revalidated?: 1; flags?: ColumnsBody['flags'] },
): void {
  const { draft, seq } = applied
  if (body.revalidated) resetUnique(draft)
  for (const form of body.runs ?? []) addRun(applied, form)
  for (const [rule, name, rows, hashes] of body.h ?? []) {
    const edited = editedRows(draft, rule, named(seq, name))
    for (const [i, row] of rows.entries()) edited.set(row, hashes[i] || null)
  }
  for (const [rule, name, flagged, cleared] of body.u ?? []) {
    const key = named(seq, name)
    for (const row of loadRows(flagged)) applyFlag(applied, rule, key, row, true)
    for (const row of loadRows(cleared)) applyFlag(applied, rule, key, row, false)
  }
  for (const [rule, name, rows] of body.flags ?? [])
    for (const row of loadRows(rows)) applyFlag(applied, rule, named(seq, name), row, true)
}

/** All rules anew: every segment of the sheet is written whole by the same entry. */
function resetUnique(draft: Draft): void {
  draft.unique = new Map()
  draft.links = new Map()
  for (const { key } of draft.segments) segmentNamed(draft, key).flags = new Map()
}

function applyFlag(applied: Applied, rule: string, key: string, row: number, on: boolean): void {
  const place = livePlace(applied.draft, { key, row })
  if (!place) return
  if (!applied.whole.has(place.segment.key)) editOf(place.segment, place.row, hintFor(applied, place.segment, key, row))
  flagRow(applied.draft, place.segment, rule, place.row, on)
}

function addRun({ draft, seq, body }: Applied, form: RunForm): void {
  const index = indexOf(draft, form.u)
  const run: HashRun = {
    id: `${form.b[0]}#${form.c}`,
    blob: blobOf(body.layouts, form.b),
    chunk: form.c,
    length: form.n,
    segments: form.s.map(([name, rows, firstRow = 0]) => ({ key: named(seq, name), rows, firstRow })),
    samples: form.h === undefined ? null : samplesOf(form.h),
  }
  index.runs.set(run.id, run)
  for (const { key } of run.segments) {
    index.owner.set(key, run.id)
    index.edited.delete(key)
  }
  const owners = new Set(index.owner.values())
  for (const id of [...index.runs.keys()]) if (!owners.has(id)) index.runs.delete(id)
}

export function samplesOf(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64')
  const samples = new Uint32Array(bytes.length / 4)
  Buffer.from(samples.buffer).set(bytes)
  return samples
}
