/**
 * Validates reference fields: a value that no record of the referenced sheet has is `unlinked`, and its row is flagged.
 * That sheet changes independently, so `State.links` stores the version the flags were computed against; a reader that
 * finds another version revalidates. Only values are read, never messages, so sheets may refer to each other.
 */
import { ulid } from 'ulid'
import { memoize } from '../../core/memo.ts'
import { type Bits, hasBit } from '../columns/bits.ts'
import type { Hashes, HashLists } from '../columns/hash.ts'
import { markAbsent, markAbsentCached } from '../columns/hash-intersection.ts'
import { getOrInsert } from '../columns/maps.ts'
import { formatReferenceText, getComparedTexts, type ReferenceRule, type SheetRules } from '../fields/rules.ts'
import { valueColumn } from '../format/column-names.ts'
import type { PatchBody } from '../format/entries.ts'
import { addRow, createDictionaries, encodeCommon } from '../log/entry-builder.ts'
import { append, type Plan, sync } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import { isValidatedBy, type Segment, type State, SYSTEM_ACTOR, toCoordinate } from '../state/state.ts'
import { applyFlagChanges, encodeFlagChanges, type FlagChange } from './flag-changes.ts'
import { type LookupKey, loadHashLists } from './hash-index.ts'

/** The version of a missing sheet or field; nothing is validated against it. */
const NO_TARGET_VERSION = '-'

interface Target {
  ref: SheetRef
  /** Undefined for a sheet that refers to itself: it is validated against its own state. */
  state: State | undefined
}
type Targets = ReadonlyMap<string, Target>

export const buildTargetKey = ({ key, filter }: ReferenceRule): LookupKey => ({
  id: filter ? `key ${key} within ${filter.refField}` : `key ${key}`,
  columns: filter ? [valueColumn(key), valueColumn(filter.refField)] : [valueColumn(key)],
  texts: filter
    ? ([value, filterValue]) => (value == null ? [] : [formatReferenceText(value, [filterValue])])
    : ([value]) => (value == null ? [] : [formatReferenceText(value, [])]),
})

export const buildReferrerKey = (rule: ReferenceRule): LookupKey => ({
  id: rule.filter ? `of ${rule.field} within ${rule.filter.recordField}` : `of ${rule.field}`,
  columns: rule.fields.map(valueColumn),
  texts: (values) => getComparedTexts(rule, (field) => values[rule.fields.indexOf(field)]),
})

export async function loadTargets(store: Store, sheet: SheetRef, rules: SheetRules): Promise<Targets> {
  const states = new Map<string, Promise<State>>()
  const found = await Promise.all(
    rules.references.map(async (rule): Promise<[string, Target][]> => {
      const ref = await findTargetSheet(sheet, rule)
      if (!ref) return []
      if (ref.sheetId === sheet.sheetId) return [[rule.id, { ref, state: undefined }]]
      return [[rule.id, { ref, state: await getOrInsert(states, ref.sheetId, () => sync(store, ref.sheetId)) }]]
    }),
  )
  return new Map(found.flat())
}

export async function findTargetSheet(sheet: SheetRef, rule: ReferenceRule): Promise<SheetRef | undefined> {
  const ref = await sheet.findLinkedSheet?.(rule.ref)
  const hasField = (key: string): boolean => !!ref?.fields.some((field) => field.key === key)
  return hasField(rule.key) && (!rule.filter || hasField(rule.filter.refField)) ? ref : undefined
}

/** Changes with every commit of the other sheet and when the reference is reconfigured. */
const formatTargetVersion = ({ key, filter }: ReferenceRule, { sheetId, lastCommit }: State): string =>
  [`${sheetId}@${lastCommit ?? '-'}`, key, ...(filter ? [filter.refField] : [])].join(' ')

/**
 * Finds values that the referenced sheet does not have.
 * @param lists sorted; several entries may share an ordinal `at`
 * @returns ordinals with a missing value, ascending in each list, and the version for the entry's `links`; undefined if the sheet or
 * field does not exist
 */
export async function findUnlinked(
  store: Store,
  sheet: SheetRef,
  rule: ReferenceRule,
  lists: HashLists,
): Promise<{ at: number[]; version: string } | undefined> {
  const ref = await findTargetSheet(sheet, rule)
  if (!ref) return undefined
  const state = await sync(store, ref.sheetId)
  const targets = await loadHashLists(store, state.segments, buildTargetKey(rule))
  const at: number[] = []
  for await (const needles of lists) {
    const [absent] = markAbsent([needles], targets)
    for (const ordinal of listMarkedOrdinals(needles, absent!)) at.push(ordinal)
  }
  return { at, version: formatTargetVersion(rule, state) }
}

function listMarkedOrdinals(list: Hashes, marked: Uint8Array): number[] {
  const at = new Set<number>()
  for (let i = marked.indexOf(1); i >= 0; i = marked.indexOf(1, i + 1)) at.add(list.at[i]!)
  return [...at].sort((a, b) => a - b)
}

interface RuleTarget {
  rule: ReferenceRule
  state: State | undefined
  version: string
}

const resolveRuleTargets = (rules: SheetRules, targets: Targets, ownState: State): RuleTarget[] =>
  rules.references.map((rule) => {
    const target = targets.get(rule.id)
    const state = target && (target.state ?? ownState)
    return { rule, state, version: state ? formatTargetVersion(rule, state) : NO_TARGET_VERSION }
  })

const getVerifiedVersions = memoize<State, Map<string, string>>(() => new Map())

function isStale(state: State, { rule: { id }, version }: RuleTarget): boolean {
  if (state.links.get(id) === version || getVerifiedVersions(state).get(id) === version) return false
  return version !== NO_TARGET_VERSION || state.links.has(id) || state.segments.some(({ flags }) => flags.has(id))
}

/** @param state validated by the sheet's current rules */
export async function revalidateReferences(
  store: Store,
  sheet: SheetRef,
  state: State,
  rules: SheetRules,
  loadedTargets?: Targets,
): Promise<State> {
  const targets = loadedTargets ?? (await loadTargets(store, sheet, rules))
  if (
    !sheet.findLinkedSheet ||
    !resolveRuleTargets(rules, targets, state).some((ruleTarget) => isStale(state, ruleTarget))
  )
    return state
  const ctx = { op: `relink-${ulid()}`, actorId: SYSTEM_ACTOR, at: new Date() }
  const { state: newest } = await append(store, state, ctx, async (current, attempt) => {
    // Another process already validates by newer rules.
    if (!isValidatedBy(current, rules.signature)) return { plan: undefined }
    const ruleTargets = resolveRuleTargets(rules, targets, current)
    return { plan: await planReferenceFlags(store, current, rules, ruleTargets, attempt) }
  })
  return newest
}

/** Above this, the version is stored even if no flag changed: recomputing takes every new process about 0.1 s. */
const MIN_RECOMPUTED_TO_STORE = 50_000

async function planReferenceFlags(
  store: Store,
  state: State,
  rules: SheetRules,
  ruleTargets: readonly RuleTarget[],
  attempt: number,
): Promise<Plan | undefined> {
  const stale = ruleTargets.filter((ruleTarget) => isStale(state, ruleTarget))
  const results: Awaited<ReturnType<typeof computeFlagChange>>[] = []
  for (const ruleTarget of stale) results.push(await computeFlagChange(store, state, ruleTarget))
  const changes = results.map(({ change }) => change)
  const hasChanges = changes.some(({ flagged, cleared }) => flagged.size || cleared.size)
  const hasMissingTarget = stale.some(({ version }) => version === NO_TARGET_VERSION)
  const recomputed = Math.max(...results.map((result) => result.recomputed))
  // Storing only a version is not worth a retry.
  if (!hasChanges && !hasMissingTarget && (recomputed < MIN_RECOMPUTED_TO_STORE || attempt > 0)) {
    const verified = getVerifiedVersions(state)
    for (const { rule, version } of stale) verified.set(rule.id, version)
    return undefined
  }
  return buildReferencePlan(store, state, rules, changes, ruleTargets)
}

async function buildReferencePlan(
  store: Store,
  state: State,
  rules: SheetRules,
  changes: readonly FlagChange[],
  ruleTargets: readonly RuleTarget[],
): Promise<Plan> {
  const dictionaries = createDictionaries()
  const flagForms = await encodeFlagChanges(store, state, dictionaries, changes, applyFlagChanges(state, changes), {
    hinted: [],
    patched: new Map(),
    counted: new Set(),
    isRemoved: () => false,
  })
  const links = ruleTargets.map(({ rule, version }): [string, string] => [rule.id, version])
  const body: PatchBody = { p: [], ...flagForms, links, relinked: 1, ...encodeCommon(rules, dictionaries) }
  // The entry sets the flags of all rows, so no other entry may come in between.
  return { kind: 'p', body, mode: 'exact', isInternal: true }
}

async function computeFlagChange(
  store: Store,
  ownState: State,
  { rule, state }: RuleTarget,
): Promise<{ change: FlagChange; recomputed: number }> {
  const change: FlagChange = { rule: rule.id, flagged: new Map(), cleared: new Map() }
  const violations = state ? await findUnlinkedRows(store, ownState, state, rule) : undefined
  ownState.segments.forEach((segment, i) => {
    diffFlags(segment, segment.flags.get(rule.id), violations?.rows[i] ?? [], change)
  })
  return { change, recomputed: violations?.recomputed ?? 0 }
}

function diffFlags(
  segment: Segment,
  flags: Bits | undefined,
  violatingRows: readonly number[],
  change: FlagChange,
): void {
  if (!flags && !violatingRows.length) return
  const violatingSet = new Set(violatingRows)
  for (const row of violatingRows) if (!hasBit(flags, row)) addRow(change.flagged, toCoordinate(segment, row))
  for (let row = 0; flags && row < segment.rows; row++)
    if (hasBit(flags, row) && !violatingSet.has(row)) addRow(change.cleared, toCoordinate(segment, row))
}

async function findUnlinkedRows(
  store: Store,
  referrer: State,
  target: State,
  rule: ReferenceRule,
): Promise<{ rows: number[][]; recomputed: number }> {
  const [lists, targetLists] = await Promise.all([
    loadHashLists(store, referrer.segments, buildReferrerKey(rule)),
    loadHashLists(store, target.segments, buildTargetKey(rule)),
  ])
  const { absent, recomputed } = markAbsentCached(lists, targetLists)
  return { rows: lists.map((list, i) => listMarkedOrdinals(list, absent[i]!)), recomputed }
}
