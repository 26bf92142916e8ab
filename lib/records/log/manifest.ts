/**
 * A state as stored beside the log, so that readers fold only the newest pages. Its content is a function of the log:
 * anyone may write it, again and at any time, and a missing one costs only time. Pure.
 */

import { packJson, unpackJson } from '../../core/packed.ts'
import { emptyBits, loadRows, rowsIn, type StoredRows, setBit, storeRows } from '../bytes/bits.ts'
import { type Dictionary, dictionary } from '../rules/messages.ts'
import type { Message } from '../sheet.ts'
import { samplesOf } from './fold-unique.ts'
import {
  type BlobRef,
  emptyState,
  type HashRun,
  type Moved,
  type RowEdit,
  type Segment,
  type State,
  type UniqueIndex,
} from './state.ts'

const FORM = 1

interface Stored {
  f: number
  seq: number
  lastCommit?: number
  guardedTotal: number
  ops: [string, number][]
  layouts: string[][]
  messages: Message[]
  segments: StoredSegment[]
  unique: [rule: string, StoredIndex][]
  links?: [rule: string, version: string][]
}
type StoredBlob = [id: string, tier: 'd' | 's', layout: number, lengths: readonly number[]]
interface StoredSegment {
  k: string
  n: number
  b?: StoredBlob[]
  i?: [string, string][]
  s: string
  q: number
  z: [string, number][]
  e: [string, number][]
  d?: StoredRows
  p?: StoredEdit[]
  u?: [rule: string, rows: StoredRows][]
  w?: number
  r?: [string, number, number][]
}
type StoredEdit = [
  row: number,
  values: [string, string][],
  slots: [string, number[]][],
  base: readonly string[] | 0,
  flagged: 0 | 1,
]
interface StoredIndex {
  runs: {
    b: StoredBlob
    c: string
    n: number
    s: [string, number, number][]
    h?: string
    /** The segments of `s` it speaks for. */
    o: string[]
  }[]
  edited: [segment: string, [row: number, hash: string | null][]][]
}

interface Dictionaries {
  layouts: Dictionary<readonly string[]>
  messages: Dictionary<Message>
}

/** Bytes of a state's manifest. */
export function packManifest(state: State): Buffer {
  const dictionaries: Dictionaries = { layouts: dictionary(), messages: dictionary() }
  const segments = state.segments.map((segment) => storedSegment(dictionaries, segment))
  const unique = [...state.unique].map(([rule, index]): [string, StoredIndex] => [
    rule,
    storedIndex(dictionaries, index),
  ])
  const stored: Stored = {
    f: FORM,
    seq: state.seq,
    lastCommit: state.lastCommit,
    guardedTotal: state.guardedTotal,
    ops: [...state.ops],
    layouts: dictionaries.layouts.entries.map((names) => [...names]),
    messages: dictionaries.messages.entries,
    segments,
    unique,
    ...(state.links.size ? { links: [...state.links] } : {}),
  }
  return packJson(stored)
}

/** @throws when the manifest was written by a newer form */
export function unpackManifest(sheetId: string, bytes: Uint8Array): State {
  const stored = unpackJson(bytes) as Stored
  if (stored.f !== FORM) throw new Error(`Unknown form ${stored.f} of a manifest`)
  const segments = stored.segments.map((segment) => loadedSegment(stored, segment))
  return {
    ...emptyState(sheetId),
    seq: stored.seq,
    lastCommit: stored.lastCommit,
    guardedTotal: stored.guardedTotal,
    ops: new Map(stored.ops),
    segments,
    positions: new Map(segments.map((segment, i) => [segment.key, i])),
    moved: movedOf(segments),
    unique: new Map(stored.unique.map(([rule, index]) => [rule, loadedIndex(stored, index)])),
    links: new Map(stored.links),
  }
}

const storedBlob = ({ layouts }: Dictionaries, blob: BlobRef): StoredBlob => [
  blob.id,
  blob.tier,
  layouts.indexOf(blob.names),
  blob.lengths,
]
const loadedBlob = ({ layouts }: Stored, [id, tier, layout, lengths]: StoredBlob): BlobRef => ({
  id,
  tier,
  names: layouts[layout]!,
  lengths,
})

function storedSegment(dictionaries: Dictionaries, segment: Segment): StoredSegment {
  return {
    k: segment.key,
    n: segment.rows,
    s: segment.signature,
    q: segment.quiet,
    z: [...segment.nulls],
    e: [...segment.errors],
    ...(segment.blobs.length ? { b: segment.blobs.map((blob) => storedBlob(dictionaries, blob)) } : {}),
    ...(segment.inline ? { i: [...segment.inline] } : {}),
    ...(segment.deleted ? { d: storeRows(rowsIn(segment.deleted)) } : {}),
    ...(segment.edits.size ? { p: [...segment.edits].map((edit) => storedEdit(dictionaries, edit)) } : {}),
    ...(segment.flags.size ? { u: [...segment.flags].map(([rule, bits]) => [rule, storeRows(rowsIn(bits))]) } : {}),
    ...(segment.rewrittenAt ? { w: segment.rewrittenAt } : {}),
    ...(segment.runs ? { r: segment.runs.map((run) => [run.key, run.firstRow, run.rows]) } : {}),
  }
}

function loadedSegment(stored: Stored, form: StoredSegment): Segment {
  const deleted = form.d === undefined ? null : loadRows(form.d)
  return {
    key: form.k,
    rows: form.n,
    blobs: (form.b ?? []).map((blob) => loadedBlob(stored, blob)),
    inline: form.i ? new Map(form.i) : null,
    signature: form.s,
    quiet: form.q,
    nulls: new Map(form.z),
    errors: new Map(form.e),
    deleted: deleted && bitsOf(form.n, deleted),
    deletedCount: deleted?.length ?? 0,
    edits: new Map((form.p ?? []).map((edit) => loadedEdit(stored, edit))),
    flags: new Map((form.u ?? []).map(([rule, rows]) => [rule, bitsOf(form.n, loadRows(rows))])),
    rewrittenAt: form.w ?? 0,
    runs: form.r?.map(([key, firstRow, rows]) => ({ key, firstRow, rows })) ?? null,
  }
}

function bitsOf(size: number, rows: readonly number[]): Uint8Array {
  const bits = emptyBits(size)
  for (const row of rows) setBit(bits, row)
  return bits
}

function storedEdit({ messages }: Dictionaries, [row, edit]: [number, RowEdit]): StoredEdit {
  const slots = [...edit.slots].map(([slot, list]): [string, number[]] => [slot, list.map(messages.indexOf)])
  return [row, [...edit.values], slots, edit.base ?? 0, edit.flaggedAtFirst ? 1 : 0]
}

function loadedEdit({ messages }: Stored, [row, values, slots, base, flagged]: StoredEdit): [number, RowEdit] {
  const edit: RowEdit = {
    values: new Map(values),
    slots: new Map(slots.map(([slot, list]) => [slot, list.map((message) => messages[message]!)])),
    base: base || null,
    flaggedAtFirst: flagged === 1,
  }
  return [row, edit]
}

function movedOf(segments: readonly Segment[]): Map<string, Moved[]> {
  const moved = new Map<string, Moved[]>()
  for (const segment of segments) {
    let at = 0
    for (const { key, firstRow, rows } of segment.runs ?? []) {
      moved.set(key, [...(moved.get(key) ?? []), { firstRow, rows, segment: segment.key, at }])
      at += rows
    }
  }
  return moved
}

function storedIndex(dictionaries: Dictionaries, index: UniqueIndex): StoredIndex {
  const spokenFor = new Map([...index.runs.keys()].map((id): [string, string[]] => [id, []]))
  for (const [key, id] of index.owner) spokenFor.get(id)?.push(key)
  return {
    runs: [...index.runs.values()].map((run) => ({
      b: storedBlob(dictionaries, run.blob),
      c: run.chunk,
      n: run.length,
      s: run.segments.map(({ key, rows, firstRow }) => [key, rows, firstRow]),
      o: spokenFor.get(run.id) ?? [],
      ...(run.samples ? { h: Buffer.from(run.samples.buffer).toString('base64') } : {}),
    })),
    edited: [...index.edited].map(([key, rows]) => [key, [...rows]]),
  }
}

function loadedIndex(stored: Stored, form: StoredIndex): UniqueIndex {
  const runs = new Map<string, HashRun>()
  const owner = new Map<string, string>()
  for (const { b, c, n, s, h, o } of form.runs) {
    const blob = loadedBlob(stored, b)
    const run: HashRun = {
      id: `${blob.id}#${c}`,
      blob,
      chunk: c,
      length: n,
      segments: s.map(([key, rows, firstRow]) => ({ key, rows, firstRow })),
      samples: h === undefined ? null : samplesOf(h),
    }
    runs.set(run.id, run)
    for (const key of o) owner.set(key, run.id)
  }
  return { runs, owner, edited: new Map(form.edited.map(([key, rows]) => [key, new Map(rows)])) }
}
