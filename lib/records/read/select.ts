/**
 * Which rows a query means: per segment, in order, live rows only. Segments that cannot hold any are skipped without being
 * read; the rest stream through.
 */
import { invalidField } from '../../core/errors.ts'
import { type Bits, countBits, hasBit } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { type CoordinateSet, changedIn } from '../log/history.ts'
import { coordinateOf, seqOfCommit } from '../log/ids.ts'
import {
  coordinateIn,
  errorCount,
  isLive,
  liveCount,
  liveRows,
  placeOf,
  type Segment,
  type State,
} from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { Selection } from '../sheet.ts'
import { MESSAGES } from '../write/segment.ts'
import { compileQuery } from './ffql/compile.ts'
import { columnValues, type OpenSegment, openAll, rowsInError } from './reader.ts'
import { searcher } from './search.ts'

/** Rows of one segment, ascending; `rows` is undefined when all live ones are meant. */
export interface Selected {
  segment: Segment
  rows: readonly number[] | undefined
}

export const selectedCount = ({ segment, rows }: Selected): number => rows?.length ?? liveCount(segment)
export const selectedRows = ({ segment, rows }: Selected): readonly number[] => rows ?? liveRows(segment)

/** A step that narrows the rows of a segment. */
interface Narrowing {
  /** Chunks it needs open; without any it runs before the segment is read. */
  names: readonly string[]
  /** Quick answer: can the segment hold any? */
  possible?: (segment: Segment) => boolean
  rows: (open: OpenSegment, rows: readonly number[]) => readonly number[]
}

/** The selected rows, segment by segment. `asOf` is not looked at: the state is the view. */
export async function* select(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
): AsyncGenerator<Selected> {
  if (selection.filter === 'none') return
  const steps = await narrowings(store, state, rules, selection)
  const possible = state.segments.filter(
    (segment) => liveCount(segment) > 0 && steps.every((step) => step.possible?.(segment) ?? true),
  )
  yield* narrowed(store, possible, steps)
}

async function* narrowed(
  store: Store,
  segments: readonly Segment[],
  steps: readonly Narrowing[],
): AsyncGenerator<Selected> {
  if (!steps.length) {
    for (const segment of segments) yield { segment, rows: undefined }
    return
  }
  const unread = steps.filter(({ names }) => !names.length)
  const reading = steps.filter(({ names }) => names.length)
  const rowsOf = new Map<Segment, readonly number[] | undefined>()
  for (const segment of segments) {
    const rows = unread.length ? through(unread, { segment, raw: new Map() }, liveRows(segment)) : undefined
    if (!rows || rows.length) rowsOf.set(segment, rows)
  }
  if (!reading.length) for (const [segment, rows] of rowsOf) yield { segment, rows }
  else
    for await (const open of openAll(store, [...rowsOf.keys()], [...new Set(reading.flatMap(({ names }) => names))])) {
      const { segment } = open
      const rows = through(reading, open, rowsOf.get(segment) ?? liveRows(segment))
      if (rows.length) yield { segment, rows }
    }
}

function through(steps: readonly Narrowing[], open: OpenSegment, all: readonly number[]): readonly number[] {
  let rows = all
  for (const step of steps) if (rows.length) rows = step.rows(open, rows)
  return rows
}

async function narrowings(store: Store, state: State, rules: SheetRules, selection: Selection): Promise<Narrowing[]> {
  const search = selection.search?.value ? selection.search : undefined
  const q = selection.q?.trim() ? selection.q : undefined
  const excludes = selection.filter !== undefined || search !== undefined || q !== undefined
  const steps: Narrowing[] = []
  if (selection.ids) steps.push(byIds(state, selection.ids, excludes))
  for (const set of await changedSets(store, state, selection)) steps.push(within(set))
  if (selection.filter === 'error' || selection.filter === 'valid')
    steps.push(byValidity(rules, selection.filter, fieldOf(rules, selection.filterField, 'filterField')))
  if (search) steps.push(bySearch(rules, search))
  if (q !== undefined) steps.push(byQuery(rules, q))
  if (selection.where) steps.push(byTest(rules, selection.where))
  return steps
}

/** @throws ApiError invalid for a field the sheet has not */
export function fieldOf(rules: SheetRules, key: string | undefined, parameter: string): string | undefined {
  if (key !== undefined && !rules.byKey.has(key)) throw invalidField(parameter, `The sheet has no field "${key}".`)
  return key
}

async function changedSets(store: Store, state: State, selection: Selection): Promise<CoordinateSet[]> {
  const sets: CoordinateSet[] = []
  if (selection.commitId !== undefined) {
    const seq = commitSeq(state, selection.commitId, 'commitId')
    sets.push(await changedIn(store, state, seq, seq + 1))
  }
  if (selection.sinceCommitId !== undefined)
    sets.push(await changedIn(store, state, commitSeq(state, selection.sinceCommitId, 'sinceCommitId') + 1))
  return sets
}

/** @throws ApiError invalid for a commit the state has not */
export function commitSeq(state: State, commitId: string, parameter: string): number {
  const seq = seqOfCommit(state.sheetId, commitId)
  if (seq === undefined || seq >= state.seq) throw invalidField(parameter, `The sheet has no commit "${commitId}".`)
  return seq
}

const within = (set: CoordinateSet): Narrowing => ({
  names: [],
  rows: ({ segment }, rows) => rows.filter((row) => set.has(coordinateIn(segment, row))),
})

/** Live records by id, as rows by segment; ids of no record are left out. */
export function rowsOfIds(state: State, ids: readonly string[]): Map<Segment, Set<number>> {
  const bySegment = new Map<Segment, Set<number>>()
  for (const id of ids) {
    const at = coordinateOf(state.sheetId, id)
    const place = at && placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) continue
    getOrMake(bySegment, place.segment, () => new Set<number>()).add(place.row)
  }
  return bySegment
}

/** Only these records, or all but these. */
function byIds(state: State, ids: readonly string[], excludes: boolean): Narrowing {
  const named = rowsOfIds(state, ids)
  return {
    names: [],
    possible: (segment) => excludes || named.has(segment),
    rows: ({ segment }, rows) => {
      const own = named.get(segment)
      return own ? rows.filter((row) => own.has(row) !== excludes) : excludes ? rows : []
    },
  }
}

function byValidity(rules: SheetRules, filter: 'error' | 'valid', field: string | undefined): Narrowing {
  return {
    names: [MESSAGES],
    // Exact per segment: the state it is asked of is resolved.
    possible: (segment) =>
      filter === 'error' ? errorCount(segment) > 0 : field !== undefined || errorCount(segment) < liveCount(segment),
    rows: (open, rows) => {
      const bad = new Set(rowsInError(open, rules, field))
      return rows.filter((row) => bad.has(row) === (filter === 'error'))
    },
  }
}

const marked = (found: Bits, rows: readonly number[]): readonly number[] =>
  countBits(found) ? rows.filter((row) => hasBit(found, row)) : []

function bySearch(rules: SheetRules, search: NonNullable<Selection['search']>): Narrowing {
  const field = fieldOf(rules, search.field, 'searchField')
  const columns = rules.fields.filter(({ key }) => field === undefined || key === field).map(({ column }) => column)
  const find = searcher(search.value)
  return {
    names: columns,
    rows: (open, rows) => {
      return marked(find(open, columns), rows)
    },
  }
}

function byQuery(rules: SheetRules, q: string): Narrowing {
  const query = compileQuery(q, rules)
  return {
    names: query.names,
    possible: query.possible,
    rows: (open, rows) => {
      return marked(query.rows(open), rows)
    },
  }
}

function byTest(rules: SheetRules, { fields, test }: NonNullable<Selection['where']>): Narrowing {
  const columns = fields.map((key) => ({ key, column: rules.byKey.get(fieldOf(rules, key, 'where')!)!.column }))
  return {
    names: columns.map(({ column }) => column),
    rows: (open, rows) => {
      const values = new Map(columns.map(({ key, column }) => [key, columnValues(open, column)]))
      return rows.filter((row) => test((key) => values.get(key)?.[row] ?? null))
    },
  }
}
