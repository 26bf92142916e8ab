import { decodeRows } from '../columns/bits.ts'
import type { ColumnsBody, RunForm, UniqueForm } from '../format/entries.ts'
import { decodeSamples } from '../format/hash-samples.ts'
import { type Draft, ensureEdit, findLiveRow, flagRow, getEditedHashes, getIndex, getSegment } from './draft.ts'
import { type FoldContext, findErrorHint, resolveSegmentName, toBlobRef } from './fold-context.ts'
import type { HashRun } from './state.ts'

export function applyUnique(
  context: FoldContext,
  body: UniqueForm & { runs?: RunForm[]; revalidated?: 1; flags?: ColumnsBody['flags'] },
): void {
  const { draft, seq } = context
  if (body.revalidated) resetUnique(draft)
  for (const form of body.runs ?? []) addRun(context, form)
  for (const [rule, name, rows, hashes] of body.h ?? []) {
    const edited = getEditedHashes(draft, rule, resolveSegmentName(seq, name))
    for (const [i, row] of rows.entries()) edited.set(row, hashes[i] || null)
  }
  for (const [rule, name, flagged, cleared] of body.u ?? []) {
    const key = resolveSegmentName(seq, name)
    for (const row of decodeRows(flagged)) applyFlag(context, rule, key, row, true)
    for (const row of decodeRows(cleared)) applyFlag(context, rule, key, row, false)
  }
  for (const [rule, name, rows] of body.flags ?? [])
    for (const row of decodeRows(rows)) applyFlag(context, rule, resolveSegmentName(seq, name), row, true)
}

function resetUnique(draft: Draft): void {
  draft.unique = new Map()
  for (const { key } of draft.segments) getSegment(draft, key).flags = new Map()
}

function applyFlag(context: FoldContext, rule: string, key: string, row: number, flagged: boolean): void {
  const rowRef = findLiveRow(context.draft, { key, row })
  if (!rowRef) return
  if (!context.rewrittenSegments.has(rowRef.segment.key))
    ensureEdit(rowRef.segment, rowRef.row, findErrorHint(context, rowRef.segment, key, row))
  flagRow(context.draft, rowRef.segment, rule, rowRef.row, flagged)
}

function addRun({ draft, seq, body }: FoldContext, form: RunForm): void {
  const index = getIndex(draft, form.u)
  const run: HashRun = {
    id: `${form.b[0]}#${form.c}`,
    blob: toBlobRef(body.layouts, form.b),
    chunk: form.c,
    length: form.n,
    segments: form.s.map(([name, rows, firstRow = 0]) => ({ key: resolveSegmentName(seq, name), rows, firstRow })),
    samples: form.h === undefined ? null : decodeSamples(form.h),
  }
  index.runs.set(run.id, run)
  for (const { key } of run.segments) {
    index.owner.set(key, run.id)
    index.edited.delete(key)
  }
  dropIdleRuns(index.runs, index.owner)
}

export function dropLostKeys(draft: Draft): void {
  const exists = (key: string): boolean =>
    draft.positions.has(key) || (draft.moved.get(key) ?? []).some(({ segment }) => draft.positions.has(segment))
  for (const rule of draft.unique.keys()) {
    const index = getIndex(draft, rule)
    for (const key of [...index.owner.keys()]) if (!exists(key)) index.owner.delete(key)
    for (const key of [...index.edited.keys()]) if (!exists(key)) index.edited.delete(key)
    dropIdleRuns(index.runs, index.owner)
  }
}

function dropIdleRuns(runs: Map<string, HashRun>, owner: ReadonlyMap<string, string>): void {
  const owners = new Set(owner.values())
  for (const id of [...runs.keys()]) if (!owners.has(id)) runs.delete(id)
}
