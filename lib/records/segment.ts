/**
 * Builds a segment: rows come in as columns of cells, out come its chunks' texts, its counts and the hashes of its unique
 * values. Judging and encoding happen in the same pass over a column. Pure.
 */
import { type Bits, countBits, emptyBits, setBit } from './bits.ts'
import {
  type ColumnWriter,
  columnWriter,
  joinColumn,
  NULL,
  takeColumn,
  writeJson,
  writeNull,
  writeText,
} from './columns.ts'
import { type Hashes, hashInto } from './hash.ts'
import { getOrMake } from './maps.ts'
import { hasError, type MessageWriter, messageWriter, type Slot, takeMessages, writeMessages } from './messages.ts'
import { comparedTexts, type FieldRules, type HashedRule, isReference, type SheetRules, storedCell } from './rules.ts'
import type { JsonObject, Message } from './sheet.ts'

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
export type Cells =
  | { length: number; columns: ReadonlyMap<string, readonly unknown[]> }
  | { keys: readonly string[]; rows: readonly (readonly unknown[])[] }

export const cellsLength = (cells: Cells): number => ('columns' in cells ? cells.length : cells.rows.length)

/** One field's cells. Rows are read in place: turning them into columns would cost as much as parsing a tenth of them. */
interface FieldCells {
  column: readonly unknown[] | undefined
  rows: readonly (readonly unknown[])[] | undefined
  at: number
}

function fieldCells(cells: Cells, key: string): FieldCells {
  if ('columns' in cells) return { column: cells.columns.get(key), rows: undefined, at: 0 }
  const at = cells.keys.indexOf(key)
  return { column: undefined, rows: at < 0 ? undefined : cells.rows, at }
}

const cellAt = ({ column, rows, at }: FieldCells, i: number): unknown => (column ? column[i] : rows?.[i]?.[at])

export interface SegmentWriter {
  readonly rows: number
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
  const hashed: HashedRule[] = [...rules.unique, ...rules.references]
  let hashes = hashed.map((rule) => hashList(rule, expected))
  let part = newPart()

  return {
    get rows() {
      return part.rows
    },
    add(cells, from, to, extras) {
      if (part.rows + to - from > capacity) throw new RangeError(`A segment takes ${capacity} rows at most`)
      rules.fields.forEach((field, i) => {
        writeCells(part, capacity, field, writers[i]!, fieldCells(cells, field.key), from, to)
      })
      for (const list of hashes) hashRows(rules, list, part.rows, cells, from, to)
      for (let i = from; extras && i < to; i++) addExtras(part, capacity, part.rows + i - from, extras[i])
      part.rows += to - from
    },
    take() {
      const built = finish(rules, part, writers, hashes)
      hashes = hashed.map((rule) => hashList(rule, expected))
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

function writeCells(
  part: Part,
  capacity: number,
  field: FieldRules,
  writer: ColumnWriter,
  cells: FieldCells,
  from: number,
  to: number,
): void {
  const { column, rows, at } = cells
  const { anyText, type } = field
  const plainText = anyText || type !== 'date'
  for (let i = from; i < to; i++) {
    const cell = column ? column[i] : rows?.[i]?.[at]
    const isText = typeof cell === 'string' && cell !== '' && plainText
    const value = isText ? cell : storedCell(field, cell)
    if (typeof value === 'string') writeText(writer, value)
    else if (value === null) writeNull(writer)
    else writeJson(writer, JSON.stringify(value))
    if (anyText && isText) continue
    const message = value === null ? field.required : field.check(value)
    if (message) report(part, capacity, part.rows + i - from, field.key, 'rules', [message])
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

function takeHashes({ hi, lo, at, length }: HashList): Hashes {
  return { hi: hi.slice(0, length), lo: lo.slice(0, length), at: at.slice(0, length) }
}

const doubled = (values: Uint32Array): Uint32Array => {
  const grown = new Uint32Array(values.length * 2)
  grown.set(values)
  return grown
}

function addHash(list: HashList, text: string, row: number): void {
  if (list.length === list.hi.length) {
    list.hi = doubled(list.hi)
    list.lo = doubled(list.lo)
    list.at = doubled(list.at)
  }
  hashInto(text, list.hi, list.lo, list.length)
  list.at[list.length++] = row
}

function hashRows(rules: SheetRules, list: HashList, firstRow: number, source: Cells, from: number, to: number): void {
  const fields = list.rule.fields.flatMap((key) => {
    const field = rules.byKey.get(key)
    return field ? [{ field, cells: fieldCells(source, key) }] : []
  })
  const plain =
    fields.length === 1 && fields[0]!.field.anyText && (isReference(list.rule) || list.rule.caseSensitive)
      ? fields[0]!.cells
      : undefined
  for (let i = from; i < to; i++) {
    const row = firstRow + i - from
    const cell = plain && cellAt(plain, i)
    if (typeof cell === 'string' && cell !== '') addHash(list, cell, row)
    else
      for (const text of comparedTexts(list.rule, (key) => {
        const of = fields.find(({ field }) => field.key === key)
        return of && storedCell(of.field, cellAt(of.cells, i))
      }))
        addHash(list, text, row)
  }
}
