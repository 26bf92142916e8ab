/** Computes the flags a write changes: uniqueness and references over added, changed and removed rows. */
import { bitsToRows, emptyBits, hasBit, setBit } from '../columns/bits.ts'
import { type Hashes, joinHashes, noHashes, sortedUnion } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { FlagChange } from '../constraints/flag-changes.ts'
import { findUnlinked } from '../constraints/references.ts'
import { findDuplicates } from '../constraints/unique.ts'
import type { FlagRule, ReferenceRule, RowRule, SheetRules, UniqueRule } from '../fields/rules.ts'
import type { Coordinate } from '../format/ids.ts'
import { addRow } from '../log/entry-builder.ts'
import { buildReadSet, type ReadSet } from '../log/read-set.ts'
import type { Store } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import { createLocator, emptyState, findRow, type Segment, type State, toCoordinate } from '../state/state.ts'
import type { Moves } from './compare-rows.ts'
import type { SegmentChange } from './compare-segments.ts'
import type { AddedHashes, AddedRows } from './ingest.ts'
import { type RemovalPlan, type RemovedRows, removesAllRows } from './plan-removal.ts'

export interface Writes {
  added: AddedRows | undefined
  changes: readonly SegmentChange[]
  removed: RemovedRows
}

export interface FlagValidation {
  flags: FlagChange[]
  links: [rule: string, version: string][]
  /** True if the result is invalid once another write affects the same rules. */
  isGuarded: boolean
  /** The values the uniqueness result depends on; undefined when they are too many. */
  readSets: ReadSet[] | undefined
}

const MAX_READ_SET_VALUES = 1000

export async function validateFlags(
  store: Store,
  state: State,
  sheet: SheetRef,
  rules: SheetRules,
  writes: Writes,
  lost: RemovalPlan['lost'],
): Promise<FlagValidation> {
  const validation: FlagValidation = { flags: [], links: [], isGuarded: false, readSets: [] }
  for (const rule of rules.unique) {
    const compared = findComparedRows(writes, rule)
    const removedHashes = lost.get(rule.id)
    if (!compared.added && !compared.moved.length && !removedHashes) continue
    validation.isGuarded = true
    const { change, readSet } = await validateUniqueRule(store, state, rules, rule, writes, compared, removedHashes)
    validation.flags.push(change)
    if (readSet) validation.readSets?.push(readSet)
    else validation.readSets = undefined
  }
  for (const rule of rules.references) {
    const compared = findComparedRows(writes, rule)
    if (!compared.added && !compared.moved.length) continue
    const found = await findUnlinked(store, sheet, rule, readHashes(compared, rule, 'readLists'))
    if (!found) continue
    // A flag over two fields depends on patches of both, so their order must not change.
    if (rule.filter && compared.moved.length) {
      validation.isGuarded = true
      validation.readSets = undefined
    }
    validation.links.push([rule.id, found.version])
    validation.flags.push(buildReferenceFlags(rule, compared, found.at))
  }
  for (const rule of rules.rowRules) {
    const { change, isChanged } = buildRowRuleFlags(rule, writes)
    // As above: the last edit of a row must be validated with the other fields as they are then.
    if (rule.fields.length > 1 && isChanged) {
      validation.isGuarded = true
      validation.readSets = undefined
    }
    if (change.flagged.size || change.cleared.size) validation.flags.push(change)
  }
  return validation
}

interface MovedRows {
  change: SegmentChange
  moves: Moves
}

interface ComparedRows {
  added: AddedRows | undefined
  moved: MovedRows[]
  /** Resolves an ordinal to an added row (by segment name in the entry) or a moved row. */
  locate: (ordinal: number) => { added: Coordinate } | { moved: number; index: number }
}

function findComparedRows({ added, changes }: Writes, rule: FlagRule): ComparedRows {
  const moved = changes.flatMap((change): MovedRows[] => {
    const moves = change.moves.get(rule.id)
    return moves ? [{ change, moves }] : []
  })
  const segments = added?.segments ?? []
  const locate = createLocator([
    ...segments.map(({ rows }, i) => ({ key: `+${i}`, rows, firstRow: 0 })),
    ...moved.map(({ moves }, i) => ({ key: String(i), rows: moves.rows.length, firstRow: 0 })),
  ])
  return {
    added,
    moved,
    locate: (ordinal) => {
      const { key, row } = locate(ordinal)
      return key.startsWith('+') ? { added: { key, row } } : { moved: Number(key), index: row }
    },
  }
}

/** Many added rows come in several lists, unless others are compared with them. */
async function* readHashes(
  { added, moved }: ComparedRows,
  rule: FlagRule,
  form: keyof AddedHashes,
): AsyncGenerator<Hashes> {
  if (added && !moved.length) return yield* added.hashes[form](rule.id)
  const parts = moved.map(({ moves }) => ({ hashes: moves.after, rows: moves.rows.length }))
  if (added) parts.unshift({ hashes: await joinHashes(added.hashes.readSlices(rule.id)), rows: added.rows })
  yield parts.length === 1 ? parts[0]!.hashes : parts.length ? sortedUnion(parts) : noHashes
}

async function validateUniqueRule(
  store: Store,
  state: State,
  rules: SheetRules,
  rule: UniqueRule,
  writes: Writes,
  compared: ComparedRows,
  removedHashes: Hashes | undefined,
): Promise<{ change: FlagChange; readSet: ReadSet | undefined }> {
  const lost = [...compared.moved.map(({ moves }) => moves.lost), ...(removedHashes ? [removedHashes] : [])]
  const otherRows = removesAllRows(state, writes.removed) ? emptyState(state.sheetId) : state
  const duplicates = await findDuplicates(store, otherRows, rules, rule, {
    added: readHashes(compared, rule, 'readSlices'),
    lost: lost.length ? sortedUnion(lost.map((hashes) => ({ hashes, rows: 0 }))) : noHashes,
    isChanged: createChangedTest(state, compared.moved, writes.removed),
  })
  const change = buildOwnFlags(rule, compared, duplicates.shared, false)
  for (const at of duplicates.flagged) addRow(change.flagged, at)
  for (const at of duplicates.cleared) addRow(change.cleared, at)
  return {
    change,
    readSet:
      duplicates.queried && duplicates.queried.hi.length <= MAX_READ_SET_VALUES
        ? buildReadSet(
            rule.id,
            { ...duplicates, queried: duplicates.queried },
            listMovedRows(compared),
            compared.moved.map(({ moves }) => moves.before),
          )
        : undefined,
  }
}

const listMovedRows = ({ moved }: ComparedRows): Coordinate[] =>
  moved.flatMap(({ change: { segment }, moves }) => moves.rows.map((row) => toCoordinate(segment, row)))

function createChangedTest(
  state: State,
  moved: readonly MovedRows[],
  removed: RemovedRows,
): (at: Coordinate) => boolean {
  const rows = new Map<Segment, Uint8Array>()
  for (const { change, moves } of moved) {
    const bits = emptyBits(change.segment.rows)
    for (const row of moves.rows) setBit(bits, row)
    rows.set(change.segment, bits)
  }
  return (at) => {
    const rowRef = findRow(state, at)
    return !!rowRef && (hasBit(rows.get(rowRef.segment), rowRef.row) || removed.has(rowRef.segment, rowRef.row))
  }
}

function buildOwnFlags(
  rule: FlagRule,
  compared: ComparedRows,
  violations: readonly number[],
  includeUnchanged: boolean,
): FlagChange {
  const flags: FlagChange = { rule: rule.id, flagged: new Map(), cleared: new Map() }
  const violatingRows = new Map<number, Set<number>>()
  for (const ordinal of violations) {
    const located = compared.locate(ordinal)
    if ('added' in located) addRow(flags.flagged, located.added)
    else getOrInsert(violatingRows, located.moved, () => new Set<number>()).add(located.index)
  }
  compared.moved.forEach(({ change: { segment, rewritten }, moves }, i) => {
    const currentFlags = segment.flags.get(rule.id)
    moves.rows.forEach((row, index) => {
      const isViolating = violatingRows.get(i)?.has(index) ?? false
      if (isViolating === hasBit(currentFlags, row) && (!includeUnchanged || rewritten)) return
      addRow(isViolating ? flags.flagged : flags.cleared, toCoordinate(segment, row))
    })
  })
  return flags
}

/** Patches of the same cell may follow each other in the log, so each states its result and the last one wins. */
const buildReferenceFlags = (rule: ReferenceRule, compared: ComparedRows, violations: readonly number[]): FlagChange =>
  buildOwnFlags(rule, compared, violations, true)

function buildRowRuleFlags(rule: RowRule, { added, changes }: Writes): { change: FlagChange; isChanged: boolean } {
  const flags: FlagChange = { rule: rule.id, flagged: new Map(), cleared: new Map() }
  added?.segments.forEach(({ built }, i) => {
    const bits = built.violations.get(rule.id)
    for (const row of bits ? bitsToRows(bits) : []) addRow(flags.flagged, { key: `+${i}`, row })
  })
  let isChanged = false
  for (const { segment, outcomes, rewritten } of changes) {
    const currentFlags = segment.flags.get(rule.id)
    outcomes.get(rule.id)?.rows.forEach((row, i) => {
      isChanged = true
      const isBroken = outcomes.get(rule.id)!.broken[i]!
      // A rule over one field is not guarded, so its patches state their result, like those of references.
      const statesResult = rule.fields.length === 1 && !rewritten
      if (isBroken !== hasBit(currentFlags, row) || statesResult)
        addRow(isBroken ? flags.flagged : flags.cleared, toCoordinate(segment, row))
    })
  }
  return { change: flags, isChanged }
}
