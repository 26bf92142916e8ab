/** 64-bit hashes, not cryptographic. With a million rows, a false duplicate has a chance of 3 in 100 million. */

import { radixSort } from './radix.ts'

/** `hi[i], lo[i]` is the hash of ordinal `at[i]`. */
export interface Hashes {
  hi: Uint32Array
  lo: Uint32Array
  at: Uint32Array
}

export type HashLists = AsyncIterable<Hashes> | Iterable<Hashes>

const finalizeHash = (hash: number): number => {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export function hashInto(text: string, hi: Uint32Array, lo: Uint32Array, index: number): void {
  let a = 0x811c9dc5 | 0
  let b = 0x9747b28c | 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995)
    b ^= b >>> 15
  }
  hi[index] = finalizeHash(a ^ text.length)
  lo[index] = finalizeHash(b ^ Math.imul(text.length, 0x27d4eb2f))
}

export function hashAsciiInto(
  bytes: Uint8Array,
  from: number,
  to: number,
  hi: Uint32Array,
  lo: Uint32Array,
  index: number,
): boolean {
  let a = 0x811c9dc5 | 0
  let b = 0x9747b28c | 0
  let combined = 0
  for (let i = from; i < to; i++) {
    const unit = bytes[i]!
    combined |= unit
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995)
    b ^= b >>> 15
  }
  if (combined > 127 || from === to) return false
  hi[index] = finalizeHash(a ^ (to - from))
  lo[index] = finalizeHash(b ^ Math.imul(to - from, 0x27d4eb2f))
  return true
}

const BACKSLASH = 92

/** Hashes JSON text up to the first `stop` byte. Returns its end, or -1 for escapes or non-ASCII bytes. */
export function hashBytesInto(
  bytes: Uint8Array,
  from: number,
  stop: number,
  hi: Uint32Array,
  lo: Uint32Array,
  index: number,
): number {
  let a = 0x811c9dc5 | 0
  let b = 0x9747b28c | 0
  const { length } = bytes
  let at = from
  for (; at < length; at++) {
    const unit = bytes[at]!
    if (unit === stop) break
    if (unit > 127 || unit === BACKSLASH) return -1
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995)
    b ^= b >>> 15
  }
  hi[index] = finalizeHash(a ^ (at - from))
  lo[index] = finalizeHash(b ^ Math.imul(at - from, 0x27d4eb2f))
  return at
}

export const toHex = (hi: number, lo: number): string =>
  (hi >>> 0).toString(16).padStart(8, '0') + (lo >>> 0).toString(16).padStart(8, '0')
export const parseHi = (hex: string): number => Number.parseInt(hex.slice(0, 8), 16)
export const parseLo = (hex: string): number => Number.parseInt(hex.slice(8), 16)

const HASHES_PER_BUCKET = 4
const MAX_BUCKET_BITS = 20
/** Sorting a bucket takes quadratic time, and many rows can have the same value. */
const MAX_BUCKET_HASHES = 48

/** Sorts in place to avoid a second list of a million rows; equal hashes stay in ordinal order. */
export function sortHashes(list: Hashes): Hashes {
  const { length } = list.hi
  const bits = Math.min(MAX_BUCKET_BITS, Math.max(1, Math.ceil(Math.log2(length / HASHES_PER_BUCKET))))
  const ends = distribute(list, 32 - bits)
  for (let bucket = 0, from = 0; bucket < ends.length; bucket++) {
    const to = ends[bucket]!
    if (to - from > MAX_BUCKET_HASHES) sortCrowded(list, from, to)
    else if (to - from > 1) sortBucket(list, from, to)
    from = to
  }
  return list
}

/** Moves hashes to the bucket of their first bits, since they are spread evenly. Returns the end of each bucket. */
function distribute(list: Hashes, shift: number): Uint32Array {
  const { hi } = list
  const ends = new Uint32Array(2 ** (32 - shift))
  for (let i = 0; i < hi.length; i++) ends[hi[i]! >>> shift]!++
  for (let bucket = 0, start = 0; bucket < ends.length; bucket++) {
    const count = ends[bucket]!
    ends[bucket] = start
    start += count
  }
  const targets = new Uint32Array(hi.length)
  for (let i = 0; i < hi.length; i++) targets[i] = ends[hi[i]! >>> shift]!++
  const spare = new Uint32Array(hi.length)
  for (const values of [list.hi, list.lo, list.at]) {
    for (let i = 0; i < values.length; i++) spare[targets[i]!] = values[i]!
    values.set(spare)
  }
  return ends
}

function sortBucket({ hi, lo, at }: Hashes, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const [high, low, ordinal] = [hi[i]!, lo[i]!, at[i]!]
    let target = i
    for (; target > from; target--) {
      const before = target - 1
      if (hi[before]! < high || (hi[before] === high && lo[before]! <= low)) break
      hi[target] = hi[before]!
      lo[target] = lo[before]!
      at[target] = at[before]!
    }
    if (target === i) continue
    hi[target] = high
    lo[target] = low
    at[target] = ordinal
  }
}

function sortCrowded({ hi, lo, at }: Hashes, from: number, to: number): void {
  const order = new Uint32Array(to - from)
  for (let i = 0; i < order.length; i++) order[i] = from + i
  radixSort(order, 0, order.length, hi, lo)
  for (const values of [hi, lo, at])
    values.set(
      order.map((index) => values[index]!),
      from,
    )
}

export function lowerBound(list: Hashes, hi: number, lo: number, from = 0, to = list.hi.length): number {
  let low = from
  let high = to
  while (low < high) {
    const mid = (low + high) >>> 1
    if (list.hi[mid]! < hi || (list.hi[mid] === hi && list.lo[mid]! < lo)) low = mid + 1
    else high = mid
  }
  return low
}

export const HASH_BYTES = 12

export function writeHashes(list: Hashes, out: Buffer, from: number): void {
  for (let i = 0, at = from; i < list.hi.length; i++)
    at = writeUint32(out, writeUint32(out, writeUint32(out, at, list.hi[i]!), list.lo[i]!), list.at[i]!)
}

export function packHashes(list: Hashes): Buffer {
  const out = Buffer.allocUnsafe(list.hi.length * HASH_BYTES)
  writeHashes(list, out, 0)
  return out
}

function writeUint32(out: Buffer, at: number, value: number): number {
  out[at] = value
  out[at + 1] = value >>> 8
  out[at + 2] = value >>> 16
  out[at + 3] = value >>> 24
  return at + 4
}

export function unpackHashes(bytes: Buffer): Hashes {
  const length = Math.floor(bytes.length / HASH_BYTES)
  const aligned = new Uint32Array(length * 3)
  Buffer.from(aligned.buffer).set(bytes.subarray(0, length * HASH_BYTES))
  const list = { hi: new Uint32Array(length), lo: new Uint32Array(length), at: new Uint32Array(length) }
  for (let i = 0; i < length; i++) {
    list.hi[i] = aligned[i * 3]!
    list.lo[i] = aligned[i * 3 + 1]!
    list.at[i] = aligned[i * 3 + 2]!
  }
  return list
}

export function sortedUnion(parts: readonly { hashes: Hashes; rows: number }[]): Hashes {
  let length = 0
  for (const { hashes } of parts) length += hashes.hi.length
  const all = { hi: new Uint32Array(length), lo: new Uint32Array(length), at: new Uint32Array(length) }
  let to = 0
  let firstOrdinal = 0
  for (const { hashes, rows } of parts) {
    all.hi.set(hashes.hi, to)
    all.lo.set(hashes.lo, to)
    for (let i = 0; i < hashes.at.length; i++) all.at[to + i] = hashes.at[i]! + firstOrdinal
    to += hashes.hi.length
    firstOrdinal += rows
  }
  return sortHashes(all)
}

/** One list of several whose ordinals count together. */
export async function joinHashes(lists: HashLists): Promise<Hashes> {
  const parts: Hashes[] = []
  for await (const list of lists) parts.push(list)
  return parts.length === 1 ? parts[0]! : sortedUnion(parts.map((hashes) => ({ hashes, rows: 0 })))
}

/** Undefined texts are skipped; `at` is the index. */
export function hashTexts(texts: readonly (string | undefined)[]): Hashes {
  const at = Uint32Array.from(texts.keys()).filter((i) => texts[i] !== undefined)
  const list = { hi: new Uint32Array(at.length), lo: new Uint32Array(at.length), at }
  at.forEach((index, i) => {
    hashInto(texts[index]!, list.hi, list.lo, i)
  })
  return sortHashes(list)
}

export const noHashes: Hashes = { hi: new Uint32Array(0), lo: new Uint32Array(0), at: new Uint32Array(0) }
