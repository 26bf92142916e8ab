/** The values of a column in one row group, converted from the JSON bytes of its cells without an object per cell. */
import { type ByteWriter, createByteWriter, reserve } from '../../../records/index.ts'
import { type ColumnKind, convertCell, INVALID } from './columns.ts'

/** In PLAIN encoding, except that a boolean takes a byte. */
export interface ColumnValues extends ByteWriter {
  readonly kind: ColumnKind
  readonly levels: Uint8Array
  rows: number
  count: number
  readonly convertedDates: Map<number, unknown>
}

export const createColumnValues = (kind: ColumnKind, maxRows: number): ColumnValues => ({
  ...createByteWriter(16 * 1024),
  ...{ kind, rows: 0, count: 0 },
  levels: new Uint8Array(maxRows),
  convertedDates: new Map(),
})

const MAX_CONVERTED_DATES = 100_000

export function clearValues(values: ColumnValues): void {
  values.length = values.rows = values.count = 0
  if (values.convertedDates.size > MAX_CONVERTED_DATES) values.convertedDates.clear()
}

const [QUOTE, MINUS, POINT, ZERO, BACKSLASH] = [34, 45, 46, 48, 92]
const [LETTER_F, LETTER_T] = [102, 116]

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + 10

/** Adds a cell, bytes [from, to) of JSON. Returns false if the column cannot hold the value; the row then has none. */
export function addCell(values: ColumnValues, json: Buffer, from: number, to: number): boolean {
  if (from === to) return addValue(values, null)
  const first = json[from]!
  switch (values.kind) {
    case 'json':
      return addBytes(values, json, from, to)
    case 'text':
      if (first !== QUOTE) return addBytes(values, json, from, to)
      if (addPlainText(values, json, from + 1, to - 1)) return true
      break
    case 'number':
      if (first === MINUS || isDigit(first)) return addValue(values, readNumber(json, from, to))
      break
    case 'boolean':
      if (first === LETTER_T || first === LETTER_F) return addValue(values, first === LETTER_T)
      break
    case 'date':
      return addValue(values, readDate(values, json, from, to))
  }
  return addValue(values, convertCell(parse(json, from, to), values.kind))
}

const parse = (json: Buffer, from: number, to: number): unknown => JSON.parse(json.toString('utf8', from, to))

const MAX_EXACT_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, decimals) => 10 ** decimals)

/** An integer divided by a power of ten, both exact, is rounded like the parsed number. */
function readNumber(json: Buffer, from: number, to: number): number {
  const start = json[from] === MINUS ? from + 1 : from
  let integer = 0
  let point = to - 1
  let at = start
  for (; at < to; at++) {
    const byte = json[at]!
    if (byte === POINT) point = at
    else if (isDigit(byte)) integer = integer * 10 + byte - ZERO
    else break
  }
  if (at < to || to - start > MAX_EXACT_DIGITS) return parse(json, from, to) as number
  const value = integer / POWERS_OF_TEN[to - 1 - point]!
  return start > from ? -value : value
}

function readDate({ convertedDates, kind }: ColumnValues, json: Buffer, from: number, to: number): unknown {
  const digits = readDigits(json, from, to)
  const converted = digits === undefined ? undefined : convertedDates.get(digits)
  if (converted !== undefined) return converted
  const value = convertCell(parse(json, from, to), kind)
  if (digits !== undefined) convertedDates.set(digits, value)
  return value
}

const DATE_FORM = '"0000-00-00"'

function readDigits(json: Buffer, from: number, to: number): number | undefined {
  if (to - from !== DATE_FORM.length) return undefined
  let digits = 0
  for (let i = 0; i < DATE_FORM.length; i++) {
    const byte = json[from + i]!
    const form = DATE_FORM.charCodeAt(i)
    if (form === ZERO && isDigit(byte)) digits = digits * 10 + byte - ZERO
    else if (form !== byte || form === ZERO) return undefined
  }
  return digits
}

export function addValue(values: ColumnValues, value: unknown): boolean {
  if (value === null || value === INVALID) {
    values.levels[values.rows++] = 0
    return value === null
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return addBytes(values, text, 0, text.length)
  }
  startValue(values, 8)
  if (values.kind === 'number') values.length = values.bytes.writeDoubleLE(value as number, values.length)
  else if (values.kind === 'date') values.length = values.bytes.writeInt32LE(value as number, values.length)
  else values.bytes[values.length++] = value ? 1 : 0
  return true
}

function addBytes(values: ColumnValues, bytes: Buffer, from: number, to: number): true {
  startValue(values, 4 + to - from)
  values.length = values.bytes.writeUInt32LE(to - from, values.length)
  values.length += bytes.copy(values.bytes, values.length, from, to)
  return true
}

function addPlainText(values: ColumnValues, json: Buffer, from: number, to: number): boolean {
  reserve(values, 4 + to - from)
  const target = values.bytes
  let end = values.length + 4
  for (let at = from; at < to; at++) {
    const byte = json[at]!
    if (byte === BACKSLASH) return false
    target[end++] = byte
  }
  startValue(values, 0)
  target.writeUInt32LE(to - from, values.length)
  values.length = end
  return true
}

function startValue(values: ColumnValues, size: number): void {
  values.levels[values.rows++] = 1
  values.count++
  reserve(values, size)
}
