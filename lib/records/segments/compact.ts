/**
 * Compaction: rewrites segments with many edits and merges small segments and hash runs. No value changes, so there is
 * no commit. It runs after a write; if another writer appends first, it is left to that one.
 */
import { randomUUID } from 'node:crypto'
import { log } from '../../core/log.ts'
import { type Hashes, packHashes, parseHi, parseLo, sortHashes } from '../columns/hash.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { packRaw } from '../format/chunk.ts'
import { MESSAGES, valueColumn } from '../format/column-names.ts'
import type { ColumnsForm, MergeForm, RunForm, StepBody } from '../format/entries.ts'
import { sampleHashes } from '../format/hash-samples.ts'
import { createDictionaries, encodeCommon } from '../log/entry-builder.ts'
import { append, type Plan } from '../log/log.ts'
import { putBlob, type Store, type StoreOptions } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import {
  countLiveRows,
  type HashRun,
  isValidatedBy,
  listLiveRows,
  type Run,
  type Segment,
  type State,
  SYSTEM_ACTOR,
  type UniqueIndex,
} from '../state/state.ts'
import { encodeRun, formatRunChunkName, readRun } from './hash-runs.ts'
import { listRowColumns, mergeRows, storeMergedSegment } from './merge.ts'
import { type OpenSegment, openSegments, resolveErrorCounts } from './open.ts'
import { countBaseErrors, listEditedColumns, rewrite, storeAndEncodeRewrite } from './rewrite.ts'

type DueWork =
  | { do: 'merge'; groups: Segment[][] }
  | { do: 'rewrite'; segments: Segment[] }
  | { do: 'runs'; runs: Map<string, HashRun[]> }

/** Maximum entries per call; the remaining work is left to the next write. */
const MAX_ROUNDS = 3

/** Returns the resulting state, usually the same one. Values, ids, counts and older versions do not change. */
export async function compact(store: Store, sheet: SheetRef, state: State): Promise<State> {
  const rules = rulesOf(sheet)
  let current = state
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!isValidatedBy(current, rules.signature)) return current
    const due = nextCompaction(current, store)
    if (!due) return current
    const next = await appendCompaction(store, current, rules, due)
    if (!next) return current
    current = next
  }
  return current
}

/** A failure is only logged: the write has succeeded and the work stays due. */
export async function compactIfDue(store: Store, sheet: SheetRef, state: State): Promise<State> {
  try {
    return await compact(store, sheet, state)
  } catch (error) {
    log.warn('Compacting the records of a sheet failed', { sheetId: sheet.sheetId, error: error as Error })
    return state
  }
}

/** Returns undefined when another writer appended after `state`. */
async function appendCompaction(
  store: Store,
  state: State,
  rules: SheetRules,
  due: DueWork,
): Promise<State | undefined> {
  const ctx = { op: `maintain-${randomUUID()}`, actorId: SYSTEM_ACTOR, at: new Date() }
  const { appended } = await append(store, state, ctx, async (_, attempt) => ({
    plan: attempt > 0 ? undefined : { ...(await planCompaction(store, state, rules, due)), isInternal: true },
  }))
  return appended?.state
}

async function planCompaction(store: Store, state: State, rules: SheetRules, due: DueWork): Promise<Plan> {
  if (due.do === 'merge') return { kind: 'm', body: await buildMergeBody(store, rules, due.groups), mode: 'exact' }
  if (due.do === 'runs') return { kind: 'm', body: await buildRunsBody(store, state, rules, due.runs), mode: 'guarded' }
  const resolved = await resolveErrorCounts(store, state)
  const segments = due.segments.map(({ key }) => resolved.segments[resolved.positions.get(key)!]!)
  return { kind: 'c', body: await buildRewriteBody(store, rules, segments), mode: 'exact' }
}

function nextCompaction(state: State, options: StoreOptions): DueWork | undefined {
  const groups = findMergeableGroups(state, options)
  if (groups.length) return { do: 'merge', groups }
  const segments = state.segments.filter((segment) => needsRewrite(segment, options))
  if (segments.length) return { do: 'rewrite', segments }
  const runs = new Map<string, HashRun[]>()
  for (const [rule, index] of state.unique) {
    const mergeable = findMergeableRuns(index, options)
    if (mergeable.length) runs.set(rule, mergeable)
  }
  return runs.size ? { do: 'runs', runs } : undefined
}

const needsRewrite = ({ edits, rows }: Segment, { compactEdits }: StoreOptions): boolean =>
  edits.size >= compactEdits && edits.size * 10 > rows

const MIN_LIVE_SHARE = 0.1

const isMostlyDeleted = (segment: Segment, { mergeRows: minRows }: StoreOptions): boolean =>
  segment.deletedCount >= minRows / 2 && countLiveRows(segment) < segment.rows * MIN_LIVE_SHARE

function findMergeableGroups({ segments }: State, options: StoreOptions): Segment[][] {
  const groups: Segment[][] = []
  let stretch: Segment[] = []
  const closeStretch = (): void => {
    groups.push(...groupStretch(stretch, options))
    stretch = []
  }
  for (const segment of segments) {
    if (countLiveRows(segment) < options.mergeRows) stretch.push(segment)
    else closeStretch()
  }
  closeStretch()
  return groups
}

function groupStretch(stretch: readonly Segment[], options: StoreOptions): Segment[][] {
  const from = findMergeStart(stretch.map(countLiveRows), options.mergeSegments)
  if (from < 0) return stretch.filter((segment) => isMostlyDeleted(segment, options)).map((segment) => [segment])
  const groups: Segment[][] = []
  let rows = 0
  for (const segment of stretch.slice(from)) {
    const live = countLiveRows(segment)
    const last = groups.at(-1)
    if (last && rows + live <= options.segmentRows) last.push(segment)
    else groups.push([segment])
    rows = groups.at(-1)!.length > 1 ? rows + live : live
  }
  return groups.filter((group) => group.length > 1)
}

/**
 * Start of the longest tail worth merging: at least `minCount` entries, none larger than all others together. A row is
 * thus rewritten only when its segment doubles, a few times in total.
 * @returns -1 if there is none
 */
function findMergeStart(sizes: readonly number[], minCount: number): number {
  let total = 0
  let largest = 0
  let start = -1
  for (let i = sizes.length - 1; i >= 0; i--) {
    total += sizes[i]!
    largest = Math.max(largest, sizes[i]!)
    if (sizes.length - i >= minCount && largest <= total - largest) start = i
  }
  return start
}

async function buildMergeBody(store: Store, rules: SheetRules, groups: readonly Segment[][]): Promise<StepBody> {
  const dictionaries = createDictionaries()
  const m: MergeForm[] = []
  const runs: RunForm[] = []
  for (const group of groups) {
    const opened = await openSegments(store, group, listRowColumns(group))
    const rows = group.flatMap((segment, source) => listLiveRows(segment).map((row) => ({ source, row })))
    const sources = opened.map((open) => ({ open, isStale: false }))
    const merged = mergeRows(rules, sources, rows)
    const stored = await storeMergedSegment(store, rules, dictionaries, merged, group)
    m.push({ ...stored.form, q: countBaseErrors(merged, merged.segment.flags) })
    runs.push(...stored.runs)
  }
  return { m, ...(runs.length ? { runs } : {}), ...encodeCommon(rules, dictionaries) }
}

async function buildRewriteBody(store: Store, rules: SheetRules, segments: readonly Segment[]): Promise<StepBody> {
  const dictionaries = createDictionaries()
  const c: ColumnsForm[] = []
  const runs: RunForm[] = []
  for (const segment of segments) {
    const columns = listEditedColumns(segment)
    const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => columns.has(valueColumn(key))))
    const needed = [...columns, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
    const [open] = await openSegments(store, [segment], [...new Set(needed)])
    const rewritten = rewrite(open as OpenSegment, rules, { revalidate: false, hashRules })
    const stored = await storeAndEncodeRewrite(store, rules, dictionaries, rewritten)
    c.push({ ...stored.form, q: countBaseErrors(rewritten, segment.flags), w: [] })
    runs.push(...stored.runs)
  }
  return { c, ...(runs.length ? { runs } : {}), ...encodeCommon(rules, dictionaries) }
}

const MAX_HASHES_PER_RUN = 2_000_000

function findMergeableRuns({ runs }: UniqueIndex, { mergeRuns: minCount }: StoreOptions): HashRun[] {
  const isLarge = (run: HashRun): boolean => run.length > MAX_HASHES_PER_RUN / minCount
  const sorted = [...runs.values()].filter((run) => !isLarge(run)).sort((a, b) => b.length - a.length)
  const start = findMergeStart(
    sorted.map(({ length }) => length),
    minCount,
  )
  return start < 0 ? [] : sorted.slice(start)
}

async function buildRunsBody(
  store: Store,
  state: State,
  rules: SheetRules,
  due: ReadonlyMap<string, readonly HashRun[]>,
): Promise<StepBody> {
  const dictionaries = createDictionaries()
  const merged = await Promise.all(
    [...due].map(async ([rule, runs]) => ({ rule, ...(await mergeHashRuns(store, state.unique.get(rule)!, runs)) })),
  )
  const chunks = merged.map(({ rule, hashes }) => ({
    name: formatRunChunkName(rule),
    packed: packRaw(packHashes(hashes)),
  }))
  const blob = await putBlob(store, rules.sheetId, chunks)
  const runs = merged.map(({ rule, hashes, segments }) =>
    encodeRun(
      dictionaries,
      blob,
      { rule, length: hashes.hi.length, samples: sampleHashes(hashes) },
      segments.map(({ key, rows, firstRow }) => [key, rows, firstRow]),
    ),
  )
  return { m: [], runs, ...encodeCommon(rules, dictionaries) }
}

async function mergeHashRuns(
  store: Store,
  { owner, edited }: UniqueIndex,
  runs: readonly HashRun[],
): Promise<{ hashes: Hashes; segments: Run[] }> {
  const segments: Run[] = []
  const hi: number[] = []
  const lo: number[] = []
  const at: number[] = []
  let firstOrdinal = 0
  const addHash = (high: number, low: number, ordinal: number): void => {
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
        const editedHashes = edited.get(segment.key)
        for (let i = 0; i < segment.rows; i++) {
          const hash = editedHashes?.get(segment.firstRow + i)
          if (hash === undefined) ordinals[from + i] = firstOrdinal + i
          else if (hash !== null) addHash(parseHi(hash), parseLo(hash), firstOrdinal + i)
        }
        segments.push(segment)
        firstOrdinal += segment.rows
      }
      from += segment.rows
    }
    for (let i = 0; i < hashes.hi.length; i++) {
      const ordinal = ordinals[hashes.at[i]!]!
      if (ordinal >= 0) addHash(hashes.hi[i]!, hashes.lo[i]!, ordinal)
    }
  }
  return {
    hashes: sortHashes({ hi: Uint32Array.from(hi), lo: Uint32Array.from(lo), at: Uint32Array.from(at) }),
    segments,
  }
}
