/** Builds a segment from columns of cells, validating and encoding in one pass per column. */
import { ReadCell } from '../../values/read-cell.ts'
import { type Bits, countBits, emptyBits, setBit, unionBits } from '../columns/bits.ts'
import {
  type ColumnWriter,
  createColumnWriter,
  hasBytes,
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
  getPlainField,
  isBareJson,
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
import type { BuiltChunk, RawChunk } from '../format/chunk.ts'
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
import {
  type AddedCells,
  type Cells,
  createCellReader,
  createStoredReader,
  createValueReader,
  type FieldCells,
  findJsonColumn,
  selectFieldCells,
  type WrittenCells,
} from './added-cells.ts'
import { type CellTarget, hashJsonCells, writeJsonCells } from './write-json-cells.ts'

export interface BuiltSegment {
  rows: number
  chunks: BuiltChunk[]
  nulls: ReadonlyMap<string, number>
  errors: ReadonlyMap<string, number>
  errorRows: Bits
  hashes: Map<string, Hashes>
  /** Without the rules that no row breaks. */
  violations: ReadonlyMap<string, Bits>
}

export interface WrittenSegment extends BuiltSegment {
  chunks: RawChunk[]
}

export interface RowExtras {
  metadata?: JsonObject | null
  config?: JsonObject | null
  messages?: ReadonlyMap<string, readonly Message[]>
}

export interface SegmentWriter {
  readonly rows: number
  readonly bytes: number
  add(cells: Cells, from: number, to: number, extras?: readonly RowExtras[]): void
  take(): WrittenSegment
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
  const packed = new Map<ColumnWriter, Buffer>()
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
      const written = new Map<string, WrittenCells>()
      packed.clear()
      for (const [i, field] of rules.fields.entries()) {
        const target = { part, capacity, field, writer: writers[i]!, firstRow: part.rows - from }
        const json = 'bytes' in cells ? undefined : findJsonColumn(cells, field.key)
        if ('bytes' in cells) writeBytes(target, checks[i], readText!, cells, from, to)
        else if (json) {
          written.set(field.key, { writer: target.writer, start: target.writer.length })
          writeJsonCells(createCellTarget(target, checks[i]), json, from, to)
          if (json.packed && to - from === json.length && hasBytes(target.writer, json.raw))
            packed.set(target.writer, json.packed)
        } else writeCells(target, selectFieldCells(cells, field.key), from, to)
      }
      const source = { cells, written }
      for (const ruleHashes of hashes) hashRows(rules, ruleHashes, part.rows, source, from, to)
      for (const rule of rules.rowRules) validateRows(rules, rule, { part, capacity }, source, readText, from, to)
      for (let i = from; extras && i < to; i++) addExtras(part, capacity, part.rows + i - from, extras[i])
      part.rows += to - from
    },
    take() {
      const built = buildSegment(rules, part, writers, hashes, packed)
      part = createPart()
      packed.clear()
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
  packed: ReadonlyMap<ColumnWriter, Buffer>,
): WrittenSegment {
  const nulls = new Map(rules.fields.map((field, i) => [field.key, writers[i]!.nulls]))
  const chunks: RawChunk[] = rules.fields.map((field, i) => {
    const stored = packed.get(writers[i]!)
    return { name: field.column, raw: takeColumn(writers[i]!), ...(stored ? { packed: stored } : {}) }
  })
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

const createCellTarget = (
  { part, firstRow, capacity, field, writer }: WriteTarget,
  check: BytesCheck | undefined,
): CellTarget => ({
  ...{ field, check, writer },
  report: (row, slot, messages) => addMessages(part, capacity, firstRow + row, field.key, slot, messages),
})

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
  source: AddedCells,
  readText: TextReader | undefined,
  from: number,
  to: number,
): void {
  const readers = rule.fields.map((key, at) =>
    createValueReader(source, from, readText, rules.byKey.get(key)!, rule.readsValue(at)),
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
  { cells: source, written }: AddedCells,
  from: number,
  to: number,
): void {
  const json = written.get(getPlainField(rule) ?? '')
  if (json) {
    hashJsonCells(list, rule, json.writer, json.start, firstRow)
    return
  }
  const knownFields = rule.fields.flatMap((key) => rules.byKey.get(key) ?? [])
  const readers = new Map(
    knownFields.map((field) => [field.key, createStoredReader({ cells: source, written }, from, field)]),
  )
  const plain = rules.byKey.get(getPlainField(rule) ?? '')
  const bytes = plain && 'bytes' in source ? source : undefined
  const check = plain && isTyped(plain.type) ? typeChecks[plain.type] : undefined
  const column = bytes ? bytes.keys.indexOf(plain!.key) : -1
  const values = plain?.anyText && !bytes ? createCellReader(source, plain.key) : undefined
  for (let i = from; i < to; i++) {
    const row = firstRow + i - from
    if (bytes && column >= 0 && addBytesHash(list, bytes, i * bytes.keys.length + column, row, check)) continue
    const cell = values?.(i)
    if (typeof cell === 'string' && cell !== '') addHash(list, cell, row)
    else for (const text of getComparedTexts(rule, (key) => readers.get(key)?.(i))) addHash(list, text, row)
  }
}
