/** Writes the cells of a JSON column to a segment: most are validated and copied without being parsed. */
import type { Note } from '../../values/read-cell.ts'
import {
  type ColumnWriter,
  copyCells,
  NULL_START,
  SEPARATOR_BYTES,
  writeJson,
  writeJsonBytes,
  writeNull,
  writeText,
} from '../columns/columns.ts'
import { hashAsciiInto, hashBytesInto } from '../columns/hash.ts'
import { addHash, type HashList, reserveHash } from '../columns/hash-list.ts'
import { type JsonColumn, locateRange } from '../columns/json-column.ts'
import { isBareJson } from '../fields/cell-bytes.ts'
import { type FieldRules, getComparedTexts, type HashedRule, toStoredCell, validateCell } from '../fields/rules.ts'
import type { BytesCheck, TextReader } from '../fields/value-rules.ts'
import type { Slot } from '../format/message-chunk.ts'
import type { Message } from '../sheet.ts'

export interface CellTarget {
  field: FieldRules
  check: BytesCheck | undefined
  writer: ColumnWriter
  report(row: number, slot: Slot, messages: readonly Message[]): void
}

const NEWLINE = 10
const QUOTE = 34
const COMMA = 44
const MINUS = 45
const BRACKET = 91
const BACKSLASH = 92
const BRACE = 123

export function writeJsonCells(target: CellTarget, column: JsonColumn, from: number, to: number): void {
  const { writer } = target
  const { raw, notes } = column
  const { start, end: stop } = locateRange(column, from, to)
  if (isCopied(target, column, to - from)) {
    copyCells(writer, raw, start, stop)
    writer.nulls += column.nulls!
    return
  }
  const canCopy = createCopyCheck(target, raw)
  const writeCell = createCellWriter(target, raw)
  let copied = start
  for (let row = from, at = start; row < to; row++) {
    const first = at
    while (at < stop && raw[at] !== NEWLINE) at++
    const end = at < stop ? at - 1 : at
    at++
    const note = notes.size > 0 ? notes.get(row) : undefined
    if (!note && canCopy(first, end)) {
      if (raw[first] === NULL_START) writer.nulls++
      continue
    }
    if (copied < first) copyCells(writer, raw, copied, first - SEPARATOR_BYTES)
    writeCell(row, first, end, note)
    copied = at
  }
  if (copied < stop) copyCells(writer, raw, copied, stop)
}

type CellCheck = (first: number, end: number) => boolean

function createCopyCheck(target: CellTarget, raw: Buffer): CellCheck {
  const { field } = target
  const isNullStored = field.required.length === 0
  if (isBareJson(field.type))
    return (first) => (raw[first] === NULL_START ? isNullStored : isTypedJson(field, raw[first]!))
  const isValid = createTextCheck(target, raw)
  return (first, end) => (raw[first] === NULL_START ? isNullStored : isValid(first, end))
}

function createTextCheck({ check }: CellTarget, raw: Buffer): CellCheck {
  const hasEscapes = check !== undefined && raw.indexOf(BACKSLASH) >= 0
  const readText: TextReader = (first, last) => raw.toString('utf8', first, last)
  return (first, end) =>
    raw[first] === QUOTE &&
    end - first > 2 &&
    !(hasEscapes && isEscaped(raw, first, end)) &&
    (!check || check(raw, first + 1, end - 1, readText))
}

type CellWriter = (row: number, first: number, end: number, note?: Note) => void

export function createCellWriter(target: CellTarget, raw: Buffer): CellWriter {
  const { field, writer, report } = target
  const quotes = isBareJson(field.type) ? 1 : 0
  const isValid = createTextCheck(target, raw)
  return (row, first, end, note) => {
    if (note) {
      copyCell(writer, raw, first, end)
      report(row, 'hooks', [note])
      report(row, 'rules', validateCell(field, JSON.parse(raw.toString('utf8', first, end))))
    } else if (raw[first] === NULL_START) {
      writeNull(writer)
      if (field.required.length > 0) report(row, 'rules', field.required)
    } else if (isValid(first, end)) writeJsonBytes(writer, raw, first + quotes, end - quotes)
    else if (isTypedJson(field, raw[first]!)) writeJsonBytes(writer, raw, first, end)
    else {
      const value = toStoredCell(field, JSON.parse(raw.toString('utf8', first, end)))
      if (typeof value === 'string') writeText(writer, value)
      else if (value === null) writeNull(writer)
      else writeJson(writer, JSON.stringify(value))
      report(row, 'rules', validateCell(field, value))
    }
  }
}

function copyCell(writer: ColumnWriter, raw: Buffer, from: number, to: number): void {
  if (raw[from] === NULL_START) writeNull(writer)
  else writeJsonBytes(writer, raw, from, to)
}

/** Without lists, notes and empty cells that are counted, a field that accepts every text has nothing to report. */
function isCopied({ field, check }: CellTarget, { raw, length, notes, nulls }: JsonColumn, rows: number): boolean {
  if (!field.anyText || check || notes.size > 0) return false
  if (nulls !== 0 && (nulls === undefined || field.required.length > 0 || rows < length)) return false
  return !startsWith(raw, BRACKET) && !startsWith(raw, BRACE)
}

function startsWith(raw: Buffer, byte: number): boolean {
  for (let at = raw.indexOf(byte); at >= 0; at = raw.indexOf(byte, at + 1))
    if (at === 0 || raw[at - 1] === NEWLINE) return true
  return false
}

function isEscaped(raw: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (raw[at] === BACKSLASH) return true
  return false
}

/** Numbers and booleans are stored as they are if their field has no rules. */
function isTypedJson({ type, valueRules }: FieldRules, first: number): boolean {
  if (valueRules.length > 0) return false
  if (type === 'number') return first === MINUS || (first >= 48 && first <= 57)
  return type === 'boolean' && (first === TRUE_START || first === FALSE_START)
}

const TRUE_START = 116
const FALSE_START = 102

export function hashJsonCells(
  list: HashList,
  rule: HashedRule,
  { bytes, length }: ColumnWriter,
  start: number,
  firstRow: number,
): void {
  for (let row = firstRow, at = start; at < length; row++) {
    if (bytes[at] === QUOTE) {
      reserveHash(list)
      const end = hashBytesInto(bytes, at + 1, QUOTE, list.hi, list.lo, list.length)
      if (end >= 0) {
        list.at[list.length++] = row
        at = end + 3
        continue
      }
    }
    const next = bytes.indexOf(NEWLINE, at) + 1
    const end = bytes[next - 2] === COMMA ? next - 2 : next
    if (isNumberStart(bytes[at]!)) {
      reserveHash(list)
      hashAsciiInto(bytes, at, end, list.hi, list.lo, list.length)
      list.at[list.length++] = row
    } else {
      const value: unknown = JSON.parse(bytes.toString('utf8', at, end))
      for (const text of getComparedTexts(rule, () => value)) addHash(list, text, row)
    }
    at = next
  }
}

const isNumberStart = (byte: number): boolean => byte === MINUS || (byte >= 48 && byte <= 57)

export const parseWritten = ({ bytes, length }: ColumnWriter, start: number): readonly unknown[] =>
  start === length ? [] : JSON.parse(`[${bytes.toString('utf8', start, length - 2)}]`)
