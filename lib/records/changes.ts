/**
 * What an update really changes: compares the cells that came with the cells that are. Pure but for opening segments.
 */

import type { Coordinate } from './ids.ts'
import type { RowMessages } from './messages.ts'
import { slotName } from './messages.ts'
import { baseMessages, cellsAt, type OpenSegment } from './reader.ts'
import { mergedCells } from './rewrite.ts'
import { hookMessages, judge, type SheetRules, storedCell, type UniqueRule, uniqueText, valueColumn } from './rules.ts'
import { CONFIG, METADATA } from './segment.ts'
import type { CellInput, JsonObject, Message, RecordUpdate } from './sheet.ts'
import type { RowEdit, Segment } from './state.ts'

/** One record's real changes. */
export interface RowChange {
  id: string
  at: Coordinate
  row: number
  /** JSON texts by field. */
  values: Map<string, { before: string; after: string }>
  /** New messages by field. */
  ruled: Map<string, readonly Message[]>
  hooked: Map<string, readonly Message[]>
  /** JSON texts; undefined when unchanged. */
  metadata: string | undefined
  config: string | undefined
}

/** Where an update goes. */
export interface Target {
  update: RecordUpdate
  at: Coordinate
  row: number
}

/** Chunks to open so that a segment's targets can be compared: touched columns, and those of uniqueness rules they bear on. */
export function columnsTouched(rules: SheetRules, updates: readonly RecordUpdate[]): Set<string> {
  const fields = new Set<string>()
  const columns = new Set<string>()
  for (const { values, metadata, config } of updates) {
    for (const key of Object.keys(values ?? {})) if (rules.byKey.has(key)) fields.add(key)
    if (metadata !== undefined) columns.add(METADATA)
    if (config !== undefined) columns.add(CONFIG)
  }
  for (const rule of rules.unique)
    if (rule.fields.some((key) => fields.has(key))) for (const key of rule.fields) fields.add(key)
  for (const key of fields) columns.add(valueColumn(key))
  return columns
}

/** Compares targets (ascending by row, one a row) with the segment; only records that change in some way are answered. */
export function changesIn(
  open: OpenSegment,
  rules: SheetRules,
  targets: readonly Target[],
  columns: ReadonlySet<string>,
): RowChange[] {
  const rows = targets.map(({ row }) => row)
  const texts = new Map([...columns].map((column) => [column, cellsAt(open, column, rows)]))
  const base = baseMessages(open)
  return targets.flatMap((target, i) => {
    const textOf = (column: string): string => texts.get(column)![i]!
    const change = changeOf(rules, open.segment, base, target, textOf)
    return change ? [change] : []
  })
}

function changeOf(
  rules: SheetRules,
  segment: Segment,
  base: RowMessages,
  { update, at, row }: Target,
  textOf: (column: string) => string,
): RowChange | undefined {
  const change: RowChange = {
    id: update.id,
    at,
    row,
    values: new Map(),
    ruled: new Map(),
    hooked: new Map(),
    metadata: changedObject(update.metadata, METADATA, textOf),
    config: changedObject(update.config, CONFIG, textOf),
  }
  const cells = mergedCells(base.get(row), segment.edits.get(row))
  for (const [key, input] of Object.entries(update.values ?? {})) {
    if (rules.byKey.has(key) && input) compareCell(rules, change, key, input, cells.get(key)?.hooks ?? [], textOf)
  }
  const some = change.values.size || change.hooked.size || change.metadata !== undefined || change.config !== undefined
  return some ? change : undefined
}

function changedObject(
  input: JsonObject | null | undefined,
  column: string,
  textOf: (column: string) => string,
): string | undefined {
  if (input === undefined) return undefined
  const after = input && Object.keys(input).length ? JSON.stringify(input) : 'null'
  return after === textOf(column) ? undefined : after
}

function compareCell(
  rules: SheetRules,
  change: RowChange,
  key: string,
  input: CellInput,
  hooks: readonly Message[],
  textOf: (column: string) => string,
): void {
  const field = rules.byKey.get(key)!
  const before = textOf(field.column)
  const value = storedCell(field, input.value)
  const after = input.value === undefined ? before : JSON.stringify(value)
  if (after !== before) {
    change.values.set(key, { before, after })
    change.ruled.set(key, judge(field, value))
  }
  // A hook's message speaks of the value it saw: a new value without messages ends it.
  const messages = input.messages ? hookMessages(key, input.messages) : after === before ? hooks : []
  if (JSON.stringify(messages) !== JSON.stringify(hooks)) change.hooked.set(key, messages)
}

/** The edit a change makes over what the row has already. */
export function editAfter(edit: RowEdit | undefined, change: RowChange): RowEdit {
  const values = new Map(edit?.values)
  const slots = new Map(edit?.slots)
  for (const [key, { after }] of change.values) values.set(valueColumn(key), after)
  if (change.metadata !== undefined) values.set(METADATA, change.metadata)
  if (change.config !== undefined) values.set(CONFIG, change.config)
  for (const [key, messages] of change.ruled) slots.set(slotName('rules', key), messages)
  for (const [key, messages] of change.hooked) slots.set(slotName('hooks', key), messages)
  return { values, slots, base: edit?.base ?? null, flaggedAtFirst: edit?.flaggedAtFirst ?? false }
}

/** What changed rows were and are compared by under a rule; rows it makes no difference to are left out. */
export function uniqueMoves(
  open: OpenSegment,
  rules: SheetRules,
  rule: UniqueRule,
  changes: readonly RowChange[],
): { change: RowChange; before: string | undefined; after: string | undefined }[] {
  const touched = changes.filter(({ values }) => rule.fields.some((key) => values.has(key)))
  const rows = touched.map(({ row }) => row)
  const texts = new Map(rule.fields.map((key) => [key, cellsAt(open, rules.byKey.get(key)!.column, rows)]))
  return touched.flatMap((change, i) => {
    const before = uniqueText(rule, (key) => JSON.parse(texts.get(key)![i]!))
    const after = uniqueText(rule, (key) => JSON.parse(change.values.get(key)?.after ?? texts.get(key)![i]!))
    return before === after ? [] : [{ change, before, after }]
  })
}
