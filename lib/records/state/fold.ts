/** Folds log entries into a state. Deterministic: all readers get the same state, however stale the writers were. */
import { decodeRows } from '../columns/bits.ts'
import { CONFIG, METADATA, valueColumn } from '../format/column-names.ts'
import {
  type AddBody,
  type ColumnsBody,
  type DeleteBody,
  ENTRIES_PER_PAGE,
  type Entry,
  type LoadedEntry,
  type MergeBody,
  type PatchBody,
  type RowPatch,
  type SegmentForm,
  type StepBody,
} from '../format/entries.ts'
import { formatSlotKey } from '../format/message-chunk.ts'
import type { Message } from '../sheet.ts'
import {
  createDraft,
  type Draft,
  type DraftSegment,
  deleteRow,
  dropEmptyFlags,
  ensureEdit,
  findLiveRow,
  flagRow,
  getSegment,
  spliceSegments,
  toState,
} from './draft.ts'
import {
  decodeErrorHints,
  decodeFieldCounts,
  type FoldContext,
  findErrorHint,
  resolveSegmentName,
  toBlobRef,
} from './fold-context.ts'
import { applyUnique, dropLostKeys } from './fold-unique.ts'
import {
  type BlobRef,
  countLiveRows,
  findInsertPosition,
  MAX_OPS_RETAINED,
  type RowEdit,
  type Run,
  type Segment,
  type State,
} from './state.ts'

/** Entries must be consecutive. A full reset needs `foldReset` instead. */
export function fold(state: State, entries: readonly LoadedEntry[]): State {
  const draft = createDraft(state)
  for (const { seq, entry, body } of entries) {
    if (seq !== draft.seq) throw new Error(`Entry ${seq} of ${state.sheetId} does not follow entry ${draft.seq - 1}`)
    if (!advance(draft, entry)) continue
    if (!('to' in body)) applyBody(draft, seq, entry.v, body)
    else if (!body.steps) throw new Error('A reset needs the older state')
    else for (const step of body.steps) applyStep(draft, step)
  }
  return toState(draft)
}

export function foldStep(state: State, body: StepBody): State {
  const draft = createDraft(state)
  applyStep(draft, body, state.seq)
  return toState(draft)
}

/** Steps are appended exactly, so what they assume about chunks always holds. */
function applyStep(draft: Draft, body: StepBody, seq = draft.seq - 1): void {
  applyBody(draft, seq, seq + 1, body)
}

export function foldReset(state: State, older: State, { seq, entry }: LoadedEntry): State {
  const draft = createDraft(state)
  if (!advance(draft, entry)) return toState(draft)
  const { segments, positions, moved, unique, links } = older
  const rewritten = segments.map((segment) => ({ ...segment, rewrittenAt: seq + 1 }))
  return { ...toState(draft), segments: rewritten, positions, moved, unique, links }
}

/** Returns false if the entry repeats an operation and must be ignored. */
function advance(draft: Draft, entry: Entry): boolean {
  const { seq } = draft
  draft.seq++
  if (!entry.x) draft.latestAt = Math.max(draft.latestAt, entry.t)
  if (entry.g) {
    draft.guarded++
    draft.guardedTotal++
  }
  if (draft.seq % ENTRIES_PER_PAGE === 0) draft.guarded = 0
  if (draft.ops.has(entry.o)) return false
  draft.ops.set(entry.o, seq)
  if (draft.ops.size > MAX_OPS_RETAINED) draft.ops.delete(draft.ops.keys().next().value!)
  if (!entry.x) draft.lastCommit = seq
  return true
}

function applyBody(draft: Draft, seq: number, view: number, body: StepBody): void {
  const rewrittenSegments = new Set<string>()
  const context: FoldContext = { draft, seq, view, body, errorHints: decodeErrorHints(seq, body), rewrittenSegments }
  if ('d' in body) applyDeletes(context, body)
  applyLinks(draft, body)
  if ('m' in body) for (const key of mergeSegments(context, body)) rewrittenSegments.add(key)
  if ('c' in body) for (const key of replaceColumns(context, body)) rewrittenSegments.add(key)
  if ('p' in body) applyPatches(context, body)
  if ('a' in body) for (const [i, form] of body.a.entries()) rewrittenSegments.add(addSegment(context, body, form, i))
  for (const [key, baseErrorCount] of body.recounts ?? []) {
    getSegment(draft, key).baseErrorCount = baseErrorCount
    rewrittenSegments.add(key)
  }
  applyUnique(context, body)
  if ('d' in body) dropEmptySegments(draft)
  if ('m' in body) dropLostKeys(draft)
}

/** Flags computed against different versions of the referenced sheet are dropped; the next read recomputes them. */
function applyLinks(draft: Draft, body: StepBody): void {
  if ('revalidated' in body) draft.links = new Map()
  // A write without `links` did not validate references.
  if (!body.links && writesValues(body)) draft.links.clear()
  const isFirstWrite = draft.segments.every((segment) => countLiveRows(segment) === 0)
  for (const [rule, version] of body.links ?? []) {
    if (body.relinked || isFirstWrite) draft.links.set(rule, version)
    else if (draft.links.get(rule) !== version) draft.links.delete(rule)
  }
}

function writesValues(body: StepBody): boolean {
  if ('a' in body || ('c' in body && body.c.some((form) => form.w.length))) return true
  return 'p' in body && !!body.p?.some(([, rows]) => rows.some((patch) => patch.v))
}

export const createSegment = (key: string, rows: number): DraftSegment => ({
  key,
  rows,
  blobs: [],
  inline: null,
  signature: '',
  baseErrorCount: 0,
  nulls: new Map(),
  errors: new Map(),
  deleted: null,
  deletedCount: 0,
  edits: new Map(),
  flags: new Map(),
  rewrittenAt: 0,
  runs: null,
})

function addSegment({ draft, seq }: FoldContext, body: AddBody, form: SegmentForm, i: number): string {
  const layout = form.l === undefined ? undefined : body.layouts![form.l]!
  const segment: DraftSegment = {
    ...createSegment(`${seq}.${i}`, form.n),
    blobs: form.b ? [toBlobRef(body.layouts, form.b)] : [],
    inline: form.i ? new Map(form.i.map((text, column) => [layout![column]!, text])) : null,
    signature: body.sig,
    baseErrorCount: form.q,
    nulls: decodeFieldCounts(body.keys, form.z),
    errors: decodeFieldCounts(body.keys, form.e),
  }
  spliceSegments(draft, draft.segments.length, 0, segment)
  return segment.key
}

function applyPatches(context: FoldContext, body: PatchBody | ColumnsBody): void {
  for (const [name, rows] of body.p ?? []) {
    const key = resolveSegmentName(context.seq, name)
    for (const patch of rows) {
      const rowRef = findLiveRow(context.draft, { key, row: patch.r })
      // A row deleted in between stays deleted.
      if (!rowRef) continue
      const { segment, row } = rowRef
      const edit = ensureEdit(segment, row, findErrorHint(context, segment, key, patch.r))
      segment.edits.set(row, patchEdit(body, edit, patch))
      if (segment.signature !== body.sig) segment.signature = ''
    }
  }
}

function patchEdit(body: PatchBody | ColumnsBody, edit: RowEdit, patch: RowPatch): RowEdit {
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
  pairs: (number | number[])[] | undefined,
): void {
  for (let i = 0; pairs && i < pairs.length; i += 2) {
    const messages = (pairs[i + 1] as number[]).map((message) => body.messages![message]!)
    slots.set(formatSlotKey(slot, body.keys![pairs[i] as number]!), messages)
  }
}

function replaceColumns({ draft, seq }: FoldContext, body: ColumnsBody): string[] {
  return body.c.map((form) => {
    const segment = getSegment(draft, form.s)
    segment.blobs = dropReplacedBlobs([...segment.blobs, toBlobRef(body.layouts, form.b)])
    segment.signature = body.sig
    segment.baseErrorCount = form.q
    segment.nulls = decodeFieldCounts(body.keys, form.z)
    segment.errors = decodeFieldCounts(body.keys, form.e)
    segment.edits = new Map()
    segment.rewrittenAt = seq + 1
    return segment.key
  })
}

function dropReplacedBlobs(blobs: readonly BlobRef[]): BlobRef[] {
  const laterNames = new Set<string>()
  const remaining: BlobRef[] = []
  for (const blob of blobs.toReversed()) {
    if (blob.names.some((name) => !laterNames.has(name))) remaining.unshift(blob)
    for (const name of blob.names) laterNames.add(name)
  }
  return remaining
}

function applyDeletes(context: FoldContext, body: DeleteBody): void {
  const { draft, seq } = context
  for (const [name, stored, baseErrorCount] of body.d) {
    const key = resolveSegmentName(seq, name)
    let lastSegment: DraftSegment | undefined
    for (const row of decodeRows(stored)) {
      const rowRef = findLiveRow(draft, { key, row })
      if (!rowRef) continue
      const edit = rowRef.segment.edits.get(rowRef.row)
      if (edit?.base === null) ensureEdit(rowRef.segment, rowRef.row, findErrorHint(context, rowRef.segment, key, row))
      deleteRow(draft, rowRef.segment, rowRef.row)
      lastSegment = rowRef.segment
    }
    if (!lastSegment) continue
    lastSegment.baseErrorCount -= baseErrorCount
    dropEmptyFlags(lastSegment)
  }
}

function dropEmptySegments(draft: Draft): void {
  for (let i = draft.segments.length - 1; i >= 0; i--)
    if (countLiveRows(draft.segments[i]!) === 0) spliceSegments(draft, i, 1)
}

function mergeSegments({ draft, seq }: FoldContext, body: MergeBody): string[] {
  const merged = body.m.map((form, i) => {
    const segment: DraftSegment = {
      ...createSegment(`${seq}.m${i}`, form.n),
      blobs: [toBlobRef(body.layouts, form.b)],
      signature: body.sig,
      baseErrorCount: form.q,
      nulls: decodeFieldCounts(body.keys, form.z),
      errors: decodeFieldCounts(body.keys, form.e),
      rewrittenAt: seq + 1,
      runs: form.u.map(([name, firstRow, rows]) => ({ key: name, firstRow, rows })),
    }
    moveFlags(draft, segment)
    return { form, segment }
  })
  for (const { form, segment } of merged) {
    const position = form.o.length ? draft.positions.get(form.o[0]!)! : findInsertPosition(draft, segment.runs![0]!)
    spliceSegments(draft, position, form.o.length, segment)
    moveRows(draft, segment, segment.runs!)
  }
  return merged.map(({ segment }) => segment.key)
}

function moveFlags(draft: Draft, segment: DraftSegment): void {
  let at = 0
  for (const run of segment.runs!) {
    for (let row = run.firstRow; row < run.firstRow + run.rows; row++, at++) {
      const source = findLiveRow(draft, { key: run.key, row })
      for (const [rule, bits] of source?.segment.flags ?? [])
        if (bits[source!.row >> 3]! & (1 << (source!.row & 7))) flagRow(draft, segment, rule, at, true)
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
