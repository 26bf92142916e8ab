/** A stored snapshot of a state, derived from the log: a missing one only costs time. */

import { compressJson, decompressJson } from '../../core/compressed-json.ts'
import { bitsToRows, decodeRows, emptyBits, encodeRows, type StoredRows, setBit } from '../columns/bits.ts'
import { decodeSamples, encodeSamples } from '../format/hash-samples.ts'
import { createDictionary, type Dictionary } from '../format/message-chunk.ts'
import type { Message } from '../sheet.ts'
import {
  type BlobRef,
  emptyState,
  type HashRun,
  type MovedRows,
  type RowEdit,
  type Segment,
  type State,
  type UniqueIndex,
} from './state.ts'

const FORMAT_VERSION = 1

interface StoredManifest {
  f: number
  seq: number
  lastCommit?: number
  latestAt?: number
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
    o: string[]
  }[]
  edited: [segment: string, [row: number, hash: string | null][]][]
}

interface Dictionaries {
  layouts: Dictionary<readonly string[]>
  messages: Dictionary<Message>
}

export function packManifest(state: State): Buffer {
  const dictionaries: Dictionaries = { layouts: createDictionary(), messages: createDictionary() }
  const segments = state.segments.map((segment) => encodeSegment(dictionaries, segment))
  const unique = [...state.unique].map(([rule, index]): [string, StoredIndex] => [
    rule,
    encodeIndex(dictionaries, index),
  ])
  const stored: StoredManifest = {
    f: FORMAT_VERSION,
    seq: state.seq,
    lastCommit: state.lastCommit,
    latestAt: state.latestAt,
    guardedTotal: state.guardedTotal,
    ops: [...state.ops],
    layouts: dictionaries.layouts.entries.map((names) => [...names]),
    messages: dictionaries.messages.entries,
    segments,
    unique,
    ...(state.links.size ? { links: [...state.links] } : {}),
  }
  return compressJson(stored)
}

export function unpackManifest(sheetId: string, bytes: Uint8Array): State {
  const stored = decompressJson(bytes) as StoredManifest
  if (stored.f !== FORMAT_VERSION) throw new Error(`Unknown manifest format ${stored.f}`)
  const segments = stored.segments.map((segment) => decodeSegment(stored, segment))
  return {
    ...emptyState(sheetId),
    seq: stored.seq,
    lastCommit: stored.lastCommit,
    latestAt: stored.latestAt ?? 0,
    guardedTotal: stored.guardedTotal,
    ops: new Map(stored.ops),
    segments,
    positions: new Map(segments.map((segment, i) => [segment.key, i])),
    moved: indexMovedRows(segments),
    unique: new Map(stored.unique.map(([rule, index]) => [rule, decodeIndex(stored, index)])),
    links: new Map(stored.links),
  }
}

const encodeBlob = ({ layouts }: Dictionaries, blob: BlobRef): StoredBlob => [
  blob.id,
  blob.tier,
  layouts.indexOf(blob.names),
  blob.lengths,
]
const decodeBlob = ({ layouts }: StoredManifest, [id, tier, layout, lengths]: StoredBlob): BlobRef => ({
  id,
  tier,
  names: layouts[layout]!,
  lengths,
})

function encodeSegment(dictionaries: Dictionaries, segment: Segment): StoredSegment {
  return {
    k: segment.key,
    n: segment.rows,
    s: segment.signature,
    q: segment.baseErrorCount,
    z: [...segment.nulls],
    e: [...segment.errors],
    ...(segment.blobs.length ? { b: segment.blobs.map((blob) => encodeBlob(dictionaries, blob)) } : {}),
    ...(segment.inline ? { i: [...segment.inline] } : {}),
    ...(segment.deleted ? { d: encodeRows(bitsToRows(segment.deleted)) } : {}),
    ...(segment.edits.size ? { p: [...segment.edits].map((edit) => encodeEdit(dictionaries, edit)) } : {}),
    ...(segment.flags.size
      ? { u: [...segment.flags].map(([rule, bits]) => [rule, encodeRows(bitsToRows(bits))]) }
      : {}),
    ...(segment.rewrittenAt ? { w: segment.rewrittenAt } : {}),
    ...(segment.runs ? { r: segment.runs.map((run) => [run.key, run.firstRow, run.rows]) } : {}),
  }
}

function decodeSegment(stored: StoredManifest, form: StoredSegment): Segment {
  const deleted = form.d === undefined ? null : decodeRows(form.d)
  return {
    key: form.k,
    rows: form.n,
    blobs: (form.b ?? []).map((blob) => decodeBlob(stored, blob)),
    inline: form.i ? new Map(form.i) : null,
    signature: form.s,
    baseErrorCount: form.q,
    nulls: new Map(form.z),
    errors: new Map(form.e),
    deleted: deleted && toBits(form.n, deleted),
    deletedCount: deleted?.length ?? 0,
    edits: new Map((form.p ?? []).map((edit) => decodeEdit(stored, edit))),
    flags: new Map((form.u ?? []).map(([rule, rows]) => [rule, toBits(form.n, decodeRows(rows))])),
    rewrittenAt: form.w ?? 0,
    runs: form.r?.map(([key, firstRow, rows]) => ({ key, firstRow, rows })) ?? null,
  }
}

function toBits(size: number, rows: readonly number[]): Uint8Array {
  const bits = emptyBits(size)
  for (const row of rows) setBit(bits, row)
  return bits
}

function encodeEdit({ messages }: Dictionaries, [row, edit]: [number, RowEdit]): StoredEdit {
  const slots = [...edit.slots].map(([slot, list]): [string, number[]] => [slot, list.map(messages.indexOf)])
  return [row, [...edit.values], slots, edit.base ?? 0, edit.wasFlagged ? 1 : 0]
}

function decodeEdit({ messages }: StoredManifest, [row, values, slots, base, flagged]: StoredEdit): [number, RowEdit] {
  const edit: RowEdit = {
    values: new Map(values),
    slots: new Map(slots.map(([slot, list]) => [slot, list.map((message) => messages[message]!)])),
    base: base || null,
    wasFlagged: flagged === 1,
  }
  return [row, edit]
}

function indexMovedRows(segments: readonly Segment[]): Map<string, MovedRows[]> {
  const moved = new Map<string, MovedRows[]>()
  for (const segment of segments) {
    let at = 0
    for (const { key, firstRow, rows } of segment.runs ?? []) {
      moved.set(key, [...(moved.get(key) ?? []), { firstRow, rows, segment: segment.key, at }])
      at += rows
    }
  }
  return moved
}

function encodeIndex(dictionaries: Dictionaries, index: UniqueIndex): StoredIndex {
  const segmentsByRun = new Map([...index.runs.keys()].map((id): [string, string[]] => [id, []]))
  for (const [key, id] of index.owner) segmentsByRun.get(id)?.push(key)
  return {
    runs: [...index.runs.values()].map((run) => ({
      b: encodeBlob(dictionaries, run.blob),
      c: run.chunk,
      n: run.length,
      s: run.segments.map(({ key, rows, firstRow }) => [key, rows, firstRow]),
      o: segmentsByRun.get(run.id) ?? [],
      ...(run.samples ? { h: encodeSamples(run.samples) } : {}),
    })),
    edited: [...index.edited].map(([key, rows]) => [key, [...rows]]),
  }
}

function decodeIndex(stored: StoredManifest, form: StoredIndex): UniqueIndex {
  const runs = new Map<string, HashRun>()
  const owner = new Map<string, string>()
  for (const { b, c, n, s, h, o } of form.runs) {
    const blob = decodeBlob(stored, b)
    const run: HashRun = {
      id: `${blob.id}#${c}`,
      blob,
      chunk: c,
      length: n,
      segments: s.map(([key, rows, firstRow]) => ({ key, rows, firstRow })),
      samples: h === undefined ? null : decodeSamples(h),
    }
    runs.set(run.id, run)
    for (const key of o) owner.set(key, run.id)
  }
  return { runs, owner, edited: new Map(form.edited.map(([key, rows]) => [key, new Map(rows)])) }
}
