/** Stores the segments of a write, several in one object. */
import { mapConcurrent } from '../../core/concurrency.ts'
import { noHashes, packHashes, sortedUnion } from '../columns/hash.ts'
import type { SheetRules } from '../fields/rules.ts'
import { countRawBytes, getRaw, type PackedChunk, packChunk, packRaw } from '../format/chunk.ts'
import { cacheChunk, putBlob, putBlobs, type Store } from '../log/store.ts'
import { formatRunChunkName } from '../segments/hash-runs.ts'
import type { BuiltSegment } from '../segments/segment-writer.ts'
import type { BlobRef } from '../state/state.ts'

export interface ReadySegment {
  rows: number
  blob: BlobRef | undefined
  inline: { names: string[]; texts: string[] } | undefined
  built: Pick<BuiltSegment, 'nulls' | 'errors' | 'errorRows' | 'violations'>
}

export const summarize = ({ nulls, errors, errorRows, violations }: BuiltSegment): ReadySegment['built'] => ({
  ...{ nulls, errors, errorRows, violations },
})

/** The only segment of its write has its runs stored with it; a tiny one is inlined in the log. */
export async function storeOnlySegment(store: Store, rules: SheetRules, built: BuiltSegment): Promise<ReadySegment> {
  const { rows, chunks, hashes } = built
  const summary = summarize(built)
  if (countSegmentBytes(built) <= store.inlineSegmentBytes) {
    const inline = { names: chunks.map(({ name }) => name), texts: chunks.map((chunk) => getRaw(chunk).toString()) }
    return { rows, blob: undefined, inline, built: summary }
  }
  // Must run before the first await: afterwards the caller removes the hashes.
  const runs = rules.unique.map(({ id }) => {
    const list = sortedUnion([{ hashes: hashes.get(id) ?? noHashes, rows }])
    return { name: formatRunChunkName(id), packed: packRaw(packHashes(list)) }
  })
  const blob = await putBlob(store, rules.sheetId, [...(await packChunks(built)), ...runs])
  for (const [index, chunk] of chunks.entries()) cacheChunk(store, { blob, index }, getRaw(chunk))
  return { rows, blob, inline: undefined, built: summary }
}

export const countSegmentBytes = ({ chunks }: BuiltSegment): number =>
  chunks.reduce((sum, chunk) => sum + countRawBytes(chunk), 0)

/** Columns packed concurrently, one per thread; each takes about 256 KB. */
const MAX_CONCURRENT_PACKS = 4

const packChunks = ({ chunks }: BuiltSegment): Promise<PackedChunk[]> =>
  mapConcurrent(MAX_CONCURRENT_PACKS, chunks, async (chunk) => ({
    name: chunk.name,
    packed: chunk.packed ?? (await packChunk(getRaw(chunk))),
  }))

interface SegmentGroup {
  bytes: number
  packing: Promise<{ rows: number; chunks: PackedChunk[]; built: ReadySegment['built'] }>[]
}

export interface SegmentStore {
  add(built: BuiltSegment): Promise<unknown>
  finish(): Promise<ReadySegment[]>
}

export function createSegmentStore(store: Store, { sheetId }: SheetRules): SegmentStore {
  const stored: Promise<ReadySegment[]>[] = []
  let group: SegmentGroup = { bytes: 0, packing: [] }

  async function storeGroup({ packing }: SegmentGroup): Promise<ReadySegment[]> {
    const packed = await Promise.all(packing)
    const blobs = await putBlobs(
      store,
      sheetId,
      packed.map(({ chunks }) => chunks),
    )
    return packed.map(({ rows, built }, i) => ({ rows, built, blob: blobs[i], inline: undefined }))
  }

  function closeGroup(): Promise<ReadySegment[]> {
    const ready = storeGroup(group)
    // Failures surface when the segments are awaited; this only prevents an unhandled rejection.
    ready.catch(() => {})
    stored.push(ready)
    group = { bytes: 0, packing: [] }
    return ready
  }

  return {
    add(built) {
      const packing = packChunks(built).then((chunks) => ({ rows: built.rows, chunks, built: summarize(built) }))
      packing.catch(() => {})
      group.packing.push(packing)
      group.bytes += countSegmentBytes(built)
      return group.bytes >= store.objectBytes ? closeGroup() : packing
    },
    async finish() {
      if (group.packing.length > 0) closeGroup()
      return (await Promise.all(stored)).flat()
    },
  }
}
