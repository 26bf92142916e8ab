/** Stored runs of sorted hashes: the index of a unique rule. */
import { memoize } from '../../core/memo.ts'
import { HASH_BYTES, type Hashes, unpackHashes } from '../columns/hash.ts'
import { CHUNK_HEADER_BYTES } from '../format/chunk.ts'
import type { RunForm } from '../format/entries.ts'
import { encodeSamples, findBlocks } from '../format/hash-samples.ts'
import { type BodyDictionaries, encodeBlob } from '../log/entry-builder.ts'
import { getChunks, getParts, getSpan, readSpans, type Span, type Store } from '../log/store.ts'
import type { BlobRef, HashRun } from '../state/state.ts'

const unpackRun = memoize((raw: Buffer): Hashes => unpackHashes(raw))

export async function readRun(store: Store, run: Pick<HashRun, 'blob' | 'chunk'>): Promise<Hashes> {
  const [raw] = await getChunks(store, [{ blob: run.blob, index: run.blob.names.indexOf(run.chunk) }])
  return unpackRun(raw!)
}

type SampledRun = Pick<HashRun, 'blob' | 'chunk' | 'length' | 'samples'>

/** The run must have samples. */
export async function readBlocks(store: Store, run: SampledRun, highHalves: readonly number[]): Promise<Hashes[]> {
  const spans = highHalves.map((hi) => getEntrySpan(run, findBlocks(run.samples!, run.length, hi, hi)))
  return (await getParts(store, spans)).map(unpackRun)
}

/** At least the hashes whose high halves are in the range. The run must have samples. */
export async function readRange(run: SampledRun, fromHi: number, toHi: number): Promise<Hashes> {
  const [bytes] = await readSpans([getEntrySpan(run, findBlocks(run.samples!, run.length, fromHi, toHi))])
  return unpackHashes(bytes!)
}

function getEntrySpan({ blob, chunk }: SampledRun, { from, to }: { from: number; to: number }): Span {
  const start = getSpan({ blob, index: blob.names.indexOf(chunk) }).start + CHUNK_HEADER_BYTES
  return { blob, start: start + from * HASH_BYTES, end: start + to * HASH_BYTES }
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
