/**
 * Finds rows that share a value under a uniqueness rule. Exact at every commit: a guarded entry lists the rows it flags
 * and clears and is appended only if no other guarded entry came in between.
 * The index of a rule consists of runs of sorted 64-bit hashes (12 bytes per row, one run per import), the texts of
 * tiny inline segments, and hashes of edited rows. A lookup in a large run reads one 48 KB block; imports are merged as
 * sorted lists.
 */
import { hasBit } from '../bytes/bits.ts'
import { CHUNK_HEADER_BYTES } from '../bytes/chunk.ts'
import { parseCells, splitColumn } from '../bytes/columns.ts'
import {
  HASH_BYTES,
  type Hashes,
  hashInto,
  lowerBound,
  parseHi,
  parseLo,
  sortHashes,
  unpackHashes,
} from '../bytes/hash.ts'
import { getOrInsert } from '../bytes/maps.ts'
import type { Coordinate } from '../log/ids.ts'
import {
  EMPTY_INDEX,
  findRow,
  type HashRun,
  isLive,
  type RowRef,
  type Run,
  type State,
  type UniqueIndex,
} from '../log/state.ts'
import { getChunks, getSpan, readSpans, type Store } from '../log/store.ts'
import { formatUniqueText, type SheetRules, type UniqueRule } from './rules.ts'

export const BLOCK_ENTRIES = 4096
const MAX_BLOCK_READS = 48

export interface UniqueChange {
  /** Sorted; `at` is an ordinal of the caller's choice. */
  added: Hashes
  lost: Hashes
  /** Rows whose value this write changes; their indexed value no longer counts. */
  isChanged: (at: Coordinate) => boolean
}

export interface UniqueOutcome {
  shared: number[]
  flagged: Coordinate[]
  cleared: Coordinate[]
  queried: Hashes
  found: Coordinate[]
}

export const noHashes: Hashes = { hi: new Uint32Array(0), lo: new Uint32Array(0), at: new Uint32Array(0) }

export async function computeUniqueOutcome(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  change: UniqueChange,
): Promise<UniqueOutcome> {
  const needles = groupNeedles(change)
  const members = await findMembers(store, state, rules, rule, needles, change.isChanged)
  const found = members.flatMap((group) => group.map(({ at }) => at))
  const outcome: UniqueOutcome = { shared: [], flagged: [], cleared: [], queried: needles.list, found }
  for (let group = 0; group < needles.starts.length - 1; group++) {
    if (needles.starts[group + 1]! - needles.starts[group]! === 1 && !members[group]) continue
    const added: number[] = []
    for (let i = needles.starts[group]!; i < needles.starts[group + 1]!; i++)
      if (needles.list.at[i]! !== LOST_MARK) added.push(needles.list.at[i]!)
    const others = members[group] ?? []
    const shared = added.length + others.length > 1
    if (shared) for (const at of added) outcome.shared.push(at)
    for (const other of others) {
      // If two or more of the others share the value, they are already flagged.
      const flagged = hasBit(other.rowRef.segment.flags.get(rule.id), other.rowRef.row)
      if (shared && !flagged) outcome.flagged.push(other.at)
      if (!shared && flagged) outcome.cleared.push(other.at)
    }
  }
  return outcome
}

const LOST_MARK = 0xffffffff

interface Needles {
  list: Hashes
  starts: Uint32Array
}

function groupNeedles({ added, lost }: UniqueChange): Needles {
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

export function sortedUnion(parts: readonly { hashes: Hashes; rows: number }[]): Hashes {
  let length = 0
  for (const { hashes } of parts) length += hashes.hi.length
  const all = { hi: new Uint32Array(length), lo: new Uint32Array(length), at: new Uint32Array(length) }
  let to = 0
  let firstOrdinal = 0
  for (const { hashes, rows } of parts) {
    all.hi.set(hashes.hi, to)
    all.lo.set(hashes.lo, to)
    for (let i = 0; i < hashes.at.length; i++) all.at[to + i] = hashes.at[i]! + firstOrdinal
    to += hashes.hi.length
    firstOrdinal += rows
  }
  return sortHashes(all)
}

/** Undefined texts are skipped; `at` is the index. */
export function hashTexts(texts: readonly (string | undefined)[]): Hashes {
  const at = Uint32Array.from(texts.keys()).filter((i) => texts[i] !== undefined)
  const list = { hi: new Uint32Array(at.length), lo: new Uint32Array(at.length), at }
  at.forEach((index, i) => {
    hashInto(texts[index]!, list.hi, list.lo, i)
  })
  return sortHashes(list)
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
    const blocks = await readBlocks(run, highHalves)
    for (const [group, block] of blocks.entries()) matchGroup(block, needles, group, visitOrdinal)
    return
  }
  const runHashes = await readRun(store, run)
  if (groups <= MAX_BLOCK_READS)
    for (let group = 0; group < groups; group++) matchGroup(runHashes, needles, group, visitOrdinal)
  else mergeGroups(runHashes, needles, visitOrdinal)
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

const unpackedRuns = new WeakMap<Buffer, Hashes>()

export async function readRun(store: Store, run: HashRun): Promise<Hashes> {
  const [raw] = await getChunks(store, [{ blob: run.blob, index: run.blob.names.indexOf(run.chunk) }])
  const hashes = unpackedRuns.get(raw!) ?? unpackHashes(raw!)
  unpackedRuns.set(raw!, hashes)
  return hashes
}

async function readBlocks(run: HashRun, highHalves: readonly number[]): Promise<Hashes[]> {
  const { start } = getSpan({ blob: run.blob, index: run.blob.names.indexOf(run.chunk) })
  const spans = highHalves.map((hi) => {
    const { from, to } = findBlock(run, hi)
    const data = start + CHUNK_HEADER_BYTES
    return { blob: run.blob, start: data + from * HASH_BYTES, end: data + to * HASH_BYTES }
  })
  return (await readSpans(spans)).map(unpackHashes)
}

function findBlock(run: HashRun, hi: number): { from: number; to: number } {
  const samples = run.samples!
  let first = 0
  while (first < samples.length && samples[first]! < hi) first++
  let last = first
  while (last < samples.length && samples[last]! <= hi) last++
  return { from: Math.max(0, first - 1) * BLOCK_ENTRIES, to: Math.min(run.length, Math.max(1, last) * BLOCK_ENTRIES) }
}

export function sampleHashes(list: Hashes): Uint32Array | null {
  if (list.hi.length <= BLOCK_ENTRIES) return null
  return Uint32Array.from({ length: Math.ceil(list.hi.length / BLOCK_ENTRIES) }, (_, i) => list.hi[i * BLOCK_ENTRIES]!)
}

export function createLocator(segments: readonly Run[]): (ordinal: number) => Coordinate {
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

const inlineHashCache = new WeakMap<ReadonlyMap<string, string>, Map<string, Hashes>>()

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
  const byRule = inlineHashCache.get(inline) ?? new Map<string, Hashes>()
  inlineHashCache.set(inline, byRule)
  return getOrInsert(byRule, `${rules.signature} ${rule.id}`, () =>
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
