/** The part of the fold that is about flags of rows and runs of hashes. Pure. */
import { loadRows } from '../bytes/bits.ts'
import { type Applied, blobOf, hintFor, named } from './applied.ts'
import { type Draft, editedRows, editOf, flagRow, indexOf, livePlace, segmentNamed } from './draft.ts'
import type { ColumnsBody, RunForm, UniqueForm } from './entries.ts'
import type { HashRun } from './state.ts'

export function applyUnique(
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
  dropIdleRuns(index.runs, index.owner)
}

export function samplesOf(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64')
  const samples = new Uint32Array(bytes.length / 4)
  Buffer.from(samples.buffer).set(bytes)
  return samples
}

/** Hashes of rows that are in no segment any more are of no use. */
export function forgetLostKeys(draft: Draft): void {
  const isThere = (key: string): boolean =>
    draft.positions.has(key) || (draft.moved.get(key) ?? []).some(({ segment }) => draft.positions.has(segment))
  for (const rule of draft.unique.keys()) {
    const index = indexOf(draft, rule)
    for (const key of [...index.owner.keys()]) if (!isThere(key)) index.owner.delete(key)
    for (const key of [...index.edited.keys()]) if (!isThere(key)) index.edited.delete(key)
    dropIdleRuns(index.runs, index.owner)
  }
}

function dropIdleRuns(runs: Map<string, HashRun>, owner: ReadonlyMap<string, string>): void {
  const owners = new Set(owner.values())
  for (const id of [...runs.keys()]) if (!owners.has(id)) runs.delete(id)
}
