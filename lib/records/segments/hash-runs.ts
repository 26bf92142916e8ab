/** Stored runs of sorted hashes: the index of a unique rule. */
import { memoize } from '../../core/memo.ts'
import { HASH_BYTES, type Hashes, unpackHashes } from '../columns/hash.ts'
import { CHUNK_HEADER_BYTES } from '../format/chunk.ts'
import type { RunForm } from '../format/entries.ts'
import { encodeSamples, findBlock } from '../format/hash-samples.ts'
import { type BodyDictionaries, encodeBlob } from '../log/entry-builder.ts'
import { getChunks, getSpan, readSpans, type Store } from '../log/store.ts'
import type { BlobRef, HashRun } from '../state/state.ts'

const unpackRun = memoize((raw: Buffer): Hashes => unpackHashes(raw))

export async function readRun(store: Store, run: HashRun): Promise<Hashes> {
  const [raw] = await getChunks(store, [{ blob: run.blob, index: run.blob.names.indexOf(run.chunk) }])
  return unpackRun(raw!)
}

/** The run must have samples. */
export async function readBlocks(run: HashRun, highHalves: readonly number[]): Promise<Hashes[]> {
  const { start } = getSpan({ blob: run.blob, index: run.blob.names.indexOf(run.chunk) })
  const spans = highHalves.map((hi) => {
    const { from, to } = findBlock(run.samples!, run.length, hi)
    const data = start + CHUNK_HEADER_BYTES
    return { blob: run.blob, start: data + from * HASH_BYTES, end: data + to * HASH_BYTES }
  })
  return (await readSpans(spans)).map(unpackHashes)
}

export const formatRunChunkName = (ruleId: string): string => `hashes.${ruleId}`

export interface StoredRun {
  rule: string
  length: number
  samples: Uint32Array | null
}

export const encodeRun = (
  dictionaries: BodyDictionaries,
  blob: BlobRef,
  { rule, length, samples }: StoredRun,
  segments: RunForm['s'],
): RunForm => ({
  u: rule,
  b: encodeBlob(dictionaries, blob),
  c: formatRunChunkName(rule),
  n: length,
  s: segments,
  ...(samples ? { h: encodeSamples(samples) } : {}),
})
