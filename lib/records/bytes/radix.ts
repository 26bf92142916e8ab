/** Stable sorting of indices by 64-bit keys in two halves, by their digits from the last to the first. Pure. */

/** Below this the digits cost more than comparing. */
const FEW = 24
/** From here on digits of 16 bits pay: half as many rounds, each with a larger table. */
const MANY = 50_000

/** Indices, and the key of each. */
interface Keyed {
  order: Uint32Array
  keys: Uint32Array
}

/** Sorts `order[from..to)`, whose entries are indices into the keys' halves; equal keys keep their order. */
export function radixSort(order: Uint32Array, from: number, to: number, hi: Uint32Array, lo: Uint32Array): void {
  const count = to - from
  if (count < FEW) {
    insertionSort(order, from, to, hi, lo)
    return
  }
  const bits = count < MANY ? 8 : 16
  let source: Keyed = { order: order.subarray(from, to), keys: new Uint32Array(count) }
  let target: Keyed = { order: new Uint32Array(count), keys: new Uint32Array(count) }
  for (const half of [lo, hi]) {
    // The keys move along with their indices: read by index they would be all over the memory in each round.
    for (let i = 0; i < count; i++) source.keys[i] = half[source.order[i]!]!
    for (const { shift, starts } of digitsOf(source.keys, bits)) {
      spread(source, target, shift, starts)
      ;[source, target] = [target, source]
    }
  }
  if (source.order.buffer !== order.buffer) order.set(source.order, from)
}

/** The digits in which the keys differ, from the last to the first, and where the keys of each begin. */
function digitsOf(keys: Uint32Array, bits: number): { shift: number; starts: Uint32Array }[] {
  const mask = 2 ** bits - 1
  const digits = Array.from({ length: 32 / bits }, (_, i) => ({ shift: i * bits, starts: new Uint32Array(mask + 1) }))
  for (const { shift, starts } of digits) for (let i = 0; i < keys.length; i++) starts[(keys[i]! >>> shift) & mask]!++
  const differ = digits.filter(({ shift, starts }) => starts[(keys[0]! >>> shift) & mask] !== keys.length)
  for (const { starts } of differ)
    for (let digit = 0, sum = 0; digit <= mask; digit++) {
      const own = starts[digit]!
      starts[digit] = sum
      sum += own
    }
  return differ
}

function spread(source: Keyed, target: Keyed, shift: number, starts: Uint32Array): void {
  const mask = starts.length - 1
  const { order, keys } = source
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    const at = starts[(key >>> shift) & mask]!++
    target.order[at] = order[i]!
    target.keys[at] = key
  }
}

function insertionSort(order: Uint32Array, from: number, to: number, hi: Uint32Array, lo: Uint32Array): void {
  for (let i = from + 1; i < to; i++) {
    const index = order[i]!
    const high = hi[index]!
    const low = lo[index]!
    let at = i - 1
    for (; at >= from; at--) {
      const other = order[at]!
      if (hi[other]! < high || (hi[other]! === high && lo[other]! <= low)) break
      order[at + 1] = other
    }
    order[at + 1] = index
  }
}
