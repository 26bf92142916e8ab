/**
 * What a write does to the flags of rows: uniqueness is worked out once over all rows that come, change and go; references
 * over those that come or change.
 */
import { emptyBits, hasBit, setBit } from '../bytes/bits.ts'
import type { Hashes } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import { addRow } from '../log/body.ts'
import { type Watch, watchOf } from '../log/guard.ts'
import type { Coordinate } from '../log/ids.ts'
import { coordinateIn, emptyState, placeOf, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { unlinked } from '../rules/references.ts'
import type { FlagRule, ReferenceRule, SheetRules, UniqueRule } from '../rules/rules.ts'
import { locator, noHashes, sortedUnion, uniqueOutcome } from '../rules/unique.ts'
import type { SheetRef } from '../sheet.ts'
import type { Moves } from './changes.ts'
import type { SegmentChange } from './compare.ts'
import type { FlagChange } from './effects.ts'
import type { Added } from './ingest.ts'
import { isAllGone, type Removal, type Removed } from './removal.ts'

/** All that one write does to a sheet. */
export interface Writes {
  added: Added | undefined
  changes: readonly SegmentChange[]
  removed: Removed
}

export interface Judgement {
  flags: FlagChange[]
  /** Reference rules that were judged, and against which version of the other sheet. */
  links: [rule: string, version: string][]
  /** Holds only while no other write bears on the same rules. */
  guarded: boolean
  /** All that the outcome under uniqueness rules rests on, where that is little. */
  watches: Watch[] | undefined
}

/** Beyond this many values it is not worth telling one by one what an outcome rests on. */
const WATCHED = 1000

export async function judgeFlags(
  store: Store,
  state: State,
  sheet: SheetRef,
  rules: SheetRules,
  writes: Writes,
  lost: Removal['lost'],
): Promise<Judgement> {
  const judgement: Judgement = { flags: [], links: [], guarded: false, watches: [] }
  for (const rule of rules.unique) {
    const compared = comparedRows(writes, rule)
    const gone = lost.get(rule.id)
    if (!compared.parts.length && !gone) continue
    judgement.guarded = true
    const { change, watch } = await uniqueFlags(store, state, rules, rule, writes, compared, gone)
    judgement.flags.push(change)
    if (watch) judgement.watches?.push(watch)
    else judgement.watches = undefined
  }
  for (const rule of rules.references) {
    const compared = comparedRows(writes, rule)
    if (!compared.parts.length) continue
    const found = await unlinked(store, sheet, rule, hashesOfParts(compared))
    if (!found) continue
    // Compared by two fields, a row's flag depends on patches of either: then their order must be the one seen.
    if (rule.filter && compared.moved.length) {
      judgement.guarded = true
      judgement.watches = undefined
    }
    judgement.links.push([rule.id, found.version])
    judgement.flags.push(referenceFlags(rule, compared, found.at))
  }
  return judgement
}

interface MovedRows {
  change: SegmentChange
  moves: Moves
}

/** Rows whose compared value comes or changes under a rule; ordinals count through the parts. */
interface ComparedRows {
  moved: MovedRows[]
  parts: { hashes: Hashes; rows: number }[]
  /** Of an ordinal: a row to add, by its segment's name in the entry, or which of the moved rows. */
  locate: (ordinal: number) => { added: Coordinate } | { moved: number; index: number }
}

function comparedRows({ added, changes }: Writes, rule: FlagRule): ComparedRows {
  const moved = changes.flatMap((change): MovedRows[] => {
    const moves = change.moves.get(rule.id)
    return moves ? [{ change, moves }] : []
  })
  const segments = added?.segments ?? []
  const locate = locator([
    ...segments.map(({ rows }, i) => ({ key: `+${i}`, rows, firstRow: 0 })),
    ...moved.map(({ moves }, i) => ({ key: String(i), rows: moves.rows.length, firstRow: 0 })),
  ])
  return {
    moved,
    parts: [
      ...(added ? [{ hashes: added.hashes.get(rule.id) ?? noHashes, rows: added.rows }] : []),
      ...moved.map(({ moves }) => ({ hashes: moves.after, rows: moves.rows.length })),
    ],
    locate: (ordinal) => {
      const { key, row } = locate(ordinal)
      return key.startsWith('+') ? { added: { key, row } } : { moved: Number(key), index: row }
    },
  }
}

/** Each part is sorted already. */
const hashesOfParts = ({ parts }: ComparedRows): Hashes =>
  parts.length === 1 ? parts[0]!.hashes : parts.length ? sortedUnion(parts) : noHashes

async function uniqueFlags(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  writes: Writes,
  compared: ComparedRows,
  gone: Hashes | undefined,
): Promise<{ change: FlagChange; watch: Watch | undefined }> {
  const lost = [...compared.moved.map(({ moves }) => moves.lost), ...(gone ? [gone] : [])]
  // Rows that all go are no others to meet.
  const others = isAllGone(state, writes.removed) ? emptyState(state.sheetId) : state
  const outcome = await uniqueOutcome(store, others, rules, rule, {
    added: hashesOfParts(compared),
    lost: lost.length ? sortedUnion(lost.map((hashes) => ({ hashes, rows: 0 }))) : noHashes,
    changed: changedPlaces(state, compared.moved, writes.removed),
  })
  const change = ownFlags(rule, compared, outcome.shared, false)
  for (const at of outcome.flagged) addRow(change.flagged, at)
  for (const at of outcome.cleared) addRow(change.cleared, at)
  return {
    change,
    watch:
      outcome.asked.hi.length <= WATCHED
        ? watchOf(
            rule.id,
            outcome,
            movedPlaces(compared),
            compared.moved.map(({ moves }) => moves.before),
          )
        : undefined,
  }
}

const movedPlaces = ({ moved }: ComparedRows): Coordinate[] =>
  moved.flatMap(({ change: { segment }, moves }) => moves.rows.map((row) => coordinateIn(segment, row)))

/** Rows that move or go: what the state knows of them no longer counts. */
function changedPlaces(state: State, moved: readonly MovedRows[], removed: Removed): (at: Coordinate) => boolean {
  const rows = new Map<Segment, Uint8Array>()
  for (const { change, moves } of moved) {
    const bits = emptyBits(change.segment.rows)
    for (const row of moves.rows) setBit(bits, row)
    rows.set(change.segment, bits)
  }
  return (at) => {
    const place = placeOf(state, at)
    return !!place && (hasBit(rows.get(place.segment), place.row) || removed.has(place.segment, place.row))
  }
}

/**
 * Flags of the rows that come or change, given the ordinals of those that break the rule.
 * @param always also say so of changed rows whose flag stays
 */
function ownFlags(rule: FlagRule, compared: ComparedRows, broken: readonly number[], always: boolean): FlagChange {
  const flags: FlagChange = { rule: rule.id, flagged: new Map(), cleared: new Map() }
  const breaking = new Map<number, Set<number>>()
  for (const ordinal of broken) {
    const place = compared.locate(ordinal)
    if ('added' in place) addRow(flags.flagged, place.added)
    else getOrMake(breaking, place.moved, () => new Set<number>()).add(place.index)
  }
  compared.moved.forEach(({ change: { segment, rewritten }, moves }, i) => {
    const known = segment.flags.get(rule.id)
    moves.rows.forEach((row, index) => {
      const is = breaking.get(i)?.has(index) ?? false
      if (is === hasBit(known, row) && (!always || rewritten)) return
      addRow(is ? flags.flagged : flags.cleared, coordinateIn(segment, row))
    })
  })
  return flags
}

/** A patch may meet another of the same cell in the log: each says what its value comes to, and the last one holds. */
const referenceFlags = (rule: ReferenceRule, compared: ComparedRows, broken: readonly number[]): FlagChange =>
  ownFlags(rule, compared, broken, true)
