/** Builds a segment from columns of cells, validating and encoding in one pass per column. */
import { ReadCell } from '../../values/read-cell.ts'
import { type Bits, countBits, emptyBits, setBit, unionBits } from '../columns/bits.ts'
import {
  type ColumnWriter,
  createColumnWriter,
  joinColumn,
  NULL,
  takeColumn,
  writeJson,
  writeJsonBytes,
  writeNull,
  writeText,
  writeTextBytes,
} from '../columns/columns.ts'
import { type Hashes, hashAsciiInto } from '../columns/hash.ts'
import { addHash, createHashList, type HashList, reserveHash, takeHashes } from '../columns/hash-list.ts'
import { getOrInsert } from '../columns/maps.ts'
import {
  type CellBytes,
  createTextReader,
  getBytesCheck,
  getBytesReader,
  getPlainField,
  isBareJson,
  readCellText,
  type TypeCheck,
  typeChecks,
} from '../fields/cell-bytes.ts'
import {
  type FieldRules,
  getComparedTexts,
  type HashedRule,
  type RowRule,
  type SheetRules,
  toStoredCell,
  validateCell,
} from '../fields/rules.ts'
import type { BytesCheck, TextReader } from '../fields/value-rules.ts'
import { isTyped } from '../fields/values.ts'
import type { RawChunk } from '../format/chunk.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import {
  createMessageWriter,
  encodeMessages,
  hasError,
  type MessageWriter,
  type Slot,
  writeMessages,
} from '../format/message-chunk.ts'
import type { JsonObject, Message } from '../sheet.ts'

export interface BuiltSegment {
  rows: number
  chunks: RawChunk[]
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  errorRows: Bits
  hashes: Map<string, Hashes>
  /** Without the rules that no row breaks. */
  violations: ReadonlyMap<string, Bits>
}

export interface RowExtras {
  metadata?: JsonObject | null
  config?: JsonObject | null
  messages?: ReadonlyMap<string, readonly Message[]>
}

type CellValues =
  | { length: number; columns: ReadonlyMap<string, readonly unknown[]> }
  | { keys: readonly string[]; rows: readonly (readonly unknown[])[] }

export type Cells = CellValues | CellBytes

export const countCells = (cells: Cells): number => ('rows' in cells ? cells.rows.length : cells.length)

/** Rows are read in place: converting them to columns would cost a tenth of the parsing time. */
interface FieldCells {
  column: readonly unknown[] | undefined
  rows: readonly (readonly unknown[])[] | undefined
  at: number
}

function selectFieldCells(cells: CellValues, key: string): FieldCells {
  if ('columns' in cells) return { column: cells.columns.get(key), rows: undefined, at: 0 }
  const at = cells.keys.indexOf(key)
  return { column: undefined, rows: at < 0 ? undefined : cells.rows, at }
}

const getCell = ({ column, rows, at }: FieldCells, i: number): unknown => (column ? column[i] : rows?.[i]?.[at])

function createCellReader(cells: Cells, key: string): (row: number) => unknown {
  if (!('bytes' in cells)) {
    const fieldColumn = selectFieldCells(cells, key)
    return (row) => getCell(fieldColumn, row)
  }
  const column = cells.keys.indexOf(key)
  return (row) => (column < 0 ? null : readCellText(cells, row, column))
}

export interface SegmentWriter {
  readonly rows: number
  readonly bytes: number
  add(cells: Cells, from: number, to: number, extras?: readonly RowExtras[]): void
  take(): BuiltSegment
}

interface SegmentPart {
  rows: number
  messages: MessageWriter
  errors: Map<string, Bits>
  objects: Map<string, Map<number, string>>
  violations: Map<string, Bits>
}

/** @param capacity maximum rows per segment; callers `take()` before adding more */
export function createSegmentWriter(rules: SheetRules, capacity: number): SegmentWriter {
  const expected = Math.min(capacity, 1000)
  const writers = rules.fields.map(() => createColumnWriter(expected))
  const checks = rules.fields.map(getBytesCheck)
  const hashedRules: HashedRule[] = [...rules.unique, ...rules.references]
  const hashes = hashedRules.map((rule) => ({ rule, list: createHashList(expected) }))
  let part = createPart()

  return {
    get rows() {
      return part.rows
    },
    get bytes() {
      return writers.reduce((sum, { length }) => sum + length, 0)
    },
    add(cells, from, to, extras) {
      const readText = 'bytes' in cells ? createTextReader(cells, from, to) : undefined
      if (part.rows + to - from > capacity) throw new RangeError(`A segment can have at most ${capacity} rows`)
      for (const [i, field] of rules.fields.entries()) {
        const target = { part, capacity, field, writer: writers[i]!, firstRow: part.rows - from }
        if ('bytes' in cells) writeBytes(target, checks[i], readText!, cells, from, to)
        else writeCells(target, selectFieldCells(cells, field.key), from, to)
      }
      for (const ruleHashes of hashes) hashRows(rules, ruleHashes, part.rows, cells, from, to)
      for (const rule of rules.rowRules) validateRows(rules, rule, { part, capacity }, cells, readText, from, to)
      for (let i = from; extras && i < to; i++) addExtras(part, capacity, part.rows + i - from, extras[i])
      part.rows += to - from
    },
    take() {
      const built = buildSegment(rules, part, writers, hashes)
      part = createPart()
      return built
    },
  }
}

const createPart = (): SegmentPart => ({
  rows: 0,
  messages: createMessageWriter(),
  errors: new Map(),
  objects: new Map(),
  violations: new Map(),
})

function buildSegment(
  rules: SheetRules,
  part: SegmentPart,
  writers: readonly ColumnWriter[],
  hashes: readonly RuleHashes[],
): BuiltSegment {
  const nulls = new Map(rules.fields.map((field, i) => [field.key, writers[i]!.nulls]))
  const chunks = rules.fields.map((field, i) => ({ name: field.column, raw: takeColumn(writers[i]!) }))
  for (const [name, objects] of part.objects) chunks.push({ name, raw: joinSparseColumn(part.rows, objects) })
  const messages = encodeMessages(part.messages)
  if (messages.length) chunks.push({ name: MESSAGES, raw: messages })
  return {
    rows: part.rows,
    chunks,
    nulls,
    errors: new Map([...part.errors].map(([field, bits]) => [field, countBits(bits)])),
    errorRows: unionBits(part.rows, part.errors.values()),
    hashes: new Map(hashes.map(({ rule, list }) => [rule.id, takeHashes(list)])),
    violations: part.violations,
  }
}

function addExtras(part: SegmentPart, capacity: number, row: number, extras: RowExtras | undefined): void {
  if (!extras) return
  for (const [name, value] of [
    [METADATA, extras.metadata],
    [CONFIG, extras.config],
  ] as const)
    if (value && Object.keys(value).length)
      getOrInsert(part.objects, name, () => new Map<number, string>()).set(row, JSON.stringify(value))
  for (const [field, messages] of extras.messages ?? []) addMessages(part, capacity, row, field, 'hooks', messages)
}

function joinSparseColumn(rows: number, texts: ReadonlyMap<number, string>): Buffer {
  return joinColumn(Array.from({ length: rows }, (_, row) => texts.get(row) ?? NULL))
}

function addMessages(
  part: SegmentPart,
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
    getOrInsert(part.errors, field, () => emptyBits(capacity)),
    row,
  )
}

interface WriteTarget {
  part: SegmentPart
  firstRow: number
  capacity: number
  field: FieldRules
  writer: ColumnWriter
}

function writeCells(
  { part, firstRow, capacity, field, writer }: WriteTarget,
  cells: FieldCells,
  from: number,
  to: number,
): void {
  const { column, rows, at } = cells
  const { anyText, type, valueRules } = field
  const acceptsPlainText = anyText || !isTyped(type)
  for (let i = from; i < to; i++) {
    const cell = column ? column[i] : rows?.[i]?.[at]
    const isText = typeof cell === 'string' && cell !== '' && acceptsPlainText
    const value = isText ? cell : toStoredCell(field, cell)
    if (typeof value === 'string') writeText(writer, value)
    else if (value === null) writeNull(writer)
    else writeJson(writer, JSON.stringify(value))
    if (anyText && isText && !valueRules.length) continue
    if (cell instanceof ReadCell) addMessages(part, capacity, firstRow + i, field.key, 'hooks', [cell.note])
    addMessages(part, capacity, firstRow + i, field.key, 'rules', validateCell(field, value))
  }
}

function writeBytes(
  target: WriteTarget,
  check: BytesCheck | undefined,
  readText: TextReader,
  cells: CellBytes,
  from: number,
  to: number,
): void {
  const { part, firstRow, capacity, field, writer } = target
  const { keys, bytes, starts, ends } = cells
  const width = keys.length
  const column = keys.indexOf(field.key)
  const write = isBareJson(field.type) ? writeJsonBytes : writeTextBytes
  for (let i = from; i < to; i++) {
    const at = i * width + column
    const start = column < 0 ? 0 : starts[at]!
    const end = column < 0 ? 0 : ends[at]!
    let messages: readonly Message[] | undefined
    if (start === end) {
      writeNull(writer)
      messages = field.required
    } else if (!check || check(bytes, start, end, readText)) write(writer, bytes, start, end)
    else {
      const value = toStoredCell(field, bytes.toString('utf8', start, end))
      if (typeof value === 'string') writeText(writer, value)
      else writeJson(writer, JSON.stringify(value))
      messages = field.check(value)
    }
    if (messages) addMessages(part, capacity, firstRow + i, field.key, 'rules', messages)
  }
}

function validateRows(
  rules: SheetRules,
  rule: RowRule,
  { part, capacity }: Pick<WriteTarget, 'part' | 'capacity'>,
  cells: Cells,
  readText: TextReader | undefined,
  from: number,
  to: number,
): void {
  const readers = rule.fields.map((key, at) =>
    createValueReader(cells, readText, rules.byKey.get(key)!, rule.readsValue(at)),
  )
  let i = from
  const read = (at: number): unknown => readers[at]!(i)
  for (; i < to; i++) {
    if (!rule.isBrokenBy(read)) continue
    setBit(
      getOrInsert(part.violations, rule.id, () => emptyBits(capacity)),
      part.rows + i - from,
    )
  }
}

const ANY_VALUE = ''

/** Values as they are stored; if only emptiness matters, any text stands for a value of a file. */
function createValueReader(
  cells: Cells,
  readText: TextReader | undefined,
  field: FieldRules,
  readsValues: boolean,
): (row: number) => unknown {
  if (!('bytes' in cells)) {
    const read = createCellReader(cells, field.key)
    return (row) => toStoredCell(field, read(row))
  }
  const { keys, bytes, starts, ends } = cells
  const column = keys.indexOf(field.key)
  if (column < 0) return () => null
  if (!readsValues)
    return (row) => (starts[row * keys.length + column] === ends[row * keys.length + column] ? null : ANY_VALUE)
  const readTyped = getBytesReader(field.type)
  return (row) => {
    const at = row * keys.length + column
    const [start, end] = [starts[at]!, ends[at]!]
    if (start === end) return null
    return readTyped?.(bytes, start, end) ?? toStoredCell(field, readText!(start, end))
  }
}

interface RuleHashes {
  rule: HashedRule
  list: HashList
}

/** Returns false when the bytes are not the compared text: missing, not ASCII or rejected by `check`. */
function addBytesHash(
  list: HashList,
  { bytes, starts, ends }: CellBytes,
  cell: number,
  row: number,
  check: TypeCheck | undefined,
): boolean {
  if (check && !check(bytes, starts[cell]!, ends[cell]!)) return false
  reserveHash(list)
  if (!hashAsciiInto(bytes, starts[cell]!, ends[cell]!, list.hi, list.lo, list.length)) return false
  list.at[list.length++] = row
  return true
}

function hashRows(
  rules: SheetRules,
  { rule, list }: RuleHashes,
  firstRow: number,
  source: Cells,
  from: number,
  to: number,
): void {
  const knownFields = rule.fields.flatMap((key) => rules.byKey.get(key) ?? [])
  const cells = new Map(knownFields.map((field) => [field.key, { field, read: createCellReader(source, field.key) }]))
  const plain = cells.get(getPlainField(rule) ?? '')
  const bytes = plain && 'bytes' in source ? source : undefined
  const check = plain && isTyped(plain.field.type) ? typeChecks[plain.field.type] : undefined
  const column = bytes ? bytes.keys.indexOf(plain!.field.key) : -1
  const values = plain?.field.anyText && !bytes ? plain.read : undefined
  for (let i = from; i < to; i++) {
    const row = firstRow + i - from
    if (bytes && column >= 0 && addBytesHash(list, bytes, i * bytes.keys.length + column, row, check)) continue
    const cell = values?.(i)
    if (typeof cell === 'string' && cell !== '') addHash(list, cell, row)
    else
      for (const text of getComparedTexts(rule, (key) => {
        const fieldReader = cells.get(key)
        return fieldReader && toStoredCell(fieldReader.field, fieldReader.read(i))
      }))
        addHash(list, text, row)
  }
}
