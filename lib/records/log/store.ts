/** Caches of states and chunks, and blob storage: small blobs in DynamoDB, larger ones in S3. */
import { ulid } from 'ulid'
import { mapConcurrent } from '../../core/concurrency.ts'
import { processEnv } from '../../core/env.ts'
import { getRecordsPerSheet } from '../../core/records-per-sheet.ts'
import { getRange, putObject } from '../../objects/store.ts'
import { getBlobParts, PART_BYTES, type PartRequest, putBlobParts } from '../../table/blobs.ts'
import { type PackedChunk, unpackChunk } from '../format/chunk.ts'
import type { BlobRef, State } from '../state/state.ts'

export interface StoreOptions {
  segmentRows: number
  /** Segments of a write share objects of about this much text. */
  objectBytes: number
  blobItemBytes: number
  /** Larger bodies are stored outside the log page, since each append is charged for the whole page. */
  inlineEntryBytes: number
  inlineSegmentBytes: number
  /** Segments with more edited rows are rewritten, because edits are part of every state. */
  editedRows: number
  /** Segments with this many edited rows are rewritten if that is a tenth of their rows. */
  compactEdits: number
  /** This many adjacent segments with fewer than `mergeRows` live rows each are merged. */
  mergeSegments: number
  mergeRows: number
  mergeRuns: number
  sheetRows: number
  /** Cells of an import that match a record are spilled above this size. */
  matchedBytes: number
  /** Hashes of many rows are compared in slices of about this many, which take several times 12 bytes each. */
  sliceHashes: number
  /** Functions that share a sort return this many of their first records, and for later pages each `sampleEvery`-th one. */
  topRecords: number
  sampleEvery: number
  cacheBytes: number
}

export interface Store extends StoreOptions {
  states: Map<string, State>
  /** Older states by `<sheetId> <seq>`, in LRU order. */
  versions: Map<string, State>
  chunks: Map<string, Buffer>
  chunkBytes: number
  contexts: Set<string>
}

const DEFAULTS: Omit<StoreOptions, 'sheetRows'> = {
  segmentRows: 10_000,
  objectBytes: 8 * 1024 * 1024,
  blobItemBytes: 32_768,
  inlineEntryBytes: 512,
  inlineSegmentBytes: 1000,
  editedRows: 500,
  compactEdits: 200,
  mergeSegments: 8,
  mergeRows: 2500,
  mergeRuns: 8,
  matchedBytes: 192 * 1024 * 1024,
  sliceHashes: 4_000_000,
  topRecords: 1000,
  sampleEvery: 500,
  cacheBytes: 96 * 1024 * 1024,
}
/** Unpacked columns are at least about this much larger. */
const MIN_EXPANSION = 3
const MAX_CACHED_STATES = 100
const MAX_CACHED_VERSIONS = 32

export const createStore = (options: Partial<StoreOptions> = {}): Store => ({
  ...DEFAULTS,
  sheetRows: getRecordsPerSheet(),
  ...options,
  states: new Map(),
  versions: new Map(),
  chunks: new Map(),
  chunkBytes: 0,
  contexts: new Set(),
})

export const processStore: Store = createStore({ blobItemBytes: processEnv().BLOB_DDB_MAX ?? DEFAULTS.blobItemBytes })

export function cacheState(store: Store, state: State): State {
  const cached = store.states.get(state.sheetId)
  const newest = cached && cached.seq > state.seq ? cached : state
  if (cached && cached.seq < state.seq) cacheVersion(store, cached)
  store.states.delete(state.sheetId)
  store.states.set(state.sheetId, newest)
  if (store.states.size > MAX_CACHED_STATES) store.states.delete(store.states.keys().next().value!)
  return newest
}

const formatVersionKey = ({ sheetId, seq }: Pick<State, 'sheetId' | 'seq'>): string => `${sheetId} ${seq}`

export function cacheVersion(store: Store, state: State): State {
  const name = formatVersionKey(state)
  store.versions.delete(name)
  store.versions.set(name, state)
  if (store.versions.size > MAX_CACHED_VERSIONS) store.versions.delete(store.versions.keys().next().value!)
  return state
}

export function getCachedVersion(store: Store, sheetId: string, seq: number): State | undefined {
  const newest = store.states.get(sheetId)
  if (newest?.seq === seq) return newest
  const cached = store.versions.get(formatVersionKey({ sheetId, seq }))
  return cached && cacheVersion(store, cached)
}

function cacheRaw(store: Store, key: string, raw: Buffer): void {
  if (raw.length > store.cacheBytes / 4) return
  const cached = store.chunks.get(key)
  if (cached) store.chunkBytes -= cached.length
  store.chunks.delete(key)
  store.chunks.set(key, raw)
  store.chunkBytes += raw.length
  for (const [oldest, bytes] of store.chunks) {
    if (store.chunkBytes <= store.cacheBytes) break
    store.chunks.delete(oldest)
    store.chunkBytes -= bytes.length
  }
}

/** For scans: chunks that do not all fit into the cache leave it as it is. */
export function limitCaching(store: Store, refs: readonly ChunkRef[]): Store {
  const packedBytes = refs.reduce((sum, { blob, index }) => sum + blob.lengths[index]!, 0)
  return packedBytes * MIN_EXPANSION > store.cacheBytes ? { ...store, cacheBytes: 0 } : store
}

function getCachedRaw(store: Store, key: string): Buffer | undefined {
  const raw = store.chunks.get(key)
  if (raw) {
    store.chunks.delete(key)
    store.chunks.set(key, raw)
  }
  return raw
}

/** Ends with the offset of a blob in an object that several share: `<sheetId>/<ulid>@<byte>`. */
const OFFSET_MARK = '@'

export const formatObjectKey = (blobId: string): string => `seg/${blobId.split(OFFSET_MARK, 1)[0]}`
const parseOffset = (blobId: string): number => Number(blobId.split(OFFSET_MARK)[1] ?? 0)
export const formatObjectPrefix = (sheetId: string): string => formatObjectKey(`${sheetId}/`)

export const createBlobId = (sheetId: string): string => `${sheetId}/${ulid()}`

export async function putBlob(
  store: Store,
  sheetId: string,
  chunks: readonly PackedChunk[],
  bytes: Buffer = concatChunks(chunks),
): Promise<BlobRef> {
  const id = createBlobId(sheetId)
  const tier = bytes.length <= store.blobItemBytes ? 'd' : 's'
  if (tier === 'd') await putBlobParts(id, bytes)
  else await putObject(formatObjectKey(id), bytes)
  return describeBlob(id, tier, chunks)
}

/** Large blobs share an object, because each request for one is charged and takes time. */
export async function putBlobs(
  store: Store,
  sheetId: string,
  blobs: readonly (readonly PackedChunk[])[],
): Promise<BlobRef[]> {
  const objectId = createBlobId(sheetId)
  const pieces: Buffer[] = []
  let offset = 0
  const stored = blobs.map((chunks) => {
    const size = chunks.reduce((sum, { packed }) => sum + packed.length, 0)
    if (size <= store.blobItemBytes) return putBlob(store, sheetId, chunks)
    const blob = describeBlob(offset === 0 ? objectId : `${objectId}${OFFSET_MARK}${offset}`, 's', chunks)
    for (const { packed } of chunks) pieces.push(packed)
    offset += size
    return blob
  })
  const object = pieces.length > 0 ? putObject(formatObjectKey(objectId), Buffer.concat(pieces)) : undefined
  const [, ...refs] = await Promise.all([object, ...stored])
  return refs
}

const concatChunks = (chunks: readonly PackedChunk[]): Buffer => Buffer.concat(chunks.map(({ packed }) => packed))

const describeBlob = (id: string, tier: BlobRef['tier'], chunks: readonly PackedChunk[]): BlobRef => ({
  ...{ id, tier, names: chunks.map(({ name }) => name) },
  lengths: chunks.map(({ packed }) => packed.length),
})

export interface ChunkRef {
  blob: BlobRef
  index: number
}

const formatChunkKey = ({ blob, index }: ChunkRef): string => `${blob.id}#${index}`

export const cacheChunk = (store: Store, ref: ChunkRef, raw: Buffer): void => cacheRaw(store, formatChunkKey(ref), raw)

export const getChunks = (store: Store, refs: readonly ChunkRef[]): Promise<Buffer[]> =>
  readCached(
    store,
    refs.map((ref) => ({ key: formatChunkKey(ref), span: getSpan(ref) })),
    unpackChunk,
  )

/** Parts of chunks that are not packed. */
export const getParts = (store: Store, spans: readonly Span[]): Promise<Buffer[]> =>
  readCached(
    store,
    spans.map((span) => ({ key: `${span.blob.id} ${span.start}-${span.end}`, span })),
    Buffer.from,
  )

async function readCached(
  store: Store,
  wanted: readonly { key: string; span: Span }[],
  unpack: (stored: Buffer) => Buffer,
): Promise<Buffer[]> {
  const found = wanted.map(({ key }) => getCachedRaw(store, key))
  const missing = wanted.filter((_, i) => !found[i])
  if (missing.length) {
    const stored = await readSpans(missing.map(({ span }) => span))
    const raws = new Map<string, Buffer>()
    missing.forEach(({ key }, i) => {
      if (raws.has(key)) return
      const raw = unpack(stored[i]!)
      raws.set(key, raw)
      cacheRaw(store, key, raw)
    })
    wanted.forEach(({ key }, i) => {
      found[i] ??= raws.get(key)
    })
  }
  return found as Buffer[]
}

export interface Span {
  blob: BlobRef
  start: number
  end: number
}

export function getSpan({ blob, index }: ChunkRef): Span {
  let start = parseOffset(blob.id)
  for (let i = 0; i < index; i++) start += blob.lengths[i]!
  return { blob, start, end: start + blob.lengths[index]! }
}

export async function readSpans(spans: readonly Span[]): Promise<Buffer[]> {
  const out = new Array<Buffer>(spans.length)
  const items = spans.map((span, i) => ({ span, i })).filter(({ span }) => span.blob.tier === 'd')
  const objects = spans.map((span, i) => ({ span, i })).filter(({ span }) => span.blob.tier === 's')
  await Promise.all([readItems(items, out), readObjects(objects, out)])
  return out
}

interface SpanRequest {
  span: Span
  i: number
}

async function readItems(spanRequests: readonly SpanRequest[], out: Buffer[]): Promise<void> {
  if (!spanRequests.length) return
  const requests = new Map<string, PartRequest>()
  for (const { span } of spanRequests)
    for (let part = Math.floor(span.start / PART_BYTES); part * PART_BYTES < span.end; part++)
      requests.set(`${span.blob.id} ${part}`, { blobId: span.blob.id, part })
  const list = [...requests.values()]
  const parts = await getBlobParts(list)
  const partsByKey = new Map(list.map((request, i) => [`${request.blobId} ${request.part}`, parts[i]!]))
  for (const { span, i } of spanRequests) {
    const first = Math.floor(span.start / PART_BYTES)
    const pieces: Buffer[] = []
    for (let part = first; part * PART_BYTES < span.end; part++) pieces.push(partsByKey.get(`${span.blob.id} ${part}`)!)
    const combined = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    const offset = first * PART_BYTES
    out[i] = combined.subarray(span.start - offset, span.end - offset)
  }
}

/** Gaps up to this size are read along, which is cheaper than another request. */
const MAX_GAP_BYTES = 262_144
const MAX_CONCURRENT_REQUESTS = 16

async function readObjects(spanRequests: readonly SpanRequest[], out: Buffer[]): Promise<void> {
  const ranges = mergeRanges(spanRequests)
  await mapConcurrent(MAX_CONCURRENT_REQUESTS, ranges, async (range) => {
    const bytes = await getRange(range.key, range.start, range.end)
    for (const { span, i } of range.spanRequests)
      out[i] = bytes.subarray(span.start - range.start, span.end - range.start)
  })
}

interface Range {
  key: string
  start: number
  end: number
  spanRequests: SpanRequest[]
}

function mergeRanges(spanRequests: readonly SpanRequest[]): Range[] {
  const sorted = spanRequests
    .map((request) => ({ request, key: formatObjectKey(request.span.blob.id) }))
    .sort((a, b) => (a.key === b.key ? a.request.span.start - b.request.span.start : a.key < b.key ? -1 : 1))
  const ranges: Range[] = []
  for (const { request, key } of sorted) {
    const { start, end } = request.span
    const last = ranges.at(-1)
    if (last?.key === key && start - last.end < MAX_GAP_BYTES) {
      last.end = Math.max(last.end, end)
      last.spanRequests.push(request)
    } else ranges.push({ key, start, end, spanRequests: [request] })
  }
  return ranges
}
