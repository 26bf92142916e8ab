/**
 * Which rows a query means: per segment, in order, live rows only. Segments that cannot hold any are skipped without being
 * read; the rest stream through.
 */
import { invalidField } from '../core/errors.ts'
import { hasBit } from './bits.ts'
import { type CoordinateSet, changedIn } from './history.ts'
import { type Coordinate, coordinateOf, seqOfCommit } from './ids.ts'
import { getOrMake } from './maps.ts'
import { columnValues, type OpenSegment, openAll, rowsInError } from './reader.ts'
import type { SheetRules } from './rules.ts'
import { searcher } from './search.ts'
import { MESSAGES } from './segment.ts'
import type { Selection } from './sheet.ts'
import { coordinateIn, errorCount, isLive, liveCount, liveRows, placeOf, type Segment, type State } from './state.ts'
import type { Store } from './store.ts'

/** Rows of one segment, ascending; `rows` is undefined when all live ones are meant. */
export interface Selected {
  segment: Segment
  rows: readonly number[] | undefined
}

export const selectedCount = ({ segment, rows }: Selected): number => rows?.length ?? liveCount(segment)
export const selectedRows = ({ segment, rows }: Selected): readonly number[] => rows ?? liveRows(segment)

/** A step that narrows the rows of a segment; `names` are the chunks it needs open. */
interface Narrowing {
  names: readonly string[]
  /** Quick answer: can the segment hold any? */
  possible?: (segment: Segment) => boolean
  rows: (open: OpenSegment, rows: readonly number[]) => readonly number[]
}

/** The selected rows, segment by segment. */
export async function* select(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
): AsyncGenerator<Selected> {
  if (selection.filter === 'none') return
  const excludes = selection.filter !== undefined || selection.search !== undefined
  if (selection.ids && !excludes) {
    yield* await onlyIds(store, state, rules, selection)
    return
  }
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
  const names = [...new Set(steps.flatMap((step) => step.names))]
  for await (const open of openAll(store, segments, names)) {
    let rows: readonly number[] = liveRows(open.segment)
    for (const step of steps) if (rows.length) rows = step.rows(open, rows)
    if (rows.length) yield { segment: open.segment, rows }
  }
}

async function onlyIds(store: Store, state: State, rules: SheetRules, selection: Selection): Promise<Selected[]> {
  const bySegment = new Map<Segment, Set<number>>()
  for (const id of selection.ids ?? []) {
    const at = coordinateOf(state.sheetId, id)
    const place = at && placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) continue
    getOrMake(bySegment, place.segment, () => new Set<number>()).add(place.row)
  }
  const segments = state.segments.filter((segment) => bySegment.has(segment))
  const steps = await narrowings(store, state, rules, { ...selection, ids: undefined })
  const picked: Narrowing = {
    names: [],
    rows: (open, rows) => rows.filter((row) => bySegment.get(open.segment)!.has(row)),
  }
  const selected: Selected[] = []
  for await (const one of narrowed(store, segments, [picked, ...steps])) selected.push(one)
  return selected
}

async function narrowings(store: Store, state: State, rules: SheetRules, selection: Selection): Promise<Narrowing[]> {
  const steps: Narrowing[] = []
  for (const set of await changedSets(store, state, selection)) steps.push(within(set))
  if (selection.ids) steps.push(withoutIds(state, selection.ids))
  if (selection.filter === 'error' || selection.filter === 'valid')
    steps.push(byValidity(rules, selection.filter, fieldOf(rules, selection.filterField, 'filterField')))
  if (selection.search) steps.push(bySearch(rules, selection.search))
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

function commitSeq(state: State, commitId: string, parameter: string): number {
  const seq = seqOfCommit(state.sheetId, commitId)
  if (seq === undefined || seq >= state.seq) throw invalidField(parameter, `The sheet has no commit "${commitId}".`)
  return seq
}

const within = (set: CoordinateSet): Narrowing => ({
  names: [],
  rows: ({ segment }, rows) => rows.filter((row) => set.has(coordinateIn(segment, row))),
})

function withoutIds(state: State, ids: readonly string[]): Narrowing {
  const excluded = new Set(
    ids.flatMap((id): string[] => {
      const at: Coordinate | undefined = coordinateOf(state.sheetId, id)
      return at ? [`${at.key}/${at.row}`] : []
    }),
  )
  return {
    names: [],
    rows: ({ segment }, rows) =>
      rows.filter((row) => {
        const at = coordinateIn(segment, row)
        return !excluded.has(`${at.key}/${at.row}`)
      }),
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

function bySearch(rules: SheetRules, search: NonNullable<Selection['search']>): Narrowing {
  const field = fieldOf(rules, search.field, 'searchField')
  const columns = rules.fields.filter(({ key }) => field === undefined || key === field).map(({ column }) => column)
  const find = searcher(search.value)
  return {
    names: columns,
    rows: (open, rows) => {
      const found = find(open, columns)
      return rows.filter((row) => hasBit(found, row))
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
