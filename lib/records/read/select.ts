/** Selects a query's live rows by segment; segments that cannot contain any are not read. */
import { message } from '../../../schemas/messages/index.ts'
import { invalidField } from '../../core/errors.ts'
import { type Bits, countBits, hasBit } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import { createRecordIdParser, parseCommitSeq } from '../format/ids.ts'
import type { Store } from '../log/store.ts'
import { findRowsInError, getColumnValues, type OpenSegment, openAll } from '../segments/open.ts'
import type { Selection } from '../sheet.ts'
import {
  countErrorRows,
  countLiveRows,
  findRow,
  isLive,
  listLiveRows,
  type Segment,
  type State,
  toCoordinate,
} from '../state/state.ts'
import { type CoordinateSet, findChangedRecords } from './changed-records.ts'
import { findCommitPart } from './commit-part.ts'
import { compileQuery } from './compile-query.ts'
import { createSearcher } from './search.ts'
import type { View } from './view.ts'

/** Ascending rows of a segment; undefined when all live rows are selected. */
export interface Selected {
  segment: Segment
  rows: readonly number[] | undefined
}

export const countSelected = ({ segment, rows }: Selected): number => rows?.length ?? countLiveRows(segment)
export const listSelectedRows = ({ segment, rows }: Selected): readonly number[] => rows ?? listLiveRows(segment)

interface SelectionStep {
  /** Chunks to open; a step without any runs before the segment is read. */
  names: readonly string[]
  canMatch?: (segment: Segment) => boolean
  rows: (open: OpenSegment, rows: readonly number[]) => readonly number[]
}

/** Ignores `asOf`: the state already is that version. */
export async function* selectRows(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
): AsyncGenerator<Selected> {
  if (selection.filter === 'none') return
  const steps = await createSteps(store, state, rules, selection)
  yield* applySteps(store, findCandidates(state, steps), steps)
}

const findCandidates = (state: State, steps: readonly SelectionStep[]): Segment[] =>
  state.segments.filter(
    (segment) => countLiveRows(segment) > 0 && steps.every((step) => step.canMatch?.(segment) ?? true),
  )

/** Other selections are resolved without reading a segment. */
export const readsSegments = ({ filter, search, q }: Selection): boolean =>
  filter === 'error' || filter === 'valid' || Boolean(search?.value) || Boolean(q?.trim())

export const listCandidates = async (store: Store, { state, rules }: View, selection: Selection): Promise<Segment[]> =>
  selection.filter === 'none' ? [] : findCandidates(state, await createSteps(store, state, rules, selection))

async function* applySteps(
  store: Store,
  segments: readonly Segment[],
  steps: readonly SelectionStep[],
): AsyncGenerator<Selected> {
  if (!steps.length) {
    for (const segment of segments) yield { segment, rows: undefined }
    return
  }
  const stateSteps = steps.filter(({ names }) => !names.length)
  const readSteps = steps.filter(({ names }) => names.length)
  const rowsBySegment = new Map<Segment, readonly number[] | undefined>()
  for (const segment of segments) {
    const rows = stateSteps.length
      ? narrowRows(stateSteps, { segment, raw: new Map() }, listLiveRows(segment))
      : undefined
    if (!rows || rows.length) rowsBySegment.set(segment, rows)
  }
  if (!readSteps.length) for (const [segment, rows] of rowsBySegment) yield { segment, rows }
  else
    for await (const open of openAll(
      store,
      [...rowsBySegment.keys()],
      [...new Set(readSteps.flatMap(({ names }) => names))],
    )) {
      const { segment } = open
      const rows = narrowRows(readSteps, open, rowsBySegment.get(segment) ?? listLiveRows(segment))
      if (rows.length) yield { segment, rows }
    }
}

function narrowRows(
  steps: readonly SelectionStep[],
  open: OpenSegment,
  initialRows: readonly number[],
): readonly number[] {
  let rows = initialRows
  for (const step of steps) if (rows.length) rows = step.rows(open, rows)
  return rows
}

async function createSteps(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
): Promise<SelectionStep[]> {
  const search = selection.search?.value ? selection.search : undefined
  const q = selection.q?.trim() ? selection.q : undefined
  const excludes = selection.filter !== undefined || search !== undefined || q !== undefined
  const steps: SelectionStep[] = []
  if (selection.ids) steps.push(createIdStep(state, selection.ids, excludes))
  for (const set of await findChangedSets(store, state, selection)) steps.push(createSetStep(set))
  if (selection.filter === 'error' || selection.filter === 'valid')
    steps.push(createValidityStep(rules, selection.filter, validateField(rules, selection.filterField, 'filterField')))
  if (search) steps.push(createSearchStep(rules, search))
  if (q !== undefined) steps.push(createQueryStep(rules, q))
  if (selection.where) steps.push(createTestStep(rules, selection.where))
  return steps
}

export function validateField(rules: SheetRules, key: string | undefined, parameter: string): string | undefined {
  if (key !== undefined && !rules.byKey.has(key))
    throw invalidField(parameter, message('records.noField', { field: key }))
  return key
}

async function findChangedSets(store: Store, state: State, selection: Selection): Promise<CoordinateSet[]> {
  const sets: CoordinateSet[] = []
  if (selection.commitId !== undefined) {
    const seq = resolveCommitSeq(state, selection.commitId, 'commitId')
    sets.push(
      selection.part
        ? await findCommitPart(store, state, seq, selection.part)
        : await findChangedRecords(store, state, seq, seq + 1),
    )
  }
  if (selection.sinceCommitId !== undefined)
    sets.push(
      await findChangedRecords(store, state, resolveCommitSeq(state, selection.sinceCommitId, 'sinceCommitId') + 1),
    )
  return sets
}

export function resolveCommitSeq(state: State, commitId: string, parameter: string): number {
  const seq = parseCommitSeq(state.sheetId, commitId)
  if (seq === undefined || seq >= state.seq)
    throw invalidField(parameter, message('records.noCommit', { commit: commitId }))
  return seq
}

const createSetStep = (set: CoordinateSet): SelectionStep => ({
  names: [],
  canMatch: ({ key, runs }) => (runs ? runs.some((run) => set.keys.has(run.key)) : set.keys.has(key)),
  rows: ({ segment }, rows) => rows.filter((row) => set.has(toCoordinate(segment, row))),
})

export function findRowsByIds(state: State, ids: readonly string[]): Map<Segment, Set<number>> {
  const bySegment = new Map<Segment, Set<number>>()
  const parseId = createRecordIdParser(state.sheetId)
  for (const id of ids) {
    const at = parseId(id)
    const rowRef = at && findRow(state, at)
    if (!rowRef || !isLive(rowRef.segment, rowRef.row)) continue
    getOrInsert(bySegment, rowRef.segment, () => new Set<number>()).add(rowRef.row)
  }
  return bySegment
}

function createIdStep(state: State, ids: readonly string[], excludes: boolean): SelectionStep {
  const requestedRows = findRowsByIds(state, ids)
  return {
    names: [],
    canMatch: (segment) => excludes || requestedRows.has(segment),
    rows: ({ segment }, rows) => {
      const segmentRows = requestedRows.get(segment)
      return segmentRows ? rows.filter((row) => segmentRows.has(row) !== excludes) : excludes ? rows : []
    },
  }
}

function createValidityStep(rules: SheetRules, filter: 'error' | 'valid', field: string | undefined): SelectionStep {
  return {
    names: [MESSAGES],
    canMatch: (segment) =>
      filter === 'error'
        ? countErrorRows(segment) > 0
        : field !== undefined || countErrorRows(segment) < countLiveRows(segment),
    rows: (open, rows) => {
      const errorRows = new Set(findRowsInError(open, rules, field))
      return rows.filter((row) => errorRows.has(row) === (filter === 'error'))
    },
  }
}

const filterMarked = (matchingRows: Bits, rows: readonly number[]): readonly number[] =>
  countBits(matchingRows) ? rows.filter((row) => hasBit(matchingRows, row)) : []

function createSearchStep(rules: SheetRules, search: NonNullable<Selection['search']>): SelectionStep {
  const field = validateField(rules, search.field, 'searchField')
  const columns = rules.fields.filter(({ key }) => field === undefined || key === field).map(({ column }) => column)
  const findRows = createSearcher(search.value)
  return {
    names: columns,
    rows: (open, rows) => {
      return filterMarked(findRows(open, columns), rows)
    },
  }
}

function createQueryStep(rules: SheetRules, q: string): SelectionStep {
  const query = compileQuery(q, rules)
  return {
    names: query.names,
    canMatch: query.canMatch,
    rows: (open, rows) => {
      return filterMarked(query.rows(open), rows)
    },
  }
}

function createTestStep(rules: SheetRules, { fields, test }: NonNullable<Selection['where']>): SelectionStep {
  const columns = fields.map((key) => ({ key, column: rules.byKey.get(validateField(rules, key, 'where')!)!.column }))
  return {
    names: columns.map(({ column }) => column),
    rows: (open, rows) => {
      const values = new Map(columns.map(({ key, column }) => [key, getColumnValues(open, column)]))
      return rows.filter((row) => test((key) => values.get(key)?.[row] ?? null))
    },
  }
}
