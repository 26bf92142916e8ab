import { NULL } from '../columns/columns.ts'
import { type FieldRules, isErrorRule, type SheetRules } from '../fields/rules.ts'
import { MESSAGES } from '../format/column-names.ts'
import { hasError } from '../format/message-chunk.ts'
import { processStore, type Store } from '../log/store.ts'
import { countEmptyCells } from '../segments/cells.ts'
import { createMessageLookup, getColumnTexts, type OpenSegment, openAll, resolveErrorCounts } from '../segments/open.ts'
import type { Counts, FieldCounts, Selection, SheetRef } from '../sheet.ts'
import { countErrorRows, countLiveRows, countRows, type Segment, type State } from '../state/state.ts'
import { type DividedRead, divideView, narrowView, readParts } from './divided.ts'
import { countSelected, listSelectedRows, type Selected, selectRows } from './select.ts'
import { openView, type View } from './view.ts'

export interface SheetCounts extends Counts {
  errorsByField?: { [field: string]: number }
  byField?: { [field: string]: FieldCounts }
}

/** Exact counts; without a selection and fields, only the log is read. */
export async function countRecords(
  sheet: SheetRef,
  query: Selection & { byField?: boolean } = {},
  store: Store = processStore,
): Promise<SheetCounts> {
  const view = await openView(store, sheet, query.asOf)
  const { byField = false, ...selection } = query
  const { asOf: _, ...criteria } = selection
  const stateCounts = byField ? undefined : countsFromState(view.state, criteria)
  if (stateCounts) return stateCounts
  const { known, unread } = selectsAll(criteria) ? countFromStates(view, byField) : { known: [], unread: view }
  const views = await divideView(store, sheet, unread, selection)
  const parts = await readParts({ store, sheet, selection }, views, countRead, () => ({ byField }))
  const { total, error, fields } = sumCounts(view.rules, [...known, ...parts])
  const valid = total - error
  return { total, valid, error, ...(byField ? toFieldCounts(fields) : {}) }
}

function sumCounts({ fields: fieldRules }: SheetRules, parts: Iterable<PartCounts>) {
  const fields = new Map(fieldRules.map(({ key }) => [key, { total: 0, valid: 0, error: 0, empty: 0 }]))
  let [total, error] = [0, 0]
  for (const part of parts) {
    total += part.total
    error += part.error
    for (const [key, counts] of part.fields) {
      const field = fields.get(key)!
      field.total += part.total
      field.error += counts.error
      field.empty += counts.empty
    }
  }
  return { total, error, fields }
}

export const countRead: DividedRead<{ byField: boolean }, PartCounts> = {
  name: 'count',
  async read(store, { state, rules }, selection, { byField }) {
    const parts: PartCounts[] = []
    for await (const counts of countSegments(store, state, rules, selection, byField)) parts.push(counts)
    const { total, error, fields } = sumCounts(rules, parts)
    return { total, error, fields: byField ? [...fields] : [] }
  },
}

function countFromStates(view: View, byField: boolean): { known: PartCounts[]; unread: View } {
  const known: PartCounts[] = []
  const unread = view.state.segments.filter((segment) => {
    const counts = countFromState(view.rules, { segment, rows: undefined }, byField)
    if (counts) known.push(counts)
    return !counts
  })
  return { known, unread: narrowView(view, unread) }
}

const selectsAll = (criteria: Selection): boolean => Object.values(criteria).every((value) => value === undefined)

function countsFromState(state: State, { filter, ...otherCriteria }: Selection): Counts | undefined {
  if (!selectsAll(otherCriteria)) return undefined
  const { total, valid, error } = sumStateCounts(state)
  if (filter === 'none') return { total: 0, valid: 0, error: 0 }
  if (filter === 'error') return { total: error, valid: 0, error }
  return filter === 'valid' ? { total: valid, valid, error: 0 } : { total, valid, error }
}

/** The counts of the whole sheet; most states know them without a read. */
export const computeCounts = async (store: Store, state: State): Promise<Counts> =>
  sumStateCounts(await resolveErrorCounts(store, state))

function sumStateCounts(state: State): Counts {
  let error = 0
  for (const segment of state.segments) error += countErrorRows(segment)
  const total = countRows(state)
  return { total, valid: total - error, error }
}

function toFieldCounts(fields: Map<string, FieldCounts>): Pick<SheetCounts, 'byField' | 'errorsByField'> {
  for (const field of fields.values()) field.valid = field.total - field.error
  const inError = [...fields].filter(([, { error }]) => error > 0).map(([key, { error }]) => [key, error])
  return { errorsByField: Object.fromEntries(inError), byField: Object.fromEntries(fields) }
}

interface PartCounts {
  total: number
  error: number
  fields: readonly (readonly [key: string, counts: { error: number; empty: number }])[]
}

async function* countSegments(
  store: Store,
  state: State,
  rules: SheetRules,
  selection: Selection,
  byField: boolean,
): AsyncGenerator<PartCounts> {
  const scanned: Selected[] = []
  for await (const selected of selectRows(store, state, rules, selection)) {
    const stateCounts = countFromState(rules, selected, byField)
    if (stateCounts) yield stateCounts
    else scanned.push(selected)
  }
  const columns = byField ? rules.fields.map(({ column }) => column) : []
  const rowsBySegment = new Map(scanned.map((selected) => [selected.segment, listSelectedRows(selected)]))
  const [unedited, edited] = partitionSegments(
    scanned,
    (selected) => isWholeSegment(selected) && isUnedited(selected.segment),
  )
  for await (const open of openAll(store, unedited, [MESSAGES]))
    yield countFromChunks(rules, open, rowsBySegment.get(open.segment)!, byField && countEmptyInState)
  for await (const open of openAll(store, edited, [...columns, MESSAGES]))
    yield countFromChunks(rules, open, rowsBySegment.get(open.segment)!, byField && countEmptyInChunk)
}

function partitionSegments(selected: readonly Selected[], test: (item: Selected) => boolean): [Segment[], Segment[]] {
  const sides: [Segment[], Segment[]] = [[], []]
  for (const item of selected) sides[test(item) ? 0 : 1].push(item.segment)
  return sides
}

const isWholeSegment = (selected: Selected): boolean => countSelected(selected) === countLiveRows(selected.segment)
const isUnedited = (segment: Segment): boolean => segment.edits.size === 0 && segment.deletedCount === 0

type EmptyCellCounter = (open: OpenSegment, field: FieldRules, rows: readonly number[]) => number

const countEmptyInState: EmptyCellCounter = ({ segment }, field) => countEmptyCells(segment, field)!

const countEmptyInChunk: EmptyCellCounter = (open, { column }, rows) => {
  const cells = getColumnTexts(open, column)
  return cells ? rows.filter((row) => cells[row] === NULL).length : rows.length
}

function countFromState(rules: SheetRules, selected: Selected, byField: boolean): PartCounts | undefined {
  const { segment } = selected
  const total = countSelected(selected)
  const error = countErrorRows(segment)
  const isAllSelected = isWholeSegment(selected)
  if (!byField && (isAllSelected || error === 0)) return { total, error, fields: [] }
  if (!isAllSelected || !byField || !isUnedited(segment) || hasErrorFlags(segment)) return undefined
  const fields = rules.fields.map((field): [string, { error: number; empty: number }] => [
    field.key,
    { error: segment.errors.get(field.key) ?? 0, empty: countEmptyCells(segment, field)! },
  ])
  return { total, error, fields }
}

const hasErrorFlags = (segment: Segment): boolean => [...segment.flags.keys()].some(isErrorRule)

function countFromChunks(
  rules: SheetRules,
  open: OpenSegment,
  rows: readonly number[],
  empty: EmptyCellCounter | false,
): PartCounts {
  const getMessages = createMessageLookup(open, rules)
  const fields = new Map(rules.fields.map(({ key }) => [key, { error: 0, empty: 0 }]))
  let error = 0
  for (const row of rows) {
    let isRowInError = false
    for (const [key, messages] of getMessages(row) ?? []) {
      if (!hasError(messages)) continue
      isRowInError = true
      // A past state can have messages on fields that were deleted since.
      const field = fields.get(key)
      if (field) field.error++
    }
    if (isRowInError) error++
  }
  if (!empty) return { total: rows.length, error, fields: [] }
  for (const field of rules.fields) fields.get(field.key)!.empty = empty(open, field, rows)
  return { total: rows.length, error, fields: [...fields] }
}
