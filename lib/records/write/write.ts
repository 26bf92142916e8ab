/** Writes inserts, updates and deletes of any number as one atomic commit. */

import { loadValidatedState } from '../constraints/validated-state.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { append, type Plan } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import { compactIfDue } from '../segments/compact.ts'
import type { RecordUpdate, Selection, SheetPosition, SheetRef, WriteContext } from '../sheet.ts'
import { countRows, getNewestCommitId, type State } from '../state/state.ts'
import type { RowsPart } from './build-segments.ts'
import type { RowUpdate } from './compare-rows.ts'
import { type ChangeCache, compareUpdates, type SegmentChange, type UpdateComparison } from './compare-segments.ts'
import { type AddedRows, createIngest, type KeepSegment } from './ingest.ts'
import { planWrite } from './plan.ts'
import { findRowsToRemove, type RemovedRows } from './plan-removal.ts'
import {
  countAddedErrors,
  createCommitResult,
  describeAffectedRecords,
  loadPreviousResult,
  type RecordsWritten,
} from './write-result.ts'

export type WritePart = RowsPart | { updates: readonly RecordUpdate[] } | { deletes: readonly string[] }

export interface WriteOptions {
  truncate?: boolean
  limit?: number
}

export interface WriteResult extends RecordsWritten {
  missing: string[]
  ignoredFields: string[]
}

/**
 * Updates of the same record are merged, the later cell winning; delete wins over update. Repeating the same `op`
 * returns the first result without reading the parts.
 * @throws ApiError conflict above the record limit, invalid for a too large value
 */
export async function write(
  sheet: SheetRef,
  parts: AsyncIterable<WritePart>,
  ctx: WriteContext,
  options: WriteOptions = {},
  store: Store = processStore,
): Promise<WriteResult> {
  const start = await startWrite(store, sheet, ctx)
  if ('earlier' in start) return { ...start.earlier, missing: [], ignoredFields: [] }
  const { job, ignoredFields } = await collectWrites(store, sheet, parts, options)
  return { ...(await commitWrites(store, sheet, start.state, ctx, job)), ignoredFields }
}

export async function collectWrites(
  store: Store,
  sheet: SheetRef,
  parts: AsyncIterable<WritePart>,
  options: WriteOptions,
  keepSegment?: KeepSegment,
): Promise<{ job: WriteJob; ignoredFields: string[] }> {
  const rules = rulesOf(sheet)
  const limit = options.limit ?? store.sheetRows
  const ingestion = createIngest(store, rules, limit, 0, keepSegment)
  const merger = createUpdateMerger()
  const deletes = new Set<string>()
  for await (const part of parts) {
    if ('updates' in part) merger.add(part.updates)
    else if ('deletes' in part) for (const id of part.deletes) deletes.add(id)
    else await ingestion.add(part)
  }
  const mergedUpdates = merger.all()
  return {
    job: {
      added: await ingestion.finish(),
      removes: options.truncate ? { filter: 'all' } : [...deletes],
      compare: createComparison(store, rules, mergedUpdates),
      limit,
    },
    ignoredFields: [...new Set([...ingestion.ignoredFields, ...listUnknownFields(rules, mergedUpdates)])],
  }
}

export async function startWrite(
  store: Store,
  sheet: SheetRef,
  ctx: WriteContext,
): Promise<{ state: State } | { earlier: RecordsWritten; seq: number }> {
  const state = await loadValidatedState(store, sheet)
  const seq = state.ops.get(ctx.op)
  if (seq !== undefined) return { earlier: await loadPreviousResult(store, sheet, state, ctx, seq), seq }
  await ctx.assertUnchanged?.(toPosition(state))
  return { state }
}

export async function writeRows(
  sheet: SheetRef,
  parts: AsyncIterable<RowsPart>,
  ctx: WriteContext,
  store: Store,
): Promise<WriteResult> {
  const start = await startWrite(store, sheet, ctx)
  if ('earlier' in start) return { ...start.earlier, missing: [], ignoredFields: [] }
  const ingestion = createIngest(store, rulesOf(sheet), store.sheetRows, countRows(start.state))
  for await (const part of parts) await ingestion.add(part)
  const result = await commitWrites(store, sheet, start.state, ctx, { added: await ingestion.finish() })
  return { ...result, ignoredFields: [...ingestion.ignoredFields] }
}

/** Parts that depend on the state are computed at each append attempt. */
export interface WriteJob {
  added?: AddedRows | undefined
  removes?: readonly string[] | Selection
  compare?: Comparison
  limit?: number
}
export type Comparison = (state: State, removed: RemovedRows, attempt: number) => Promise<UpdateComparison>

/** After this many lost races a rewrite is stored as patches, which cannot lose. */
export const REWRITE_ATTEMPTS = 4

export function createComparison(store: Store, rules: SheetRules, updates: readonly RecordUpdate[]): Comparison {
  const cache: ChangeCache = new Map()
  return async (state, removed, attempt) => {
    if (attempt === REWRITE_ATTEMPTS) cache.clear()
    const options = { rewrite: attempt < REWRITE_ATTEMPTS, keepChanges: 'all' as const }
    return compareUpdates(store, state, rules, updates, removed, options, cache)
  }
}

export interface WriteAttempt {
  plan: Plan | undefined
  removed: RemovedRows
  changes: readonly SegmentChange[]
  missing: string[]
  unwritten: readonly number[] | undefined
}

export async function commitWrites(
  store: Store,
  sheet: SheetRef,
  start: State,
  ctx: WriteContext,
  job: WriteJob,
): Promise<RecordsWritten & { missing: string[] }> {
  const { lastAttempt, state, appended } = await append(store, start, ctx, (current, attempt) =>
    planCheckedAttempt(store, sheet, current, ctx, job, attempt),
  )
  const { plan, removed, changes, missing, unwritten } = lastAttempt
  if (appended && !appended.page)
    return { ...(await loadPreviousResult(store, sheet, state, ctx, appended.seq)), missing }
  if (appended) await compactIfDue(store, sheet, state)
  const result = await createCommitResult(store, state, ctx, appended, plan !== undefined && !plan.isInternal)
  const writes = { added: job.added, changes, removed }
  return {
    ...result,
    ...describeAffectedRecords(store, rulesOf(sheet), state, appended?.seq ?? 0, writes),
    createdErrors: countAddedErrors(plan?.body),
    unwritten,
    missing,
  }
}

async function planCheckedAttempt(
  store: Store,
  sheet: SheetRef,
  state: State,
  { assertUnchanged }: WriteContext,
  job: WriteJob,
  attemptNumber: number,
): Promise<WriteAttempt> {
  const attempt = await planAttempt(store, sheet, state, job, attemptNumber)
  if (!assertUnchanged) return attempt
  await assertUnchanged(toPosition(state))
  return { ...attempt, plan: attempt.plan && { ...attempt.plan, mode: 'exact' } }
}

const toPosition = (state: State): SheetPosition => ({ version: state.seq, commitId: getNewestCommitId(state) })

export async function planAttempt(
  store: Store,
  sheet: SheetRef,
  state: State,
  { added, removes = [], compare, limit = store.sheetRows }: WriteJob,
  attempt: number,
): Promise<WriteAttempt> {
  const removal = await findRowsToRemove(store, state, rulesOf(sheet), removes)
  const { removed } = removal
  const compared = await compare?.(state, removed, attempt)
  const changes = compared?.changes ?? []
  const plan = await planWrite(store, state, sheet, { added, changes, removed }, limit, compared?.exact)
  const unwritten = compared?.unwritten
  return {
    plan: plan && unwritten ? { ...plan, unwritten } : plan,
    removed,
    changes,
    missing: [...new Set([...(compared?.missing ?? []), ...removal.missing])],
    unwritten,
  }
}

export function createUpdateMerger(): { add: (updates: readonly RecordUpdate[]) => void; all: () => RecordUpdate[] } {
  const byId = new Map<string, RecordUpdate>()
  return {
    add(updates) {
      for (const update of updates) {
        const earlier = byId.get(update.id)
        byId.set(update.id, earlier ? mergeUpdates(earlier, update) : update)
      }
    },
    all: () => [...byId.values()],
  }
}

const mergeUpdates = (earlier: RecordUpdate, later: RecordUpdate): RecordUpdate => ({
  ...earlier,
  ...(later.metadata === undefined ? {} : { metadata: later.metadata }),
  ...(later.config === undefined ? {} : { config: later.config }),
  values: Object.fromEntries([...Object.entries(earlier.values ?? {}), ...Object.entries(later.values ?? {})]),
})

export function listUnknownFields(rules: SheetRules, updates: readonly RowUpdate[]): string[] {
  const unknownKeys = new Set<string>()
  for (const { values } of updates)
    for (const key of Object.keys(values ?? {})) if (!rules.byKey.has(key)) unknownKeys.add(key)
  return [...unknownKeys]
}
