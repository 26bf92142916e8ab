/** Compares the matched rows of an import with the records of a segment; equal bytes are not decoded. */
import { hasBit } from '../columns/bits.ts'
import { locateAllCells, locateCells, NULL, parseColumn } from '../columns/columns.ts'
import { equalsBytes } from '../columns/equal-bytes.ts'
import { getOrInsert } from '../columns/maps.ts'
import { isBareJson, typeChecks } from '../fields/cell-bytes.ts'
import { type FieldRules, type SheetRules, toStoredCell } from '../fields/rules.ts'
import { isTyped, valueToText } from '../fields/values.ts'
import type { Store } from '../log/store.ts'
import { getColumnValues, type OpenSegment, readBaseMessages } from '../segments/open.ts'
import type { ColumnChange, ColumnChanges } from '../segments/rewrite.ts'
import type { CellInputs } from '../sheet.ts'
import { findColumnChanges, isChanged, listChangedRows } from './compare-columns.ts'
import { findRowChanges, isCompared, listTouchedColumns, type RowChange, type Target } from './compare-rows.ts'
import type { SegmentChanges } from './compare-segments.ts'
import { exceedsEditLimit } from './limits.ts'
import type { MatchedColumn, MatchedSegment } from './matched-rows.ts'
import { writeChangedCells } from './write-changed-cells.ts'

export function compareMatched(
  open: OpenSegment,
  rules: SheetRules,
  fields: readonly FieldRules[],
  matched: MatchedSegment,
): ColumnChanges {
  const changes = new Map<string, ColumnChange>()
  const hooks = findHookMessages(open)
  for (const [i, field] of fields.entries()) {
    const cells = matched.columns[i]!
    const fieldHooks = hooks.get(field.key)
    const candidates = findCandidates(open, field, matched.rows, cells, fieldHooks)
    if (!candidates.length) continue
    if (isPlain(open, cells, fieldHooks)) {
      const change = writeChangedCells(open, rules, field, matched.rows, cells, candidates)
      if (isChanged(change)) changes.set(field.column, change)
      continue
    }
    const rows = candidates.map((index) => matched.rows[index]!)
    const getCell = (_: string, at: number) => ({ value: cells.getValue(candidates[at]!) })
    for (const [column, change] of findColumnChanges(open, rules, { rows, getCell }, [field.key]))
      if (isChanged(change)) changes.set(column, change)
  }
  return changes
}

function findHookMessages(open: OpenSegment): ReadonlyMap<string, ReadonlySet<number>> {
  const rows = new Map<string, Set<number>>()
  for (const [row, cells] of readBaseMessages(open))
    for (const [key, { hooks }] of cells) if (hooks) getOrInsert(rows, key, () => new Set<number>()).add(row)
  return rows
}

/** Then only its value decides whether a cell changes. */
const isPlain = ({ segment }: OpenSegment, { hasNotes }: MatchedColumn, hooks: ReadonlySet<number> | undefined) =>
  !hasNotes && !hooks && segment.edits.size === 0

const NULL_BYTES = Buffer.from(NULL)

/** The indices of rows whose cell may change: other values, or a cell with edits, notes or messages of hooks. */
function findCandidates(
  open: OpenSegment,
  field: FieldRules,
  rows: readonly number[],
  cells: MatchedColumn,
  hooks: ReadonlySet<number> | undefined,
): readonly number[] {
  const { segment, raw } = open
  const stored = raw.get(field.column)
  const onlyValues = isPlain(open, cells, hooks)
  const isWhole = rows.length === segment.rows
  if (onlyValues && stored && isSameColumn(field, cells, isWhole, stored)) return []
  const ranges = stored && (isWhole ? locateAllCells(stored, segment.rows) : locateCells(stored, rows))
  const isSame = createCellComparison(field, cells)
  const candidates: number[] = []
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!
    const isUnchanged =
      (onlyValues || !(cells.hasNote(index) || segment.edits.has(row) || hooks?.has(row))) &&
      (ranges
        ? isSame(index, stored, ranges.starts[index]!, ranges.ends[index]!)
        : isSame(index, NULL_BYTES, 0, NULL_BYTES.length))
    if (!isUnchanged) candidates.push(index)
  }
  return candidates
}

/** Equal bytes of typed fields can have different values: texts may have been stored before a change of the type. */
const isSameColumn = ({ type }: FieldRules, { raw, isInOrder }: MatchedColumn, isWhole: boolean, stored: Buffer) =>
  isWhole && isInOrder && !isTyped(type) && raw.equals(stored)

type CellComparison = (index: number, stored: Buffer, from: number, to: number) => boolean

function createCellComparison(field: FieldRules, { raw, locate }: MatchedColumn): CellComparison {
  const { starts, ends } = locate()
  if (!isTyped(field.type))
    return (index, stored, from, to) => equalsBytes(raw, starts[index]!, ends[index]!, stored, from, to)
  const isCanonical = field.type === 'date' ? isDateForm : typeChecks[field.type]!
  const quotes = isBareJson(field.type) ? 1 : 0
  return (index, stored, from, to) => {
    const [start, end] = [starts[index]!, ends[index]!]
    if (raw[start] === QUOTE && isCanonical(raw, start + 1, end - 1))
      return equalsBytes(raw, start + quotes, end - quotes, stored, from, to)
    if (raw[start] !== QUOTE && raw[start] !== BRACKET) return equalsBytes(raw, start, end, stored, from, to)
    const value = toStoredCell(field, JSON.parse(raw.toString('utf8', start, end)))
    return JSON.stringify(value) === stored.toString('utf8', from, to)
  }
}

const QUOTE = 34
const BRACKET = 91
const DASH = 45

/** A text of this form is stored unparsed. */
const isDateForm = (bytes: Buffer, from: number, to: number): boolean =>
  to - from === 10 && bytes[from + 4] === DASH && bytes[from + 7] === DASH

/** Two keys can have the same hash, so a match must also have the same values. */
export function assertSameKeys(open: OpenSegment, keyFields: readonly FieldRules[], columns: ColumnChanges): void {
  for (const field of keyFields) {
    const change = columns.get(field.column)
    if (!change) continue
    const before = getColumnValues(open, field.column)
    const after = parseColumn(change.raw)
    const toText = (value: unknown): string => valueToText(toStoredCell(field, value))
    for (let row = 0; row < before.length; row++)
      if (hasBit(change.changed, row) && toText(before[row]) !== toText(after[row]))
        throw new Error(`Two values of the field ${field.key} have the same hash`)
  }
}

/** Whole columns if many rows change, unless their values are compared with other rows; otherwise row by row. */
export function chooseChanges(
  store: Store,
  rules: SheetRules,
  open: OpenSegment,
  columns: ColumnChanges,
  matched: MatchedSegment,
  fields: readonly FieldRules[],
): SegmentChanges {
  const rows = listChangedRows(columns)
  if (!rows.length) return []
  const changedFields = fields.filter(({ column }) => columns.has(column))
  const isMany = exceedsEditLimit(store, open.segment, rows.length)
  if (isMany && !changedFields.some(({ key }) => isCompared(rules, key))) return columns
  return findTargetChanges(open, rules, listTargets(rows, matched, fields, changedFields))
}

/** The changes on which errors of other rows can depend. */
export function findComparedChanges(
  open: OpenSegment,
  rules: SheetRules,
  columns: ColumnChanges,
  matched: MatchedSegment,
  fields: readonly FieldRules[],
): readonly RowChange[] {
  const changedFields = fields.filter(({ key, column }) => columns.has(column) && isCompared(rules, key))
  const changes = new Map(changedFields.map(({ column }) => [column, columns.get(column)!]))
  const rows = listChangedRows(changes)
  return rows.length ? findTargetChanges(open, rules, listTargets(rows, matched, fields, changedFields)) : []
}

const findTargetChanges = (open: OpenSegment, rules: SheetRules, targets: readonly Target[]): readonly RowChange[] =>
  findRowChanges(open, rules, targets, listTouchedColumns(rules, [targets[0]!.update]))

function listTargets(
  changedRows: readonly number[],
  { rows, columns }: MatchedSegment,
  fields: readonly FieldRules[],
  changedFields: readonly FieldRules[],
): Target[] {
  const changedColumns = changedFields.map((field) => ({ key: field.key, column: columns[fields.indexOf(field)]! }))
  let at = 0
  return changedRows.map((row) => {
    while (rows[at]! < row) at++
    const values: CellInputs = Object.fromEntries(
      changedColumns.map(({ key, column }) => [key, { value: column.getValue(at) }]),
    )
    return { row, update: { values } }
  })
}
