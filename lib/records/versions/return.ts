/** Deleted records return: their rows are put back among those of their segment, or into a new one where it stood. */
import { type Bits, emptyBits, setBit } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { commonForm, flagForms, type Names, newNames, rowsBySegment } from '../log/body.ts'
import type { MergeForm, RunForm } from '../log/entries.ts'
import { type Coordinate, compareCoordinates } from '../log/ids.ts'
import type { Plan } from '../log/log.ts'
import { coordinateIn, liveRows, placeOf, positionFor, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { openSegments } from '../read/reader.ts'
import type { SheetRules } from '../rules/rules.ts'
import { hashesOf, noHashes, uniqueOutcome } from '../rules/unique.ts'
import { type FlagChange, flagEffects, flagsAfter } from '../write/effects.ts'
import { quietCount } from '../write/rewrite.ts'
import { type Merged, mergeRows, rowColumns, type SourceRow, storeMerged } from './merge.ts'

/** A row of a segment to be written, by its name. */
interface NamedRow {
  at: Coordinate
  segment: Segment
  row: number
  returns: boolean
}

/** What is kept of a segment once it is stored. */
interface Written {
  form: Omit<MergeForm, 'q'>
  merged: Pick<Merged, 'segment' | 'errorRows' | 'texts'>
  rows: readonly NamedRow[]
}

/**
 * @param older a version in which all the records are there: they get its values
 * @param records that `state` has not
 */
export async function planReturn(
  store: Store,
  older: State,
  state: State,
  rules: SheetRules,
  records: readonly Coordinate[],
): Promise<Plan | undefined> {
  if (!records.length) return undefined
  const names = newNames()
  const written: Written[] = []
  const runs: RunForm[] = []
  const replaced = new Set<Segment>()
  for (const { host, rows } of hostsOf(older, state, records)) {
    if (host) replaced.add(host)
    for (const [i, part] of partsOf(rows, store.segmentRows).entries()) {
      const { merged, ...stored } = await storePart(store, rules, names, part, host && i === 0 ? [host] : [])
      const { segment, errorRows, texts } = merged
      written.push({ form: stored.form, merged: { segment, errorRows, texts }, rows: part })
      runs.push(...stored.runs)
    }
  }
  const { own, others } = await flagChanges(store, state, rules, written)
  const effects = await flagEffects(store, state, names, others, flagsAfter(state, others), {
    hinted: [],
    patched: new Map(),
    counted: replaced,
    isGone: () => false,
  })
  const u = [...own.flatMap(({ rule, flagged }) => flagForms(rule, flagged, new Map())), ...(effects.u ?? [])]
  const m = written.map((one) => ({ ...one.form, q: quietAfter(one, [...own, ...others]) }))
  const links = rules.references.map(({ id }): [string, string] => [id, UNJUDGED])
  return {
    kind: 'm',
    body: {
      m,
      ...(runs.length ? { runs } : {}),
      ...effects,
      ...(u.length ? { u } : {}),
      ...(links.length ? { links } : {}),
      ...commonForm(rules, names),
    },
    mode: 'exact',
  }
}

/** No version of another sheet: references of rows that return are judged by the next reader. */
const UNJUDGED = ''

/** Rows by the segment they belong to or stood amid; others by the place where theirs stood. */
function hostsOf(
  older: State,
  state: State,
  records: readonly Coordinate[],
): { host: Segment | undefined; rows: NamedRow[] }[] {
  const groups = new Map<string, { host: Segment | undefined; rows: NamedRow[] }>()
  for (const at of records) {
    const { segment, row } = placeOf(older, at)!
    const host = hostOf(state, at.key) ?? around(state, at)
    const name = host?.key ?? `before ${positionFor(state, { key: at.key, firstRow: at.row, rows: 1 })}`
    getOrMake(groups, name, () => ({ host, rows: host ? keptRows(host) : [] })).rows.push({
      at,
      segment,
      row,
      returns: true,
    })
  }
  for (const { rows } of groups.values()) rows.sort((a, b) => compareCoordinates(a.at, b.at))
  return [...groups.values()]
}

const keptRows = (segment: Segment): NamedRow[] =>
  liveRows(segment).map((row) => ({ at: coordinateIn(segment, row), segment, row, returns: false }))

/** The segment that has the other rows a segment was added with: rows of one addition stay together. */
function hostOf(state: State, key: string): Segment | undefined {
  const names = [key, ...(state.moved.get(key) ?? []).map(({ segment }) => segment)]
  for (const name of names) {
    const position = state.positions.get(name)
    if (position !== undefined) return state.segments[position]
  }
  return undefined
}

/** The merged segment that has rows before and after this place. */
function around(state: State, at: Coordinate): Segment | undefined {
  const position = positionFor(state, { key: at.key, firstRow: at.row, rows: 1 })
  const before = state.segments[position - 1]
  return before && compareCoordinates(coordinateIn(before, before.rows - 1), at) > 0 ? before : undefined
}

/** Parts of about `limit` rows; rows of one addition stay together. */
function partsOf(rows: readonly NamedRow[], limit: number): NamedRow[][] {
  const parts: NamedRow[][] = []
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
  names: Names,
  part: readonly NamedRow[],
  replaced: readonly Segment[],
): Promise<{ form: Omit<MergeForm, 'q'>; runs: RunForm[]; merged: Merged }> {
  const segments = [...new Set(part.map(({ segment }) => segment))]
  const older = new Set(part.filter(({ returns }) => returns).map(({ segment }) => segment))
  const opened = await openSegments(store, segments, rowColumns(segments))
  const index = new Map(segments.map((segment, i) => [segment, i]))
  const rows = part.map(({ segment, row }): SourceRow => ({ source: index.get(segment)!, row }))
  const sources = opened.map((open) => ({ open, isOlder: older.has(open.segment) }))
  const merged = mergeRows(rules, sources, rows)
  return { ...(await storeMerged(store, rules, names, merged, replaced)), merged }
}

/** Which rows share a value now that these are back. */
async function flagChanges(
  store: Store,
  state: State,
  rules: SheetRules,
  written: readonly Written[],
): Promise<{ own: FlagChange[]; others: FlagChange[] }> {
  const own: FlagChange[] = []
  const others: FlagChange[] = []
  for (const rule of rules.unique) {
    const returned = written.flatMap(({ merged, rows }) => {
      const texts = merged.texts.get(rule.id)!
      return rows.flatMap(({ at, returns }, i) => (returns ? [{ at, text: texts[i] }] : []))
    })
    const { shared, flagged } = await uniqueOutcome(store, state, rules, rule, {
      added: hashesOf(returned.map(({ text }) => text)),
      lost: noHashes,
      changed: () => false,
    })
    own.push({ rule: rule.id, flagged: rowsBySegment(shared.map((i) => returned[i]!.at)), cleared: new Map() })
    others.push({ rule: rule.id, flagged: rowsBySegment(flagged), cleared: new Map() })
  }
  return { own, others }
}

/** Rows in error of a written segment, all flags counted. */
function quietAfter({ merged, rows }: Written, changes: readonly FlagChange[]): number {
  const rowOf = new Map(rows.map(({ at }, i) => [`${at.key}/${at.row}`, i]))
  const flags = new Map<string, Bits>([...merged.segment.flags].map(([rule, bits]) => [rule, bits.slice()]))
  for (const { rule, flagged } of changes) {
    for (const [key, named] of flagged)
      for (const row of named) {
        const at = rowOf.get(`${key}/${row}`)
        if (at === undefined) continue
        setBit(
          getOrMake(flags, rule, () => emptyBits(rows.length)),
          at,
        )
      }
  }
  return quietCount(merged, flags)
}
