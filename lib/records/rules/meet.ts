/**
 * Compares sorted lists of hashes: which entries of some have no equal in others. What was found of a list is remembered as
 * long as it lives; when few of the others change, only the hashes that came or went are looked at. Pure.
 */
import { type Hashes, lowerBound, sortHashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'

/** Entries [from, to) of one list and [first, last) of the other have the same hash. */
type Meet = (from: number, to: number, first: number, last: number) => void

/** Walks two sorted lists, leaping in the one that is behind: costs little more than the shorter one. */
export function meetHashes(a: Hashes, b: Hashes, meet: Meet): void {
  for (let i = 0, j = 0; i < a.hi.length && j < b.hi.length; ) {
    const order = a.hi[i]! - b.hi[j]! || a.lo[i]! - b.lo[j]!
    if (order < 0) i = leap(a, i, b.hi[j]!, b.lo[j]!)
    else if (order > 0) j = leap(b, j, a.hi[i]!, a.lo[i]!)
    else {
      const to = groupEnd(a, i)
      const last = groupEnd(b, j)
      meet(i, to, j, last)
      i = to
      j = last
    }
  }
}

/** First index after `from` whose hash is not below; steps double, since it is mostly near. */
function leap(list: Hashes, from: number, hi: number, lo: number): number {
  let low = from + 1
  for (let step = 1; ; step *= 2) {
    const at = low + step - 1
    if (at >= list.hi.length) return lowerBound(list, hi, lo, low)
    if (list.hi[at]! > hi || (list.hi[at] === hi && list.lo[at]! >= lo)) return lowerBound(list, hi, lo, low, at)
    low = at + 1
  }
}

/** Where the entries of the hash at `from` end. */
function groupEnd({ hi, lo }: Hashes, from: number): number {
  let end = from + 1
  while (end < hi.length && hi[end] === hi[from] && lo[end] === lo[from]) end++
  return end
}

/** Above this many comparisons of lists, lists are joined into one first. */
const MANY_MEETINGS = 256

/** By entry of each list: 1 when no other list has its hash. */
export function absentFrom(lists: readonly Hashes[], others: readonly Hashes[]): Uint8Array[] {
  const few = lists.length * others.length > MANY_MEETINGS ? [joinedHashes(others)] : others
  return lists.map((list) => {
    const absent = new Uint8Array(list.hi.length).fill(1)
    for (const other of few) meetHashes(list, other, (from, to) => absent.fill(0, from, to))
    return absent
  })
}

function joinedHashes(lists: readonly Hashes[]): Hashes {
  const join = (part: 'hi' | 'lo' | 'at'): Uint32Array => {
    const all = new Uint32Array(lists.reduce((sum, { hi }) => sum + hi.length, 0))
    let to = 0
    for (const list of lists) {
      all.set(list[part], to)
      to += list.hi.length
    }
    return all
  }
  return sortHashes({ hi: join('hi'), lo: join('lo'), at: join('at') })
}

interface Verdict {
  others: readonly Hashes[]
  /** By entry: 1 when none of the others has its hash. */
  absent: Uint8Array
}
const verdicts = new WeakMap<Hashes, Verdict>()

/** As `absentFrom`, from what is known already; `anew` counts the entries that were judged from nothing. */
export function judged(lists: readonly Hashes[], others: readonly Hashes[]): { absent: Uint8Array[]; anew: number } {
  const unknown: Hashes[] = []
  const changes = new Map<readonly Hashes[], Hashes | null>()
  for (const list of lists) {
    const known = verdicts.get(list)
    const changed = known && getOrMake(changes, known.others, () => changedHashes(known.others, others))
    if (!changed) unknown.push(list)
    else verdicts.set(list, { others, absent: amended(list, known.absent, changed, others) })
  }
  absentFrom(unknown, others).forEach((absent, i) => {
    verdicts.set(unknown[i]!, { others, absent })
  })
  return {
    absent: lists.map((list) => verdicts.get(list)!.absent),
    anew: unknown.reduce((sum, { hi }) => sum + hi.length, 0),
  }
}

/** Above this many changed lists, judging from nothing is as fast. */
const MANY_CHANGED = 16

/** The hashes that one set of lists has and another has not; null when they differ too much to say. */
function changedHashes(before: readonly Hashes[], after: readonly Hashes[]): Hashes | null {
  const [old, now] = [new Set(before), new Set(after)]
  const gone = before.filter((list) => !now.has(list))
  const come = after.filter((list) => !old.has(list))
  if (gone.length + come.length > MANY_CHANGED) return null
  const [lost, added] = [joinedHashes(gone), joinedHashes(come)]
  const [onlyLost, onlyAdded] = [absentFrom([lost], [added])[0]!, absentFrom([added], [lost])[0]!]
  return joinedHashes([picked(lost, onlyLost), picked(added, onlyAdded)])
}

/** The marked entries of a list. */
function picked(list: Hashes, marked: Uint8Array): Hashes {
  const pick = (values: Uint32Array): Uint32Array => values.filter((_, i) => marked[i] === 1)
  return { hi: pick(list.hi), lo: pick(list.lo), at: pick(list.at) }
}

/** What holds of a list once these hashes came to the others or went from them. */
function amended(list: Hashes, absent: Uint8Array, changed: Hashes, others: readonly Hashes[]): Uint8Array {
  const touched = new Uint8Array(list.hi.length)
  let any = false
  meetHashes(list, changed, (from, to) => {
    touched.fill(1, from, to)
    any = true
  })
  if (!any) return absent
  const [again] = absentFrom([picked(list, touched)], others)
  const out = absent.slice()
  for (let i = touched.indexOf(1), j = 0; i >= 0; i = touched.indexOf(1, i + 1)) out[i] = again![j++]!
  return out
}
