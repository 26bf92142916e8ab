/** Bounds of a later page of sorted records, from samples of each part. Pure. */
import { type Bound, compareReceived, isCut, type Received, receiveKey, type Sort } from './sort-keys.ts'
import type { SortedPart } from './sort-part.ts'

export interface PageRange {
  first: number
  size: number
}

interface Sample extends Received {
  index: number
}

/** A cut key does not decide an order, so it is not a bound. */
export const receiveSamples = (parts: readonly SortedPart[], every: number): Sample[] =>
  parts.flatMap(({ rows }, part) =>
    rows.flatMap(([segment, row, key], i) =>
      isCut(key) ? [] : [{ part, segment, row, key, value: receiveKey(key), index: i * every }],
    ),
  )

/** The closest samples around the page, by the least and the most records that can precede a sample. */
export function findBounds(
  samples: Sample[],
  parts: readonly SortedPart[],
  { direction }: Sort,
  { first, size }: PageRange,
): { from?: Bound; to?: Bound } {
  const indices = parts.map(({ total }, part) => [
    ...samples.flatMap((sample) => (sample.part === part ? [sample.index] : [])),
    total,
  ])
  const passed = parts.map(() => 0)
  let [least, most] = [0, indices.reduce((sum, [index]) => sum + index!, 0)]
  let bounds: { from?: Bound } = {}
  for (const { index, value: _, ...bound } of samples.sort(compareReceived(direction))) {
    if (most <= first) bounds = { from: bound }
    if (least >= first + size) return { ...bounds, to: bound }
    const { part } = bound
    const at = passed[part]!++
    least += index - (at === 0 ? -1 : indices[part]![at - 1]!)
    most += indices[part]![at + 1]! - index
  }
  return bounds
}
