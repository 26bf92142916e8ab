/** Finds the distinct values of a column, if a dictionary of them makes it half as large or smaller. */
import { equalsBytes } from '../../../records/index.ts'

export interface Dictionary {
  bytes: Buffer
  count: number
  indexes: Uint32Array
}

interface PlainValues {
  bytes: Buffer
  length: number
  count: number
}

const SAMPLED_VALUES = 1000
const MAX_SAMPLED_SHARE = 0.9

/** Reused: allocating them for each column of each group takes as long as filling them. */
let scratch = { table: new Uint32Array(0), starts: new Uint32Array(0), distinct: Buffer.alloc(0) }

function getScratch(count: number, size: number) {
  const slots = 2 << Math.ceil(Math.log2(count + 1))
  if (scratch.table.length === slots) scratch.table.fill(0)
  else scratch = { ...scratch, table: new Uint32Array(slots), starts: new Uint32Array(slots >>> 1) }
  if (scratch.distinct.length < size) scratch.distinct = Buffer.allocUnsafe(size)
  return scratch
}

/** Valid until the next call. @param width bytes of a value; undefined for values with their length in front */
export function buildDictionary(
  { bytes, length, count }: PlainValues,
  width: number | undefined,
): Dictionary | undefined {
  if (count === 0) return undefined
  const maxSize = length >>> 1
  const { table, starts, distinct } = getScratch(count, maxSize)
  const indexes = new Uint32Array(count)
  const mask = table.length - 1
  let [found, size, at] = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const next = at + (width ?? 4 + bytes.readUInt32LE(at))
    let slot = hashRange(bytes, at, next) & mask
    for (let entry = table[slot]!; entry > 0; entry = table[slot]!) {
      const start = starts[entry - 1]!
      if (equalsBytes(distinct, start, start + next - at, bytes, at, next)) break
      slot = (slot + 1) & mask
    }
    if (table[slot] === 0) {
      if (size + next - at > maxSize) return undefined
      starts[found] = size
      size += bytes.copy(distinct, size, at, next)
      table[slot] = ++found
    }
    indexes[i] = table[slot]! - 1
    at = next
    if (i === SAMPLED_VALUES && size > at * MAX_SAMPLED_SHARE) return undefined
  }
  const indexBytes = (count * Math.ceil(Math.log2(found))) / 8
  return 2 * (size + indexBytes) > length ? undefined : { bytes: distinct.subarray(0, size), count: found, indexes }
}

function hashRange(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash ^ (hash >>> 15)
}
