/** Bulk changes column by column, where columns are rewritten: a million rows need only a few texts each. */
import { type Bits, bitsToRows, emptyBits, orBits, setBit } from '../columns/bits.ts'
import { joinColumn, NULL } from '../columns/columns.ts'
import { isUnreadText } from '../fields/notes.ts'
import { type FieldRules, type SheetRules, toStoredCell, validateCell } from '../fields/rules.ts'
import type { CellMessages } from '../format/message-chunk.ts'
import { getColumnTexts, mergeCellMessages, type OpenSegment, readBaseMessages } from '../segments/open.ts'
import type { ColumnChange, ColumnChanges } from '../segments/rewrite.ts'
import type { CellInput, Message } from '../sheet.ts'
import type { RowEdit } from '../state/state.ts'
import { assertValueSize, updateHookMessages } from './compare-rows.ts'

export interface ColumnInputs {
  rows: readonly number[]
  getCell(field: string, index: number): CellInput | undefined
}

export function findColumnChanges(
  open: OpenSegment,
  rules: SheetRules,
  inputs: ColumnInputs,
  fields: readonly string[],
): ColumnChanges {
  const knownFields = fields.flatMap((key) => rules.byKey.get(key) ?? [])
  return new Map(knownFields.map((field) => [field.column, compareColumn(open, rules, field, inputs)]))
}

function compareColumn(
  open: OpenSegment,
  rules: SheetRules,
  field: FieldRules,
  { rows, getCell }: ColumnInputs,
): ColumnChange {
  const { segment } = open
  const cells = getColumnTexts(open, field.column) ?? new Array<string>(segment.rows).fill(NULL)
  const changed = emptyBits(segment.rows)
  const ruleMessages = new Map<number, readonly Message[]>()
  const hookMessages = new Map<number, readonly Message[]>()
  const base = readBaseMessages(open)
  const toCell = createCellConverter(field)
  let validated: { cell: ConvertedCell | undefined; messages: readonly Message[] } = { cell: undefined, messages: [] }
  for (let i = 0; i < rows.length; i++) {
    const input = getCell(field.key, i)
    if (!input) continue
    const row = rows[i]!
    const before = cells[row]!
    const hooks = getHookMessages(base.get(row), segment.edits.get(row), field.key)
    const isKept = input.value === undefined || isUnreadText(input, hooks, before)
    const cell = isKept ? undefined : toCell(input)
    const isSame = !cell || cell.text === before
    if (!isSame) {
      assertValueSize(rules, segment, row, field.key, cell.text)
      cells[row] = cell.text
      setBit(changed, row)
      if (cell !== validated.cell) validated = { cell, messages: validateCell(field, cell.value) }
      if (validated.messages.length) ruleMessages.set(row, validated.messages)
    }
    const after = updateHookMessages(field.key, input, hooks, isSame)
    if (after) hookMessages.set(row, after)
  }
  return { field: field.key, raw: joinColumn(cells), changed, ruleMessages, hookMessages }
}

export const isChanged = ({ changed, hookMessages }: ColumnChange): boolean =>
  hookMessages.size > 0 || changed.some((byte) => byte !== 0)

const noMessages: readonly Message[] = []

const getHookMessages = (
  cells: ReadonlyMap<string, CellMessages> | undefined,
  edit: RowEdit | undefined,
  key: string,
): readonly Message[] => (cells || edit ? (mergeCellMessages(cells, edit).get(key)?.hooks ?? noMessages) : noMessages)

interface ConvertedCell {
  text: string
  value: unknown
}

/** Caches the last cell, since a bulk update has the same input for every row. */
function createCellConverter(field: FieldRules): (input: CellInput) => ConvertedCell {
  let lastInput: CellInput | undefined
  let cell: ConvertedCell = { text: NULL, value: null }
  return (input) => {
    if (input === lastInput) return cell
    const value = toStoredCell(field, input.value)
    lastInput = input
    cell = { text: JSON.stringify(value), value }
    return cell
  }
}

export function listChangedRows(columns: ColumnChanges): number[] {
  const rowSets: Bits[] = []
  for (const { changed, hookMessages } of columns.values()) {
    const bits = changed.slice()
    for (const row of hookMessages.keys()) setBit(bits, row)
    rowSets.push(bits)
  }
  const [first, ...others] = rowSets
  if (!first) return []
  for (const bits of others) orBits(first, bits)
  return bitsToRows(first)
}
