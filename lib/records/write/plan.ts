/**
 * What to append so that a write is done: rows added, rows changed and rows deleted, in one entry. Works on what is already
 * stored and compared; reads only what judging uniqueness and keeping counts exact takes.
 */
import { setBit, storeRows } from '../bytes/bits.ts'
import { hexOf } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import { commonForm, type Names, newNames } from '../log/body.ts'
import {
  bodyOf,
  type ColumnsForm,
  type EntryKind,
  type PatchBody,
  type RowPatch,
  type RunForm,
  type SegmentForm,
  type UniqueForm,
} from '../log/entries.ts'
import type { Plan } from '../log/log.ts'
import { coordinateIn, type State, totalRows } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { isErrorRule, rulesOf, type SheetRules } from '../rules/rules.ts'
import type { SheetRef } from '../sheet.ts'
import type { Moves, RowChange } from './changes.ts'
import type { SegmentChange } from './compare.ts'
import { type FlagChange, type FlagsAfter, flagEffects, flagsAfter, type OwnRows } from './effects.ts'
import { judgeFlags, type Writes } from './flags.ts'
import { addedRuns, errorRowsOf, segmentForms } from './ingest.ts'
import { hasRoom, refusePastLimit, SMALL_ADD } from './limits.ts'
import { removalOf } from './removal.ts'
import { quietCount, rewriteForms } from './rewrite.ts'

/**
 * @param limit records the sheet may hold
 * @param restsOnValues the changes hold for this very state only
 * @returns undefined when there is nothing to write
 * @throws ApiError conflict when the sheet would hold too many records
 */
export async function planWrite(
  store: Store,
  state: State,
  sheet: SheetRef,
  writes: Writes,
  limit: number,
  restsOnValues = false,
): Promise<Plan | undefined> {
  const rules = rulesOf(sheet)
  const { added, changes, removed } = writes
  if (!added && !changes.length && !removed.count) return undefined
  const total = totalRows(state)
  refusePastLimit(limit, total - removed.count, added?.rows ?? 0, total)
  const names = newNames()
  const { d, lost, unresolved } = await removalOf(store, state, rules, removed)
  const judged = await judgeFlags(store, state, sheet, rules, writes, lost)
  const flags = flagsAfter(state, judged.flags)
  const a = added ? addedForms(names, writes, judged.flags) : []
  const p = changes.flatMap((change) => patchForms(names, change))
  const { c, runs } = columnForms(names, writes, flags)
  if (added) runs.push(...addedRuns(names, rules, added))
  const effects = await flagEffects(store, state, names, judged.flags, flags, ownRows(writes, unresolved))
  const h = hashForms(rules, changes)
  const body = bodyOf({
    ...(d.length ? { d } : {}),
    ...(c.length ? { c } : {}),
    ...(p.length ? { p } : {}),
    ...(a.length ? { a } : {}),
    ...(runs.length ? { runs } : {}),
    ...effects,
    ...(h.length ? { h } : {}),
    // An empty list says that nothing written here bears on references.
    ...(rules.references.length ? { links: judged.links } : {}),
    ...commonForm(rules, names),
  })
  const exact = restsOnValues || d.length > 0 || c.length > 0 || effects.recounts !== undefined
  return {
    kind: kindOf({ a, c, d, p }),
    body,
    quiet: !a.length && !d.length && changes.every(({ cells }) => cells.size === 0),
    ...modeOf(state, writes, limit, exact, judged.guarded),
    ...(judged.watches ? { watches: judged.watches } : {}),
  }
}

function kindOf(parts: { a: unknown[]; c: unknown[]; d: unknown[]; p: unknown[] }): EntryKind {
  const { a, c, d, p } = parts
  const changed = c.length > 0 || p.length > 0
  if ([a.length > 0, d.length > 0, changed].filter(Boolean).length > 1) return 'w'
  return a.length ? 'a' : d.length ? 'd' : c.length ? 'c' : 'p'
}

/** Adds must see each other so that a sheet's limit holds: near it they see every entry, large ones are seen by all. */
function modeOf(
  state: State,
  { added }: Writes,
  limit: number,
  exact: boolean,
  guarded: boolean,
): Pick<Plan, 'mode' | 'fits'> {
  if (exact || (added && !hasRoom(limit, state, added.rows))) return { mode: 'exact' }
  if (!added) return { mode: guarded ? 'guarded' : 'free' }
  return {
    mode: guarded || added.rows > SMALL_ADD ? 'guarded' : 'checked',
    fits: (now) => hasRoom(limit, now, added.rows),
  }
}

function addedForms(names: Names, { added }: Writes, flags: readonly FlagChange[]): SegmentForm[] {
  const inError = added!.segments.map(errorRowsOf)
  for (const { rule, flagged } of flags)
    if (isErrorRule(rule))
      inError.forEach((bits, i) => {
        for (const row of flagged.get(`+${i}`) ?? []) setBit(bits, row)
      })
  return segmentForms(names, added!, inError)
}

function ownRows({ changes, removed }: Writes, unresolved: OwnRows['hinted']): OwnRows {
  const patched = changes.filter(({ rewritten }) => !rewritten)
  return {
    hinted: [...unresolved, ...patched.flatMap(({ segment, rows }) => rows.map((row) => coordinateIn(segment, row)))],
    patched: new Map(patched.map(({ segment, rows }) => [segment, rows])),
    counted: new Set(changes.filter(({ rewritten }) => rewritten).map(({ segment }) => segment)),
    isGone: removed.has,
  }
}

function patchForms(names: Names, { segment, changes, rewritten }: SegmentChange): PatchBody['p'] {
  const bySegment = new Map<string, RowPatch[]>()
  for (const change of rewritten ? [] : changes!) {
    const { key, row } = coordinateIn(segment, change.row)
    getOrMake(bySegment, key, (): RowPatch[] => []).push(rowPatch(names, row, change))
  }
  return [...bySegment]
}

function rowPatch({ keys, messages }: Names, row: number, change: RowChange): RowPatch {
  const slots = (of: RowChange['ruled']): (number | number[])[] =>
    [...of].flatMap(([key, list]) => [keys.indexOf(key), list.map(messages.indexOf)])
  const values = [...change.values].flatMap(([key, { after }]) => [keys.indexOf(key), JSON.parse(after)])
  const ruled = slots(change.ruled)
  const hooked = slots(change.hooked)
  return {
    r: row,
    ...(values.length ? { v: values } : {}),
    ...(ruled.length ? { k: ruled } : {}),
    ...(hooked.length ? { h: hooked } : {}),
    ...(change.metadata === undefined ? {} : { m: JSON.parse(change.metadata) }),
    ...(change.config === undefined ? {} : { c: JSON.parse(change.config) }),
  }
}

function columnForms(
  names: Names,
  { changes, removed }: Writes,
  flags: FlagsAfter,
): { c: ColumnsForm[]; runs: RunForm[] } {
  const runs: RunForm[] = []
  const c = changes.flatMap(({ segment, cells, rewritten }): ColumnsForm[] => {
    if (!rewritten) return []
    const stored = rewriteForms(names, rewritten)
    runs.push(...stored.runs)
    const quiet = quietCount({ ...rewritten, segment }, flags.get(segment) ?? segment.flags, (row) =>
      removed.has(segment, row),
    )
    const w = [...cells].flatMap(([key, rows]) => [names.keys.indexOf(key), storeRows(rows)])
    return [{ ...stored.form, q: quiet, w }]
  })
  return { c, runs }
}

/** Hashes of rows whose segment is not written anew (a new run speaks for those). */
function hashForms(rules: SheetRules, changes: readonly SegmentChange[]): NonNullable<UniqueForm['h']> {
  return rules.unique.flatMap(({ id }) =>
    changes.flatMap(({ segment, moves, rewritten }) => {
      const moved = rewritten ? undefined : moves.get(id)
      if (!moved) return []
      const byName = new Map<string, { rows: number[]; hashes: (string | 0)[] }>()
      hashTexts(moved).forEach((hash, i) => {
        const { key, row } = coordinateIn(segment, moved.rows[i]!)
        const form = getOrMake(byName, key, () => ({ rows: [], hashes: [] }))
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

function hashTexts({ rows, after }: Moves): (string | 0)[] {
  const hashes = new Array<string | 0>(rows.length).fill(0)
  after.at.forEach((index, i) => {
    hashes[index] = hexOf(after.hi[i]!, after.lo[i]!)
  })
  return hashes
}
