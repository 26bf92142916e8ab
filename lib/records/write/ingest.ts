/** Stores rows as segments and makes them visible with one append; until then they are unreferenced bytes. */

import { METADATA_BYTES, VALUE_BYTES } from '../../../schemas/kit/byte-limits.ts'
import { measure } from '../../core/stopwatch.ts'
import { type Bits, countBits, emptyBits } from '../columns/bits.ts'
import { HASH_BYTES, type Hashes, type HashLists, noHashes, sortedUnion, writeHashes } from '../columns/hash.ts'
import type { SheetRules } from '../fields/rules.ts'
import { countRawBytes, getRaw, type PackedChunk, packRawChunks } from '../format/chunk.ts'
import { CONFIG, fieldOfColumn, METADATA } from '../format/column-names.ts'
import type { RunForm, SegmentForm } from '../format/entries.ts'
import { sampleHashes } from '../format/hash-samples.ts'
import { type BodyDictionaries, encodeBlob, encodeFieldCounts } from '../log/entry-builder.ts'
import { putBlob, type Store } from '../log/store.ts'
import { countCells } from '../segments/added-cells.ts'
import { encodeRun, formatRunChunkName, type StoredRun } from '../segments/hash-runs.ts'
import { type BuiltSegment, createSegmentWriter } from '../segments/segment-writer.ts'
import type { BlobRef } from '../state/state.ts'
import { addCells, listIgnoredFields, type RowsPart } from './build-segments.ts'
import { createRowSizeError } from './compare-rows.ts'
import { assertWithinLimit } from './limits.ts'
import {
  countSegmentBytes,
  createSegmentStore,
  type ReadySegment,
  type SegmentStore,
  storeOnlySegment,
} from './store-segments.ts'

async function storeRuns(
  store: Store,
  rules: SheetRules,
  hashes: ReadonlyMap<string, Hashes>,
): Promise<BlobRef | undefined> {
  if (!rules.unique.length) return undefined
  const { bytes, chunks } = packRuns(rules.unique.map(({ id }) => [id, hashes.get(id)!]))
  return putBlob(store, rules.sheetId, chunks, bytes)
}

/** One buffer for all runs, since these are the largest allocation of an import. */
export function packRuns(lists: readonly (readonly [ruleId: string, Hashes])[]): {
  bytes: Buffer
  chunks: PackedChunk[]
} {
  const { bytes, chunks } = packRawChunks(
    lists.map(([, { hi }]) => hi.length * HASH_BYTES),
    (out, from, i) => writeHashes(lists[i]![1], out, from),
  )
  return { bytes, chunks: lists.map(([id], i) => ({ name: formatRunChunkName(id), packed: chunks[i]! })) }
}

/** Removes each rule's hashes from the segments while merging, to limit memory. */
function mergeHashesByRule(
  rules: SheetRules,
  segments: readonly Pick<BuiltSegment, 'rows' | 'hashes'>[],
): Map<string, Hashes> {
  return new Map(
    [...rules.unique, ...rules.references].map(({ id }) => {
      const union = sortedUnion(segments.map(({ hashes, rows }) => ({ hashes: hashes.get(id) ?? noHashes, rows })))
      for (const { hashes } of segments) hashes.delete(id)
      return [id, union]
    }),
  )
}

export interface AddedRows {
  segments: readonly ReadySegment[]
  rows: number
  hashes: AddedHashes
  runs: readonly AddedRun[]
}

/** Hashes of a unique or reference rule as sorted lists, one at a time in memory; ordinals count across all segments. */
export interface AddedHashes {
  /** Equal hashes are in the same list, and the lists ascend. */
  readSlices(ruleId: string): HashLists
  readLists(ruleId: string): HashLists
}

export interface AddedRun extends StoredRun {
  blob: BlobRef
  segments: { from: number; to: number }
}

/** Rows of an ingest whose hashes are not stored and not divided. */
export interface IngestedRows {
  segments: readonly ReadySegment[]
  rows: number
  hashes: ReadonlyMap<string, Hashes>
}

export interface Ingest {
  add(part: RowsPart): Promise<void>
  finish(): Promise<AddedRows | undefined>
  /** Instead of `finish`; stores the segments, but no runs. */
  finishSegments(): Promise<IngestedRows | undefined>
  readonly ignoredFields: ReadonlySet<string>
}

const MAX_SEGMENTS_STORING = 3
/** Total bytes of text being stored. */
const MAX_BYTES_STORING = 16 * 1024 * 1024

export type KeepSegment = (built: BuiltSegment) => ReadySegment

/** @param live records that stay: rows exceeding the limit are rejected as soon as they arrive */
export function createIngest(
  store: Store,
  rules: SheetRules,
  limit: number,
  live: number,
  keepSegment?: KeepSegment,
): Ingest {
  const writer = createSegmentWriter(rules, store.segmentRows)
  const ignoredFields = new Set<string>()
  const segmentStore = keepSegment ? createSegmentList(keepSegment) : createSegmentStore(store, rules)
  const segmentHashes: Pick<BuiltSegment, 'rows' | 'hashes'>[] = []
  const storing: { ready: Promise<unknown>; bytes: number }[] = []
  /** Stored only when more follows: a single segment is stored in another way. */
  let last: BuiltSegment | undefined
  let rows = 0
  let storedRows = 0
  const sumStoringBytes = () => storing.reduce((sum, { bytes }) => sum + bytes, 0)
  const takeSegment = (): BuiltSegment | undefined => {
    if (!last) return undefined
    const built = last
    last = undefined
    assertCellSizes(built, storedRows)
    storedRows += built.rows
    segmentHashes.push({ rows: built.rows, hashes: built.hashes })
    return built
  }
  const storeLast = async (): Promise<void> => {
    const built = takeSegment()
    if (!built) return
    storing.push({ ready: segmentStore.add(built), bytes: countSegmentBytes(built) })
    while (storing.length > MAX_SEGMENTS_STORING || sumStoringBytes() > MAX_BYTES_STORING)
      await measure('writing', () => storing.shift()!.ready)
  }
  const addSegment = async (built: BuiltSegment): Promise<void> => {
    await storeLast()
    last = built
  }
  const takeLast = async (): Promise<void> => {
    if (writer.rows > 0) await addSegment(writer.take())
  }
  const addRows = (added: number): void => {
    assertWithinLimit(limit, live, added + rows)
    rows += added
  }
  return {
    ignoredFields,
    async add(part) {
      if ('segments' in part) {
        addRows(part.segments.reduce((sum, built) => sum + built.rows, 0))
        for (const key of part.ignoredFields) ignoredFields.add(key)
        await takeLast()
        for (const built of part.segments) await addSegment(built)
        return
      }
      addRows(countCells(part))
      for (const key of listIgnoredFields(rules, part)) ignoredFields.add(key)
      for (const built of addCells(writer, part, store.segmentRows)) await addSegment(built)
    },
    async finish() {
      await takeLast()
      if (!last) return undefined
      if (segmentHashes.length === 0 && !keepSegment) {
        const built = takeSegment()!
        const ready = storeOnlySegment(store, rules, built)
        const hashes = mergeHashesByRule(rules, segmentHashes)
        const segments = [await measure('writing', () => ready)]
        return describeRows(rules, segments, hashes, segments[0]!.blob)
      }
      await storeLast()
      const hashes = mergeHashesByRule(rules, segmentHashes)
      const [runs, segments] = await measure('writing', () =>
        Promise.all([keepSegment ? undefined : storeRuns(store, rules, hashes), segmentStore.finish()]),
      )
      return describeRows(rules, segments, hashes, runs)
    },
    async finishSegments() {
      await takeLast()
      if (!last) return undefined
      await storeLast()
      return {
        rows,
        hashes: mergeHashesByRule(rules, segmentHashes),
        segments: await measure('writing', () => segmentStore.finish()),
      }
    },
  }
}

function createSegmentList(keepSegment: KeepSegment): SegmentStore {
  const segments: ReadySegment[] = []
  return { add: async (built) => segments.push(keepSegment(built)), finish: async () => segments }
}

/** @param runs their blob, if they are stored */
function describeRows(
  rules: SheetRules,
  segments: readonly ReadySegment[],
  hashes: ReadonlyMap<string, Hashes>,
  runs: BlobRef | undefined,
): AddedRows {
  return {
    segments,
    rows: segments.reduce((sum, segment) => sum + segment.rows, 0),
    hashes: listHashes(hashes),
    runs: runs ? describeRuns(rules, runs, hashes, { from: 0, to: segments.length }) : [],
  }
}

function listHashes(hashes: ReadonlyMap<string, Hashes>): AddedHashes {
  const readAll = (ruleId: string): Hashes[] => {
    const list = hashes.get(ruleId)
    return list ? [list] : []
  }
  return { readSlices: readAll, readLists: readAll }
}

const describeRuns = (
  rules: SheetRules,
  blob: BlobRef,
  hashes: ReadonlyMap<string, Hashes>,
  segments: AddedRun['segments'],
): AddedRun[] => rules.unique.map(({ id }) => ({ ...describeRun(id, hashes.get(id)!), blob, segments }))

export const describeRun = (rule: string, list: Hashes): StoredRun => ({
  ...{ rule, length: list.hi.length, samples: sampleHashes(list) },
})

function assertCellSizes({ chunks }: BuiltSegment, firstRow: number): void {
  for (const chunk of chunks) {
    const { name } = chunk
    const isObject = name === METADATA || name === CONFIG
    const field = fieldOfColumn(name)
    const limit = isObject ? METADATA_BYTES : VALUE_BYTES
    if ((!isObject && field === undefined) || countRawBytes(chunk) <= limit) continue
    const raw = getRaw(chunk)
    for (let row = 0, start = 0; start < raw.length; row++) {
      const newline = raw.indexOf(10, start)
      const end = newline < 0 ? raw.length : newline - 1
      if (end - start > limit)
        throw createRowSizeError(String(firstRow + row), isObject ? name : `values.${field}`, limit)
      start = newline < 0 ? raw.length : newline + 1
    }
  }
}

export function encodeSegments(
  dictionaries: BodyDictionaries,
  { segments }: AddedRows,
  errorRowSets: readonly Bits[],
): SegmentForm[] {
  return segments.map((segment, i) => encodeSegment(dictionaries, segment, countBits(errorRowSets[i]!)))
}

export function getErrorRows({ built, rows }: ReadySegment): Bits {
  const bits = emptyBits(rows)
  bits.set(built.errorRows)
  return bits
}

function encodeSegment(dictionaries: BodyDictionaries, segment: ReadySegment, baseErrorCount: number): SegmentForm {
  const { blob, inline, built } = segment
  return {
    n: segment.rows,
    q: baseErrorCount,
    ...(blob ? { b: encodeBlob(dictionaries, blob) } : {}),
    ...(inline ? { i: inline.texts, l: dictionaries.layouts.indexOf(inline.names) } : {}),
    z: encodeFieldCounts(dictionaries, built.nulls),
    e: encodeFieldCounts(dictionaries, built.errors),
  }
}

export const encodeAddedRuns = (dictionaries: BodyDictionaries, { segments, runs }: AddedRows): RunForm[] =>
  runs.map((run) => {
    const { from, to } = run.segments
    return encodeRun(
      dictionaries,
      run.blob,
      run,
      segments.slice(from, to).map(({ rows }, i) => [`+${from + i}`, rows]),
    )
  })
