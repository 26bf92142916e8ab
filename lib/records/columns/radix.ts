/** Stable radix sort of indices by 64-bit keys in two halves. */

const MIN_RADIX_COUNT = 24
const MIN_WIDE_COUNT = 50_000

interface KeyedIndices {
  order: Uint32Array
  keys: Uint32Array
}

export function radixSort(order: Uint32Array, from: number, to: number, hi: Uint32Array, lo: Uint32Array): void {
  const count = to - from
  if (count < MIN_RADIX_COUNT) {
    insertionSort(order, from, to, hi, lo)
    return
  }
  const bits = count < MIN_WIDE_COUNT ? 8 : 16
  let source: KeyedIndices = { order: order.subarray(from, to), keys: new Uint32Array(count) }
  let target: KeyedIndices = { order: new Uint32Array(count), keys: new Uint32Array(count) }
  for (const half of [lo, hi]) {
    // Keys move along with their indices; reading them by index would be random memory access.
    for (let i = 0; i < count; i++) source.keys[i] = half[source.order[i]!]!
    for (const { shift, starts } of computeDigits(source.keys, bits)) {
      distribute(source, target, shift, starts)
      ;[source, target] = [target, source]
    }
  }
  if (source.order.buffer !== order.buffer) order.set(source.order, from)
}

function computeDigits(keys: Uint32Array, bits: number): { shift: number; starts: Uint32Array }[] {
  const mask = 2 ** bits - 1
  const digits = Array.from({ length: 32 / bits }, (_, i) => ({ shift: i * bits, starts: new Uint32Array(mask + 1) }))
  for (const { shift, starts } of digits) for (let i = 0; i < keys.length; i++) starts[(keys[i]! >>> shift) & mask]!++
  const differing = digits.filter(({ shift, starts }) => starts[(keys[0]! >>> shift) & mask] !== keys.length)
  for (const { starts } of differing)
    for (let digit = 0, sum = 0; digit <= mask; digit++) {
      const keyCount = starts[digit]!
      starts[digit] = sum
      sum += keyCount
    }
  return differing
}

function distribute(source: KeyedIndices, target: KeyedIndices, shift: number, starts: Uint32Array): void {
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
