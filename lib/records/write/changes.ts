/**
 * What an update really changes: compares the cells that came with the cells that are. Pure but for opening segments.
 */

import { OBJECT_BYTES, VALUE_BYTES } from '../../../schemas/sizes.ts'
import { type ApiError, invalidField } from '../../core/errors.ts'
import { hasBit } from '../bytes/bits.ts'
import { NULL } from '../bytes/columns.ts'
import type { Hashes } from '../bytes/hash.ts'
import { recordIdOf } from '../log/ids.ts'
import { coordinateIn, type RowEdit, type Segment } from '../log/state.ts'
import { baseMessages, cellsAt, mergedCells, type OpenSegment } from '../read/reader.ts'
import type { RowMessages } from '../rules/messages.ts'
import { slotName } from '../rules/messages.ts'
import {
  comparedTexts,
  type FieldRules,
  type HashedRule,
  hookMessages,
  isReference,
  judge,
  type SheetRules,
  storedCell,
  valueColumn,
} from '../rules/rules.ts'
import { hashesOf } from '../rules/unique.ts'
import type { CellChange, CellInput, Message, RecordUpdate } from '../sheet.ts'
import { CONFIG, METADATA } from './segment.ts'

/** One record's real changes. A million of them are made in a bulk change: what is empty is shared. */
export interface RowChange {
  row: number
  /** JSON texts by field. */
  values: ReadonlyMap<string, { before: string; after: string }>
  /** New messages by field. */
  ruled: ReadonlyMap<string, readonly Message[]>
  hooked: ReadonlyMap<string, readonly Message[]>
  /** JSON texts; undefined when unchanged. */
  metadata: string | undefined
  config: string | undefined
}

const none: ReadonlyMap<string, never> = new Map<string, never>()

const withEntry = <T>(map: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> =>
  (map.size ? (map as Map<string, T>) : new Map<string, T>()).set(key, value)

/** What a record is to become. */
export type RowUpdate = Omit<RecordUpdate, 'id'>

/** Where an update goes. */
export interface Target {
  update: RowUpdate
  row: number
}

export const cellChanges = (recordId: string, { values }: RowChange): CellChange[] =>
  [...values].map(([fieldKey, { before, after }]) => ({
    recordId,
    fieldKey,
    previousValue: JSON.parse(before),
    newValue: JSON.parse(after),
  }))

/** Chunks to open so that a segment's targets can be compared: touched columns, and those of the rules they bear on. */
export function columnsTouched(rules: SheetRules, updates: readonly RowUpdate[]): Set<string> {
  const fields = new Set<string>()
  const columns = new Set<string>()
  for (const { values, metadata, config } of updates) {
    for (const key of Object.keys(values ?? {})) if (rules.byKey.has(key)) fields.add(key)
    if (metadata !== undefined) columns.add(METADATA)
    if (config !== undefined) columns.add(CONFIG)
  }
  for (const rule of rules.flagRules)
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
  const found: RowChange[] = []
  targets.forEach((target, i) => {
    const change = changeOf(rules, open.segment, base, target, (column) => texts.get(column)![i]!)
    if (!change) return
    refuseLarge(rules, open.segment, change)
    found.push(change)
  })
  return found
}

function changeOf(
  rules: SheetRules,
  segment: Segment,
  base: RowMessages,
  { update, row }: Target,
  textOf: (column: string) => string,
): RowChange | undefined {
  const change: RowChange = {
    row,
    values: none,
    ruled: none,
    hooked: none,
    metadata: changedObject(update, METADATA, textOf),
    config: changedObject(update, CONFIG, textOf),
  }
  const cells = mergedCells(base.get(row), segment.edits.get(row))
  for (const key in update.values) {
    const field = rules.byKey.get(key)
    const input = update.values[key]
    if (field && input) compareCell(field, change, input, cells.get(key)?.hooks ?? [], textOf(field.column))
  }
  const some = change.values.size || change.hooked.size || change.metadata !== undefined || change.config !== undefined
  return some ? change : undefined
}

function changedObject(
  update: RowUpdate,
  name: typeof METADATA | typeof CONFIG,
  textOf: (column: string) => string,
): string | undefined {
  const input = update[name]
  if (input === undefined) return undefined
  const after = input && Object.keys(input).length ? JSON.stringify(input) : NULL
  return after === textOf(name) ? undefined : after
}

// A UTF-16 unit is at most three bytes: most texts need no count.
const isLarge = (json: string, limit: number): boolean => json.length * 3 > limit && Buffer.byteLength(json) > limit

/** @throws ApiError invalid, naming the record and the field whose value is too large */
export function refuseLargeValue(
  { sheetId }: Pick<SheetRules, 'sheetId'>,
  segment: Segment,
  row: number,
  key: string,
  json: string,
): void {
  if (isLarge(json, VALUE_BYTES))
    throw tooMuch(`record ${recordIdOf(sheetId, coordinateIn(segment, row))}`, `values.${key}`, VALUE_BYTES)
}

/** @throws ApiError invalid, naming the record and what of it is too large */
function refuseLarge({ sheetId }: SheetRules, segment: Segment, { row, values, metadata, config }: RowChange): void {
  const refuse = (part: string, limit: number): ApiError =>
    tooMuch(`record ${recordIdOf(sheetId, coordinateIn(segment, row))}`, part, limit)
  for (const [key, { after }] of values) refuseLargeValue({ sheetId }, segment, row, key, after)
  if (metadata && isLarge(metadata, OBJECT_BYTES)) throw refuse(METADATA, OBJECT_BYTES)
  if (config && isLarge(config, OBJECT_BYTES)) throw refuse(CONFIG, OBJECT_BYTES)
}

export const tooMuch = (what: string, part: string, limit: number): ApiError =>
  invalidField(part, `${part} of ${what} takes more than ${limit} bytes.`)

function compareCell(
  field: FieldRules,
  change: RowChange,
  input: CellInput,
  hooks: readonly Message[],
  before: string,
): void {
  const { key } = field
  const value = storedCell(field, input.value)
  const after = input.value === undefined ? before : JSON.stringify(value)
  if (after !== before) {
    change.values = withEntry(change.values, key, { before, after })
    change.ruled = withEntry(change.ruled, key, judge(field, value))
  }
  const messages = hooksAfter(key, input, hooks, after === before)
  if (messages) change.hooked = withEntry(change.hooked, key, messages)
}

/** Hooks' messages of a cell after an input; undefined when they stay. */
export function hooksAfter(
  key: string,
  input: CellInput,
  hooks: readonly Message[],
  isSameValue: boolean,
): readonly Message[] | undefined {
  // A hook's message speaks of the value it saw: a new value without messages ends it.
  const messages = input.messages ? hookMessages(key, input.messages) : isSameValue ? hooks : []
  const differs = (messages.length || hooks.length) && JSON.stringify(messages) !== JSON.stringify(hooks)
  return differs ? messages : undefined
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

/** Rows of a segment with a new value in a field that a rule compares. */
export interface Moves {
  /** Ascending. */
  rows: number[]
  /** What they were compared by. */
  before: Hashes
  /** What they are compared by from now on; `at` counts through `rows`. Sorted. */
  after: Hashes
  /** What those a uniqueness rule flags were compared by. */
  lost: Hashes
}

/** Undefined when no compared value changes. Values that are equal as texts count too: the log's order decides on them. */
export function movesUnder(
  open: OpenSegment,
  rules: SheetRules,
  rule: HashedRule,
  changes: readonly RowChange[],
): Moves | undefined {
  const touched = changes.filter(({ values }) => rule.fields.some((key) => values.has(key)))
  if (!touched.length) return undefined
  const rows = touched.map(({ row }) => row)
  const known = rule.fields.filter((key) => rules.byKey.has(key))
  const texts = new Map(known.map((key) => [key, cellsAt(open, valueColumn(key), rows)]))
  const textAt = (key: string, i: number): string => texts.get(key)?.[i] ?? NULL
  const flags = isReference(rule) ? undefined : open.segment.flags.get(rule.id)
  const before = touched.map((_, i) => comparedTexts(rule, (key) => JSON.parse(textAt(key, i))))
  const lost = before.map((texts, i) => (hasBit(flags, touched[i]!.row) ? texts : []))
  const after = touched.map(({ values }, i) =>
    comparedTexts(rule, (key) => JSON.parse(values.get(key)?.after ?? textAt(key, i))),
  )
  return { rows, before: hashesOfLists(before), after: hashesOfLists(after), lost: hashesOfLists(lost) }
}

/** Hashes of several texts an ordinal. Sorted. */
function hashesOfLists(lists: readonly (readonly string[])[]): Hashes {
  const owners = lists.flatMap((list, i) => list.map(() => i))
  const hashes = hashesOf(lists.flat())
  return { ...hashes, at: hashes.at.map((i) => owners[i]!) }
}
