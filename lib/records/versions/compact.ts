/**
 * Housekeeping of a sheet's state: segments with many edits are written anew, small segments and small runs of hashes
 * become larger ones. No value changes, so there is no commit. Whoever writes to a sheet does it when it is due; one that
 * is overtaken by another writer leaves it to the next.
 */
import { randomUUID } from 'node:crypto'
import { log } from '../../core/log.ts'
import { packRaw } from '../bytes/chunk.ts'
import { type Hashes, hiOf, loOf, packHashes, sortHashes } from '../bytes/hash.ts'
import { blobForm, commonForm, newNames } from '../log/body.ts'
import type { ColumnsForm, MergeForm, RunForm, StepBody } from '../log/entries.ts'
import { append, type Plan } from '../log/log.ts'
import {
  type HashRun,
  isValidatedBy,
  liveCount,
  liveRows,
  type Run,
  type Segment,
  type State,
  type UniqueIndex,
} from '../log/state.ts'
import { putBlob, type Store, type StoreOptions } from '../log/store.ts'
import { type OpenSegment, openSegments, resolve } from '../read/reader.ts'
import { rulesOf, type SheetRules, valueColumn } from '../rules/rules.ts'
import { readRun, samplesFor } from '../rules/unique.ts'
import type { SheetRef } from '../sheet.ts'
import { editedColumns, quietCount, rewrite, storeRewritten } from '../write/rewrite.ts'
import { MESSAGES } from '../write/segment.ts'
import { mergeRows, rowColumns, storeMerged } from './merge.ts'

/** What is due; kinds of work in the order in which they are done, one an entry. */
type Due =
  | { do: 'merge'; groups: Segment[][] }
  | { do: 'rewrite'; segments: Segment[] }
  | { do: 'runs'; runs: Map<string, HashRun[]> }

/** Entries one call writes at most: what is left is due at the next write. */
const ROUNDS = 3

/**
 * Does what is due on this state of a sheet and answers the state then: mostly the same one, at the cost of a look at its
 * segments. Values, messages, ids, counts and older versions stay as they are.
 */
export async function maintain(store: Store, sheet: SheetRef, state: State): Promise<State> {
  const rules = rulesOf(sheet)
  let now = state
  for (let round = 0; round < ROUNDS; round++) {
    if (!isValidatedBy(now, rules.signature)) return now
    const due = dueWork(now, store)
    if (!due) return now
    const after = await perform(store, now, rules, due)
    if (!after) return now
    now = after
  }
  return now
}

/** Maintains a sheet after a write to it. A failure does the write no harm: the work stays due. */
export async function tidied(store: Store, sheet: SheetRef, state: State): Promise<State> {
  try {
    return await maintain(store, sheet, state)
  } catch (error) {
    log.warn('Records could not be compacted', { sheetId: sheet.sheetId, error: error as Error })
    return state
  }
}

/** Appends the work's entry, if nobody wrote since `state`; undefined when somebody did. */
async function perform(store: Store, state: State, rules: SheetRules, due: Due): Promise<State | undefined> {
  const ctx = { op: `maintain-${randomUUID()}`, actorId: 'system', at: new Date() }
  let tried = false
  const appended = await append(store, state, ctx, async () => {
    if (tried) return undefined
    tried = true
    return { ...(await planned(store, state, rules, due)), quiet: true }
  })
  return appended?.state
}

async function planned(store: Store, state: State, rules: SheetRules, due: Due): Promise<Plan> {
  if (due.do === 'merge') return { kind: 'm', body: await mergeBody(store, rules, due.groups), mode: 'exact' }
  if (due.do === 'runs') return { kind: 'm', body: await runsBody(store, state, rules, due.runs), mode: 'guarded' }
  const settled = await resolve(store, state)
  const segments = due.segments.map(({ key }) => settled.segments[settled.positions.get(key)!]!)
  return { kind: 'c', body: await rewriteBody(store, rules, segments), mode: 'exact' }
}

function dueWork(state: State, options: StoreOptions): Due | undefined {
  const groups = mergeableGroups(state, options)
  if (groups.length) return { do: 'merge', groups }
  const segments = state.segments.filter((segment) => isWornOut(segment, options))
  if (segments.length) return { do: 'rewrite', segments }
  const runs = new Map<string, HashRun[]>()
  for (const [rule, index] of state.unique) {
    const small = mergeableRuns(index, options)
    if (small.length) runs.set(rule, small)
  }
  return runs.size ? { do: 'runs', runs } : undefined
}

const isWornOut = ({ edits, rows }: Segment, { compactEdits }: StoreOptions): boolean =>
  edits.size >= compactEdits && edits.size * 10 > rows

/** Below this share of live rows a segment is mostly dead weight. */
const FEW_LIVE = 0.1

const isHollow = (segment: Segment, { mergeRows: small }: StoreOptions): boolean =>
  segment.deletedCount >= small / 2 && liveCount(segment) < segment.rows * FEW_LIVE

/** Neighbours to become one segment each, of at most `segmentRows`. */
function mergeableGroups({ segments }: State, options: StoreOptions): Segment[][] {
  const groups: Segment[][] = []
  let stretch: Segment[] = []
  const end = (): void => {
    groups.push(...groupsIn(stretch, options))
    stretch = []
  }
  for (const segment of segments) {
    if (liveCount(segment) < options.mergeRows) stretch.push(segment)
    else end()
  }
  end()
  return groups
}

function groupsIn(stretch: readonly Segment[], options: StoreOptions): Segment[][] {
  const from = evenStart(stretch.map(liveCount), options.mergeSegments)
  if (from < 0) return stretch.filter((segment) => isHollow(segment, options)).map((segment) => [segment])
  const groups: Segment[][] = []
  let rows = 0
  for (const segment of stretch.slice(from)) {
    const live = liveCount(segment)
    const last = groups.at(-1)
    if (last && rows + live <= options.segmentRows) last.push(segment)
    else groups.push([segment])
    rows = groups.at(-1)!.length > 1 ? rows + live : live
  }
  return groups.filter((group) => group.length > 1)
}

/**
 * From where on the last of these are worth being made one: at least `least` of them, none larger than all others
 * together. So a row is written again only when its segment doubles: a few times in all, however it was inserted.
 * @returns -1 when they are not
 */
function evenStart(sizes: readonly number[], least: number): number {
  let total = 0
  let largest = 0
  let start = -1
  for (let i = sizes.length - 1; i >= 0; i--) {
    total += sizes[i]!
    largest = Math.max(largest, sizes[i]!)
    if (sizes.length - i >= least && largest <= total - largest) start = i
  }
  return start
}

async function mergeBody(store: Store, rules: SheetRules, groups: readonly Segment[][]): Promise<StepBody> {
  const names = newNames()
  const m: MergeForm[] = []
  const runs: RunForm[] = []
  for (const group of groups) {
    const opened = await openSegments(store, group, rowColumns(group))
    const rows = group.flatMap((segment, source) => liveRows(segment).map((row) => ({ source, row })))
    const sources = opened.map((open) => ({ open, isOlder: false }))
    const merged = mergeRows(rules, sources, rows)
    const stored = await storeMerged(store, rules, names, merged, group)
    m.push({ ...stored.form, q: quietCount(merged, merged.segment.flags) })
    runs.push(...stored.runs)
  }
  return { m, ...(runs.length ? { runs } : {}), ...commonForm(rules, names) }
}

async function rewriteBody(store: Store, rules: SheetRules, segments: readonly Segment[]): Promise<StepBody> {
  const names = newNames()
  const c: ColumnsForm[] = []
  const runs: RunForm[] = []
  for (const segment of segments) {
    const columns = editedColumns(segment)
    const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => columns.has(valueColumn(key))))
    const needed = [...columns, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
    const [open] = await openSegments(store, [segment], [...new Set(needed)])
    const rewritten = rewrite(open as OpenSegment, rules, { rejudge: false, hashRules })
    const stored = await storeRewritten(store, rules, names, rewritten)
    c.push({ ...stored.form, q: quietCount(rewritten, segment.flags), w: [] })
    runs.push(...stored.runs)
  }
  return { c, ...(runs.length ? { runs } : {}), ...commonForm(rules, names) }
}

/** Hashes a merged run holds at most: it is made in memory. */
const RUN_HASHES = 2_000_000

/** The smaller runs of a rule that are worth being made one, as with segments. */
function mergeableRuns({ runs }: UniqueIndex, { mergeRuns: least }: StoreOptions): HashRun[] {
  const large = (run: HashRun): boolean => run.length > RUN_HASHES / least
  const sorted = [...runs.values()].filter((run) => !large(run)).sort((a, b) => b.length - a.length)
  const start = evenStart(
    sorted.map(({ length }) => length),
    least,
  )
  return start < 0 ? [] : sorted.slice(start)
}

async function runsBody(
  store: Store,
  state: State,
  rules: SheetRules,
  due: ReadonlyMap<string, readonly HashRun[]>,
): Promise<StepBody> {
  const names = newNames()
  const merged = await Promise.all(
    [...due].map(async ([rule, runs]) => ({ rule, ...(await mergedRun(store, state.unique.get(rule)!, runs)) })),
  )
  const chunks = merged.map(({ rule, hashes }) => ({ name: `hashes.${rule}`, packed: packRaw(packHashes(hashes)) }))
  const blob = await putBlob(store, rules.sheetId, chunks)
  const runs = merged.map(({ rule, hashes, segments }): RunForm => {
    const samples = samplesFor(hashes)
    return {
      u: rule,
      b: blobForm(names, blob),
      c: `hashes.${rule}`,
      n: hashes.hi.length,
      s: segments.map(({ key, rows, firstRow }) => [key, rows, firstRow]),
      ...(samples ? { h: Buffer.from(samples.buffer).toString('base64') } : {}),
    }
  })
  return { m: [], runs, ...commonForm(rules, names) }
}

/** One list of what several runs say of the rows they speak for, later edits included. */
async function mergedRun(
  store: Store,
  { owner, edited }: UniqueIndex,
  runs: readonly HashRun[],
): Promise<{ hashes: Hashes; segments: Run[] }> {
  const segments: Run[] = []
  const hi: number[] = []
  const lo: number[] = []
  const at: number[] = []
  let first = 0
  const add = (high: number, low: number, ordinal: number): void => {
    hi.push(high)
    lo.push(low)
    at.push(ordinal)
  }
  for (const run of runs) {
    const hashes = await readRun(store, run)
    const ordinals = new Int32Array(run.segments.reduce((sum, { rows }) => sum + rows, 0)).fill(-1)
    let from = 0
    for (const segment of run.segments) {
      if (owner.get(segment.key) === run.id) {
        const news = edited.get(segment.key)
        for (let i = 0; i < segment.rows; i++) {
          const hash = news?.get(segment.firstRow + i)
          if (hash === undefined) ordinals[from + i] = first + i
          else if (hash !== null) add(hiOf(hash), loOf(hash), first + i)
        }
        segments.push(segment)
        first += segment.rows
      }
      from += segment.rows
    }
    for (let i = 0; i < hashes.hi.length; i++) {
      const ordinal = ordinals[hashes.at[i]!]!
      if (ordinal >= 0) add(hashes.hi[i]!, hashes.lo[i]!, ordinal)
    }
  }
  return {
    hashes: sortHashes({ hi: Uint32Array.from(hi), lo: Uint32Array.from(lo), at: Uint32Array.from(at) }),
    segments,
  }
}
