/**
 * Older versions come back as one commit. The whole of one is a pointer: no byte is copied, however large the sheet. A part
 * of one (records created since go, changed cells get their old values, deleted records return) is a few steps in one entry.
 */
import { invalidField } from '../../core/errors.ts'
import { getOrMake } from '../bytes/maps.ts'
import type { ResetBody, StepBody } from '../log/entries.ts'
import { foldStep } from '../log/fold.ts'
import { coordinatesOf, type Differences, differencesBetween, entriesIn, entryAt } from '../log/history.ts'
import { recordIdOf } from '../log/ids.ts'
import { append, type Plan, stateAt } from '../log/log.ts'
import { isValidatedBy, placeOf, type Segment, type State } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import { baseMessages, mergedCells, openAll, settle } from '../read/reader.ts'
import { relinked } from '../rules/references.ts'
import { revalidate } from '../rules/revalidate.ts'
import { rulesOf, type SheetRules } from '../rules/rules.ts'
import { validated } from '../rules/validate.ts'
import type { CellInput, Message, RecordUpdate, SheetRef, WriteContext } from '../sheet.ts'
import { compareUpdates, type SegmentChange } from '../write/compare.ts'
import { planWrite } from '../write/plan.ts'
import { nothingRemoved, type Removed, removedOf } from '../write/removal.ts'
import { type WriteResult, writeResult } from '../write/results.ts'
import { MESSAGES } from '../write/segment.ts'
import { tidied } from './compact.ts'
import { planReturn } from './return.ts'

/** Which differences to undo; all when none is named. */
export interface RestoreOptions {
  /** The version: as many entries of the log as `versionOf` said. */
  to: number
  /** Delete the records created since. */
  created?: boolean
  /** Give changed cells their old values. */
  updated?: boolean
  /** Bring deleted records back, under their own ids. */
  deleted?: boolean
}

/**
 * Restores an older version, or a part of it, as one commit; none when there is nothing to restore.
 * @throws ApiError invalid when the sheet has no such version
 */
export async function restore(
  sheet: SheetRef,
  options: RestoreOptions,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<WriteResult> {
  const rules = rulesOf(sheet)
  const state = await validated(store, sheet)
  versionIn(state, options.to, 'to')
  const earlier = state.ops.get(ctx.op)
  if (earlier !== undefined) {
    const entry = await entryAt(sheet.sheetId, earlier)
    return writeResult(store, state, ctx, { seq: earlier, state, page: undefined }, !entry?.x)
  }
  const { created, updated, deleted } = options
  const isWhole = Boolean(created) === Boolean(updated) && Boolean(updated) === Boolean(deleted)
  let changed = false
  const appended = await append(store, state, ctx, async (now) => {
    const plan = isWhole ? await planWhole(store, now, options.to) : await planPart(store, now, sheet, options)
    changed = plan !== undefined && !plan.quiet
    return plan
  })
  // Fields or constraints may have changed since: counts are those of the present ones.
  const after = appended && { ...appended, state: await judged(store, sheet, appended.state, rules) }
  if (after) await tidied(store, sheet, after.state)
  return writeResult(store, state, ctx, after, changed)
}

/** References restored with the rows were judged against an older version of the other sheet. */
async function judged(store: Store, sheet: SheetRef, state: State, rules: SheetRules): Promise<State> {
  const valid = isValidatedBy(state, rules.signature) ? state : await revalidate(store, state, rules)
  return relinked(store, sheet, valid, rules)
}

/** @throws ApiError invalid when the log does not reach as far */
export function versionIn(state: State, seq: number, parameter: string): number {
  if (!Number.isSafeInteger(seq) || seq < 0 || seq > state.seq)
    throw invalidField(parameter, `The sheet has no version ${seq}.`)
  return seq
}

async function planWhole(store: Store, now: State, to: number): Promise<Plan | undefined> {
  const older = await stateAt(store, now.sheetId, to)
  const differences = await differencesBetween(store, older, now)
  const { created, deleted } = differences
  const isSame = !created.size && !deleted.size && (await differences.updated().next()).done === true
  if (isSame && isStoredAlike(older, now)) return undefined
  return { kind: 'r', body: { to }, mode: 'exact', quiet: isSame }
}

/** Messages and metadata are the same too, as far as can be told without reading. */
function isStoredAlike(a: State, b: State): boolean {
  const told = ({ key, blobs, deleted, edits, signature }: Segment): string =>
    JSON.stringify([
      key,
      signature,
      blobs.map(({ id }) => id),
      deleted && Buffer.from(deleted).toString('base64'),
      [...edits].map(([row, { values, slots }]) => [row, [...values], [...slots]]),
    ])
  return a.segments.length === b.segments.length && a.segments.every((one, i) => told(one) === told(b.segments[i]!))
}

async function planPart(
  store: Store,
  state: State,
  sheet: SheetRef,
  options: RestoreOptions,
): Promise<Plan | undefined> {
  const { to } = options
  const rules = rulesOf(sheet)
  const older = await settle(store, await stateAt(store, state.sheetId, to))
  const now = await settle(store, state)
  const differences = await differencesBetween(store, older, now)
  if (options.deleted && (await onlyDeletions(store, now, to)))
    return differences.deleted.size ? { kind: 'r', body: { to }, mode: 'exact' } : undefined
  const steps: StepBody[] = []
  let view = now
  const step = (plan: Plan | undefined): void => {
    if (!plan) return
    steps.push(plan.body as StepBody)
    view = foldStep(view, plan.body as StepBody)
  }
  const write = (view: State, removed: Removed, changes: readonly SegmentChange[]): Promise<Plan | undefined> =>
    planWrite(store, view, sheet, { added: undefined, changes, removed }, Number.POSITIVE_INFINITY)
  if (options.created) step(await write(view, rowsIn(view, differences.created), []))
  if (options.updated) step(await write(view, nothingRemoved, await oldValues(store, older, view, rules, differences)))
  if (options.deleted) step(await planReturn(store, older, view, rules, coordinatesOf(differences.deleted)))
  const body: ResetBody = { to, steps }
  return steps.length ? { kind: 'r', body, mode: 'exact' } : undefined
}

/** Did nothing happen since but records being deleted? Then all of the version comes back, and that is cheap. */
const onlyDeletions = async (store: Store, now: State, to: number): Promise<boolean> =>
  (await entriesIn(store, now, to)).every(({ entry }) => entry.k === 'd' || entry.k === 'm')

function rowsIn(state: State, rows: Differences['created']): Removed {
  const found = new Map<Segment, number[]>()
  for (const at of coordinatesOf(rows)) {
    const { segment, row } = placeOf(state, at)!
    getOrMake(found, segment, (): number[] => []).push(row)
  }
  for (const list of found.values()) list.sort((a, b) => a - b)
  return removedOf(found)
}

/** What giving changed records their old values changes. */
async function oldValues(
  store: Store,
  older: State,
  now: State,
  rules: SheetRules,
  differences: Differences,
): Promise<SegmentChange[]> {
  const updates: RecordUpdate[] = []
  for await (const changed of differences.updated()) {
    const hooks = await hooksIn(
      store,
      changed.map(({ at }) => placeOf(older, at)!.segment),
    )
    for (const { at, cells } of changed) {
      const place = placeOf(older, at)!
      const values: { [field: string]: CellInput } = {}
      for (const [field, { before }] of cells) {
        const messages = hooks.get(place.segment)!(place.row, field)
        Object.defineProperty(values, field, { value: { value: JSON.parse(before), messages }, enumerable: true })
      }
      updates.push({ id: recordIdOf(now.sheetId, at), values })
    }
  }
  const options = { rewrite: true, keep: false }
  return (await compareUpdates(store, now, rules, updates, nothingRemoved, options, new Map())).changes
}

type HooksOf = (row: number, field: string) => readonly Message[]

/** Hooks' messages spoke of the old values: they come back with them. */
async function hooksIn(store: Store, segments: readonly Segment[]): Promise<Map<Segment, HooksOf>> {
  const found = new Map<Segment, HooksOf>()
  for await (const open of openAll(store, [...new Set(segments)], [MESSAGES])) {
    const base = baseMessages(open)
    const { edits } = open.segment
    found.set(open.segment, (row, field) => mergedCells(base.get(row), edits.get(row)).get(field)?.hooks ?? [])
  }
  return found
}
