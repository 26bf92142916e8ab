/** Finds the cells an update actually changes by comparing its input with the stored cells. */

import { METADATA_BYTES, VALUE_BYTES } from '../../../schemas/kit/byte-limits.ts'
import { message } from '../../../schemas/messages/index.ts'
import { type ApiError, invalidField } from '../../core/errors.ts'
import { hasBit } from '../columns/bits.ts'
import { NULL } from '../columns/columns.ts'
import { type Hashes, hashTexts } from '../columns/hash.ts'
import { isAnnotated, isNote, isUnreadText, listNotes } from '../fields/notes.ts'
import {
  type FieldRules,
  getComparedTexts,
  type HashedRule,
  isReference,
  type RowRule,
  type SheetRules,
  toHookMessages,
  toStoredCell,
  validateCell,
} from '../fields/rules.ts'
import { CONFIG, METADATA, valueColumn } from '../format/column-names.ts'
import { formatRecordId } from '../format/ids.ts'
import { formatSlotKey, type RowMessages } from '../format/message-chunk.ts'
import { getCellTexts, mergeCellMessages, type OpenSegment, readBaseMessages } from '../segments/open.ts'
import type { CellInput, Message, RecordUpdate } from '../sheet.ts'
import { type RowEdit, type Segment, toCoordinate } from '../state/state.ts'

/** A bulk change makes a million of these, so empty maps are shared. */
export interface RowChange {
  row: number
  values: ReadonlyMap<string, { before: string; after: string }>
  ruleMessages: ReadonlyMap<string, readonly Message[]>
  hookMessages: ReadonlyMap<string, readonly Message[]>
  metadata: string | undefined
  config: string | undefined
}

const emptyMap: ReadonlyMap<string, never> = new Map<string, never>()

const setEntry = <T>(map: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> =>
  (map.size ? (map as Map<string, T>) : new Map<string, T>()).set(key, value)

export type RowUpdate = Omit<RecordUpdate, 'id'>

export interface Target {
  update: RowUpdate
  row: number
}

export function listTouchedColumns(rules: SheetRules, updates: readonly RowUpdate[]): Set<string> {
  const fields = new Set<string>()
  const columns = new Set<string>()
  for (const { values, metadata, config } of updates) {
    for (const key in values) if (rules.byKey.has(key)) fields.add(key)
    if (metadata !== undefined) columns.add(METADATA)
    if (config !== undefined) columns.add(CONFIG)
  }
  for (const rule of rules.flagRules)
    if (rule.fields.some((key) => fields.has(key))) for (const key of rule.fields) fields.add(key)
  for (const key of fields) columns.add(valueColumn(key))
  return columns
}

/** Values that are compared with other rows or fields need changes row by row. */
export const isCompared = (rules: SheetRules, key: string): boolean =>
  rules.flagRules.some((rule) => rule.fields.includes(key))

export function findRowChanges(
  open: OpenSegment,
  rules: SheetRules,
  targets: readonly Target[],
  columns: ReadonlySet<string>,
): RowChange[] {
  const rows = targets.map(({ row }) => row)
  const texts = new Map([...columns].map((column) => [column, getCellTexts(open, column, rows)]))
  const base = readBaseMessages(open)
  const found: RowChange[] = []
  targets.forEach((target, i) => {
    const change = compareTarget(rules, open.segment, base, target, (column) => texts.get(column)![i]!)
    if (!change) return
    assertRowSize(rules, open.segment, change)
    found.push(change)
  })
  return found
}

function compareTarget(
  rules: SheetRules,
  segment: Segment,
  base: RowMessages,
  { update, row }: Target,
  getText: (column: string) => string,
): RowChange | undefined {
  const change: RowChange = {
    row,
    values: emptyMap,
    ruleMessages: emptyMap,
    hookMessages: emptyMap,
    metadata: compareObject(update, METADATA, getText),
    config: compareObject(update, CONFIG, getText),
  }
  const cells = mergeCellMessages(base.get(row), segment.edits.get(row))
  for (const key in update.values) {
    const field = rules.byKey.get(key)
    const input = update.values[key]
    if (field && input) compareCell(field, change, input, cells.get(key)?.hooks ?? [], getText(field.column))
  }
  const isChanged =
    change.values.size || change.hookMessages.size || change.metadata !== undefined || change.config !== undefined
  return isChanged ? change : undefined
}

function compareObject(
  update: RowUpdate,
  name: typeof METADATA | typeof CONFIG,
  getText: (column: string) => string,
): string | undefined {
  const input = update[name]
  if (input === undefined) return undefined
  const after = input && Object.keys(input).length ? JSON.stringify(input) : NULL
  return after === getText(name) ? undefined : after
}

// A UTF-16 unit takes at most three UTF-8 bytes, so most texts need no counting.
const exceedsBytes = (json: string, limit: number): boolean =>
  json.length * 3 > limit && Buffer.byteLength(json) > limit

export function assertValueSize(
  { sheetId }: Pick<SheetRules, 'sheetId'>,
  segment: Segment,
  row: number,
  key: string,
  json: string,
): void {
  if (exceedsBytes(json, VALUE_BYTES))
    throw createRecordSizeError(formatRecordId(sheetId, toCoordinate(segment, row)), `values.${key}`, VALUE_BYTES)
}

function assertRowSize({ sheetId }: SheetRules, segment: Segment, { row, values, metadata, config }: RowChange): void {
  const createError = (part: string, limit: number): ApiError =>
    createRecordSizeError(formatRecordId(sheetId, toCoordinate(segment, row)), part, limit)
  for (const [key, { after }] of values) assertValueSize({ sheetId }, segment, row, key, after)
  if (metadata && exceedsBytes(metadata, METADATA_BYTES)) throw createError(METADATA, METADATA_BYTES)
  if (config && exceedsBytes(config, METADATA_BYTES)) throw createError(CONFIG, METADATA_BYTES)
}

export const createRowSizeError = (row: string, part: string, limit: number): ApiError =>
  invalidField(part, message('records.rowTooLarge', { part, row, count: limit }))

const createRecordSizeError = (record: string, part: string, limit: number): ApiError =>
  invalidField(part, message('records.recordTooLarge', { part, record, count: limit }))

function compareCell(
  field: FieldRules,
  change: RowChange,
  input: CellInput,
  hooks: readonly Message[],
  before: string,
): void {
  const { key } = field
  const value = toStoredCell(field, input.value)
  const isKept = input.value === undefined || isUnreadText(input, hooks, before)
  const after = isKept ? before : JSON.stringify(value)
  if (after !== before) {
    change.values = setEntry(change.values, key, { before, after })
    change.ruleMessages = setEntry(change.ruleMessages, key, validateCell(field, value))
  }
  const messages = updateHookMessages(key, input, hooks, after === before)
  if (messages) change.hookMessages = setEntry(change.hookMessages, key, messages)
}

export function updateHookMessages(
  key: string,
  input: CellInput,
  hooks: readonly Message[],
  isSameValue: boolean,
): readonly Message[] | undefined {
  if (!hooks.length && !input.messages && !isAnnotated(input)) return undefined
  // A hook's message refers to the value it saw, so a new value without messages clears it.
  const ownMessages = isSameValue ? hooks.filter((message) => !isNote(message)) : []
  const messages = [
    ...listNotes(input, hooks, isSameValue),
    ...(input.messages ? toHookMessages(key, input.messages) : ownMessages),
  ]
  const isDifferent = (messages.length || hooks.length) && JSON.stringify(messages) !== JSON.stringify(hooks)
  return isDifferent ? messages : undefined
}

export function applyChange(edit: RowEdit | undefined, change: RowChange): RowEdit {
  const values = new Map(edit?.values)
  const slots = new Map(edit?.slots)
  for (const [key, { after }] of change.values) values.set(valueColumn(key), after)
  if (change.metadata !== undefined) values.set(METADATA, change.metadata)
  if (change.config !== undefined) values.set(CONFIG, change.config)
  for (const [key, messages] of change.ruleMessages) slots.set(formatSlotKey('rules', key), messages)
  for (const [key, messages] of change.hookMessages) slots.set(formatSlotKey('hooks', key), messages)
  return { values, slots, base: edit?.base ?? null, wasFlagged: edit?.wasFlagged ?? false }
}

export interface Moves {
  rows: number[]
  before: Hashes
  after: Hashes
  lost: Hashes
}

/** Includes values that are equal as texts, because the log order decides on them. */
export function findMoves(
  open: OpenSegment,
  rules: SheetRules,
  rule: HashedRule,
  changes: readonly RowChange[],
): Moves | undefined {
  const touched = changes.filter(({ values }) => rule.fields.some((key) => values.has(key)))
  if (!touched.length) return undefined
  const rows = touched.map(({ row }) => row)
  const knownFields = rule.fields.filter((key) => rules.byKey.has(key))
  const texts = new Map(knownFields.map((key) => [key, getCellTexts(open, valueColumn(key), rows)]))
  const getTextAt = (key: string, i: number): string => texts.get(key)?.[i] ?? NULL
  const flags = isReference(rule) ? undefined : open.segment.flags.get(rule.id)
  const before = touched.map((_, i) => getComparedTexts(rule, (key) => JSON.parse(getTextAt(key, i))))
  const lost = before.map((texts, i) => (hasBit(flags, touched[i]!.row) ? texts : []))
  const after = touched.map(({ values }, i) =>
    getComparedTexts(rule, (key) => JSON.parse(values.get(key)?.after ?? getTextAt(key, i))),
  )
  return { rows, before: hashTextLists(before), after: hashTextLists(after), lost: hashTextLists(lost) }
}

export interface RowOutcomes {
  rows: number[]
  broken: boolean[]
}

export function findOutcomes(
  open: OpenSegment,
  { rowRules }: SheetRules,
  changes: readonly RowChange[],
): Map<string, RowOutcomes> {
  const outcomes = new Map<string, RowOutcomes>()
  for (const rule of rowRules) {
    const touched = changes.filter(({ values }) => rule.fields.some((key) => values.has(key)))
    if (touched.length) outcomes.set(rule.id, validateRows(open, rule, touched))
  }
  return outcomes
}

function validateRows(open: OpenSegment, rule: RowRule, changes: readonly RowChange[]): RowOutcomes {
  const rows = changes.map(({ row }) => row)
  const texts = rule.fields.map((key) => getCellTexts(open, valueColumn(key), rows))
  const broken = changes.map(({ values }, i) =>
    rule.isBrokenBy((at) => JSON.parse(values.get(rule.fields[at]!)?.after ?? texts[at]![i]!)),
  )
  return { rows, broken }
}

function hashTextLists(lists: readonly (readonly string[])[]): Hashes {
  const owners = lists.flatMap((list, i) => list.map(() => i))
  const hashes = hashTexts(lists.flat())
  return { ...hashes, at: hashes.at.map((i) => owners[i]!) }
}
