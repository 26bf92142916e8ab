/** Counts the distinct cell texts of columns by their bytes; only distinct values are decoded. */
import { type PlainNumbers, samplePlainNumber } from './plain-numbers.ts'

const NEWLINE = 10
const INITIAL_SLOTS = 1024
/** Random per process, so that no file can be crafted whose values all collide. */
const SEED = Math.trunc(Math.random() * 0x7fffffff)

export interface ValueCounts {
  /** Hash table: value index + 1, or 0 if free. The size is a power of two. */
  slots: Int32Array
  hashes: Int32Array
  counts: Float64Array
  /** Value `i` is `bytes` from `ends[i - 1]` to `ends[i]`. */
  ends: Float64Array
  bytes: Buffer
  values: number
}

export const createValueCounts = (): ValueCounts => ({
  slots: new Int32Array(INITIAL_SLOTS),
  hashes: new Int32Array(INITIAL_SLOTS),
  counts: new Float64Array(INITIAL_SLOTS),
  ends: new Float64Array(INITIAL_SLOTS),
  bytes: Buffer.allocUnsafe(INITIAL_SLOTS * 16),
  values: 0,
})

const updateHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** The slot is taken from the low bits, so every bit has to affect them. */
function finalizeHash(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}

export function countText(valueCounts: ValueCounts, text: string): void {
  const bytes = Buffer.from(text)
  let hash = SEED
  for (const byte of bytes) hash = updateHash(hash, byte)
  incrementCount(valueCounts, bytes, 0, bytes.length, finalizeHash(hash))
}

/** @param numbers plain numbers are sampled there instead of being counted */
export function countColumn(
  valueCounts: ValueCounts,
  raw: Buffer,
  includedRows?: Uint8Array,
  numbers?: PlainNumbers,
): void {
  const { length } = raw
  let from = 0
  for (let row = 0; from <= length; row++) {
    const isIncluded = !includedRows || includedRows[row] === 1
    const next = numbers ? samplePlainNumber(numbers, raw, from, isIncluded) : -1
    if (next >= 0) {
      from = next
      continue
    }
    let hash = SEED
    let nextHash = SEED
    let at = from
    // One byte behind: the last byte before a newline is the comma between cells.
    for (; at < length; at++) {
      const byte = raw[at]!
      if (byte === NEWLINE) break
      hash = nextHash
      nextHash = updateHash(nextHash, byte)
    }
    const isLast = at === length
    if (isIncluded) incrementCount(valueCounts, raw, from, isLast ? at : at - 1, finalizeHash(isLast ? nextHash : hash))
    from = at + 1
  }
}

function incrementCount(valueCounts: ValueCounts, bytes: Buffer, from: number, to: number, hash: number): void {
  const mask = valueCounts.slots.length - 1
  let slot = hash & mask
  for (;;) {
    const value = valueCounts.slots[slot]! - 1
    if (value < 0) break
    if (valueCounts.hashes[value] === hash && equalsValue(valueCounts, value, bytes, from, to)) {
      valueCounts.counts[value]!++
      return
    }
    slot = (slot + 1) & mask
  }
  addValue(valueCounts, bytes, from, to, hash, slot)
}

function equalsValue({ ends, bytes }: ValueCounts, value: number, other: Buffer, from: number, to: number): boolean {
  const start = value === 0 ? 0 : ends[value - 1]!
  const length = to - from
  if (ends[value]! - start !== length) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== other[from + i]) return false
  return true
}

function addValue(valueCounts: ValueCounts, bytes: Buffer, from: number, to: number, hash: number, slot: number): void {
  const value = valueCounts.values++
  const start = value === 0 ? 0 : valueCounts.ends[value - 1]!
  const end = start + to - from
  if (end > valueCounts.bytes.length) {
    const grown = Buffer.allocUnsafe(end * 2)
    valueCounts.bytes.copy(grown, 0, 0, start)
    valueCounts.bytes = grown
  }
  bytes.copy(valueCounts.bytes, start, from, to)
  valueCounts.ends[value] = end
  valueCounts.hashes[value] = hash
  valueCounts.counts[value] = 1
  valueCounts.slots[slot] = value + 1
  if (valueCounts.values * 2 > valueCounts.slots.length) growSlots(valueCounts)
}

function growSlots(valueCounts: ValueCounts): void {
  const size = valueCounts.slots.length * 2
  const slots = new Int32Array(size)
  for (let value = 0; value < valueCounts.values; value++) {
    let slot = valueCounts.hashes[value]! & (size - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1)
    slots[slot] = value + 1
  }
  const enlarge = <T extends Int32Array | Float64Array>(target: T, values: T): T => {
    target.set(values)
    return target
  }
  valueCounts.slots = slots
  valueCounts.hashes = enlarge(new Int32Array(size), valueCounts.hashes)
  valueCounts.counts = enlarge(new Float64Array(size), valueCounts.counts)
  valueCounts.ends = enlarge(new Float64Array(size), valueCounts.ends)
}

export type FinishedCounts = Pick<ValueCounts, 'bytes' | 'ends' | 'counts' | 'values'>

export function* listValueCounts(valueCounts: FinishedCounts): Generator<{ text: string; count: number }> {
  for (let value = 0; value < valueCounts.values; value++) yield getValueCount(valueCounts, value)
}

export function getValueCount({ bytes, ends, counts }: FinishedCounts, value: number): { text: string; count: number } {
  return { text: bytes.toString('utf8', value === 0 ? 0 : ends[value - 1], ends[value]), count: counts[value]! }
}

/** The bytes of a text without its quotes. The object is reused for the next one. */
export interface PlainText {
  bytes: Uint8Array
  from: number
  to: number
}

const QUOTE = 34
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte > 31 && byte < 127 && byte !== 92 ? 1 : 0))

export function scanPlainTexts(
  { bytes, ends, values }: ValueCounts,
  visit: (value: number, plainText: PlainText | undefined) => void,
): void {
  const plainText: PlainText = { bytes, from: 0, to: 0 }
  for (let value = 0, start = 0; value < values; value++) {
    const end = ends[value]!
    plainText.from = start + 1
    plainText.to = end - 1
    visit(value, bytes[start] === QUOTE && isPlain(bytes, start, end) ? plainText : undefined)
    start = end
  }
}

function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (IS_PLAIN[bytes[at]!] === 0) return false
  return true
}
