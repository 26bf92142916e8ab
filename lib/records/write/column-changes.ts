/**
 * Changes of many rows of a segment, column by column: what a bulk change comes to where the columns are written anew. A
 * million rows take a few texts each and nothing else. Pure.
 */
import { type Bits, emptyBits, orBits, rowsIn, setBit } from '../bytes/bits.ts'
import { NULL } from '../bytes/columns.ts'
import type { RowEdit } from '../log/state.ts'
import { baseMessages, cellTexts, mergedCells, type OpenSegment } from '../read/reader.ts'
import type { CellMessages } from '../rules/messages.ts'
import { type FieldRules, judge, type SheetRules, storedCell } from '../rules/rules.ts'
import type { CellInput, Message } from '../sheet.ts'
import { hooksAfter, refuseLargeValue, type Target } from './changes.ts'

/** A field's cells as they are to be. */
export interface ColumnChange {
  field: string
  /** JSON texts of all rows. */
  cells: string[]
  /** Rows whose value changes. */
  changed: Bits
  /** Constraints' messages of changed rows, where there are any. */
  ruled: ReadonlyMap<number, readonly Message[]>
  /** Hooks' messages, where they change. */
  hooked: ReadonlyMap<number, readonly Message[]>
}

/** By column. */
export type ColumnChanges = ReadonlyMap<string, ColumnChange>

/** What targets (ascending, values of these fields only) change; needs the fields' columns and the messages open. */
export function columnChangesIn(
  open: OpenSegment,
  rules: SheetRules,
  targets: readonly Target[],
  fields: readonly string[],
): ColumnChanges {
  const known = fields.flatMap((key) => rules.byKey.get(key) ?? [])
  return new Map(known.map((field) => [field.column, columnChange(open, rules, field, targets)]))
}

function columnChange(
  open: OpenSegment,
  rules: SheetRules,
  field: FieldRules,
  targets: readonly Target[],
): ColumnChange {
  const { segment } = open
  const cells = cellTexts(open, field.column) ?? new Array<string>(segment.rows).fill(NULL)
  const changed = emptyBits(segment.rows)
  const ruled = new Map<number, readonly Message[]>()
  const hooked = new Map<number, readonly Message[]>()
  const base = baseMessages(open)
  const cellOf = lastCell(field)
  for (const { row, update } of targets) {
    const input = update.values?.[field.key]
    if (!input) continue
    const before = cells[row]!
    const cell = input.value === undefined ? undefined : cellOf(input)
    const isSame = !cell || cell.text === before
    if (!isSame) {
      refuseLargeValue(rules, segment, row, field.key, cell.text)
      cells[row] = cell.text
      setBit(changed, row)
      if (cell.messages.length) ruled.set(row, cell.messages)
    }
    const hooks = hooksAt(base.get(row), segment.edits.get(row), field.key)
    const after = hooksAfter(field.key, input, hooks, isSame)
    if (after) hooked.set(row, after)
  }
  return { field: field.key, cells, changed, ruled, hooked }
}

const none: readonly Message[] = []

const hooksAt = (
  cells: ReadonlyMap<string, CellMessages> | undefined,
  edit: RowEdit | undefined,
  key: string,
): readonly Message[] => (cells || edit ? (mergedCells(cells, edit).get(key)?.hooks ?? none) : none)

/** A cell's text and messages; a bulk update has the same input for all rows. */
function lastCell(field: FieldRules): (input: CellInput) => { text: string; messages: readonly Message[] } {
  let last: CellInput | undefined
  let cell = { text: NULL, messages: none }
  return (input) => {
    if (input === last) return cell
    const value = storedCell(field, input.value)
    last = input
    cell = { text: JSON.stringify(value), messages: judge(field, value) }
    return cell
  }
}

/** Rows that change in some way, ascending. */
export function rowsOfColumns(columns: ColumnChanges): number[] {
  const all: Bits[] = []
  for (const { changed, hooked } of columns.values()) {
    const bits = changed.slice()
    for (const row of hooked.keys()) setBit(bits, row)
    all.push(bits)
  }
  const [first, ...others] = all
  if (!first) return []
  for (const bits of others) orBits(first, bits)
  return rowsIn(first)
}
