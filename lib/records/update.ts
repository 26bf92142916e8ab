/**
 * Partial changes of records as one commit. Few cells of a segment are patches in the log; many are its columns written
 * anew. Messages, metadata and config alone are stored, but make no commit.
 */

import { hasBit, storeRows } from './bits.ts'
import { commonForm, type Names, newNames, rowsBySegment } from './body.ts'
import { changesIn, columnsTouched, editAfter, type RowChange, type Target, uniqueMoves } from './changes.ts'
import { type FlagChange, flagEffects, flagsAfter } from './effects.ts'
import type { ColumnsForm, PatchBody, RowPatch, RunForm, UniqueForm } from './entries.ts'
import { type Coordinate, coordinateOf } from './ids.ts'
import { append, type Plan } from './log.ts'
import { getOrMake } from './maps.ts'
import { type OpenSegment, openSegments } from './reader.ts'
import { type WriteResult, writeResult } from './results.ts'
import { editedColumns, quietCount, rewrite, storeRewritten, withEdits } from './rewrite.ts'
import { rulesOf, type SheetRules, type UniqueRule, valueColumn } from './rules.ts'
import { MESSAGES } from './segment.ts'
import type { CellChange, RecordUpdate, SheetRef, WriteContext } from './sheet.ts'
import { isLive, placeOf, type RowEdit, type Segment, type State } from './state.ts'
import { processStore, type Store } from './store.ts'
import { hashesOf, hashText, uniqueOutcome } from './unique.ts'
import { validated } from './validate.ts'

export interface UpdateResult extends WriteResult {
  /** Ids of the records whose values changed. */
  updated: string[]
  changes: CellChange[]
  /** Ids of no record of the sheet. */
  missing: string[]
  /** Keys of values the sheet has no field for. */
  ignoredFields: string[]
}

/** An update this often overtaken by others goes into the log as patches instead: those cannot be overtaken. */
const REWRITE_ATTEMPTS = 4

/** Changes records; unknown ids are listed, the others are changed. */
export async function update(
  sheet: SheetRef,
  updates: readonly RecordUpdate[],
  ctx: WriteContext,
  store: Store = processStore,
): Promise<UpdateResult> {
  const rules = rulesOf(sheet)
  const state = await validated(store, sheet)
  const merged = mergedById(updates)
  const ignoredFields = unknownFields(rules, merged)
  const earlier = state.ops.get(ctx.op)
  if (earlier !== undefined) {
    const result = await writeResult(store, state, ctx, { seq: earlier, state, page: undefined }, true)
    return { ...result, updated: merged.map(({ id }) => id), changes: [], missing: [], ignoredFields }
  }
  let work = emptyWork()
  let attempts = 0
  const appended = await append(store, state, ctx, async (now) => {
    work = await compare(store, now, rules, merged)
    return work.groups.length ? planUpdate(store, now, rules, work, attempts++ < REWRITE_ATTEMPTS) : undefined
  })
  const changes = work.groups.flatMap(({ changes }) => changes.flatMap(cellChanges))
  const result = await writeResult(store, state, ctx, appended, changes.length > 0)
  return {
    ...result,
    updated: [...new Set(changes.map(({ recordId }) => recordId))],
    changes,
    missing: work.missing,
    ignoredFields,
  }
}

/** Several changes of one record in a call are one: a later cell replaces an earlier one. */
function mergedById(updates: readonly RecordUpdate[]): RecordUpdate[] {
  const byId = new Map<string, RecordUpdate>()
  for (const update of updates) {
    const earlier = byId.get(update.id)
    if (!earlier) byId.set(update.id, update)
    else {
      const values = Object.fromEntries([
        ...Object.entries(earlier.values ?? {}),
        ...Object.entries(update.values ?? {}),
      ])
      byId.set(update.id, { ...earlier, ...definedOf(update), values })
    }
  }
  return [...byId.values()]
}

const definedOf = ({ metadata, config }: RecordUpdate): Partial<RecordUpdate> => ({
  ...(metadata === undefined ? {} : { metadata }),
  ...(config === undefined ? {} : { config }),
})

function unknownFields(rules: SheetRules, updates: readonly RecordUpdate[]): string[] {
  const unknown = new Set<string>()
  for (const { values } of updates)
    for (const key of Object.keys(values ?? {})) if (!rules.byKey.has(key)) unknown.add(key)
  return [...unknown]
}

function cellChanges({ id, values }: RowChange): CellChange[] {
  return [...values].map(([fieldKey, { before, after }]) => ({
    recordId: id,
    fieldKey,
    previousValue: JSON.parse(before),
    newValue: JSON.parse(after),
  }))
}

/** The real changes of one segment. */
interface Group {
  open: OpenSegment
  changes: RowChange[]
}
interface Work {
  groups: Group[]
  missing: string[]
}
const emptyWork = (): Work => ({ groups: [], missing: [] })

async function compare(store: Store, state: State, rules: SheetRules, updates: readonly RecordUpdate[]): Promise<Work> {
  const targets = new Map<Segment, Target[]>()
  const missing: string[] = []
  for (const update of updates) {
    const at = coordinateOf(rules.sheetId, update.id)
    const place = at && placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) missing.push(update.id)
    else {
      getOrMake(targets, place.segment, (): Target[] => []).push({ update, at, row: place.row })
    }
  }
  const columns = columnsTouched(rules, updates)
  const opened = await openSegments(store, [...targets.keys()], [...columns, MESSAGES])
  const groups = opened.flatMap((open) => {
    const sorted = targets.get(open.segment)!.sort((a, b) => a.row - b.row)
    const changes = changesIn(open, rules, sorted, columns)
    return changes.length ? [{ open, changes }] : []
  })
  return { groups, missing }
}

async function planUpdate(
  store: Store,
  state: State,
  rules: SheetRules,
  { groups }: Work,
  mayRewrite: boolean,
): Promise<Plan> {
  const names = newNames()
  const unique = await uniqueEffects(store, state, rules, groups)
  const isBig = ({ open, changes }: Group): boolean =>
    mayRewrite && open.segment.edits.size + changes.length > store.editedRows
  const big = groups.filter(isBig)
  const small = groups.filter((group) => !isBig(group))
  const quiet = groups.every(({ changes }) => changes.every(({ values }) => values.size === 0))
  const p = small.flatMap(({ changes }) => patchForms(names, changes))
  const counted = new Set(big.map(({ open }) => open.segment))
  const effects = await flagEffects(store, state, names, unique.changes, {
    patched: small.flatMap(({ changes }) => changes.map(({ at }) => at)),
    counted,
    isGone: () => false,
  })
  const columns = await rewriteAll(store, state, rules, names, big, unique.changes)
  const common = { ...effects, ...hashForms(unique.h, counted, state), ...commonForm(rules, names) }
  if (!big.length) {
    const mode = effects.recounts ? 'exact' : unique.h.length ? 'guarded' : 'free'
    return { kind: 'p', body: { p, ...common }, mode, quiet }
  }
  return { kind: 'c', body: { ...columns, ...(p.length ? { p } : {}), ...common }, mode: 'exact', quiet }
}

function patchForms(names: Names, changes: readonly RowChange[]): PatchBody['p'] {
  const bySegment = new Map<string, RowPatch[]>()
  for (const change of changes) {
    getOrMake(bySegment, change.at.key, (): RowPatch[] => []).push(rowPatch(names, change))
  }
  return [...bySegment]
}

function rowPatch({ keys, messages }: Names, change: RowChange): RowPatch {
  const slots = (of: RowChange['ruled']): (number | number[])[] =>
    [...of].flatMap(([key, list]) => [keys.indexOf(key), list.map(messages.indexOf)])
  const values = [...change.values].flatMap(([key, { after }]) => [keys.indexOf(key), JSON.parse(after)])
  const ruled = slots(change.ruled)
  const hooked = slots(change.hooked)
  return {
    r: change.at.row,
    ...(values.length ? { v: values } : {}),
    ...(ruled.length ? { k: ruled } : {}),
    ...(hooked.length ? { h: hooked } : {}),
    ...(change.metadata === undefined ? {} : { m: JSON.parse(change.metadata) }),
    ...(change.config === undefined ? {} : { c: JSON.parse(change.config) }),
  }
}

interface UniqueEffects {
  /** New hashes of changed rows. */
  h: { rule: string; at: Coordinate; hash: string | 0 }[]
  changes: FlagChange[]
}

async function uniqueEffects(
  store: Store,
  state: State,
  rules: SheetRules,
  groups: readonly Group[],
): Promise<UniqueEffects> {
  const effects: UniqueEffects = { h: [], changes: [] }
  for (const rule of rules.unique) {
    const moves = groups.flatMap(({ open, changes }) =>
      uniqueMoves(open, rules, rule, changes).map((move) => ({
        ...move,
        wasFlagged: hasBit(open.segment.flags.get(rule.id), move.change.row),
      })),
    )
    if (!moves.length) continue
    for (const { change, after } of moves) effects.h.push({ rule: rule.id, at: change.at, hash: hashText(after) })
    effects.changes.push(await flagChange(store, state, rules, rule, moves))
  }
  return effects
}

type Move = ReturnType<typeof uniqueMoves>[number] & { wasFlagged: boolean }

async function flagChange(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  moves: readonly Move[],
): Promise<FlagChange> {
  const moved = new Set(moves.map(({ change: { at } }) => `${at.key}/${at.row}`))
  const outcome = await uniqueOutcome(store, state, rules, rule, {
    added: hashesOf(moves.map(({ after }) => after)),
    lost: hashesOf(moves.map(({ before, wasFlagged }) => (wasFlagged ? before : undefined))),
    changed: ({ key, row }) => moved.has(`${key}/${row}`),
  })
  const shared = new Set(outcome.shared)
  const { flagged, cleared } = outcome
  moves.forEach(({ change, wasFlagged }, i) => {
    if (shared.has(i) && !wasFlagged) flagged.push(change.at)
    if (!shared.has(i) && wasFlagged) cleared.push(change.at)
  })
  return { rule: rule.id, flagged, cleared }
}

/** Hashes of rows whose segment is not written anew (a new run speaks for those). */
function hashForms(hashes: UniqueEffects['h'], rewritten: ReadonlySet<Segment>, state: State): { h?: UniqueForm['h'] } {
  const kept = hashes.filter(({ at }) => !rewritten.has(placeOf(state, at)!.segment))
  const forms = [...new Set(kept.map(({ rule }) => rule))].flatMap((rule) => {
    const ofRule = kept.filter((hash) => hash.rule === rule)
    const byPlace = new Map(ofRule.map(({ at, hash }) => [`${at.key}/${at.row}`, hash]))
    return [...rowsBySegment(ofRule.map(({ at }) => at))].map(
      ([key, rows]): [string, string, number[], (string | 0)[]] => [
        rule,
        key,
        rows,
        rows.map((row) => byPlace.get(`${key}/${row}`)!),
      ],
    )
  })
  return forms.length ? { h: forms } : {}
}

async function rewriteAll(
  store: Store,
  state: State,
  rules: SheetRules,
  names: Names,
  groups: readonly Group[],
  flagChanges: readonly FlagChange[],
): Promise<{ c: ColumnsForm[]; runs?: RunForm[] }> {
  const c: ColumnsForm[] = []
  const runs: RunForm[] = []
  for (const { open, changes } of groups) {
    const edits = new Map<number, RowEdit>(open.segment.edits)
    for (const change of changes) edits.set(change.row, editAfter(edits.get(change.row), change))
    const segment = { ...open.segment, edits }
    const columns = editedColumns(segment)
    const hashRules = rules.unique.filter((rule) => rule.fields.some((key) => columns.has(valueColumn(key))))
    const needed = [...columns, ...hashRules.flatMap((rule) => rule.fields.map(valueColumn)), MESSAGES]
    const [whole] = await openSegments(store, [open.segment], [...new Set(needed)])
    const rewritten = rewrite(withEdits(whole!, edits), rules, { rejudge: false, hashRules })
    const stored = await storeRewritten(store, rules, names, rewritten)
    c.push({
      ...stored.form,
      q: quietCount(rewritten, flagsAfter(state, open.segment, flagChanges)),
      w: changedRows(names, changes),
    })
    runs.push(...stored.runs)
  }
  return { c, ...(runs.length ? { runs } : {}) }
}

/** What changed, in rows of the segment as it stands at this commit. */
function changedRows(names: Names, changes: readonly RowChange[]): ColumnsForm['w'] {
  const byField = new Map<string, number[]>()
  for (const { row, values } of changes)
    for (const key of values.keys()) getOrMake(byField, key, (): number[] => []).push(row)
  return [...byField].flatMap(([key, rows]) => [names.keys.indexOf(key), storeRows(rows)])
}
