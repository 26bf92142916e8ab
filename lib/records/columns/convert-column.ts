/** Converts the cells of a column, each distinct value once. */
import { type Note, ReadCell } from '../../values/read-cell.ts'
import { type ColumnWriter, createColumnWriter, NULL_START, takeColumn, writeJsonBytes, writeNull } from './columns.ts'
import { type JsonColumn, writeValue } from './json-column.ts'

export interface ConvertedCell {
  cell: unknown
  changedBy: readonly number[]
}

export interface Conversion {
  convert(value: unknown): ConvertedCell
  /** Set if texts such as `12` and `012.50` become the numbers they show, changed by these; other numbers stay. */
  plainNumbersChangedBy?: readonly number[] | undefined
  count(changedBy: readonly number[], cells: number): void
}

export type ColumnConverter = (column: JsonColumn) => JsonColumn

interface KnownCell {
  source: Buffer
  json: Buffer
  note: Note | undefined
  changedBy: readonly number[]
}

const SLOTS = 8192
/** Longer cells are converted each time, so that a column takes a few megabytes at most. */
const MAX_KNOWN_BYTES = 128
const NEWLINE = 10
const MINUS = 45
const POINT = 46
const QUOTE = 34

export function createColumnConverter(conversion: Conversion): ColumnConverter {
  const { plainNumbersChangedBy } = conversion
  const known = new Array<KnownCell | undefined>(SLOTS).fill(undefined)
  const scratch = createColumnWriter(0)
  const writer = createColumnWriter(0)

  function convertCell(raw: Buffer, start: number, end: number): KnownCell {
    const { cell, changedBy } = conversion.convert(JSON.parse(raw.toString('utf8', start, end)))
    writeValue(scratch, cell)
    const json = Buffer.from(scratch.bytes.subarray(0, scratch.length - 2))
    scratch.length = 0
    const note = cell instanceof ReadCell ? cell.note : undefined
    return { source: Buffer.from(raw.subarray(start, end)), json, note, changedBy }
  }

  function findInOtherSlot(slot: number, raw: Buffer, start: number, end: number): KnownCell {
    const first = known[slot]
    const second = known[slot ^ 1]
    if (second && equalsCell(second.source, raw, start, end)) return second
    const cell = convertCell(raw, start, end)
    if (end - start > MAX_KNOWN_BYTES) return cell
    if (first) known[slot ^ 1] = first
    known[slot] = cell
    return cell
  }

  return (column) => {
    const { raw, length } = column
    writer.length = 0
    writer.nulls = 0
    const notes = new Map<number, Note>()
    let readNumbers = 0
    for (let row = 0, at = 0; row < length; row++) {
      const start = at
      let hash = 0
      while (at < raw.length && raw[at] !== NEWLINE) hash = (Math.imul(hash, 31) + raw[at++]!) | 0
      const end = at < raw.length ? at - 1 : at
      at++
      if (plainNumbersChangedBy && writePlainNumber(writer, raw, start, end)) {
        if (raw[start] === QUOTE) readNumbers++
        continue
      }
      const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
      let cell = known[slot]
      if (!cell || !equalsCell(cell.source, raw, start, end)) cell = findInOtherSlot(slot, raw, start, end)
      const { json, note, changedBy } = cell
      if (json[0] === NULL_START) writeNull(writer)
      else writeJsonBytes(writer, json, 0, json.length)
      if (note) notes.set(row, note)
      if (changedBy.length > 0) conversion.count(changedBy, 1)
    }
    if (readNumbers > 0) conversion.count(plainNumbersChangedBy!, readNumbers)
    const { nulls } = writer
    const converted = takeColumn(writer)
    return converted.equals(raw) ? { ...column, notes, nulls } : { raw: converted, length, notes, nulls }
  }
}

function equalsCell(expected: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (expected.length !== to - from) return false
  for (let i = 0; i < expected.length; i++) if (expected[i] !== bytes[from + i]) return false
  return true
}

const MAX_INTEGER_DIGITS = 12
const MAX_DECIMALS = 2
const ZERO = 48

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57

/** Writes the number that a text of digits with at most two decimals shows, as JSON.stringify does; a JSON number stays. */
function writePlainNumber(writer: ColumnWriter, raw: Buffer, start: number, end: number): boolean {
  if (raw[start] !== QUOTE) {
    if (raw[start] !== MINUS && !isDigit(raw[start])) return false
    writeJsonBytes(writer, raw, start, end)
    return true
  }
  const to = end - 1
  const isNegative = raw[start + 1] === MINUS
  const first = isNegative ? start + 2 : start + 1
  let at = first
  while (at < to && isDigit(raw[at])) at++
  if (at === first || at - first > MAX_INTEGER_DIGITS) return false
  let integer = first
  while (integer < at - 1 && raw[integer] === ZERO) integer++
  let last = at
  if (at < to) {
    if (raw[at] !== POINT || to - at - 1 > MAX_DECIMALS || to === at + 1) return false
    for (let digit = at + 1; digit < to; digit++) if (!isDigit(raw[digit])) return false
    last = to
    while (raw[last - 1] === ZERO) last--
    if (last === at + 1) last = at
  }
  const isZero = last === at && raw[integer] === ZERO
  if (isNegative && isZero) return false
  if (isNegative && integer > first) return false
  writeJsonBytes(writer, raw, isNegative ? start + 1 : integer, last)
  return true
}
