/**
 * How an entry tells what it does to the flags of rows. A few rows carry their error slots along, so that readers
 * count on without reading a chunk; a segment with many is counted anew, which holds only if nothing came in between.
 */
import { type Bits, clearBit, countBits, emptyBits, hasBit, rowsIn, setBit } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { flagForms, hintForms, type Names, type RowsByName } from '../log/body.ts'
import type { HintForm, UniqueForm } from '../log/entries.ts'
import type { Coordinate } from '../log/ids.ts'
import { coordinateIn, isLive, placeOf, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { baseMessages, type OpenSegment, openAll } from '../read/reader.ts'
import { errorSlots } from '../rules/messages.ts'
import { isErrorRule } from '../rules/rules.ts'
import { MESSAGES } from './segment.ts'

/** Rows that get or lose the flag of a rule; rows of a segment the entry adds go by its name in the entry, `+<i>`. */
export interface FlagChange {
  rule: string
  flagged: RowsByName
  cleared: RowsByName
}

export interface FlagEffects {
  u?: NonNullable<UniqueForm['u']>
  hints?: HintForm[]
  recounts?: [segment: string, quiet: number][]
}

/** What the write itself does to rows, beside flags. */
export interface OwnRows {
  /** Rows the entry counts by themselves: those it patches, and deleted ones with unresolved edits. */
  hinted: readonly Coordinate[]
  /** Rows it patches. */
  patched: ReadonlyMap<Segment, readonly number[]>
  /** Segments whose error count it gives itself. */
  counted: ReadonlySet<Segment>
  /** Rows it deletes. */
  isGone: (segment: Segment, row: number) => boolean
}

/** Flags of the segments some change speaks of, once all changes are made. */
export type FlagsAfter = ReadonlyMap<Segment, ReadonlyMap<string, Bits>>

/** The forms of flag changes; with `recounts` among them the entry must be appended exactly. */
export async function flagEffects(
  store: Store,
  state: State,
  names: Names,
  changes: readonly FlagChange[],
  flags: FlagsAfter,
  own: OwnRows,
): Promise<FlagEffects> {
  const touched = touchedRows(state, changes, own)
  const many = [...touched.keys()].filter((segment) => countBits(touched.get(segment)) > store.editedRows)
  for (const segment of many) touched.delete(segment)
  const few = [...touched].flatMap(([segment, bits]) => rowsIn(bits).map((row) => coordinateIn(segment, row)))
  const hints = await hintForms(store, state, names, own.hinted.concat(few))
  const u = changes.flatMap(({ rule, flagged, cleared }) => flagForms(rule, flagged, cleared))
  const recounts = await recountForms(store, many, flags, own)
  return {
    ...(u.length ? { u } : {}),
    ...(hints.length ? { hints } : {}),
    ...(recounts.length ? { recounts } : {}),
  }
}

/** Calls back for every row that is in the state. */
function eachPlace(state: State, rows: RowsByName, visit: (segment: Segment, row: number) => void): void {
  for (const [key, list] of rows) {
    const position = state.positions.get(key)
    if (position !== undefined) for (const row of list) visit(state.segments[position]!, row)
    else
      for (const row of list) {
        const place = placeOf(state, { key, row })
        if (place) visit(place.segment, place.row)
      }
  }
}

/** Rows whose flags change and that are not yet counted by themselves. */
function touchedRows(state: State, changes: readonly FlagChange[], own: OwnRows): Map<Segment, Bits> {
  const touched = new Map<Segment, Bits>()
  const touch = (segment: Segment, row: number): void => {
    if (own.counted.has(segment)) return
    setBit(
      getOrMake(touched, segment, () => emptyBits(segment.rows)),
      row,
    )
  }
  for (const { flagged, cleared } of changes) {
    eachPlace(state, flagged, touch)
    eachPlace(state, cleared, touch)
  }
  return touched
}

async function recountForms(
  store: Store,
  segments: readonly Segment[],
  flags: FlagsAfter,
  own: OwnRows,
): Promise<[string, number][]> {
  if (!segments.length) return []
  const forms: [string, number][] = []
  for await (const open of openAll(store, segments, [MESSAGES])) {
    const { segment } = open
    const patched = new Set(own.patched.get(segment))
    const counts = (row: number): boolean =>
      isLive(segment, row) && !own.isGone(segment, row) && !patched.has(row) && segment.edits.get(row)?.base == null
    forms.push([segment.key, quietRows(open, flags.get(segment) ?? segment.flags, counts)])
  }
  return forms
}

/** An unresolved row is among the quiet ones as it was when first edited: resolving it takes it out. */
function quietRows(open: OpenSegment, flags: ReadonlyMap<string, Bits>, counts: (row: number) => boolean): number {
  const base = baseMessages(open)
  const errors = [...flags].filter(([rule]) => isErrorRule(rule)).map(([, bits]) => bits)
  const isFlagged = (row: number): boolean =>
    open.segment.edits.get(row)?.flaggedAtFirst ?? errors.some((bits) => hasBit(bits, row))
  let quiet = 0
  for (let row = 0; row < open.segment.rows; row++)
    if (counts(row) && (isFlagged(row) || errorSlots(base.get(row)).length)) quiet++
  return quiet
}

export function flagsAfter(state: State, changes: readonly FlagChange[]): FlagsAfter {
  const after = new Map<Segment, Map<string, Bits>>()
  const bitsOf = (segment: Segment, rule: string): Bits => {
    const ofSegment = getOrMake(
      after,
      segment,
      () => new Map([...segment.flags].map(([id, bits]): [string, Bits] => [id, bits.slice()])),
    )
    return getOrMake(ofSegment, rule, () => emptyBits(segment.rows))
  }
  for (const { rule, flagged, cleared } of changes) {
    eachPlace(state, flagged, (segment, row) => setBit(bitsOf(segment, rule), row))
    eachPlace(state, cleared, (segment, row) => clearBit(bitsOf(segment, rule), row))
  }
  return after
}
