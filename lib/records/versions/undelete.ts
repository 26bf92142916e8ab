/** Undeletes records: puts their rows back into their segment, or into a new one at the old position. */
import { type Bits, emptyBits, hasBit, setBit } from '../columns/bits.ts'
import { hashTexts, noHashes } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import { applyFlagChanges, encodeFlagChanges, type FlagChange } from '../constraints/flag-changes.ts'
import { findDuplicates } from '../constraints/unique.ts'
import type { SheetRules } from '../fields/rules.ts'
import type { MergeForm, RunForm } from '../format/entries.ts'
import { type Coordinate, compareCoordinates } from '../format/ids.ts'
import {
  type BodyDictionaries,
  createDictionaries,
  encodeCommon,
  encodeFlags,
  groupRowsBySegment,
} from '../log/entry-builder.ts'
import type { Plan } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import { listRowColumns, type MergedSegment, mergeRows, type SourceRow, storeMergedSegment } from '../segments/merge.ts'
import { findViolations, openSegments } from '../segments/open.ts'
import { countBaseErrors } from '../segments/rewrite.ts'
import { findInsertPosition, findRow, listLiveRows, type Segment, type State, toCoordinate } from '../state/state.ts'

interface RowToWrite {
  at: Coordinate
  segment: Segment
  row: number
  isUndeleted: boolean
}

interface WrittenSegment {
  form: Omit<MergeForm, 'q'>
  merged: Pick<MergedSegment, 'segment' | 'errorRows' | 'texts'>
  violations: ReadonlyMap<string, Bits>
  rows: readonly RowToWrite[]
}

export async function planUndelete(
  store: Store,
  older: State,
  state: State,
  rules: SheetRules,
  records: readonly Coordinate[],
): Promise<Plan | undefined> {
  if (!records.length) return undefined
  const dictionaries = createDictionaries()
  const written: WrittenSegment[] = []
  const runs: RunForm[] = []
  const replaced = new Set<Segment>()
  for (const { target, rows } of groupByTargetSegment(older, state, records)) {
    if (target) replaced.add(target)
    for (const [i, part] of splitRows(rows, store.segmentRows).entries()) {
      const { merged, violations, ...stored } = await storePart(
        store,
        rules,
        dictionaries,
        part,
        target && i === 0 ? [target] : [],
      )
      const { segment, errorRows, texts } = merged
      written.push({ form: stored.form, merged: { segment, errorRows, texts }, violations, rows: part })
      runs.push(...stored.runs)
    }
  }
  const { ownFlags, otherFlags } = await computeFlagChanges(store, state, rules, written)
  const flagForms = await encodeFlagChanges(
    store,
    state,
    dictionaries,
    otherFlags,
    applyFlagChanges(state, otherFlags),
    {
      hinted: [],
      patched: new Map(),
      counted: replaced,
      isRemoved: () => false,
    },
  )
  const u = [...ownFlags.flatMap(({ rule, flagged }) => encodeFlags(rule, flagged, new Map())), ...(flagForms.u ?? [])]
  const m = written.map((writtenSegment) => ({
    ...writtenSegment.form,
    q: countBaseErrorsAfter(writtenSegment, [...ownFlags, ...otherFlags]),
  }))
  const links = rules.references.map(({ id }): [string, string] => [id, UNVALIDATED])
  return {
    kind: 'm',
    body: {
      m,
      ...(runs.length ? { runs } : {}),
      ...flagForms,
      ...(u.length ? { u } : {}),
      ...(links.length ? { links } : {}),
      ...encodeCommon(rules, dictionaries),
    },
    mode: 'exact',
  }
}

/** Not the version of any sheet, so the next reader validates the references of undeleted rows. */
const UNVALIDATED = ''

function groupByTargetSegment(
  older: State,
  state: State,
  records: readonly Coordinate[],
): { target: Segment | undefined; rows: RowToWrite[] }[] {
  const groups = new Map<string, { target: Segment | undefined; rows: RowToWrite[] }>()
  for (const at of records) {
    const { segment, row } = findRow(older, at)!
    const target = findTargetSegment(state, at.key) ?? findEnclosingSegment(state, at)
    const groupKey = target?.key ?? `before ${findInsertPosition(state, { key: at.key, firstRow: at.row, rows: 1 })}`
    getOrInsert(groups, groupKey, () => ({ target, rows: target ? toRowsToKeep(target) : [] })).rows.push({
      at,
      segment,
      row,
      isUndeleted: true,
    })
  }
  for (const { rows } of groups.values()) rows.sort((a, b) => compareCoordinates(a.at, b.at))
  return [...groups.values()]
}

const toRowsToKeep = (segment: Segment): RowToWrite[] =>
  listLiveRows(segment).map((row) => ({ at: toCoordinate(segment, row), segment, row, isUndeleted: false }))

function findTargetSegment(state: State, key: string): Segment | undefined {
  const segmentNames = [key, ...(state.moved.get(key) ?? []).map(({ segment }) => segment)]
  for (const name of segmentNames) {
    const position = state.positions.get(name)
    if (position !== undefined) return state.segments[position]
  }
  return undefined
}

function findEnclosingSegment(state: State, at: Coordinate): Segment | undefined {
  const position = findInsertPosition(state, { key: at.key, firstRow: at.row, rows: 1 })
  const before = state.segments[position - 1]
  return before && compareCoordinates(toCoordinate(before, before.rows - 1), at) > 0 ? before : undefined
}

function splitRows(rows: readonly RowToWrite[], limit: number): RowToWrite[][] {
  const parts: RowToWrite[][] = []
  let key: string | undefined
  for (let from = 0; from < rows.length; ) {
    key = rows[from]!.at.key
    let to = from + 1
    while (to < rows.length && rows[to]!.at.key === key) to++
    const last = parts.at(-1)
    if (last && last.length + to - from <= limit) last.push(...rows.slice(from, to))
    else parts.push(rows.slice(from, to))
    from = to
  }
  return parts
}

async function storePart(
  store: Store,
  rules: SheetRules,
  dictionaries: BodyDictionaries,
  part: readonly RowToWrite[],
  replaced: readonly Segment[],
): Promise<{ form: Omit<MergeForm, 'q'>; runs: RunForm[]; merged: MergedSegment; violations: Map<string, Bits> }> {
  const segments = [...new Set(part.map(({ segment }) => segment))]
  const older = new Set(part.filter(({ isUndeleted }) => isUndeleted).map(({ segment }) => segment))
  const opened = await openSegments(store, segments, listRowColumns(segments))
  const index = new Map(segments.map((segment, i) => [segment, i]))
  const rows = part.map(({ segment, row }): SourceRow => ({ source: index.get(segment)!, row }))
  const sources = opened.map((open) => ({ open, isStale: older.has(open.segment) }))
  const merged = mergeRows(rules, sources, rows)
  const open = { segment: merged.segment, raw: new Map(merged.chunks.map(({ name, raw }) => [name, raw])) }
  const violations = new Map(rules.rowRules.map((rule) => [rule.id, findViolations(open, rules, rule)]))
  return { ...(await storeMergedSegment(store, rules, dictionaries, merged, replaced)), merged, violations }
}

async function computeFlagChanges(
  store: Store,
  state: State,
  rules: SheetRules,
  written: readonly WrittenSegment[],
): Promise<{ ownFlags: FlagChange[]; otherFlags: FlagChange[] }> {
  const ownFlags: FlagChange[] = []
  const otherFlags: FlagChange[] = []
  for (const rule of rules.unique) {
    const undeleted = written.flatMap(({ merged, rows }) => {
      const texts = merged.texts.get(rule.id)!
      return rows.flatMap(({ at, isUndeleted }, i) => (isUndeleted ? [{ at, text: texts[i] }] : []))
    })
    const { shared, flagged } = await findDuplicates(store, state, rules, rule, {
      added: [hashTexts(undeleted.map(({ text }) => text))],
      lost: noHashes,
      isChanged: () => false,
    })
    ownFlags.push({
      rule: rule.id,
      flagged: groupRowsBySegment(shared.map((i) => undeleted[i]!.at)),
      cleared: new Map(),
    })
    otherFlags.push({ rule: rule.id, flagged: groupRowsBySegment(flagged), cleared: new Map() })
  }
  for (const { id } of rules.rowRules) {
    const broken = written.flatMap(({ violations, rows }) =>
      rows.flatMap(({ at, isUndeleted }, i) => (isUndeleted && hasBit(violations.get(id), i) ? [at] : [])),
    )
    ownFlags.push({ rule: id, flagged: groupRowsBySegment(broken), cleared: new Map() })
  }
  return { ownFlags, otherFlags }
}

function countBaseErrorsAfter({ merged, rows }: WrittenSegment, changes: readonly FlagChange[]): number {
  const rowIndexes = new Map(rows.map(({ at }, i) => [`${at.key}/${at.row}`, i]))
  const flags = new Map<string, Bits>([...merged.segment.flags].map(([rule, bits]) => [rule, bits.slice()]))
  for (const { rule, flagged } of changes) {
    for (const [key, rowNumbers] of flagged)
      for (const row of rowNumbers) {
        const at = rowIndexes.get(`${key}/${row}`)
        if (at === undefined) continue
        setBit(
          getOrInsert(flags, rule, () => emptyBits(rows.length)),
          at,
        )
      }
  }
  return countBaseErrors(merged, flags)
}
