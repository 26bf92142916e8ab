/**
 * Judges reference fields: a value that no record of the sheet it refers to has under the reference's key is `unlinked`.
 * Rows that break a reference are flagged in the state, as duplicates are. The other sheet changes without asking this one,
 * so the state says which version of it the flags hold against (`State.links`); who finds another version there judges
 * anew. Judging a sheet needs the values of the other one only, never its messages: sheets may refer to each other.
 */
import { ulid } from 'ulid'
import { type Bits, hasBit } from '../bytes/bits.ts'
import type { Hashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import { addRow, commonForm, newNames } from '../log/body.ts'
import type { PatchBody } from '../log/entries.ts'
import { append, type Plan, sync } from '../log/log.ts'
import { coordinateIn, isValidatedBy, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import { type FlagChange, flagEffects, flagsAfter } from '../write/effects.ts'
import { hashLists, type LookupKey } from './lookup.ts'
import { absentFrom, judged } from './meet.ts'
import { comparedTexts, type ReferenceRule, referenceText, type SheetRules, valueColumn } from './rules.ts'

/** The version of a sheet that is not there, or has not the field: nothing is judged against it. */
const NONE = '-'

/** The sheet a rule refers to. */
interface Target {
  ref: SheetRef
  /** As of now; undefined for the sheet that refers to itself: whatever state of it is being judged. */
  state: State | undefined
}
/** By rule id; a rule whose sheet or field is not there has none. */
type Targets = ReadonlyMap<string, Target>

/** What a referenced sheet's records are found by under a rule. */
export const targetKey = ({ key, filter }: ReferenceRule): LookupKey => ({
  id: filter ? `key ${key} within ${filter.refField}` : `key ${key}`,
  columns: filter ? [valueColumn(key), valueColumn(filter.refField)] : [valueColumn(key)],
  texts: filter
    ? ([value, within]) => (value == null ? [] : [referenceText(value, [within])])
    : ([value]) => (value == null ? [] : [referenceText(value, [])]),
})

/** What a rule looks for, from the referring sheet's records. */
export const ownKey = (rule: ReferenceRule): LookupKey => ({
  id: rule.filter ? `of ${rule.field} within ${rule.filter.recordField}` : `of ${rule.field}`,
  columns: rule.fields.map(valueColumn),
  texts: (values) => comparedTexts(rule, (field) => values[rule.fields.indexOf(field)]),
})

/** The sheets a sheet refers to, as they are now: one query each, at once. */
export async function targetsOf(store: Store, sheet: SheetRef, rules: SheetRules): Promise<Targets> {
  const states = new Map<string, Promise<State>>()
  const found = await Promise.all(
    rules.references.map(async (rule): Promise<[string, Target][]> => {
      const ref = await targetSheet(sheet, rule)
      if (!ref) return []
      if (ref.sheetId === sheet.sheetId) return [[rule.id, { ref, state: undefined }]]
      return [[rule.id, { ref, state: await getOrMake(states, ref.sheetId, () => sync(store, ref.sheetId)) }]]
    }),
  )
  return new Map(found.flat())
}

/** The sheet a rule refers to, if it is there with the fields the rule looks in. */
export async function targetSheet(sheet: SheetRef, rule: ReferenceRule): Promise<SheetRef | undefined> {
  const ref = await sheet.linked?.(rule.ref)
  const has = (key: string): boolean => !!ref?.fields.some((field) => field.key === key)
  return has(rule.key) && (!rule.filter || has(rule.filter.refField)) ? ref : undefined
}

/** Changes with every commit of the other sheet, and when the reference points elsewhere. */
const versionOf = ({ key, filter }: ReferenceRule, { sheetId, lastCommit }: State): string =>
  [`${sheetId}@${lastCommit ?? '-'}`, key, ...(filter ? [filter.refField] : [])].join(' ')

/**
 * Which of the looked-for values are not in the sheet a rule refers to.
 * @param needles sorted; `at` is any ordinal of the caller, which may have several
 * @returns ordinals any value of which is missing, ascending, each once, and the version judged against: what the entry
 * that writes these rows names in `links`. Undefined when there is no such sheet or field: then nothing is judged
 */
export async function unlinked(
  store: Store,
  sheet: SheetRef,
  rule: ReferenceRule,
  needles: Hashes,
): Promise<{ at: number[]; version: string } | undefined> {
  const ref = await targetSheet(sheet, rule)
  if (!ref) return undefined
  const state = await sync(store, ref.sheetId)
  const [absent] = absentFrom([needles], await hashLists(store, state.segments, targetKey(rule)))
  return { at: ordinalsOf(needles, absent!), version: versionOf(rule, state) }
}

/** Ordinals of marked entries, ascending, each once. */
function ordinalsOf(list: Hashes, marked: Uint8Array): number[] {
  const at = new Set<number>()
  for (let i = marked.indexOf(1); i >= 0; i = marked.indexOf(1, i + 1)) at.add(list.at[i]!)
  return [...at].sort((a, b) => a - b)
}

/** A rule with the state of the other sheet it is to be judged against. */
interface Judging {
  rule: ReferenceRule
  state: State | undefined
  version: string
}

const judgingsOf = (rules: SheetRules, targets: Targets, now: State): Judging[] =>
  rules.references.map((rule) => {
    const target = targets.get(rule.id)
    const state = target && (target.state ?? now)
    return { rule, state, version: state ? versionOf(rule, state) : NONE }
  })

/** Versions by rule id for which a state's flags were found to be right: judged again at the next change only. */
const foundRight = new WeakMap<State, Map<string, string>>()

function isStale(state: State, { rule: { id }, version }: Judging): boolean {
  if (state.links.get(id) === version || foundRight.get(state)?.get(id) === version) return false
  return version !== NONE || state.links.has(id) || state.segments.some(({ flags }) => flags.has(id))
}

/**
 * Brings the flags of all references up to date with the other sheets.
 * @param state made by the sheet's present rules
 * @param known the other sheets, when asked for already
 */
export async function relinked(
  store: Store,
  sheet: SheetRef,
  state: State,
  rules: SheetRules,
  known?: Targets,
): Promise<State> {
  const targets = known ?? (await targetsOf(store, sheet, rules))
  // Who cannot look sheets up leaves the flags as they are.
  if (!sheet.linked || !judgingsOf(rules, targets, state).some((judging) => isStale(state, judging))) return state
  const ctx = { op: `relink-${ulid()}`, actorId: 'system', at: new Date() }
  let newest = state
  let attempts = 0
  const appended = await append(store, state, ctx, async (now) => {
    newest = now
    // Others judge by other rules already: theirs are newer.
    if (!isValidatedBy(now, rules.signature)) return undefined
    return planRelink(store, now, rules, judgingsOf(rules, targets, now), attempts++)
  })
  return appended?.state ?? newest
}

/**
 * When this many values had to be judged from nothing, the version is stored even if no flag changed: each new process would
 * read and hash that much again, some 0.1 s, where the entry costs one write. Fewer are judged faster than an entry is
 * written, and a process that judged them before looks at what changed only.
 */
const WORTH_STORING = 50_000

async function planRelink(
  store: Store,
  state: State,
  rules: SheetRules,
  judgings: readonly Judging[],
  attempt: number,
): Promise<Plan | undefined> {
  const stale = judgings.filter((judging) => isStale(state, judging))
  const found: Awaited<ReturnType<typeof flagChange>>[] = []
  for (const judging of stale) found.push(await flagChange(store, state, judging))
  const changes = found.map(({ change }) => change)
  const changed = changes.some(({ flagged, cleared }) => flagged.size || cleared.size)
  const gone = stale.some(({ version }) => version === NONE)
  const anew = Math.max(...found.map((one) => one.anew))
  // A version alone is not worth a second try.
  if (!changed && !gone && (anew < WORTH_STORING || attempt > 0)) {
    const right = foundRight.get(state) ?? new Map<string, string>()
    foundRight.set(state, right)
    for (const { rule, version } of stale) right.set(rule.id, version)
    return undefined
  }
  return relinkPlan(store, state, rules, changes, judgings)
}

async function relinkPlan(
  store: Store,
  state: State,
  rules: SheetRules,
  changes: readonly FlagChange[],
  judgings: readonly Judging[],
): Promise<Plan> {
  const names = newNames()
  const effects = await flagEffects(store, state, names, changes, flagsAfter(state, changes), {
    hinted: [],
    patched: new Map(),
    counted: new Set(),
    isGone: () => false,
  })
  const links = judgings.map(({ rule, version }): [string, string] => [rule.id, version])
  const body: PatchBody = { p: [], ...effects, links, relinked: 1, ...commonForm(rules, names) }
  // All rows' flags are spoken for: no entry may come in between.
  return { kind: 'p', body, mode: 'exact', quiet: true }
}

/** What is to be changed so that exactly the rows that break the rule are flagged. */
async function flagChange(
  store: Store,
  now: State,
  { rule, state }: Judging,
): Promise<{ change: FlagChange; anew: number }> {
  const change: FlagChange = { rule: rule.id, flagged: new Map(), cleared: new Map() }
  const wanted = state ? await unlinkedRows(store, now, state, rule) : undefined
  now.segments.forEach((segment, i) => {
    compareFlags(segment, segment.flags.get(rule.id), wanted?.rows[i] ?? [], change)
  })
  return { change, anew: wanted?.anew ?? 0 }
}

function compareFlags(segment: Segment, flags: Bits | undefined, wanted: readonly number[], change: FlagChange): void {
  if (!flags && !wanted.length) return
  const isWanted = new Set(wanted)
  for (const row of wanted) if (!hasBit(flags, row)) addRow(change.flagged, coordinateIn(segment, row))
  for (let row = 0; flags && row < segment.rows; row++)
    if (hasBit(flags, row) && !isWanted.has(row)) addRow(change.cleared, coordinateIn(segment, row))
}

/** Rows by segment that break the rule, and how many values had to be judged from nothing. */
async function unlinkedRows(
  store: Store,
  own: State,
  other: State,
  rule: ReferenceRule,
): Promise<{ rows: number[][]; anew: number }> {
  const [lists, others] = await Promise.all([
    hashLists(store, own.segments, ownKey(rule)),
    hashLists(store, other.segments, targetKey(rule)),
  ])
  const { absent, anew } = judged(lists, others)
  return { rows: lists.map((list, i) => ordinalsOf(list, absent[i]!)), anew }
}
