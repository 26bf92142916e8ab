/**
 * Which rows share their value under a uniqueness rule. Exact at every commit: a guarded entry says which rows it flags and
 * which it clears, and is appended only if no other such entry came in between.
 *
 * What a rule knows of all rows: runs of sorted 64-bit hashes (12 bytes a row, one run an import), the texts of tiny
 * segments that stand in the log, and the hashes of edited rows over both. A value is found in a large run by one read of a
 * 48 KB block; an import is compared with the existing rows by merging sorted lists.
 */
import { hasBit } from '../bytes/bits.ts'
import { CHUNK_HEADER } from '../bytes/chunk.ts'
import { parseCells, splitColumn } from '../bytes/columns.ts'
import { HASH_BYTES, type Hashes, hashInto, hiOf, loOf, lowerBound, sortHashes, unpackHashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { Coordinate } from '../log/ids.ts'
import {
  type HashRun,
  isLive,
  noIndex,
  type Place,
  placeOf,
  type Run,
  type State,
  type UniqueIndex,
} from '../log/state.ts'
import { getChunks, readStored, type Store, spanOf } from '../log/store.ts'
import { type SheetRules, type UniqueRule, uniqueText } from './rules.ts'

/** Entries between samples of a run. */
export const BLOCK = 4096
/** Above this many values a whole run is read rather than blocks of it. */
const FEW = 48

/** Values that come (rows added, or their new value) and go (old values of flagged rows) under one rule. */
export interface UniqueChange {
  /** Sorted; `at` is any ordinal of the caller. */
  added: Hashes
  /** Sorted; `at` is not used. */
  lost: Hashes
  /** Rows whose value this write changes: what the state knows of them no longer counts. */
  changed: (at: Coordinate) => boolean
}

export interface UniqueOutcome {
  /** Ordinals of added values that are not alone. */
  shared: number[]
  /** Other rows that get or lose their flag. */
  flagged: Coordinate[]
  cleared: Coordinate[]
  /** What it rests on: the values asked for, and the rows found to have them. */
  asked: Hashes
  found: Coordinate[]
}

export const noHashes: Hashes = { hi: new Uint32Array(0), lo: new Uint32Array(0), at: new Uint32Array(0) }

/** Works out what a change of values does to the flags of a rule. */
export async function uniqueOutcome(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  change: UniqueChange,
): Promise<UniqueOutcome> {
  const needles = groupsOf(change)
  const members = await membersOf(store, state, rules, rule, needles, change.changed)
  const found = members.flatMap((group) => group.map(({ at }) => at))
  const outcome: UniqueOutcome = { shared: [], flagged: [], cleared: [], asked: needles.list, found }
  for (let group = 0; group < needles.starts.length - 1; group++) {
    // Nearly every value is alone: an import has one group a row.
    if (needles.starts[group + 1]! - needles.starts[group]! === 1 && !members[group]) continue
    const added: number[] = []
    for (let i = needles.starts[group]!; i < needles.starts[group + 1]!; i++)
      if (needles.list.at[i]! !== LOST) added.push(needles.list.at[i]!)
    const others = members[group] ?? []
    const shared = added.length + others.length > 1
    if (shared) for (const at of added) outcome.shared.push(at)
    for (const other of others) {
      // Two or more of the others are flagged already: they shared the value before.
      const flagged = hasBit(other.place.segment.flags.get(rule.id), other.place.row)
      if (shared && !flagged) outcome.flagged.push(other.at)
      if (!shared && flagged) outcome.cleared.push(other.at)
    }
  }
  return outcome
}

const LOST = 0xffffffff

/** Distinct hashes and where each one's entries start. */
interface Needles {
  list: Hashes
  /** Ends with where all end. */
  starts: Uint32Array
}

function groupsOf({ added, lost }: UniqueChange): Needles {
  const list = lost.hi.length ? sortHashes(joined(added, { ...lost, at: lost.at.map(() => LOST) })) : added
  const { length } = list.hi
  const starts = new Uint32Array(length + 1)
  let groups = 0
  for (let i = 0; i < length; i++)
    if (i === 0 || list.hi[i] !== list.hi[i - 1] || list.lo[i] !== list.lo[i - 1]) starts[groups++] = i
  starts[groups++] = length
  return { list, starts: starts.subarray(0, groups) }
}

function joined(a: Hashes, b: Hashes): Hashes {
  const join = (x: Uint32Array, y: Uint32Array): Uint32Array => {
    const both = new Uint32Array(x.length + y.length)
    both.set(x)
    both.set(y, x.length)
    return both
  }
  return { hi: join(a.hi, b.hi), lo: join(a.lo, b.lo), at: join(a.at, b.at) }
}

/** Hashes of several lists with ordinals shifted so that they count through; sorted. */
export function sortedUnion(parts: readonly { hashes: Hashes; rows: number }[]): Hashes {
  let length = 0
  for (const { hashes } of parts) length += hashes.hi.length
  const all = { hi: new Uint32Array(length), lo: new Uint32Array(length), at: new Uint32Array(length) }
  let to = 0
  let first = 0
  for (const { hashes, rows } of parts) {
    all.hi.set(hashes.hi, to)
    all.lo.set(hashes.lo, to)
    for (let i = 0; i < hashes.at.length; i++) all.at[to + i] = hashes.at[i]! + first
    to += hashes.hi.length
    first += rows
  }
  return sortHashes(all)
}

/** Hashes of texts; `at` is the index. Texts that are undefined take no part. Sorted. */
export function hashesOf(texts: readonly (string | undefined)[]): Hashes {
  const at = Uint32Array.from(texts.keys()).filter((i) => texts[i] !== undefined)
  const list = { hi: new Uint32Array(at.length), lo: new Uint32Array(at.length), at }
  at.forEach((index, i) => {
    hashInto(texts[index]!, list.hi, list.lo, i)
  })
  return sortHashes(list)
}

interface Member {
  at: Coordinate
  place: Place
}
/** Up to two live rows by group. */
type Members = Member[][]

async function membersOf(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  needles: Needles,
  changed: (at: Coordinate) => boolean,
): Promise<Members> {
  const members: Members = []
  const index = state.unique.get(rule.id) ?? noIndex
  const meet = (group: number, at: Coordinate): void => {
    members[group] ??= []
    const list = members[group]
    if (list.length > 1 || changed(at)) return
    const place = placeOf(state, at)
    if (place && isLive(place.segment, place.row)) list.push({ at, place })
  }
  if (needles.starts.length > 1) {
    for (const run of index.runs.values()) await searchRun(store, index, run, needles, meet)
    searchInline(state, rules, rule, index, needles, meet)
    searchEdited(index, needles, meet)
  }
  return members
}

type Meet = (group: number, at: Coordinate) => void

async function searchRun(store: Store, index: UniqueIndex, run: HashRun, needles: Needles, meet: Meet): Promise<void> {
  const locate = locator(run.segments)
  const hit = (group: number, ordinal: number): void => {
    const at = locate(ordinal)
    if (index.owner.get(at.key) === run.id && !index.edited.get(at.key)?.has(at.row)) meet(group, at)
  }
  const groups = needles.starts.length - 1
  if (run.samples && groups <= FEW) {
    const his = Array.from({ length: groups }, (_, group) => needles.list.hi[needles.starts[group]!]!)
    const blocks = await readBlocks(run, his)
    for (const [group, block] of blocks.entries()) matchGroup(block, needles, group, hit)
    return
  }
  const whole = await readRun(store, run)
  if (groups <= FEW) for (let group = 0; group < groups; group++) matchGroup(whole, needles, group, hit)
  else mergeGroups(whole, needles, hit)
}

function matchGroup(list: Hashes, needles: Needles, group: number, hit: (group: number, at: number) => void): void {
  const start = needles.starts[group]!
  const hi = needles.list.hi[start]!
  const lo = needles.list.lo[start]!
  for (let i = lowerBound(list, hi, lo); list.hi[i] === hi && list.lo[i] === lo; i++) hit(group, list.at[i]!)
}

/** Both lists are sorted: one walk over them. */
function mergeGroups(list: Hashes, needles: Needles, hit: (group: number, at: number) => void): void {
  let i = 0
  for (let group = 0; group < needles.starts.length - 1; group++) {
    const hi = needles.list.hi[needles.starts[group]!]!
    const lo = needles.list.lo[needles.starts[group]!]!
    while (i < list.hi.length && (list.hi[i]! < hi || (list.hi[i] === hi && list.lo[i]! < lo))) i++
    for (; list.hi[i] === hi && list.lo[i] === lo; i++) hit(group, list.at[i]!)
  }
}

/** A run at hand is unpacked once. */
const unpackedRuns = new WeakMap<Buffer, Hashes>()

export async function readRun(store: Store, run: HashRun): Promise<Hashes> {
  const [raw] = await getChunks(store, [{ blob: run.blob, index: run.blob.names.indexOf(run.chunk) }])
  const hashes = unpackedRuns.get(raw!) ?? unpackHashes(raw!)
  unpackedRuns.set(raw!, hashes)
  return hashes
}

/** The parts of a large run that hold all entries of these high halves. */
async function readBlocks(run: HashRun, his: readonly number[]): Promise<Hashes[]> {
  const { start } = spanOf({ blob: run.blob, index: run.blob.names.indexOf(run.chunk) })
  const spans = his.map((hi) => {
    const { from, to } = blockOf(run, hi)
    const data = start + CHUNK_HEADER
    return { blob: run.blob, start: data + from * HASH_BYTES, end: data + to * HASH_BYTES }
  })
  return (await readStored(spans)).map(unpackHashes)
}

function blockOf(run: HashRun, hi: number): { from: number; to: number } {
  const samples = run.samples!
  let first = 0
  while (first < samples.length && samples[first]! < hi) first++
  let last = first
  while (last < samples.length && samples[last]! <= hi) last++
  return { from: Math.max(0, first - 1) * BLOCK, to: Math.min(run.length, Math.max(1, last) * BLOCK) }
}

/** The high half of every BLOCK-th hash; null for a run of one block. */
export function samplesFor(list: Hashes): Uint32Array | null {
  if (list.hi.length <= BLOCK) return null
  return Uint32Array.from({ length: Math.ceil(list.hi.length / BLOCK) }, (_, i) => list.hi[i * BLOCK]!)
}

/** The row an ordinal counts to. */
export function locator(segments: readonly Run[]): (ordinal: number) => Coordinate {
  const ends: number[] = []
  let end = 0
  for (const { rows } of segments) {
    end += rows
    ends.push(end)
  }
  return (ordinal) => {
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const mid = (low + high) >>> 1
      if (ends[mid]! <= ordinal) low = mid + 1
      else high = mid
    }
    const { key, firstRow, rows } = segments[low]!
    return { key, row: firstRow + ordinal - (ends[low]! - rows) }
  }
}

/** Hashes of tiny segments' texts are made anew when asked for, once a segment and rule. */
const inlineHashes = new WeakMap<ReadonlyMap<string, string>, Map<string, Hashes>>()

function searchInline(
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  index: UniqueIndex,
  needles: Needles,
  meet: Meet,
): void {
  for (const { key, inline, rows } of state.segments) {
    if (!inline || index.owner.has(key)) continue
    const hashes = hashesOfInline(inline, rows, rules, rule)
    const edited = index.edited.get(key)
    for (let i = 0; i < hashes.hi.length; i++) {
      const group = groupAt(needles, hashes.hi[i]!, hashes.lo[i]!)
      if (group >= 0 && !edited?.has(hashes.at[i]!)) meet(group, { key, row: hashes.at[i]! })
    }
  }
}

function hashesOfInline(
  inline: ReadonlyMap<string, string>,
  rows: number,
  rules: SheetRules,
  rule: UniqueRule,
): Hashes {
  const byRule = inlineHashes.get(inline) ?? new Map<string, Hashes>()
  inlineHashes.set(inline, byRule)
  return getOrMake(byRule, `${rules.signature} ${rule.id}`, () => hashesOf(inlineTexts(inline, rows, rules, rule)))
}

function inlineTexts(
  inline: ReadonlyMap<string, string>,
  rows: number,
  rules: SheetRules,
  rule: UniqueRule,
): (string | undefined)[] {
  const columns = new Map(
    rule.fields.map((key): [string, unknown[]] => {
      const text = inline.get(rules.byKey.get(key)!.column)
      return [key, text ? parseCells(splitColumn(Buffer.from(text))) : []]
    }),
  )
  return Array.from({ length: rows }, (_, row) => uniqueText(rule, (key) => columns.get(key)![row] ?? null))
}

function searchEdited(index: UniqueIndex, needles: Needles, meet: Meet): void {
  for (const [key, rows] of index.edited) {
    for (const [row, hash] of rows) {
      const group = hash === null ? -1 : groupAt(needles, hiOf(hash), loOf(hash))
      if (group >= 0) meet(group, { key, row })
    }
  }
}

/** The group of a hash among the needles; -1 when it is none of them. */
function groupAt({ list, starts }: Needles, hi: number, lo: number): number {
  let low = 0
  let high = starts.length - 2
  while (low <= high) {
    const mid = (low + high) >>> 1
    const at = starts[mid]!
    if (list.hi[at] === hi && list.lo[at] === lo) return mid
    if (list.hi[at]! < hi || (list.hi[at] === hi && list.lo[at]! < lo)) low = mid + 1
    else high = mid - 1
  }
  return -1
}
