/**
 * What a process remembers and where bytes go: caches of states and chunks, and blobs in two tiers (small ones as items,
 * larger ones as objects). A store may be handed to any function of the engine; the process's own is the default. Two
 * stores over one table behave like two processes.
 */
import { ulid } from 'ulid'
import { processEnv } from '../../core/env.ts'
import { inFlight } from '../../core/in-flight.ts'
import { recordsPerSheet } from '../../core/limits.ts'
import { getRange, putObject } from '../../objects/store.ts'
import { getBlobParts, PART_BYTES, type PartRequest, putBlobParts } from '../../table/blobs.ts'
import { unpackChunk } from '../bytes/chunk.ts'
import type { BlobRef, State } from './state.ts'

export interface StoreOptions {
  /** Rows of a segment at most. */
  segmentRows: number
  /** Blobs up to this many bytes are items in DynamoDB, larger ones objects in S3. */
  blobItemBytes: number
  /** Entries up to this many bytes stand in the log page, larger bodies beside it: a page is charged on each append. */
  inlineEntryBytes: number
  /** Segments up to this many bytes of text stand in the log itself. */
  inlineSegmentBytes: number
  /** Edited rows a segment keeps in the log; beyond, its columns are written anew: edits are part of every state. */
  editedRows: number
  /** Edited rows from which on a segment is written anew, if they are also a tenth of its rows. */
  compactEdits: number
  /** This many neighbouring segments of less than `mergeRows` live rows become one. */
  mergeSegments: number
  mergeRows: number
  /** This many runs of hashes become one, small ones first. */
  mergeRuns: number
  /** Records of a sheet at most. */
  sheetRows: number
  /** Chunks kept inflated in memory. */
  cacheBytes: number
}

export interface Store extends StoreOptions {
  states: Map<string, State>
  /** Older states, `<sheetId> <seq>`, the last used at the end. */
  versions: Map<string, State>
  chunks: Map<string, Buffer>
  chunkBytes: number
  /** Event contexts known to be stored, `<sheetId> <id>`. */
  contexts: Set<string>
}

const DEFAULTS: Omit<StoreOptions, 'sheetRows'> = {
  segmentRows: 10_000,
  blobItemBytes: 32_768,
  inlineEntryBytes: 512,
  inlineSegmentBytes: 1000,
  editedRows: 500,
  compactEdits: 200,
  mergeSegments: 8,
  mergeRows: 2500,
  mergeRuns: 8,
  cacheBytes: 96 * 1024 * 1024,
}
const STATES_KEPT = 100
/** They share what did not change in between. */
const VERSIONS_KEPT = 32

export const newStore = (options: Partial<StoreOptions> = {}): Store => ({
  ...DEFAULTS,
  sheetRows: recordsPerSheet(),
  ...options,
  states: new Map(),
  versions: new Map(),
  chunks: new Map(),
  chunkBytes: 0,
  contexts: new Set(),
})

/** The store of this process. `BLOB_DDB_MAX=Infinity` keeps every blob in DynamoDB. */
export const processStore: Store = newStore({ blobItemBytes: processEnv().BLOB_DDB_MAX ?? DEFAULTS.blobItemBytes })

/** Keeps the newer of two states of a sheet; the other may be asked for by an undo, or by who tells what changed. */
export function rememberState(store: Store, state: State): State {
  const known = store.states.get(state.sheetId)
  const newest = known && known.seq > state.seq ? known : state
  if (known && known.seq < state.seq) rememberVersion(store, known)
  store.states.delete(state.sheetId)
  store.states.set(state.sheetId, newest)
  if (store.states.size > STATES_KEPT) store.states.delete(store.states.keys().next().value!)
  return newest
}

const versionName = ({ sheetId, seq }: Pick<State, 'sheetId' | 'seq'>): string => `${sheetId} ${seq}`

export function rememberVersion(store: Store, state: State): State {
  const name = versionName(state)
  store.versions.delete(name)
  store.versions.set(name, state)
  if (store.versions.size > VERSIONS_KEPT) store.versions.delete(store.versions.keys().next().value!)
  return state
}

/** The state after `seq` entries, if the process has it at hand. */
export function recallVersion(store: Store, sheetId: string, seq: number): State | undefined {
  const known = store.states.get(sheetId)
  if (known?.seq === seq) return known
  const kept = store.versions.get(versionName({ sheetId, seq }))
  return kept && rememberVersion(store, kept)
}

function rememberChunk(store: Store, key: string, raw: Buffer): void {
  const known = store.chunks.get(key)
  if (known) store.chunkBytes -= known.length
  store.chunks.delete(key)
  if (raw.length > store.cacheBytes / 4) return
  store.chunks.set(key, raw)
  store.chunkBytes += raw.length
  for (const [oldest, bytes] of store.chunks) {
    if (store.chunkBytes <= store.cacheBytes) break
    store.chunks.delete(oldest)
    store.chunkBytes -= bytes.length
  }
}

function recall(store: Store, key: string): Buffer | undefined {
  const raw = store.chunks.get(key)
  if (raw) {
    store.chunks.delete(key)
    store.chunks.set(key, raw)
  }
  return raw
}

export const objectKey = (blobId: string): string => `seg/${blobId}`
/** The keys of all objects of a sheet begin so. */
export const objectPrefix = (sheetId: string): string => objectKey(`${sheetId}/`)

export const newBlobId = (sheetId: string): string => `${sheetId}/${ulid()}`

/**
 * Stores packed chunks as one immutable blob.
 * @param bytes all of them, where they stand in one buffer already
 */
export async function putBlob(
  store: Store,
  sheetId: string,
  chunks: readonly { name: string; packed: Buffer }[],
  bytes: Buffer = Buffer.concat(chunks.map((chunk) => chunk.packed)),
): Promise<BlobRef> {
  const id = newBlobId(sheetId)
  const tier = bytes.length <= store.blobItemBytes ? 'd' : 's'
  if (tier === 'd') await putBlobParts(id, bytes)
  else await putObject(objectKey(id), bytes)
  return { id, tier, names: chunks.map((chunk) => chunk.name), lengths: chunks.map((chunk) => chunk.packed.length) }
}

/** A chunk of a blob. */
export interface ChunkRef {
  blob: BlobRef
  index: number
}

const chunkKey = ({ blob, index }: ChunkRef): string => `${blob.id}#${index}`

/** Keeps a chunk's text at hand for a read that is likely to come (the write just made). */
export const cacheChunk = (store: Store, ref: ChunkRef, raw: Buffer): void => rememberChunk(store, chunkKey(ref), raw)

/** The texts of chunks, in the order asked for; as few requests as the tiers allow. */
export async function getChunks(store: Store, refs: readonly ChunkRef[]): Promise<Buffer[]> {
  const found = refs.map((ref) => recall(store, chunkKey(ref)))
  const missing = refs.filter((_, i) => !found[i])
  if (missing.length) {
    const stored = await readStored(missing.map(spanOf))
    const raws = new Map<string, Buffer>()
    missing.forEach((ref, i) => {
      const key = chunkKey(ref)
      if (raws.has(key)) return
      const raw = unpackChunk(stored[i]!)
      raws.set(key, raw)
      rememberChunk(store, key, raw)
    })
    refs.forEach((ref, i) => {
      found[i] ??= raws.get(chunkKey(ref))
    })
  }
  return found as Buffer[]
}

/** Bytes [start, end) of a blob. */
export interface Span {
  blob: BlobRef
  start: number
  end: number
}

export function spanOf({ blob, index }: ChunkRef): Span {
  let start = 0
  for (let i = 0; i < index; i++) start += blob.lengths[i]!
  return { blob, start, end: start + blob.lengths[index]! }
}

/** Bytes of spans, in the order asked for. */
export async function readStored(spans: readonly Span[]): Promise<Buffer[]> {
  const out = new Array<Buffer>(spans.length)
  const items = spans.map((span, i) => ({ span, i })).filter(({ span }) => span.blob.tier === 'd')
  const objects = spans.map((span, i) => ({ span, i })).filter(({ span }) => span.blob.tier === 's')
  await Promise.all([readItems(items, out), readObjects(objects, out)])
  return out
}

interface Wanted {
  span: Span
  /** Where its bytes go. */
  i: number
}

async function readItems(wanted: readonly Wanted[], out: Buffer[]): Promise<void> {
  if (!wanted.length) return
  const requests = new Map<string, PartRequest>()
  for (const { span } of wanted)
    for (let part = Math.floor(span.start / PART_BYTES); part * PART_BYTES < span.end; part++)
      requests.set(`${span.blob.id} ${part}`, { blobId: span.blob.id, part })
  const list = [...requests.values()]
  const parts = await getBlobParts(list)
  const byName = new Map(list.map((request, i) => [`${request.blobId} ${request.part}`, parts[i]!]))
  for (const { span, i } of wanted) {
    const first = Math.floor(span.start / PART_BYTES)
    const pieces: Buffer[] = []
    for (let part = first; part * PART_BYTES < span.end; part++) pieces.push(byName.get(`${span.blob.id} ${part}`)!)
    const joined = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    const offset = first * PART_BYTES
    out[i] = joined.subarray(span.start - offset, span.end - offset)
  }
}

/** Reading on is cheaper than a further request up to about these gaps: where few chunks are read, by all that lies between. */
const GAP_BYTES = { few: 262_144, many: 65_536 }
const FEW_CHUNKS = 8
const REQUESTS_IN_FLIGHT = 16

async function readObjects(wanted: readonly Wanted[], out: Buffer[]): Promise<void> {
  const ranges = rangesOf(wanted)
  await inFlight(REQUESTS_IN_FLIGHT, ranges, async (range) => {
    const bytes = await getRange(objectKey(range.blobId), range.start, range.end)
    for (const { span, i } of range.wanted) out[i] = bytes.subarray(span.start - range.start, span.end - range.start)
  })
}

interface Range {
  blobId: string
  start: number
  end: number
  wanted: Wanted[]
}

function rangesOf(wanted: readonly Wanted[]): Range[] {
  const sorted = [...wanted].sort((a, b) =>
    a.span.blob.id === b.span.blob.id ? a.span.start - b.span.start : a.span.blob.id < b.span.blob.id ? -1 : 1,
  )
  const gap = wanted.length <= FEW_CHUNKS ? GAP_BYTES.few : GAP_BYTES.many
  const ranges: Range[] = []
  for (const item of sorted) {
    const { blob, start, end } = item.span
    const last = ranges.at(-1)
    if (last?.blobId === blob.id && start - last.end < gap) {
      last.end = Math.max(last.end, end)
      last.wanted.push(item)
    } else ranges.push({ blobId: blob.id, start, end, wanted: [item] })
  }
  return ranges
}
