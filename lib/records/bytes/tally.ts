/** How often each cell text stands in columns: counted by bytes, a text is made for each value only, not for each cell. Pure. */
const NEWLINE = 10
const FIRST_SLOTS = 1024
/** Differs by process, so that nobody can write a file whose values all meet in one slot. */
const SEED = Math.trunc(Math.random() * 0x7fffffff)

export interface Tally {
  /** By hash: the number of a value plus one; 0 is free. Their count is a power of two. */
  slots: Int32Array
  hashes: Int32Array
  counts: Float64Array
  /** The bytes of value `i` stand in `bytes` from `ends[i - 1]` to `ends[i]`. */
  ends: Float64Array
  bytes: Buffer
  values: number
}

export const newTally = (): Tally => ({
  slots: new Int32Array(FIRST_SLOTS),
  hashes: new Int32Array(FIRST_SLOTS),
  counts: new Float64Array(FIRST_SLOTS),
  ends: new Float64Array(FIRST_SLOTS),
  bytes: Buffer.allocUnsafe(FIRST_SLOTS * 16),
  values: 0,
})

const stepped = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** The low bits choose a slot: all bits are to have a say in them. */
function mixed(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}

/** Counts one cell more by its JSON text. */
export function tallyText(tally: Tally, text: string): void {
  const bytes = Buffer.from(text)
  let hash = SEED
  for (const byte of bytes) hash = stepped(hash, byte)
  count(tally, bytes, 0, bytes.length, mixed(hash))
}

/**
 * Counts the cells of a column's text, see columns.ts, in one pass over its bytes.
 * @param counted 1 for rows whose cells count; all unless told
 */
export function tallyColumn(tally: Tally, raw: Buffer, counted?: Uint8Array): void {
  const { length } = raw
  let from = 0
  for (let row = 0; from <= length; row++) {
    let hash = SEED
    let next = SEED
    let at = from
    // One byte behind: the last before a newline is the comma between cells.
    for (; at < length; at++) {
      const byte = raw[at]!
      if (byte === NEWLINE) break
      hash = next
      next = stepped(next, byte)
    }
    const last = at === length
    if (!counted || counted[row] === 1) count(tally, raw, from, last ? at : at - 1, mixed(last ? next : hash))
    from = at + 1
  }
}

function count(tally: Tally, bytes: Buffer, from: number, to: number, hash: number): void {
  const mask = tally.slots.length - 1
  let slot = hash & mask
  for (;;) {
    const value = tally.slots[slot]! - 1
    if (value < 0) break
    if (tally.hashes[value] === hash && isValue(tally, value, bytes, from, to)) {
      tally.counts[value]!++
      return
    }
    slot = (slot + 1) & mask
  }
  addValue(tally, bytes, from, to, hash, slot)
}

function isValue({ ends, bytes }: Tally, value: number, other: Buffer, from: number, to: number): boolean {
  const start = value === 0 ? 0 : ends[value - 1]!
  const length = to - from
  if (ends[value]! - start !== length) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== other[from + i]) return false
  return true
}

function addValue(tally: Tally, bytes: Buffer, from: number, to: number, hash: number, slot: number): void {
  const value = tally.values++
  const start = value === 0 ? 0 : tally.ends[value - 1]!
  const end = start + to - from
  if (end > tally.bytes.length) {
    const grown = Buffer.allocUnsafe(end * 2)
    tally.bytes.copy(grown, 0, 0, start)
    tally.bytes = grown
  }
  bytes.copy(tally.bytes, start, from, to)
  tally.ends[value] = end
  tally.hashes[value] = hash
  tally.counts[value] = 1
  tally.slots[slot] = value + 1
  if (tally.values * 2 > tally.slots.length) grow(tally)
}

/** Twice the slots: at most half are taken, so that a search for one is short. */
function grow(tally: Tally): void {
  const size = tally.slots.length * 2
  const slots = new Int32Array(size)
  for (let value = 0; value < tally.values; value++) {
    let slot = tally.hashes[value]! & (size - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1)
    slots[slot] = value + 1
  }
  const larger = <T extends Int32Array | Float64Array>(made: T, values: T): T => {
    made.set(values)
    return made
  }
  tally.slots = slots
  tally.hashes = larger(new Int32Array(size), tally.hashes)
  tally.counts = larger(new Float64Array(size), tally.counts)
  tally.ends = larger(new Float64Array(size), tally.ends)
}

/** The cell texts counted, in the order they were first met, with how often. */
export function* tallied({ values, bytes, ends, counts }: Tally): Generator<{ text: string; count: number }> {
  for (let value = 0, start = 0; value < values; value++) {
    yield { text: bytes.toString('utf8', start, ends[value]), count: counts[value]! }
    start = ends[value]!
  }
}
