/** Plans the entry for a write of added, changed and deleted rows. Reads only what flags and exact counts need. */
import { encodeRows, setBit } from '../columns/bits.ts'
import { toHex } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import {
  applyFlagChanges,
  encodeFlagChanges,
  type FlagChange,
  type OwnRows,
  type ResultingFlags,
} from '../constraints/flag-changes.ts'
import { isErrorRule, rulesOf, type SheetRules } from '../fields/rules.ts'
import {
  type ColumnsForm,
  type EntryKind,
  type PatchBody,
  type RowPatch,
  type RunForm,
  type SegmentForm,
  toBody,
  type UniqueForm,
} from '../format/entries.ts'
import { type BodyDictionaries, createDictionaries, encodeCommon } from '../log/entry-builder.ts'
import type { Plan } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import { countBaseErrors, encodeRewrite } from '../segments/rewrite.ts'
import type { SheetRef } from '../sheet.ts'
import { countRows, type State, toCoordinate } from '../state/state.ts'
import type { Moves, RowChange } from './compare-rows.ts'
import type { SegmentChange } from './compare-segments.ts'
import { encodeAddedRuns, encodeSegments, getErrorRows } from './ingest.ts'
import { assertWithinLimit, hasRoom, MAX_UNGUARDED_ADD } from './limits.ts'
import { planRemoval } from './plan-removal.ts'
import { validateFlags, type Writes } from './validate-flags.ts'

/**
 * @param dependsOnValues the changes are valid for this state only
 * @returns undefined when there is nothing to write
 * @throws ApiError conflict when the sheet would exceed its limit
 */
export async function planWrite(
  store: Store,
  state: State,
  sheet: SheetRef,
  writes: Writes,
  limit: number,
  dependsOnValues = false,
): Promise<Plan | undefined> {
  const rules = rulesOf(sheet)
  const { added, changes, removed } = writes
  if (!added && !changes.length && !removed.count) return undefined
  const total = countRows(state)
  assertWithinLimit(limit, total - removed.count, added?.rows ?? 0, total)
  const dictionaries = createDictionaries()
  const { d, lost, unresolved } = await planRemoval(store, state, rules, removed)
  const validation = await validateFlags(store, state, sheet, rules, writes, lost)
  const flags = applyFlagChanges(state, validation.flags)
  const a = added ? encodeAddedSegments(dictionaries, writes, validation.flags) : []
  const p = changes.flatMap((change) => encodePatches(dictionaries, change))
  const { c, runs } = encodeColumns(dictionaries, writes, flags)
  if (added) runs.push(...encodeAddedRuns(dictionaries, added))
  const flagForms = await encodeFlagChanges(
    store,
    state,
    dictionaries,
    validation.flags,
    flags,
    collectOwnRows(writes, unresolved),
  )
  const h = encodeMovedHashes(rules, changes)
  const body = toBody({
    ...(d.length ? { d } : {}),
    ...(c.length ? { c } : {}),
    ...(p.length ? { p } : {}),
    ...(a.length ? { a } : {}),
    ...(runs.length ? { runs } : {}),
    ...flagForms,
    ...(h.length ? { h } : {}),
    // An empty list means that this write affects no references.
    ...(rules.references.length ? { links: validation.links } : {}),
    ...encodeCommon(rules, dictionaries),
  })
  const exact = dependsOnValues || d.length > 0 || c.length > 0 || flagForms.recounts !== undefined
  return {
    kind: getEntryKind({ a, c, d, p }),
    body,
    isInternal: !a.length && !d.length && changes.every(({ cells }) => cells.size === 0),
    ...chooseMode(state, writes, limit, exact, validation.isGuarded),
    ...(validation.readSets ? { readSets: validation.readSets } : {}),
  }
}

function getEntryKind(parts: { a: unknown[]; c: unknown[]; d: unknown[]; p: unknown[] }): EntryKind {
  const { a, c, d, p } = parts
  const hasChanges = c.length > 0 || p.length > 0
  if ([a.length > 0, d.length > 0, hasChanges].filter(Boolean).length > 1) return 'w'
  return a.length ? 'a' : d.length ? 'd' : c.length ? 'c' : 'p'
}

/** Concurrent adds must not exceed the limit together: near it adds are appended exactly, large ones guarded. */
function chooseMode(
  state: State,
  { added }: Writes,
  limit: number,
  exact: boolean,
  isGuarded: boolean,
): Pick<Plan, 'mode' | 'stillFits'> {
  if (exact || (added && !hasRoom(limit, state, added.rows))) return { mode: 'exact' }
  if (!added) return { mode: isGuarded ? 'guarded' : 'free' }
  return {
    mode: isGuarded || added.rows > MAX_UNGUARDED_ADD ? 'guarded' : 'checked',
    stillFits: (newest) => hasRoom(limit, newest, added.rows),
  }
}

function encodeAddedSegments(
  dictionaries: BodyDictionaries,
  { added }: Writes,
  flags: readonly FlagChange[],
): SegmentForm[] {
  const errorRowSets = added!.segments.map(getErrorRows)
  for (const { rule, flagged } of flags)
    if (isErrorRule(rule))
      errorRowSets.forEach((bits, i) => {
        for (const row of flagged.get(`+${i}`) ?? []) setBit(bits, row)
      })
  return encodeSegments(dictionaries, added!, errorRowSets)
}

function collectOwnRows({ changes, removed }: Writes, unresolved: OwnRows['hinted']): OwnRows {
  const patched = changes.filter(({ rewritten }) => !rewritten)
  return {
    hinted: [...unresolved, ...patched.flatMap(({ segment, rows }) => rows.map((row) => toCoordinate(segment, row)))],
    patched: new Map(patched.map(({ segment, rows }) => [segment, rows])),
    counted: new Set(changes.filter(({ rewritten }) => rewritten).map(({ segment }) => segment)),
    isRemoved: removed.has,
  }
}

function encodePatches(dictionaries: BodyDictionaries, { segment, changes, rewritten }: SegmentChange): PatchBody['p'] {
  const bySegment = new Map<string, RowPatch[]>()
  for (const change of rewritten ? [] : changes!) {
    const { key, row } = toCoordinate(segment, change.row)
    getOrInsert(bySegment, key, (): RowPatch[] => []).push(encodeRowPatch(dictionaries, row, change))
  }
  return [...bySegment]
}

function encodeRowPatch({ keys, messages }: BodyDictionaries, row: number, change: RowChange): RowPatch {
  const encodeSlots = (messagesByField: RowChange['ruleMessages']): (number | number[])[] =>
    [...messagesByField].flatMap(([key, list]) => [keys.indexOf(key), list.map(messages.indexOf)])
  const values = [...change.values].flatMap(([key, { after }]) => [keys.indexOf(key), JSON.parse(after)])
  const ruleSlots = encodeSlots(change.ruleMessages)
  const hookSlots = encodeSlots(change.hookMessages)
  return {
    r: row,
    ...(values.length ? { v: values } : {}),
    ...(ruleSlots.length ? { k: ruleSlots } : {}),
    ...(hookSlots.length ? { h: hookSlots } : {}),
    ...(change.metadata === undefined ? {} : { m: JSON.parse(change.metadata) }),
    ...(change.config === undefined ? {} : { c: JSON.parse(change.config) }),
  }
}

function encodeColumns(
  dictionaries: BodyDictionaries,
  { changes, removed }: Writes,
  flags: ResultingFlags,
): { c: ColumnsForm[]; runs: RunForm[] } {
  const runs: RunForm[] = []
  const c = changes.flatMap(({ segment, cells, rewritten }): ColumnsForm[] => {
    if (!rewritten) return []
    const stored = encodeRewrite(dictionaries, rewritten)
    runs.push(...stored.runs)
    const baseErrorCount = countBaseErrors({ ...rewritten, segment }, flags.get(segment) ?? segment.flags, (row) =>
      removed.has(segment, row),
    )
    const w = [...cells].flatMap(([key, rows]) => [dictionaries.keys.indexOf(key), encodeRows(rows)])
    return [{ ...stored.form, q: baseErrorCount, w }]
  })
  return { c, runs }
}

/** Rewritten segments are skipped, because a new run covers them. */
function encodeMovedHashes(rules: SheetRules, changes: readonly SegmentChange[]): NonNullable<UniqueForm['h']> {
  return rules.unique.flatMap(({ id }) =>
    changes.flatMap(({ segment, moves, rewritten }) => {
      const moved = rewritten ? undefined : moves.get(id)
      if (!moved) return []
      const byName = new Map<string, { rows: number[]; hashes: (string | 0)[] }>()
      formatHashes(moved).forEach((hash, i) => {
        const { key, row } = toCoordinate(segment, moved.rows[i]!)
        const form = getOrInsert(byName, key, () => ({ rows: [], hashes: [] }))
        form.rows.push(row)
        form.hashes.push(hash)
      })
      return [...byName].map(([key, { rows, hashes }]): [string, string, number[], (string | 0)[]] => [
        id,
        key,
        rows,
        hashes,
      ])
    }),
  )
}

function formatHashes({ rows, after }: Moves): (string | 0)[] {
  const hashes = new Array<string | 0>(rows.length).fill(0)
  after.at.forEach((index, i) => {
    hashes[index] = toHex(after.hi[i]!, after.lo[i]!)
  })
  return hashes
}
