/**
 * Finds rows that share a value under a uniqueness rule. Exact at every commit: a guarded entry lists the rows it flags
 * and clears and is appended only if no other guarded entry came in between.
 * The index of a rule consists of runs of sorted 64-bit hashes (12 bytes per row, one run per import), the texts of
 * tiny inline segments, and hashes of edited rows. A lookup in a large run reads one 48 KB block; imports are merged as
 * sorted lists.
 */
import { memoize } from '../../core/memo.ts'
import { hasBit } from '../columns/bits.ts'
import { parseCells, splitColumn } from '../columns/columns.ts'
import {
  type Hashes,
  type HashLists,
  hashTexts,
  joinHashes,
  lowerBound,
  noHashes,
  parseHi,
  parseLo,
  sortHashes,
} from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import { formatUniqueText, type SheetRules, type UniqueRule } from '../fields/rules.ts'
import type { Coordinate } from '../format/ids.ts'
import type { Store } from '../log/store.ts'
import { readBlocks, readRange, readRun } from '../segments/hash-runs.ts'
import {
  createLocator,
  EMPTY_INDEX,
  findRow,
  type HashRun,
  isLive,
  type RowRef,
  type State,
  type UniqueIndex,
} from '../state/state.ts'

const MAX_BLOCK_READS = 48

export interface UniqueChange {
  /** Sorted, in ascending lists; `at` is an ordinal of the caller's choice. */
  added: HashLists
  lost: Hashes
  /** Rows whose value this write changes; their indexed value no longer counts. */
  isChanged: (at: Coordinate) => boolean
}

export interface Duplicates {
  shared: number[]
  flagged: Coordinate[]
  cleared: Coordinate[]
  /** Undefined if the added hashes came in several lists. */
  queried: Hashes | undefined
  found: Coordinate[]
}

export async function findDuplicates(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  { added, lost, isChanged }: UniqueChange,
): Promise<Duplicates> {
  const duplicates: Duplicates = { shared: [], flagged: [], cleared: [], queried: noHashes, found: [] }
  const lists = lost.hi.length > 0 ? [await joinHashes(added)] : added
  let count = 0
  for await (const list of lists) {
    const needles = groupNeedles(list, lost)
    const members = await findMembers(store, state, rules, rule, needles, isChanged)
    addDuplicates(duplicates, rule, needles, members)
    duplicates.queried = count++ === 0 ? needles.list : undefined
  }
  return duplicates
}

function addDuplicates(duplicates: Duplicates, rule: UniqueRule, needles: Needles, members: Members): void {
  for (const group of members) for (const { at } of group ?? []) duplicates.found.push(at)
  for (let group = 0; group < needles.starts.length - 1; group++) {
    if (needles.starts[group + 1]! - needles.starts[group]! === 1 && !members[group]) continue
    const added: number[] = []
    for (let i = needles.starts[group]!; i < needles.starts[group + 1]!; i++)
      if (needles.list.at[i]! !== LOST_MARK) added.push(needles.list.at[i]!)
    const others = members[group] ?? []
    const shared = added.length + others.length > 1
    if (shared) for (const at of added) duplicates.shared.push(at)
    for (const other of others) {
      // If two or more of the others share the value, they are already flagged.
      const flagged = hasBit(other.rowRef.segment.flags.get(rule.id), other.rowRef.row)
      if (shared && !flagged) duplicates.flagged.push(other.at)
      if (!shared && flagged) duplicates.cleared.push(other.at)
    }
  }
}

const LOST_MARK = 0xffffffff

interface Needles {
  list: Hashes
  starts: Uint32Array
}

function groupNeedles(added: Hashes, lost: Hashes): Needles {
  const list = lost.hi.length ? sortHashes(concatHashes(added, { ...lost, at: lost.at.map(() => LOST_MARK) })) : added
  const { length } = list.hi
  const starts = new Uint32Array(length + 1)
  let groups = 0
  for (let i = 0; i < length; i++)
    if (i === 0 || list.hi[i] !== list.hi[i - 1] || list.lo[i] !== list.lo[i - 1]) starts[groups++] = i
  starts[groups++] = length
  return { list, starts: starts.subarray(0, groups) }
}

function concatHashes(a: Hashes, b: Hashes): Hashes {
  const concat = (x: Uint32Array, y: Uint32Array): Uint32Array => {
    const combined = new Uint32Array(x.length + y.length)
    combined.set(x)
    combined.set(y, x.length)
    return combined
  }
  return { hi: concat(a.hi, b.hi), lo: concat(a.lo, b.lo), at: concat(a.at, b.at) }
}

interface Member {
  at: Coordinate
  rowRef: RowRef
}
/** At most two live rows per group: more are not needed to decide. */
type Members = Member[][]

async function findMembers(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  needles: Needles,
  isChanged: (at: Coordinate) => boolean,
): Promise<Members> {
  const members: Members = []
  const index = state.unique.get(rule.id) ?? EMPTY_INDEX
  const addMember = (group: number, at: Coordinate): void => {
    members[group] ??= []
    const list = members[group]
    if (list.length > 1 || isChanged(at)) return
    const rowRef = findRow(state, at)
    if (rowRef && isLive(rowRef.segment, rowRef.row)) list.push({ at, rowRef })
  }
  if (needles.starts.length > 1) {
    for (const run of index.runs.values()) await searchRun(store, index, run, needles, addMember)
    searchInline(state, rules, rule, index, needles, addMember)
    searchEdited(index, needles, addMember)
  }
  return members
}

type VisitMember = (group: number, at: Coordinate) => void

async function searchRun(
  store: Store,
  index: UniqueIndex,
  run: HashRun,
  needles: Needles,
  visit: VisitMember,
): Promise<void> {
  const locate = createLocator(run.segments)
  const visitOrdinal = (group: number, ordinal: number): void => {
    const at = locate(ordinal)
    if (index.owner.get(at.key) === run.id && !index.edited.get(at.key)?.has(at.row)) visit(group, at)
  }
  const groups = needles.starts.length - 1
  if (run.samples && groups <= MAX_BLOCK_READS) {
    const highHalves = Array.from({ length: groups }, (_, group) => needles.list.hi[needles.starts[group]!]!)
    const blocks = await readBlocks(store, run, highHalves)
    for (const [group, block] of blocks.entries()) matchGroup(block, needles, group, visitOrdinal)
    return
  }
  const runHashes = await readRunBetween(store, run, needles)
  if (groups <= MAX_BLOCK_READS)
    for (let group = 0; group < groups; group++) matchGroup(runHashes, needles, group, visitOrdinal)
  else mergeGroups(runHashes, needles, visitOrdinal)
}

async function readRunBetween(store: Store, run: HashRun, { list }: Needles): Promise<Hashes> {
  const isPart = run.samples !== null && list.hi.length * 4 < run.length
  return isPart ? readRange(run, list.hi[0]!, list.hi.at(-1)!) : readRun(store, run)
}

function matchGroup(list: Hashes, needles: Needles, group: number, onHit: (group: number, at: number) => void): void {
  const start = needles.starts[group]!
  const hi = needles.list.hi[start]!
  const lo = needles.list.lo[start]!
  for (let i = lowerBound(list, hi, lo); list.hi[i] === hi && list.lo[i] === lo; i++) onHit(group, list.at[i]!)
}

function mergeGroups(list: Hashes, needles: Needles, onHit: (group: number, at: number) => void): void {
  let i = 0
  for (let group = 0; group < needles.starts.length - 1; group++) {
    const hi = needles.list.hi[needles.starts[group]!]!
    const lo = needles.list.lo[needles.starts[group]!]!
    while (i < list.hi.length && (list.hi[i]! < hi || (list.hi[i] === hi && list.lo[i]! < lo))) i++
    for (; list.hi[i] === hi && list.lo[i] === lo; i++) onHit(group, list.at[i]!)
  }
}

const getInlineHashes = memoize<ReadonlyMap<string, string>, Map<string, Hashes>>(() => new Map())

function searchInline(
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  index: UniqueIndex,
  needles: Needles,
  visit: VisitMember,
): void {
  for (const { key, inline, rows } of state.segments) {
    if (!inline || index.owner.has(key)) continue
    const hashes = hashInlineTexts(inline, rows, rules, rule)
    const edited = index.edited.get(key)
    for (let i = 0; i < hashes.hi.length; i++) {
      const group = findGroup(needles, hashes.hi[i]!, hashes.lo[i]!)
      if (group >= 0 && !edited?.has(hashes.at[i]!)) visit(group, { key, row: hashes.at[i]! })
    }
  }
}

function hashInlineTexts(
  inline: ReadonlyMap<string, string>,
  rows: number,
  rules: SheetRules,
  rule: UniqueRule,
): Hashes {
  return getOrInsert(getInlineHashes(inline), `${rules.signature} ${rule.id}`, () =>
    hashTexts(readInlineTexts(inline, rows, rules, rule)),
  )
}

function readInlineTexts(
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
  return Array.from({ length: rows }, (_, row) => formatUniqueText(rule, (key) => columns.get(key)![row] ?? null))
}

function searchEdited(index: UniqueIndex, needles: Needles, visit: VisitMember): void {
  for (const [key, rows] of index.edited) {
    for (const [row, hash] of rows) {
      const group = hash === null ? -1 : findGroup(needles, parseHi(hash), parseLo(hash))
      if (group >= 0) visit(group, { key, row })
    }
  }
}

function findGroup({ list, starts }: Needles, hi: number, lo: number): number {
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
