/**
 * Writing records: inserts, updates and deletes of any number in one commit. New rows are stored as they come; everything
 * becomes visible with one entry of the log, or nothing does.
 */

import { append, type Plan } from '../log/log.ts'
import { type State, totalRows } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { rulesOf, type SheetRules } from '../rules/rules.ts'
import { validated } from '../rules/validate.ts'
import type { RecordUpdate, Selection, SheetRef, WriteContext } from '../sheet.ts'
import { tidied } from '../versions/compact.ts'
import type { RowUpdate } from './changes.ts'
import { type Compared, compareUpdates, type KnownChanges, type SegmentChange } from './compare.ts'
import { type Added, ingest, type RowsPart } from './ingest.ts'
import { type Effect, earlierResult, effectOf, type RecordsWritten } from './outcome.ts'
import { planWrite } from './plan.ts'
import { nothingRemoved, type Removed, rowsToRemove } from './removal.ts'
import { writeResult } from './results.ts'

/** A part of a write: new rows, changes of records, or ids of records to delete. */
export type WritePart = RowsPart | { updates: readonly RecordUpdate[] } | { deletes: readonly string[] }

export interface WriteOptions {
  /** All records there are before this write are deleted in the same commit. */
  truncate?: boolean
  /** Records the sheet may hold; the store's `sheetRows` unless told. */
  limit?: number
}

export interface WriteOutcome extends RecordsWritten {
  /** Ids to update or delete of no record of the sheet; of an operation done before: none. */
  missing: string[]
  /** Keys of values the sheet has no field for. */
  ignoredFields: string[]
}

/**
 * Writes any number of inserts, updates and deletes as one commit. Several updates of one record are one, the later cell
 * replacing the earlier; a record both updated and deleted is deleted. The same `op` again writes nothing and answers what
 * the first did; the parts are not read then.
 * @throws ApiError conflict when the sheet would hold too many records, invalid when a value is too large
 */
export async function write(
  sheet: SheetRef,
  parts: AsyncIterable<WritePart>,
  ctx: WriteContext,
  options: WriteOptions = {},
  store: Store = processStore,
): Promise<WriteOutcome> {
  const begun = await begin(store, sheet, ctx)
  if ('earlier' in begun) return { ...begun.earlier, missing: [], ignoredFields: [] }
  const rules = rulesOf(sheet)
  const limit = options.limit ?? store.sheetRows
  const rows = ingest(store, rules, limit, 0)
  const updates = updatesById()
  const deletes = new Set<string>()
  for await (const part of parts) {
    if ('updates' in part) updates.add(part.updates)
    else if ('deletes' in part) for (const id of part.deletes) deletes.add(id)
    else await rows.add(part)
  }
  const merged = updates.all()
  const result = await commitWrites(store, sheet, begun.state, ctx, {
    added: await rows.finish(),
    removes: options.truncate ? { filter: 'all' } : [...deletes],
    compare: comparison(store, rules, merged),
    limit,
  })
  return { ...result, ignoredFields: [...new Set([...rows.ignored, ...unknownFields(rules, merged)])] }
}

/** The state to start from; or, when the operation was done before, what it did. */
export async function begin(
  store: Store,
  sheet: SheetRef,
  ctx: WriteContext,
): Promise<{ state: State } | { earlier: RecordsWritten; seq: number }> {
  const state = await validated(store, sheet)
  const seq = state.ops.get(ctx.op)
  return seq === undefined ? { state } : { earlier: await earlierResult(store, sheet, state, ctx, seq), seq }
}

/** Adds any number of rows as one commit. */
export async function writeRows(
  sheet: SheetRef,
  parts: AsyncIterable<RowsPart>,
  ctx: WriteContext,
  store: Store,
): Promise<WriteOutcome> {
  const begun = await begin(store, sheet, ctx)
  if ('earlier' in begun) return { ...begun.earlier, missing: [], ignoredFields: [] }
  const rows = ingest(store, rulesOf(sheet), store.sheetRows, totalRows(begun.state))
  for await (const part of parts) await rows.add(part)
  const result = await commitWrites(store, sheet, begun.state, ctx, { added: await rows.finish() })
  return { ...result, ignoredFields: [...rows.ignored] }
}

/** What a write is made of; what of it depends on the state is worked out at each attempt to append. */
export interface Job {
  added?: Added | undefined
  removes?: readonly string[] | Selection
  compare?: Comparison
  /** Records the sheet may hold; the store's `sheetRows` unless told. */
  limit?: number
}
export type Comparison = (state: State, removed: Removed, attempt: number) => Promise<Compared>

/** A rewrite this often overtaken by others goes into the log as patches instead: those cannot be overtaken. */
export const REWRITE_ATTEMPTS = 4

/** Compares these updates; what an earlier attempt found of a segment that did not change since is kept. */
export function comparison(store: Store, rules: SheetRules, updates: readonly RecordUpdate[]): Comparison {
  const known: KnownChanges = new Map()
  return async (state, removed, attempt) => {
    if (attempt === REWRITE_ATTEMPTS) known.clear()
    const options = { rewrite: attempt < REWRITE_ATTEMPTS, keep: true }
    return compareUpdates(store, state, rules, updates, removed, options, known)
  }
}

/** Appends what a job comes to; planned anew when the log moved on in a way that matters. */
export async function commitWrites(
  store: Store,
  sheet: SheetRef,
  start: State,
  ctx: WriteContext,
  job: Job,
): Promise<RecordsWritten & { missing: string[] }> {
  const rules = rulesOf(sheet)
  const { added, removes = [], compare, limit = store.sheetRows } = job
  let planned: Plan | undefined
  let removed = nothingRemoved
  let changes: SegmentChange[] = []
  let missing: string[] = []
  let attempt = 0
  let newest = start
  const appended = await append(store, start, ctx, async (state) => {
    newest = state
    const removal = await rowsToRemove(store, state, rules, removes)
    const compared = await compare?.(state, removal.removed, attempt++)
    removed = removal.removed
    changes = compared?.changes ?? []
    missing = [...new Set([...(compared?.missing ?? []), ...removal.missing])]
    planned = await planWrite(store, state, sheet, { added, changes, removed }, limit, compared?.exact)
    return planned
  })
  if (appended && !appended.page)
    return { ...(await earlierResult(store, sheet, appended.state, ctx, appended.seq)), missing }
  const changed = planned !== undefined && !planned.quiet
  if (appended) await tidied(store, sheet, appended.state)
  const result = await writeResult(store, newest, ctx, appended, changed)
  const effect: Effect = effectOf(store, rules, appended?.state ?? newest, appended?.seq ?? 0, {
    added,
    changes,
    removed,
  })
  return { ...result, ...effect, missing }
}

/** Several changes of one record are one: a later cell replaces an earlier one. */
export function updatesById(): { add: (updates: readonly RecordUpdate[]) => void; all: () => RecordUpdate[] } {
  const byId = new Map<string, RecordUpdate>()
  return {
    add(updates) {
      for (const update of updates) {
        const earlier = byId.get(update.id)
        byId.set(update.id, earlier ? mergedUpdate(earlier, update) : update)
      }
    },
    all: () => [...byId.values()],
  }
}

const mergedUpdate = (earlier: RecordUpdate, later: RecordUpdate): RecordUpdate => ({
  ...earlier,
  ...(later.metadata === undefined ? {} : { metadata: later.metadata }),
  ...(later.config === undefined ? {} : { config: later.config }),
  values: Object.fromEntries([...Object.entries(earlier.values ?? {}), ...Object.entries(later.values ?? {})]),
})

/** Keys of values the sheet has no field for. */
export function unknownFields(rules: SheetRules, updates: readonly RowUpdate[]): string[] {
  const unknown = new Set<string>()
  for (const { values } of updates)
    for (const key of Object.keys(values ?? {})) if (!rules.byKey.has(key)) unknown.add(key)
  return [...unknown]
}
