/**
 * Rows become segments, segments are stored as they fill, and one append makes them all visible at once. Until then they
 * are unreferenced bytes: a writer that dies leaves nothing to be seen.
 */

import { OBJECT_BYTES, VALUE_BYTES } from '../../../schemas/sizes.ts'
import { inFlight } from '../../core/in-flight.ts'
import { type Bits, countBits, emptyBits } from '../bytes/bits.ts'
import type { CellBytes } from '../bytes/cell-bytes.ts'
import { packChunk, packRaw, packRawInOne } from '../bytes/chunk.ts'
import { HASH_BYTES, type Hashes, packHashes, writeHashes } from '../bytes/hash.ts'
import { blobForm, type Names, tallyForm } from '../log/body.ts'
import type { RunForm, SegmentForm } from '../log/entries.ts'
import type { BlobRef } from '../log/state.ts'
import { cacheChunk, putBlob, type Store } from '../log/store.ts'
import { fieldOfColumn, type SheetRules } from '../rules/rules.ts'
import { noHashes, samplesFor, sortedUnion } from '../rules/unique.ts'
import { tooMuch } from './changes.ts'
import { refusePastLimit } from './limits.ts'
import { type BuiltSegment, CONFIG, cellsLength, METADATA, type RowExtras, segmentWriter } from './segment.ts'

/** Columns of cells by field key, all of one length; a field without a column is empty. */
export interface ColumnBatch {
  length: number
  columns: ReadonlyMap<string, readonly unknown[]>
}
export interface RowBatch {
  keys: readonly string[]
  rows: readonly (readonly unknown[])[]
}
/** New rows, by values or as they stand in a file; `extras` by row: metadata, config and hooks' messages. */
export type RowsPart = (ColumnBatch | RowBatch | CellBytes) & { extras?: readonly RowExtras[] }

/** A built segment whose chunks are stored, or small enough to stand in the log. */
export interface ReadySegment {
  rows: number
  blob: BlobRef | undefined
  /** Names and texts of the chunks of a segment in the log. */
  inline: { names: string[]; texts: string[] } | undefined
  /** Rules whose run is among the blob's chunks. */
  runs: boolean
  built: Pick<BuiltSegment, 'nulls' | 'errors' | 'errorRows'>
}

/** Columns of a segment that are packed at a time, as many as there are threads for: each takes a quarter of a megabyte meanwhile. */
const PACKING = 4

const runChunk = (ruleId: string): string => `hashes.${ruleId}`

/**
 * Stores a segment's chunks.
 * @param alone the only segment of its write: its runs go along, and it may stand in the log when tiny
 */
async function storeSegment(
  store: Store,
  rules: SheetRules,
  built: BuiltSegment,
  alone: boolean,
): Promise<ReadySegment> {
  const { rows, chunks, nulls, errors, errorRows, hashes } = built
  const kept = { nulls, errors, errorRows }
  const size = chunks.reduce((sum, { raw }) => sum + raw.length, 0)
  if (alone && size <= store.inlineSegmentBytes) {
    const inline = { names: chunks.map(({ name }) => name), texts: chunks.map(({ raw }) => raw.toString()) }
    return { rows, blob: undefined, inline, runs: false, built: kept }
  }
  // Before anything is awaited: the caller takes the hashes away once it has made its own list of them.
  const runs = (alone ? rules.unique : []).map(({ id }) => {
    const list = sortedUnion([{ hashes: hashes.get(id) ?? noHashes, rows }])
    return { name: runChunk(id), packed: packRaw(packHashes(list)) }
  })
  const packed = await inFlight(PACKING, chunks, async ({ name, raw }) => ({ name, packed: await packChunk(raw) }))
  const blob = await putBlob(store, rules.sheetId, [...packed, ...runs])
  if (alone) for (const [index, { raw }] of chunks.entries()) cacheChunk(store, { blob, index }, raw)
  return { rows, blob, inline: undefined, runs: alone, built: kept }
}

/** Stores the runs of segments that were stored one by one. */
async function storeRuns(
  store: Store,
  rules: SheetRules,
  hashes: ReadonlyMap<string, Hashes>,
): Promise<BlobRef | undefined> {
  if (!rules.unique.length) return undefined
  const lists = rules.unique.map(({ id }) => hashes.get(id)!)
  // In one buffer at once: these are the largest bytes of an import.
  const { bytes, chunks } = packRawInOne(
    lists.map(({ hi }) => hi.length * HASH_BYTES),
    (out, from, i) => writeHashes(lists[i]!, out, from),
  )
  const named = rules.unique.map(({ id }, i) => ({ name: runChunk(id), packed: chunks[i]! }))
  return putBlob(store, rules.sheetId, named, bytes)
}

/** Hashes of all segments by rule; ordinals count through the segments, which give theirs up one rule after the other. */
function hashesByRule(
  rules: SheetRules,
  segments: readonly Pick<BuiltSegment, 'rows' | 'hashes'>[],
): Map<string, Hashes> {
  return new Map(
    rules.flagRules.map(({ id }) => {
      const union = sortedUnion(segments.map(({ hashes, rows }) => ({ hashes: hashes.get(id) ?? noHashes, rows })))
      for (const { hashes } of segments) hashes.delete(id)
      return [id, union]
    }),
  )
}

/** Rows to add: stored, not yet part of the sheet. */
export interface Added {
  segments: readonly ReadySegment[]
  rows: number
  /** By rule, sorted; ordinals count through the segments. */
  hashes: ReadonlyMap<string, Hashes>
  runs: BlobRef | undefined
}

export interface Ingest {
  add(part: RowsPart): Promise<void>
  /** Undefined when there was no row. */
  finish(): Promise<Added | undefined>
  /** Keys of values the sheet has no field for. */
  readonly ignored: ReadonlySet<string>
}

/** Segments being packed and stored at a time: the file is parsed on meanwhile, memory stays bounded. */
const STORING = 3
/** Bytes of text in them together, and in one of them about: where rows are wide, segments have fewer. */
const STORING_BYTES = 16 * 1024 * 1024
const SEGMENT_BYTES = 8 * 1024 * 1024

/**
 * @param limit records the sheet may hold
 * @param live records it is known to keep: rows that do not fit beside them are refused as soon as they come
 */
export function ingest(store: Store, rules: SheetRules, limit: number, live: number): Ingest {
  const writer = segmentWriter(rules, store.segmentRows)
  const ignored = new Set<string>()
  const stored: Promise<ReadySegment>[] = []
  const hashed: Pick<BuiltSegment, 'rows' | 'hashes'>[] = []
  /** Of the segments that are being stored, the oldest first. */
  const storing: { ready: Promise<ReadySegment>; bytes: number }[] = []
  let rows = 0
  const storingBytes = () => storing.reduce((sum, { bytes }) => sum + bytes, 0)
  const put = async (alone: boolean): Promise<void> => {
    const { bytes } = writer
    const built = writer.take()
    refuseLarge(built, rows - built.rows)
    const ready = storeSegment(store, rules, built, alone)
    // A failure is met when the segment is awaited, not as an unhandled rejection before.
    ready.catch(() => {})
    stored.push(ready)
    storing.push({ ready, bytes })
    hashed.push({ rows: built.rows, hashes: built.hashes })
    while (storing.length > STORING || storingBytes() > STORING_BYTES) await storing.shift()!.ready
  }
  return {
    ignored,
    async add(part) {
      const length = cellsLength(part)
      refusePastLimit(limit, live, length + rows)
      for (const key of 'columns' in part ? part.columns.keys() : part.keys) if (!rules.byKey.has(key)) ignored.add(key)
      for (let from = 0; from < length; ) {
        if (writer.rows === store.segmentRows || writer.bytes >= SEGMENT_BYTES) await put(false)
        const to = Math.min(length, from + store.segmentRows - writer.rows)
        writer.add(part, from, to, part.extras)
        rows += to - from
        from = to
      }
    },
    async finish() {
      if (writer.rows) await put(stored.length === 0)
      if (!stored.length) return undefined
      const hashes = hashesByRule(rules, hashed)
      const [runs, ...segments] = await Promise.all([
        stored.length > 1 ? storeRuns(store, rules, hashes) : undefined,
        ...stored,
      ])
      return { segments, rows, hashes, runs }
    },
  }
}

/** @throws ApiError invalid, naming the row and what of it is too large */
function refuseLarge({ chunks }: BuiltSegment, firstRow: number): void {
  for (const { name, raw } of chunks) {
    const isObject = name === METADATA || name === CONFIG
    const field = fieldOfColumn(name)
    const limit = isObject ? OBJECT_BYTES : VALUE_BYTES
    // A cell of a small chunk is small: nothing is looked at one by one but in large ones.
    if ((!isObject && field === undefined) || raw.length <= limit) continue
    for (let row = 0, start = 0; start < raw.length; row++) {
      const newline = raw.indexOf(10, start)
      const end = newline < 0 ? raw.length : newline - 1
      if (end - start > limit) throw tooMuch(`row ${firstRow + row}`, isObject ? name : `values.${field}`, limit)
      start = newline < 0 ? raw.length : newline + 1
    }
  }
}

/** How an entry names the segments, given the rows in error of each. */
export function segmentForms(names: Names, { segments }: Added, inError: readonly Bits[]): SegmentForm[] {
  return segments.map((segment, i) => segmentForm(names, segment, countBits(inError[i]!)))
}

/** Rows of a ready segment with an error of their own. */
export function errorRowsOf({ built, rows }: ReadySegment): Bits {
  const bits = emptyBits(rows)
  bits.set(built.errorRows)
  return bits
}

function segmentForm(names: Names, segment: ReadySegment, quiet: number): SegmentForm {
  const { blob, inline, built } = segment
  return {
    n: segment.rows,
    q: quiet,
    ...(blob ? { b: blobForm(names, blob) } : {}),
    ...(inline ? { i: inline.texts, l: names.layouts.indexOf(inline.names) } : {}),
    z: tallyForm(names, built.nulls),
    e: tallyForm(names, built.errors),
  }
}

export function addedRuns(names: Names, rules: SheetRules, { segments, hashes, runs }: Added): RunForm[] {
  const blob = runs ?? (segments.length === 1 && segments[0]!.runs ? segments[0]!.blob : undefined)
  if (!blob) return []
  return rules.unique.map(({ id }) => {
    const list = hashes.get(id)!
    const samples = samplesFor(list)
    return {
      u: id,
      b: blobForm(names, blob),
      c: runChunk(id),
      n: list.hi.length,
      s: segments.map(({ rows }, i) => [`+${i}`, rows]),
      ...(samples ? { h: Buffer.from(samples.buffer).toString('base64') } : {}),
    }
  })
}
