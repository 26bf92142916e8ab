/** Rows that one function stores and another commits, so that functions import one sheet side by side. */

import { compressJson, decompressJson } from '../../core/compressed-json.ts'
import { mapConcurrent } from '../../core/concurrency.ts'
import { bitsToRows, decodeRows, emptyBits, encodeRows, type StoredRows, setBit } from '../columns/bits.ts'
import { type Hashes, lowerBound, sortedUnion } from '../columns/hash.ts'
import { loadEngines } from '../fields/engines.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { packRaw } from '../format/chunk.ts'
import { getChunks, processStore, putBlob, type Store } from '../log/store.ts'
import { formatRunChunkName, readRange, readRun, type StoredRun } from '../segments/hash-runs.ts'
import type { SheetRef } from '../sheet.ts'
import type { BlobRef } from '../state/state.ts'
import type { RowsPart } from './build-segments.ts'
import { type AddedHashes, type AddedRows, createIngest, describeRun, packRuns } from './ingest.ts'
import type { ReadySegment } from './store-segments.ts'

/** JSON. The rows are unreferenced bytes until a commit names them. */
export interface StoredPart {
  rows: number
  ignoredFields: readonly string[]
  blob: BlobRef | undefined
}

const SUMMARY = 'part'

/** @throws ApiError conflict when the rows of this part exceed the limit of the sheet */
export async function storePart(
  sheet: SheetRef,
  batches: AsyncIterable<RowsPart>,
  store: Store = processStore,
): Promise<StoredPart> {
  const rules = rulesOf(sheet)
  await loadEngines(rules.engines)
  const ingestion = createIngest(store, rules, store.sheetRows, 0)
  for await (const batch of batches) await ingestion.add(batch)
  const ingested = await ingestion.finishSegments()
  const ignoredFields = [...ingestion.ignoredFields]
  if (!ingested) return { rows: 0, ignoredFields, blob: undefined }
  const { rows, segments, hashes } = ingested
  const summary: PartSummary = {
    signature: rules.signature,
    segments: segments.map(encodeSegment),
    runs: [...hashes].map(([ruleId, list]) => {
      const { rule, length, samples } = describeRun(ruleId, list)
      return { rule, length, samples: samples && [...samples] }
    }),
  }
  const packedSummary = packRaw(compressJson(summary))
  const { bytes, chunks } = packRuns([...hashes])
  const blob = await putBlob(
    store,
    sheet.sheetId,
    [{ name: SUMMARY, packed: packedSummary }, ...chunks],
    Buffer.concat([packedSummary, bytes]),
  )
  return { rows, ignoredFields, blob }
}

interface PartSummary {
  signature: string
  segments: SegmentSummary[]
  runs: { rule: string; length: number; samples: number[] | null }[]
}

interface SegmentSummary {
  rows: number
  blob: BlobRef
  nulls: [field: string, count: number][]
  errors: [field: string, count: number][]
  errorRows: StoredRows
  violations: [rule: string, rows: StoredRows][]
}

const encodeSegment = ({ rows, blob, built }: ReadySegment): SegmentSummary => ({
  rows,
  blob: blob!,
  nulls: [...built.nulls],
  errors: [...built.errors],
  errorRows: encodeRows(bitsToRows(built.errorRows)),
  violations: [...built.violations].map(([rule, bits]) => [rule, encodeRows(bitsToRows(bits))]),
})

function decodeSegment({ rows, blob, nulls, errors, errorRows, violations }: SegmentSummary): ReadySegment {
  const toBits = (stored: StoredRows) => {
    const bits = emptyBits(rows)
    for (const row of decodeRows(stored)) setBit(bits, row)
    return bits
  }
  return {
    ...{ rows, blob, inline: undefined },
    built: {
      nulls: new Map(nulls),
      errors: new Map(errors),
      errorRows: toBits(errorRows),
      violations: new Map(violations.map(([rule, stored]) => [rule, toBits(stored)])),
    },
  }
}

interface LoadedPart {
  rows: number
  blob: BlobRef
  signature: string
  segments: ReadySegment[]
  runs: ReadonlyMap<string, StoredRun>
}

const MAX_CONCURRENT_READS = 16

/** The rows of all parts in their order, with the signatures of the rules they were validated by. */
export async function loadParts(
  store: Store,
  rules: SheetRules,
  parts: readonly StoredPart[],
): Promise<{ added: AddedRows | undefined; signatures: ReadonlySet<string> }> {
  const filled = parts.flatMap(({ rows, blob }) => (blob ? [{ rows, blob }] : []))
  const loaded = await mapConcurrent(MAX_CONCURRENT_READS, filled, (part) => loadPart(store, part))
  const signatures = new Set(loaded.map(({ signature }) => signature))
  if (loaded.length === 0) return { added: undefined, signatures }
  const starts: number[] = []
  let count = 0
  for (const { segments } of loaded) {
    starts.push(count)
    count += segments.length
  }
  return {
    signatures,
    added: {
      segments: loaded.flatMap(({ segments }) => segments),
      rows: loaded.reduce((sum, { rows }) => sum + rows, 0),
      hashes: readPartHashes(store, loaded),
      runs: loaded.flatMap(({ blob, runs, segments }, i) =>
        rules.unique.map(({ id }) => ({
          ...{ ...runs.get(id)!, blob },
          segments: { from: starts[i]!, to: starts[i]! + segments.length },
        })),
      ),
    },
  }
}

async function loadPart(store: Store, { rows, blob }: { rows: number; blob: BlobRef }): Promise<LoadedPart> {
  const [raw] = await getChunks(store, [{ blob, index: blob.names.indexOf(SUMMARY) }])
  const { signature, segments, runs } = decompressJson(raw!) as PartSummary
  const layouts = new Map<string, readonly string[]>()
  const share = (names: readonly string[]): readonly string[] => {
    const key = names.join('\n')
    const shared = layouts.get(key) ?? names
    layouts.set(key, shared)
    return shared
  }
  return {
    ...{ rows, blob, signature },
    segments: segments.map((segment) =>
      decodeSegment({ ...segment, blob: { ...segment.blob, names: share(segment.blob.names) } }),
    ),
    runs: new Map(
      runs.map(({ rule, length, samples }) => [rule, { rule, length, samples: samples && Uint32Array.from(samples) }]),
    ),
  }
}

const HASH_RANGE = 2 ** 32

function readPartHashes(store: Store, parts: readonly LoadedPart[]): AddedHashes {
  return {
    async *readSlices(ruleId) {
      const total = parts.reduce((sum, { runs }) => sum + runs.get(ruleId)!.length, 0)
      const count = Math.max(1, Math.ceil(total / store.sliceHashes))
      for (let slice = 0; slice < count; slice++) {
        const [from, to] = [slice, slice + 1].map((at) => Math.floor((HASH_RANGE * at) / count))
        const lists = await mapConcurrent(MAX_CONCURRENT_READS, parts, async (part) => ({
          hashes: await readPartRange(store, part, ruleId, from!, to!),
          rows: part.rows,
        }))
        yield sortedUnion(lists)
      }
    },
    async *readLists(ruleId) {
      let firstOrdinal = 0
      for (const { blob, rows } of parts) {
        const { hi, lo, at } = await readRun(store, { blob, chunk: formatRunChunkName(ruleId) })
        const first = firstOrdinal
        yield { hi, lo, at: at.map((ordinal) => ordinal + first) }
        firstOrdinal += rows
      }
    },
  }
}

async function readPartRange(
  store: Store,
  { blob, runs }: LoadedPart,
  ruleId: string,
  from: number,
  to: number,
): Promise<Hashes> {
  const { samples, length } = runs.get(ruleId)!
  const run = { blob, chunk: formatRunChunkName(ruleId), length, samples }
  const isWhole = samples === null || (from === 0 && to === HASH_RANGE)
  const list = isWhole ? await readRun(store, run) : await readRange(run, from, to - 1)
  const start = lowerBound(list, from, 0)
  const end = to === HASH_RANGE ? list.hi.length : lowerBound(list, to, 0)
  return { hi: list.hi.subarray(start, end), lo: list.lo.subarray(start, end), at: list.at.subarray(start, end) }
}
