/** Restores older versions as one commit. A full restore only stores a pointer, however large the sheet is. */
import { message } from '../../../schemas/messages/index.ts'
import { invalidField } from '../../core/errors.ts'
import { getOrInsert } from '../columns/maps.ts'
import { revalidateReferences } from '../constraints/references.ts'
import { revalidate } from '../constraints/revalidate.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { toStoredInput } from '../fields/notes.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import type { ResetBody, StepBody } from '../format/entries.ts'
import { formatRecordId } from '../format/ids.ts'
import { type AppendResult, append, type Plan, stateAt } from '../log/log.ts'
import { readEntries, readEntry } from '../log/read-entries.ts'
import { processStore, type Store } from '../log/store.ts'
import { type Differences, findDifferences, listCoordinates } from '../read/changed-records.ts'
import { compactIfDue } from '../segments/compact.ts'
import { computeErrorCounts, mergeCellMessages, openAll, readBaseMessages } from '../segments/open.ts'
import type { CellInput, Message, RecordUpdate, SheetRef, WriteContext } from '../sheet.ts'
import { foldStep } from '../state/fold.ts'
import { findRow, isValidatedBy, type Segment, type State } from '../state/state.ts'
import { compareUpdates, type SegmentChange } from '../write/compare-segments.ts'
import { planWrite } from '../write/plan.ts'
import { noRemovedRows, type RemovedRows, toRemovedRows } from '../write/plan-removal.ts'
import { type CommitResult, createCommitResult } from '../write/write-result.ts'
import { planUndelete } from './undelete.ts'

export interface RestoreOptions {
  /** The `seq` returned by `readVersion`. */
  to: number
  created?: boolean
  updated?: boolean
  deleted?: boolean
}

export async function restoreVersion(
  sheet: SheetRef,
  options: RestoreOptions,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<CommitResult> {
  const state = await loadValidatedState(store, sheet)
  assertVersion(state, options.to, 'to')
  const earlier = await loadEarlierRestore(store, sheet, state, ctx)
  if (earlier) return earlier
  const { created, updated, deleted } = options
  const isFull = Boolean(created) === Boolean(updated) && Boolean(updated) === Boolean(deleted)
  const appending = await append(store, state, ctx, async (current) => ({
    plan: isFull
      ? await planFullRestore(store, current, options.to)
      : await planRestoreOf(store, current, sheet, options),
  }))
  return finishRestore(store, sheet, state, ctx, appending)
}

export async function loadEarlierRestore(
  store: Store,
  { sheetId }: SheetRef,
  state: State,
  ctx: WriteContext,
): Promise<CommitResult | undefined> {
  const seq = state.ops.get(ctx.op)
  if (seq === undefined) return undefined
  const entry = await readEntry(sheetId, seq)
  return createCommitResult(store, state, ctx, { seq, state, page: undefined }, !entry?.x)
}

export async function finishRestore(
  store: Store,
  sheet: SheetRef,
  state: State,
  ctx: WriteContext,
  { lastAttempt: { plan }, appended }: { lastAttempt: { plan: Plan | undefined }; appended: AppendResult | undefined },
): Promise<CommitResult> {
  const rules = rulesOf(sheet)
  // Fields or constraints may have changed since that version, so counts must follow the current ones.
  const revalidated = appended && { ...appended, state: await revalidateRestored(store, sheet, appended.state, rules) }
  if (revalidated) await compactIfDue(store, sheet, revalidated.state)
  return createCommitResult(store, state, ctx, revalidated, plan !== undefined && !plan.isInternal)
}

/** References restored with the rows were validated against an older version of the other sheet. */
async function revalidateRestored(store: Store, sheet: SheetRef, state: State, rules: SheetRules): Promise<State> {
  const valid = isValidatedBy(state, rules.signature) ? state : await revalidate(store, state, rules)
  return revalidateReferences(store, sheet, valid, rules)
}

export function assertVersion(state: State, seq: number, parameter: string): number {
  if (!Number.isSafeInteger(seq) || seq < 0 || seq > state.seq)
    throw invalidField(parameter, message('records.noVersion', { version: String(seq) }))
  return seq
}

export async function planFullRestore(store: Store, current: State, to: number): Promise<Plan | undefined> {
  const older = await stateAt(store, current.sheetId, to)
  const differences = await findDifferences(store, older, current)
  const { created, deleted } = differences
  const isSame = !created.size && !deleted.size && (await differences.updated().next()).done === true
  if (isSame && hasSameStorage(older, current)) return undefined
  return { kind: 'r', body: { to }, mode: 'exact', isInternal: isSame }
}

function hasSameStorage(a: State, b: State): boolean {
  const formatFingerprint = ({ key, blobs, deleted, edits, signature }: Segment): string =>
    JSON.stringify([
      key,
      signature,
      blobs.map(({ id }) => id),
      deleted && Buffer.from(deleted).toString('base64'),
      [...edits].map(([row, { values, slots }]) => [row, [...values], [...slots]]),
    ])
  return (
    a.segments.length === b.segments.length &&
    a.segments.every((segment, i) => formatFingerprint(segment) === formatFingerprint(b.segments[i]!))
  )
}

async function planRestoreOf(
  store: Store,
  state: State,
  sheet: SheetRef,
  options: RestoreOptions,
): Promise<Plan | undefined> {
  const { to } = options
  const older = await computeErrorCounts(store, await stateAt(store, state.sheetId, to))
  const current = await computeErrorCounts(store, state)
  const differences = await findDifferences(store, older, current)
  if (options.deleted && (await hasOnlyDeletions(store, current, to)))
    return differences.deleted.size ? { kind: 'r', body: { to }, mode: 'exact' } : undefined
  return planPartialRestore(store, current, sheet, options, older, differences)
}

export async function planPartialRestore(
  store: Store,
  current: State,
  sheet: SheetRef,
  options: RestoreOptions,
  older: State,
  differences: Differences,
): Promise<Plan | undefined> {
  const { to } = options
  const rules = rulesOf(sheet)
  const steps: StepBody[] = []
  let view = current
  const addStep = (plan: Plan | undefined): void => {
    if (!plan) return
    steps.push(plan.body as StepBody)
    view = foldStep(view, plan.body as StepBody)
  }
  const planChanges = (
    view: State,
    removed: RemovedRows,
    changes: readonly SegmentChange[],
  ): Promise<Plan | undefined> =>
    planWrite(store, view, sheet, { added: undefined, changes, removed }, Number.POSITIVE_INFINITY)
  if (options.created) addStep(await planChanges(view, collectCreatedRows(view, differences.created), []))
  if (options.updated)
    addStep(await planChanges(view, noRemovedRows, await compareOldValues(store, older, view, rules, differences)))
  if (options.deleted) addStep(await planUndelete(store, older, view, rules, listCoordinates(differences.deleted)))
  const body: ResetBody = { to, steps }
  return steps.length ? { kind: 'r', body, mode: 'exact' } : undefined
}

/** If records were only deleted since, restoring the whole version is cheap and equivalent. */
const hasOnlyDeletions = async (store: Store, current: State, to: number): Promise<boolean> =>
  (await readEntries(store, current, to)).every(({ entry }) => entry.k === 'd' || entry.k === 'm')

function collectCreatedRows(state: State, rows: Differences['created']): RemovedRows {
  const rowsBySegment = new Map<Segment, number[]>()
  for (const at of listCoordinates(rows)) {
    const { segment, row } = findRow(state, at)!
    getOrInsert(rowsBySegment, segment, (): number[] => []).push(row)
  }
  for (const list of rowsBySegment.values()) list.sort((a, b) => a - b)
  return toRemovedRows(rowsBySegment)
}

async function compareOldValues(
  store: Store,
  older: State,
  current: State,
  rules: SheetRules,
  differences: Differences,
): Promise<SegmentChange[]> {
  const updates: RecordUpdate[] = []
  for await (const changed of differences.updated()) {
    const hooks = await loadHookMessages(
      store,
      changed.map(({ at }) => findRow(older, at)!.segment),
    )
    for (const { at, cells } of changed) {
      const rowRef = findRow(older, at)!
      const values: { [field: string]: CellInput } = {}
      for (const [field, { before }] of cells) {
        const messages = hooks.get(rowRef.segment)!(rowRef.row, field)
        const input = toStoredInput(JSON.parse(before), messages)
        Object.defineProperty(values, field, { value: input, enumerable: true })
      }
      updates.push({ id: formatRecordId(current.sheetId, at), values })
    }
  }
  const options = { rewrite: true, keepChanges: 'patches' as const }
  return (await compareUpdates(store, current, rules, updates, noRemovedRows, options, new Map())).changes
}

type HookMessageLookup = (row: number, field: string) => readonly Message[]

/** Messages from hooks refer to the old values, so they are restored with them. */
async function loadHookMessages(store: Store, segments: readonly Segment[]): Promise<Map<Segment, HookMessageLookup>> {
  const lookups = new Map<Segment, HookMessageLookup>()
  for await (const open of openAll(store, [...new Set(segments)], [MESSAGES])) {
    const base = readBaseMessages(open)
    const { edits } = open.segment
    lookups.set(open.segment, (row, field) => mergeCellMessages(base.get(row), edits.get(row)).get(field)?.hooks ?? [])
  }
  return lookups
}
