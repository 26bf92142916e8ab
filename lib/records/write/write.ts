/** Writes inserts, updates and deletes of any number as one atomic commit. */

import { append, type Plan } from '../log/log.ts'
import { countRows, type State } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { rulesOf, type SheetRules } from '../rules/rules.ts'
import { loadValidatedState } from '../rules/validate.ts'
import type { RecordUpdate, Selection, SheetRef, WriteContext } from '../sheet.ts'
import { compactIfDue } from '../versions/compact.ts'
import type { RowUpdate } from './changes.ts'
import { type ChangeCache, compareUpdates, type SegmentChange, type UpdateComparison } from './compare.ts'
import { findRowsToRemove, noRemovedRows, type RemovedRows } from './deletion.ts'
import { type AddedRows, createIngest, type RowsPart } from './ingest.ts'
import { planWrite } from './plan.ts'
import { createWriteResult } from './results.ts'
import { createEffect, type Effect, loadPreviousResult, type RecordsWritten } from './written-records.ts'

export type WritePart = RowsPart | { updates: readonly RecordUpdate[] } | { deletes: readonly string[] }

export interface WriteOptions {
  truncate?: boolean
  limit?: number
}

export interface WriteOutcome extends RecordsWritten {
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
): Promise<WriteOutcome> {
  const start = await startWrite(store, sheet, ctx)
  if ('earlier' in start) return { ...start.earlier, missing: [], ignoredFields: [] }
  const rules = rulesOf(sheet)
  const limit = options.limit ?? store.sheetRows
  const ingestion = createIngest(store, rules, limit, 0)
  const merger = createUpdateMerger()
  const deletes = new Set<string>()
  for await (const part of parts) {
    if ('updates' in part) merger.add(part.updates)
    else if ('deletes' in part) for (const id of part.deletes) deletes.add(id)
    else await ingestion.add(part)
  }
  const mergedUpdates = merger.all()
  const result = await commitWrites(store, sheet, start.state, ctx, {
    added: await ingestion.finish(),
    removes: options.truncate ? { filter: 'all' } : [...deletes],
    compare: createComparison(store, rules, mergedUpdates),
    limit,
  })
  return {
    ...result,
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
  return seq === undefined ? { state } : { earlier: await loadPreviousResult(store, sheet, state, ctx, seq), seq }
}

export async function writeRows(
  sheet: SheetRef,
  parts: AsyncIterable<RowsPart>,
  ctx: WriteContext,
  store: Store,
): Promise<WriteOutcome> {
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
    const options = { rewrite: attempt < REWRITE_ATTEMPTS, keepChanges: true }
    return compareUpdates(store, state, rules, updates, removed, options, cache)
  }
}

export async function commitWrites(
  store: Store,
  sheet: SheetRef,
  start: State,
  ctx: WriteContext,
  job: WriteJob,
): Promise<RecordsWritten & { missing: string[] }> {
  const rules = rulesOf(sheet)
  const { added, removes = [], compare, limit = store.sheetRows } = job
  let plan: Plan | undefined
  let removed = noRemovedRows
  let changes: SegmentChange[] = []
  let missing: string[] = []
  let attempt = 0
  let newest = start
  const appended = await append(store, start, ctx, async (state) => {
    newest = state
    const removal = await findRowsToRemove(store, state, rules, removes)
    const compared = await compare?.(state, removal.removed, attempt++)
    removed = removal.removed
    changes = compared?.changes ?? []
    missing = [...new Set([...(compared?.missing ?? []), ...removal.missing])]
    plan = await planWrite(store, state, sheet, { added, changes, removed }, limit, compared?.exact)
    return plan
  })
  if (appended && !appended.page)
    return { ...(await loadPreviousResult(store, sheet, appended.state, ctx, appended.seq)), missing }
  const changed = plan !== undefined && !plan.isInternal
  if (appended) await compactIfDue(store, sheet, appended.state)
  const result = await createWriteResult(store, newest, ctx, appended, changed)
  const effect: Effect = createEffect(store, rules, appended?.state ?? newest, appended?.seq ?? 0, {
    added,
    changes,
    removed,
  })
  return { ...result, ...effect, missing }
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
