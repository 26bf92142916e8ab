/**
 * Folds log entries into a state. Deterministic: every reader of the same entries comes to the same state, whoever wrote
 * them and however stale the writers' views were. Pure: bodies, and for a reset the older state, are handed in.
 */
import { loadRows } from '../bytes/bits.ts'
import { slotName } from '../rules/messages.ts'
import { valueColumn } from '../rules/rules.ts'
import type { Message } from '../sheet.ts'
import { CONFIG, METADATA } from '../write/segment.ts'
import { type Applied, blobOf, hintFor, hintsOf, named, tally } from './applied.ts'
import {
  type Draft,
  type DraftSegment,
  deleteRow,
  draftOf,
  dropEmptyFlags,
  editOf,
  flagRow,
  livePlace,
  segmentNamed,
  spliceSegments,
  stateOf,
} from './draft.ts'
import type {
  AddBody,
  ColumnsBody,
  DeleteBody,
  Entry,
  LoadedEntry,
  MergeBody,
  PatchBody,
  RowPatch,
  SegmentForm,
  StepBody,
} from './entries.ts'
import { applyUnique, forgetLostKeys } from './fold-unique.ts'
import {
  type BlobRef,
  liveCount,
  OPS_KEPT,
  positionFor,
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
    if (!('to' in body)) applyBody(draft, seq, entry.v, body)
    else if (!body.steps) throw new Error('A reset needs the older state')
    else for (const part of body.steps) applyStep(draft, part)
  }
  return stateOf(draft)
}

/** The state once the next entry has made this step; for planning the step that comes after it. */
export function foldStep(state: State, body: StepBody): State {
  const draft = draftOf(state)
  applyStep(draft, body, state.seq)
  return stateOf(draft)
}

/** Steps are appended exactly: what they say of chunks holds, also of chunks an earlier step of theirs wrote. */
function applyStep(draft: Draft, body: StepBody, seq = draft.seq - 1): void {
  applyBody(draft, seq, seq + 1, body)
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

function applyBody(draft: Draft, seq: number, view: number, body: StepBody): void {
  const whole = new Set<string>()
  const applied: Applied = { draft, seq, view, body, hints: hintsOf(seq, body), whole }
  if ('d' in body) applyDeletes(applied, body)
  applyLinks(draft, body)
  if ('m' in body) for (const key of mergeSegments(applied, body)) whole.add(key)
  if ('c' in body) for (const key of replaceColumns(applied, body)) whole.add(key)
  if ('p' in body) applyPatches(applied, body)
  if ('a' in body) for (const [i, form] of body.a.entries()) whole.add(addSegment(applied, body, form, i))
  for (const [key, quiet] of body.recounts ?? []) {
    segmentNamed(draft, key).quiet = quiet
    whole.add(key)
  }
  applyUnique(applied, body)
  if ('d' in body) dropEmptySegments(draft)
  if ('m' in body) forgetLostKeys(draft)
}

/** Flags made against different versions of the other sheet are as good as none: whoever reads next makes them anew. */
function applyLinks(draft: Draft, body: StepBody): void {
  if ('revalidated' in body) draft.links = new Map()
  // Rows written by one who says nothing of references were not judged.
  if (!body.links && writesValues(body)) draft.links.clear()
  const first = draft.segments.every((segment) => liveCount(segment) === 0)
  for (const [rule, version] of body.links ?? []) {
    if (body.relinked || first) draft.links.set(rule, version)
    else if (draft.links.get(rule) !== version) draft.links.delete(rule)
  }
}

function writesValues(body: StepBody): boolean {
  if ('a' in body || ('c' in body && body.c.some((form) => form.w.length))) return true
  return 'p' in body && !!body.p?.some(([, rows]) => rows.some((patch) => patch.v))
}

/** A segment of which nothing is known yet. */
export const freshSegment = (key: string, rows: number): DraftSegment => ({
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
    ...freshSegment(`${seq}.${i}`, form.n),
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
    if (!last) continue
    last.quiet -= quiet
    dropEmptyFlags(last)
  }
}

function dropEmptySegments(draft: Draft): void {
  for (let i = draft.segments.length - 1; i >= 0; i--)
    if (liveCount(draft.segments[i]!) === 0) spliceSegments(draft, i, 1)
}

/** Edits of the merged segments are in the new chunks; flags move with their rows. */
function mergeSegments({ draft, seq }: Applied, body: MergeBody): string[] {
  const merged = body.m.map((form, i) => {
    const segment: DraftSegment = {
      ...freshSegment(`${seq}.m${i}`, form.n),
      blobs: [blobOf(body.layouts, form.b)],
      signature: body.sig,
      quiet: form.q,
      nulls: tally(body.keys, form.z),
      errors: tally(body.keys, form.e),
      rewrittenAt: seq + 1,
      runs: form.u.map(([name, firstRow, rows]) => ({ key: name, firstRow, rows })),
    }
    moveFlags(draft, segment)
    return { form, segment }
  })
  for (const { form, segment } of merged) {
    const position = form.o.length ? draft.positions.get(form.o[0]!)! : positionFor(draft, segment.runs![0]!)
    spliceSegments(draft, position, form.o.length, segment)
    moveRows(draft, segment, segment.runs!)
  }
  return merged.map(({ segment }) => segment.key)
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
