/** Samples of a stored run: the high half of every 4,096th hash, so that a lookup reads blocks of 48 KB of it. */
import type { Hashes } from '../columns/hash.ts'

const BLOCK_ENTRIES = 4096

export function sampleHashes(list: Hashes): Uint32Array | null {
  if (list.hi.length <= BLOCK_ENTRIES) return null
  return Uint32Array.from({ length: Math.ceil(list.hi.length / BLOCK_ENTRIES) }, (_, i) => list.hi[i * BLOCK_ENTRIES]!)
}

/** Returns the range of the run's entries that can have a high half from `fromHi` to `toHi`, in whole blocks. */
export function findBlocks(
  samples: Uint32Array,
  length: number,
  fromHi: number,
  toHi: number,
): { from: number; to: number } {
  let first = 0
  while (first < samples.length && samples[first]! < fromHi) first++
  let last = first
  while (last < samples.length && samples[last]! <= toHi) last++
  return { from: Math.max(0, first - 1) * BLOCK_ENTRIES, to: Math.min(length, Math.max(1, last) * BLOCK_ENTRIES) }
}

export const encodeSamples = (samples: Uint32Array): string => Buffer.from(samples.buffer).toString('base64')

export function decodeSamples(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64')
  const samples = new Uint32Array(bytes.length / 4)
  Buffer.from(samples.buffer).set(bytes)
  return samples
}
