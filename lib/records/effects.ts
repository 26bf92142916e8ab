/**
 * How an entry tells what it does to the flags of other rows. A few rows carry their error slots along, so that readers
 * count on without reading a chunk; a segment with many is counted anew, which holds only if nothing came in between.
 */
import { type Bits, clearBit, emptyBits, hasBit, setBit } from './bits.ts'
import { flagForms, hintForms, type Names } from './body.ts'
import type { HintForm, UniqueForm } from './entries.ts'
import type { Coordinate } from './ids.ts'
import { getOrMake } from './maps.ts'
import { errorSlots } from './messages.ts'
import { baseMessages, type OpenSegment, openAll } from './reader.ts'
import { isErrorRule } from './rules.ts'
import { MESSAGES } from './segment.ts'
import { isLive, placeOf, type Segment, type State } from './state.ts'
import type { Store } from './store.ts'

/** Rows that get or lose the flag of a rule. */
export interface FlagChange {
  rule: string
  flagged: readonly Coordinate[]
  cleared: readonly Coordinate[]
}

export interface FlagEffects {
  u?: NonNullable<UniqueForm['u']>
  hints?: HintForm[]
  recounts?: [segment: string, quiet: number][]
}

/** What the write itself does to rows, beside flags. */
export interface OwnRows {
  /** Rows it patches: they are counted by themselves. */
  patched: readonly Coordinate[]
  /** Segments whose error count it gives itself. */
  counted: ReadonlySet<Segment>
  /** Rows it deletes. */
  isGone: (segment: Segment, row: number) => boolean
}

/** The forms of flag changes; with `recounts` among them the entry must be appended exactly. */
export async function flagEffects(
  store: Store,
  state: State,
  names: Names,
  changes: readonly FlagChange[],
  own: OwnRows,
): Promise<FlagEffects> {
  const touched = touchedRows(state, changes, own)
  const many = [...touched.keys()].filter((segment) => touched.get(segment)!.size > store.editedRows)
  const recounted = new Set(many)
  const patched = own.patched.filter((at) => !own.counted.has(placeOf(state, at)!.segment))
  const few = [...touched].flatMap(([segment, places]) => (recounted.has(segment) ? [] : [...places.values()]))
  const hints = await hintForms(store, state, names, patched.concat(few))
  const u = changes.flatMap(({ rule, flagged, cleared }) => flagForms(rule, flagged, cleared))
  const recounts = await recountForms(store, state, many, changes, own)
  return {
    ...(u.length ? { u } : {}),
    ...(hints.length ? { hints } : {}),
    ...(recounts.length ? { recounts } : {}),
  }
}

/** Rows whose flags change and that are not yet counted by themselves, by segment and row. */
function touchedRows(
  state: State,
  changes: readonly FlagChange[],
  own: OwnRows,
): Map<Segment, Map<number, Coordinate>> {
  const touched = new Map<Segment, Map<number, Coordinate>>()
  for (const { flagged, cleared } of changes)
    for (const list of [flagged, cleared])
      for (const at of list) {
        const place = placeOf(state, at)
        if (!place || own.counted.has(place.segment)) continue
        getOrMake(touched, place.segment, () => new Map<number, Coordinate>()).set(place.row, at)
      }
  return touched
}

async function recountForms(
  store: Store,
  state: State,
  segments: readonly Segment[],
  changes: readonly FlagChange[],
  own: OwnRows,
): Promise<[string, number][]> {
  if (!segments.length) return []
  const edited = new Map<Segment, Set<number>>()
  for (const at of own.patched) {
    const place = placeOf(state, at)!
    getOrMake(edited, place.segment, () => new Set<number>()).add(place.row)
  }
  const bySegment = changesBySegment(state, changes)
  const forms: [string, number][] = []
  for await (const open of openAll(store, segments, [MESSAGES])) {
    const { segment } = open
    const counts = (row: number): boolean =>
      isLive(segment, row) && !own.isGone(segment, row) && !segment.edits.has(row) && !edited.get(segment)?.has(row)
    forms.push([segment.key, quietRows(open, flagsAfter(state, segment, bySegment.get(segment) ?? []), counts)])
  }
  return forms
}

/** Each segment's own part of the changes. */
function changesBySegment(state: State, changes: readonly FlagChange[]): Map<Segment, FlagChange[]> {
  const parts = new Map<Segment, Map<string, { rule: string; flagged: Coordinate[]; cleared: Coordinate[] }>>()
  const put = (rule: string, kind: 'flagged' | 'cleared', at: Coordinate): void => {
    const place = placeOf(state, at)
    if (!place) return
    const byRule = getOrMake(parts, place.segment, () => new Map())
    getOrMake(byRule, rule, () => ({ rule, flagged: [], cleared: [] }))[kind].push(at)
  }
  for (const { rule, flagged, cleared } of changes) {
    for (const at of flagged) put(rule, 'flagged', at)
    for (const at of cleared) put(rule, 'cleared', at)
  }
  return new Map([...parts].map(([segment, byRule]) => [segment, [...byRule.values()]]))
}

function quietRows(open: OpenSegment, flags: ReadonlyMap<string, Bits>, counts: (row: number) => boolean): number {
  const base = baseMessages(open)
  const errors = [...flags].filter(([rule]) => isErrorRule(rule)).map(([, bits]) => bits)
  let quiet = 0
  for (let row = 0; row < open.segment.rows; row++) {
    if (!counts(row)) continue
    if (errors.some((bits) => hasBit(bits, row)) || errorSlots(base.get(row)).length) quiet++
  }
  return quiet
}

/** A segment's flags once the changes are made. */
export function flagsAfter(state: State, segment: Segment, changes: readonly FlagChange[]): Map<string, Bits> {
  const flags = new Map([...segment.flags].map(([rule, bits]): [string, Bits] => [rule, bits.slice()]))
  for (const { rule, flagged, cleared } of changes) {
    const bits = getOrMake(flags, rule, () => emptyBits(segment.rows))
    const apply = (places: readonly Coordinate[], change: (bits: Bits, row: number) => void): void => {
      for (const at of places) {
        const place = placeOf(state, at)
        if (place?.segment === segment) change(bits, place.row)
      }
    }
    apply(flagged, setBit)
    apply(cleared, clearBit)
  }
  return flags
}
