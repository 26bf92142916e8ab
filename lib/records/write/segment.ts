/**
 * Builds a segment: rows come in as columns of cells, out come its chunks' texts, its counts and the hashes of its unique
 * values. Judging and encoding happen in the same pass over a column. Pure.
 */
import { type Bits, countBits, emptyBits, setBit } from '../bytes/bits.ts'
import { type BytesCheck, bytesCheckOf, type CellBytes, isBareJson, plainFieldOf, textAt } from '../bytes/cell-bytes.ts'
import {
  type ColumnWriter,
  columnWriter,
  joinColumn,
  NULL,
  takeColumn,
  writeJson,
  writeJsonBytes,
  writeNull,
  writeText,
  writeTextBytes,
} from '../bytes/columns.ts'
import { type Hashes, hashAsciiInto, hashInto } from '../bytes/hash.ts'
import { getOrMake } from '../bytes/maps.ts'
import {
  hasError,
  type MessageWriter,
  messageWriter,
  type Slot,
  takeMessages,
  writeMessages,
} from '../rules/messages.ts'
import { comparedTexts, type FieldRules, type HashedRule, type SheetRules, storedCell } from '../rules/rules.ts'
import { isTyped } from '../rules/values.ts'
import type { JsonObject, Message } from '../sheet.ts'

export const MESSAGES = 'messages'
export const METADATA = 'metadata'
export const CONFIG = 'config'

/** A named column's text before compression. */
export interface RawChunk {
  name: string
  raw: Buffer
}

export interface BuiltSegment {
  rows: number
  /** Field columns in the order of the sheet, then metadata, config and messages where there are any. */
  chunks: RawChunk[]
  /** Empty cells and cells in error by field key. */
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  /** Rows with an error of their own (uniqueness apart). */
  errorRows: Bits
  /** Unsorted, by rule id; `at` is the row. */
  hashes: Map<string, Hashes>
}

/** What rows carry beside values. */
export interface RowExtras {
  metadata?: JsonObject | null
  config?: JsonObject | null
  /** Hooks' messages by field. */
  messages?: ReadonlyMap<string, readonly Message[]>
}

/** Cells as columns by field key (all of one length), or as rows under keys; a field without cells is empty. */
type CellValues =
  | { length: number; columns: ReadonlyMap<string, readonly unknown[]> }
  | { keys: readonly string[]; rows: readonly (readonly unknown[])[] }

/** Cells as values, or as they stand in a file. */
export type Cells = CellValues | CellBytes

export const cellsLength = (cells: Cells): number => ('rows' in cells ? cells.rows.length : cells.length)

/** One field's cells. Rows are read in place: turning them into columns would cost as much as parsing a tenth of them. */
interface FieldCells {
  column: readonly unknown[] | undefined
  rows: readonly (readonly unknown[])[] | undefined
  at: number
}

function fieldCells(cells: CellValues, key: string): FieldCells {
  if ('columns' in cells) return { column: cells.columns.get(key), rows: undefined, at: 0 }
  const at = cells.keys.indexOf(key)
  return { column: undefined, rows: at < 0 ? undefined : cells.rows, at }
}

const cellAt = ({ column, rows, at }: FieldCells, i: number): unknown => (column ? column[i] : rows?.[i]?.[at])

/** Reads one field's cells by row. */
function cellReader(cells: Cells, key: string): (row: number) => unknown {
  if (!('bytes' in cells)) {
    const of = fieldCells(cells, key)
    return (row) => cellAt(of, row)
  }
  const column = cells.keys.indexOf(key)
  return (row) => (column < 0 ? null : textAt(cells, row, column))
}

export interface SegmentWriter {
  readonly rows: number
  /** Of the columns' texts so far. */
  readonly bytes: number
  /** Appends rows [from, to) of the cells. */
  add(cells: Cells, from: number, to: number, extras?: readonly RowExtras[]): void
  /** The segment so far; the writer starts anew. */
  take(): BuiltSegment
}

interface Part {
  rows: number
  messages: MessageWriter
  /** Cells in error: rows by field. */
  errors: Map<string, Bits>
  /** Metadata and config as JSON texts, by chunk name and row. */
  objects: Map<string, Map<number, string>>
}

/** @param capacity most rows a segment takes; callers `take()` before adding more */
export function segmentWriter(rules: SheetRules, capacity: number): SegmentWriter {
  const expected = Math.min(capacity, 1000)
  const writers = rules.fields.map(() => columnWriter(expected))
  const checks = rules.fields.map(bytesCheckOf)
  const hashed: HashedRule[] = [...rules.unique, ...rules.references]
  const hashes = hashed.map((rule) => hashList(rule, expected))
  let part = newPart()

  return {
    get rows() {
      return part.rows
    },
    get bytes() {
      return writers.reduce((sum, { length }) => sum + length, 0)
    },
    add(cells, from, to, extras) {
      if (part.rows + to - from > capacity) throw new RangeError(`A segment takes ${capacity} rows at most`)
      for (const [i, field] of rules.fields.entries()) {
        const target = { part, capacity, field, writer: writers[i]!, firstRow: part.rows - from }
        if ('bytes' in cells) writeBytes(target, checks[i], cells, from, to)
        else writeCells(target, fieldCells(cells, field.key), from, to)
      }
      for (const list of hashes) hashRows(rules, list, part.rows, cells, from, to)
      for (let i = from; extras && i < to; i++) addExtras(part, capacity, part.rows + i - from, extras[i])
      part.rows += to - from
    },
    take() {
      const built = finish(rules, part, writers, hashes)
      part = newPart()
      return built
    },
  }
}

const newPart = (): Part => ({
  rows: 0,
  messages: messageWriter(),
  errors: new Map(),
  objects: new Map(),
})

function finish(
  rules: SheetRules,
  part: Part,
  writers: readonly ColumnWriter[],
  hashes: readonly HashList[],
): BuiltSegment {
  const nulls = new Map(rules.fields.map((field, i) => [field.key, writers[i]!.nulls]))
  const chunks = rules.fields.map((field, i) => ({ name: field.column, raw: takeColumn(writers[i]!) }))
  for (const [name, objects] of part.objects) chunks.push({ name, raw: sparseColumn(part.rows, objects) })
  const messages = takeMessages(part.messages)
  if (messages.length) chunks.push({ name: MESSAGES, raw: messages })
  return {
    rows: part.rows,
    chunks,
    nulls,
    errors: new Map([...part.errors].map(([field, bits]) => [field, countBits(bits)])),
    errorRows: unionOf(part),
    hashes: new Map(hashes.map((list) => [list.rule.id, takeHashes(list)])),
  }
}

function unionOf(part: Part): Bits {
  const union = emptyBits(part.rows)
  for (const bits of part.errors.values()) for (let i = 0; i < union.length; i++) union[i]! |= bits[i]!
  return union
}

function addExtras(part: Part, capacity: number, row: number, extras: RowExtras | undefined): void {
  if (!extras) return
  for (const [name, value] of [
    [METADATA, extras.metadata],
    [CONFIG, extras.config],
  ] as const)
    if (value && Object.keys(value).length)
      getOrMake(part.objects, name, () => new Map<number, string>()).set(row, JSON.stringify(value))
  for (const [field, messages] of extras.messages ?? []) report(part, capacity, row, field, 'hooks', messages)
}

function sparseColumn(rows: number, texts: ReadonlyMap<number, string>): Buffer {
  return joinColumn(Array.from({ length: rows }, (_, row) => texts.get(row) ?? NULL))
}

function report(
  part: Part,
  capacity: number,
  row: number,
  field: string,
  slot: Slot,
  messages: readonly Message[],
): void {
  if (!messages.length) return
  writeMessages(part.messages, row, field, slot, messages)
  if (!hasError(messages)) return
  setBit(
    getOrMake(part.errors, field, () => emptyBits(capacity)),
    row,
  )
}

/** Where a field's cells go. */
interface Target {
  part: Part
  /** Of the segment, for row 0 of the cells. */
  firstRow: number
  capacity: number
  field: FieldRules
  writer: ColumnWriter
}

function writeCells(
  { part, firstRow, capacity, field, writer }: Target,
  cells: FieldCells,
  from: number,
  to: number,
): void {
  const { column, rows, at } = cells
  const { anyText, type } = field
  const plainText = anyText || !isTyped(type)
  for (let i = from; i < to; i++) {
    const cell = column ? column[i] : rows?.[i]?.[at]
    const isText = typeof cell === 'string' && cell !== '' && plainText
    const value = isText ? cell : storedCell(field, cell)
    if (typeof value === 'string') writeText(writer, value)
    else if (value === null) writeNull(writer)
    else writeJson(writer, JSON.stringify(value))
    if (anyText && isText) continue
    const message = value === null ? field.required : field.check(value)
    if (message) report(part, capacity, firstRow + i, field.key, 'rules', [message])
  }
}

/** The same for cells as bytes; those that bytes alone do not tell go the way of values, one by one. */
function writeBytes(target: Target, check: BytesCheck | undefined, cells: CellBytes, from: number, to: number): void {
  const { part, firstRow, capacity, field, writer } = target
  const { keys, bytes, starts, ends } = cells
  const width = keys.length
  const column = keys.indexOf(field.key)
  const write = isBareJson(field.type) ? writeJsonBytes : writeTextBytes
  for (let i = from; i < to; i++) {
    const at = i * width + column
    const start = column < 0 ? 0 : starts[at]!
    const end = column < 0 ? 0 : ends[at]!
    let message: Message | undefined
    if (start === end) {
      writeNull(writer)
      message = field.required
    } else if (!check || check(bytes, start, end)) write(writer, bytes, start, end)
    else {
      const value = storedCell(field, bytes.toString('utf8', start, end))
      if (typeof value === 'string') writeText(writer, value)
      else writeJson(writer, JSON.stringify(value))
      message = field.check(value)
    }
    if (message) report(part, capacity, firstRow + i, field.key, 'rules', [message])
  }
}

interface HashList {
  rule: HashedRule
  hi: Uint32Array
  lo: Uint32Array
  at: Uint32Array
  length: number
}

const hashList = (rule: HashedRule, expected: number): HashList => ({
  rule,
  hi: new Uint32Array(expected),
  lo: new Uint32Array(expected),
  at: new Uint32Array(expected),
  length: 0,
})

/** The list's hashes; it starts anew. */
function takeHashes(list: HashList): Hashes {
  const { hi, lo, at, length } = list
  list.length = 0
  return { hi: hi.slice(0, length), lo: lo.slice(0, length), at: at.slice(0, length) }
}

const doubled = (values: Uint32Array): Uint32Array => {
  const grown = new Uint32Array(values.length * 2)
  grown.set(values)
  return grown
}

/** Makes room for one more hash. */
function reserve(list: HashList): void {
  if (list.length < list.hi.length) return
  list.hi = doubled(list.hi)
  list.lo = doubled(list.lo)
  list.at = doubled(list.at)
}

function addHash(list: HashList, text: string, row: number): void {
  reserve(list)
  hashInto(text, list.hi, list.lo, list.length)
  list.at[list.length++] = row
}

/** False when the bytes are not the text that is compared: none at all, not ASCII, or not what `check` passes. */
function addBytesHash(
  list: HashList,
  { bytes, starts, ends }: CellBytes,
  cell: number,
  row: number,
  check: BytesCheck | undefined,
): boolean {
  if (check && !check(bytes, starts[cell]!, ends[cell]!)) return false
  reserve(list)
  if (!hashAsciiInto(bytes, starts[cell]!, ends[cell]!, list.hi, list.lo, list.length)) return false
  list.at[list.length++] = row
  return true
}

function hashRows(rules: SheetRules, list: HashList, firstRow: number, source: Cells, from: number, to: number): void {
  const { rule } = list
  const known = rule.fields.flatMap((key) => rules.byKey.get(key) ?? [])
  const cells = new Map(known.map((field) => [field.key, { field, read: cellReader(source, field.key) }]))
  const plain = cells.get(plainFieldOf(rule) ?? '')
  const bytes = plain && 'bytes' in source ? source : undefined
  // A text that is stored as something else is compared by what is stored.
  const check = plain && isTyped(plain.field.type) ? bytesCheckOf(plain.field) : undefined
  const column = bytes ? bytes.keys.indexOf(plain!.field.key) : -1
  const values = plain?.field.anyText && !bytes ? plain.read : undefined
  for (let i = from; i < to; i++) {
    const row = firstRow + i - from
    if (bytes && column >= 0 && addBytesHash(list, bytes, i * bytes.keys.length + column, row, check)) continue
    const cell = values?.(i)
    if (typeof cell === 'string' && cell !== '') addHash(list, cell, row)
    else
      for (const text of comparedTexts(rule, (key) => {
        const of = cells.get(key)
        return of && storedCell(of.field, of.read(i))
      }))
        addHash(list, text, row)
  }
}
