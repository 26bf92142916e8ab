/** Stable sorting of indices by 64-bit keys in two halves, by their digits from the last to the first. Pure. */

/** Below this the digits cost more than comparing. */
const FEW = 24
/** From here on digits of 16 bits pay: half as many rounds, each with a larger table. */
const MANY = 50_000

/** Sorts `order[from..to)`, whose entries are indices into the keys' halves; equal keys keep their order. */
export function radixSort(order: Uint32Array, from: number, to: number, hi: Uint32Array, lo: Uint32Array): void {
  const count = to - from
  if (count < FEW) {
    insertionSort(order, from, to, hi, lo)
    return
  }
  const bits = count < MANY ? 8 : 16
  let source: Uint32Array = order.subarray(from, to)
  let target: Uint32Array = new Uint32Array(count)
  const ends = new Uint32Array(1 << bits)
  for (const half of [lo, hi])
    for (let shift = 0; shift < 32; shift += bits) {
      if (!countDigits(source, half, shift, ends)) continue
      spread(source, target, half, shift, ends)
      ;[source, target] = [target, source]
    }
  if (source.buffer !== order.buffer) order.set(source, from)
}

/** Where each digit's indices begin; false when all have the same digit, and the round can be left out. */
function countDigits(source: Uint32Array, half: Uint32Array, shift: number, starts: Uint32Array): boolean {
  const mask = starts.length - 1
  starts.fill(0)
  for (let i = 0; i < source.length; i++) starts[(half[source[i]!]! >>> shift) & mask]!++
  if (starts[(half[source[0]!]! >>> shift) & mask] === source.length) return false
  for (let digit = 0, sum = 0; digit <= mask; digit++) {
    const own = starts[digit]!
    starts[digit] = sum
    sum += own
  }
  return true
}

function spread(source: Uint32Array, target: Uint32Array, half: Uint32Array, shift: number, starts: Uint32Array): void {
  const mask = starts.length - 1
  for (let i = 0; i < source.length; i++) {
    const index = source[i]!
    target[starts[(half[index]! >>> shift) & mask]!++] = index
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
