/** Intersects sorted hash lists. Results are cached, so after a small change only the changed hashes are compared. */
import { type Hashes, lowerBound, sortHashes } from './hash.ts'
import { getOrInsert } from './maps.ts'

type OnMatch = (from: number, to: number, first: number, last: number) => void

/** Walks two sorted lists with galloping search, so the cost is close to the length of the shorter one. */
export function intersectSorted(a: Hashes, b: Hashes, onMatch: OnMatch): void {
  for (let i = 0, j = 0; i < a.hi.length && j < b.hi.length; ) {
    const order = a.hi[i]! - b.hi[j]! || a.lo[i]! - b.lo[j]!
    if (order < 0) i = gallop(a, i, b.hi[j]!, b.lo[j]!)
    else if (order > 0) j = gallop(b, j, a.hi[i]!, a.lo[i]!)
    else {
      const to = findGroupEnd(a, i)
      const last = findGroupEnd(b, j)
      onMatch(i, to, j, last)
      i = to
      j = last
    }
  }
}

function gallop(list: Hashes, from: number, hi: number, lo: number): number {
  let low = from + 1
  for (let step = 1; ; step *= 2) {
    const at = low + step - 1
    if (at >= list.hi.length) return lowerBound(list, hi, lo, low)
    if (list.hi[at]! > hi || (list.hi[at] === hi && list.lo[at]! >= lo)) return lowerBound(list, hi, lo, low, at)
    low = at + 1
  }
}

function findGroupEnd({ hi, lo }: Hashes, from: number): number {
  let end = from + 1
  while (end < hi.length && hi[end] === hi[from] && lo[end] === lo[from]) end++
  return end
}

const MAX_LIST_COMPARISONS = 256

/** For each list a byte per entry: 1 when no other list has its hash. */
export function markAbsent(lists: readonly Hashes[], others: readonly Hashes[]): Uint8Array[] {
  const comparedLists = lists.length * others.length > MAX_LIST_COMPARISONS ? [mergeHashLists(others)] : others
  return lists.map((list) => {
    const absent = new Uint8Array(list.hi.length).fill(1)
    for (const other of comparedLists) intersectSorted(list, other, (from, to) => absent.fill(0, from, to))
    return absent
  })
}

function mergeHashLists(lists: readonly Hashes[]): Hashes {
  const concat = (part: 'hi' | 'lo' | 'at'): Uint32Array => {
    const all = new Uint32Array(lists.reduce((sum, { hi }) => sum + hi.length, 0))
    let to = 0
    for (const list of lists) {
      all.set(list[part], to)
      to += list.hi.length
    }
    return all
  }
  return sortHashes({ hi: concat('hi'), lo: concat('lo'), at: concat('at') })
}

interface CachedResult {
  others: readonly Hashes[]
  absent: Uint8Array
}
const resultCache = new WeakMap<Hashes, CachedResult>()

export function markAbsentCached(
  lists: readonly Hashes[],
  others: readonly Hashes[],
): { absent: Uint8Array[]; recomputed: number } {
  const uncached: Hashes[] = []
  const changes = new Map<readonly Hashes[], Hashes | null>()
  for (const list of lists) {
    const cached = resultCache.get(list)
    const changed = cached && getOrInsert(changes, cached.others, () => diffHashLists(cached.others, others))
    if (!changed) uncached.push(list)
    else resultCache.set(list, { others, absent: updateAbsent(list, cached.absent, changed, others) })
  }
  markAbsent(uncached, others).forEach((absent, i) => {
    resultCache.set(uncached[i]!, { others, absent })
  })
  return {
    absent: lists.map((list) => resultCache.get(list)!.absent),
    recomputed: uncached.reduce((sum, { hi }) => sum + hi.length, 0),
  }
}

const MAX_CHANGED_LISTS = 16

function diffHashLists(before: readonly Hashes[], after: readonly Hashes[]): Hashes | null {
  const [beforeSet, afterSet] = [new Set(before), new Set(after)]
  const removedLists = before.filter((list) => !afterSet.has(list))
  const addedLists = after.filter((list) => !beforeSet.has(list))
  if (removedLists.length + addedLists.length > MAX_CHANGED_LISTS) return null
  const [removedHashes, addedHashes] = [mergeHashLists(removedLists), mergeHashLists(addedLists)]
  const [removedMarks, addedMarks] = [
    markAbsent([removedHashes], [addedHashes])[0]!,
    markAbsent([addedHashes], [removedHashes])[0]!,
  ]
  return mergeHashLists([selectMarked(removedHashes, removedMarks), selectMarked(addedHashes, addedMarks)])
}

function selectMarked(list: Hashes, marked: Uint8Array): Hashes {
  const filterMarked = (values: Uint32Array): Uint32Array => values.filter((_, i) => marked[i] === 1)
  return { hi: filterMarked(list.hi), lo: filterMarked(list.lo), at: filterMarked(list.at) }
}

function updateAbsent(list: Hashes, absent: Uint8Array, changed: Hashes, others: readonly Hashes[]): Uint8Array {
  const touched = new Uint8Array(list.hi.length)
  let hasMatch = false
  intersectSorted(list, changed, (from, to) => {
    touched.fill(1, from, to)
    hasMatch = true
  })
  if (!hasMatch) return absent
  const [rechecked] = markAbsent([selectMarked(list, touched)], others)
  const updated = absent.slice()
  for (let i = touched.indexOf(1), j = 0; i >= 0; i = touched.indexOf(1, i + 1)) updated[i] = rechecked![j++]!
  return updated
}
