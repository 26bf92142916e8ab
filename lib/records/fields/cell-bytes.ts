/** Cells of a file as UTF-8 bytes; most are validated, hashed and stored without decoding them. */
import { equalsBytes } from '../columns/equal-bytes.ts'
import { parsePlainNumber } from '../columns/numbers.ts'
import { type FieldRules, type HashedRule, isReference } from './rules.ts'
import type { BytesCheck, TextReader } from './value-rules.ts'

/** Cell `column` of row `row` is at index `row * keys.length + column`. The memory is reused for the next batch. */
export interface CellBytes {
  length: number
  keys: readonly string[]
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
}

export function readCellText({ keys, bytes, starts, ends }: CellBytes, row: number, column: number): string | null {
  const at = row * keys.length + column
  return starts[at] === ends[at] ? null : bytes.toString('utf8', starts[at]!, ends[at]!)
}

/** Decoding a batch as a whole takes a fraction of the time of decoding its cells. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** Reads texts of the cells from row `from` up to `to`, while their memory holds this batch. */
export function createTextReader({ keys, bytes, starts, ends }: CellBytes, from: number, to: number): TextReader {
  const first = starts[from * keys.length]!
  const end = ends[to * keys.length - 1]!
  let batch: string | undefined
  return (start, stop) => {
    if (start < first || stop > end || end - first > MAX_BATCH_BYTES) return bytes.toString('utf8', start, stop)
    for (let at = start; at < stop; at++) if (bytes[at]! > 127) return bytes.toString('utf8', start, stop)
    batch ??= bytes.toString('latin1', first, end)
    return batch.substring(start - first, stop - first)
  }
}

/** Shorter texts satisfy any size limit a field can set. */
const ANY_SIZE_BYTES = 255

export type TypeCheck = (bytes: Buffer, from: number, to: number) => boolean

export const typeChecks: { readonly [type: string]: TypeCheck | undefined } = {
  string: (_, from, to) => to - from <= ANY_SIZE_BYTES,
  number: isNumber,
  boolean: isBoolean,
  date: isDate,
}

export const isBareJson = (type: string): boolean => type === 'number' || type === 'boolean'

export function getBytesCheck(field: FieldRules): BytesCheck | undefined {
  const { anyText, type, valueRules } = field
  if (anyText && !valueRules.length) return undefined
  const typeCheck = anyText ? undefined : typeChecks[type]
  if (!anyText && !typeCheck) return createCachedCheck(field)
  return valueRules.length ? createRulesCheck(field, typeCheck) : typeCheck
}

function createRulesCheck({ type, valueRules }: FieldRules, check: TypeCheck | undefined): BytesCheck {
  const numberRules = valueRules.flatMap(({ acceptsNumber }) => acceptsNumber ?? [])
  if (type === 'number' && numberRules.length === valueRules.length)
    return (bytes, from, to) => {
      const value = readNumber(bytes, from, to)
      if (value === undefined) return false
      for (const accepts of numberRules) if (!accepts(value)) return false
      return true
    }
  return (bytes, from, to, readText) => {
    if (check && !check(bytes, from, to)) return false
    let text: string | undefined
    for (const { accepts, acceptsBytes } of valueRules) {
      if (acceptsBytes?.(bytes, from, to, readText)) continue
      text ??= readText(from, to)
      if (!accepts(text)) return false
    }
    return true
  }
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

type BytesReader = (bytes: Buffer, from: number, to: number) => unknown

const readNumber = (bytes: Buffer, from: number, to: number): number | undefined =>
  isNumber(bytes, from, to) ? parsePlainNumber(bytes, from, to) : undefined

const readBoolean = (bytes: Buffer, from: number, to: number): boolean | undefined =>
  isBoolean(bytes, from, to) ? to - from === 4 : undefined

/** Reads values without their texts; undefined for a text that is not in canonical form, except for zeros at the end of a fraction. */
export const getBytesReader = (type: string): BytesReader | undefined =>
  type === 'number' ? readDecimal : type === 'boolean' ? readBoolean : undefined

function readDecimal(bytes: Buffer, from: number, to: number): number | undefined {
  let end = to
  while (end > from && bytes[end - 1] === ZERO) end--
  if (end === to || to - from > EXACT_DIGITS) return readNumber(bytes, from, to)
  let point = from
  while (point < end && bytes[point] !== POINT) point++
  if (point === end) return readNumber(bytes, from, to)
  return readNumber(bytes, from, point === end - 1 ? point : end)
}

const ZERO = 48
const POINT = 46

const EXACT_DIGITS = 15

/** Accepts only what JSON.stringify writes: no leading or trailing zeros, no -0, no exponent. */
function isNumber(bytes: Buffer, from: number, to: number): boolean {
  let at = bytes[from] === 45 ? from + 1 : from
  if (to - at > EXACT_DIGITS) return false
  const digits = at
  while (at < to && isDigit(bytes[at]!)) at++
  if (at === digits || (bytes[digits] === 48 && at - digits > 1)) return false
  if (at === to) return bytes[digits] !== 48 || digits === from
  if (bytes[at] !== 46 || bytes[to - 1] === 48) return false
  const fraction = ++at
  while (at < to && isDigit(bytes[at]!)) at++
  if (at !== to || at === fraction) return false
  // JSON.stringify writes numbers below 0.000001 with an exponent.
  return bytes[digits] !== 48 || to - fraction <= 6
}

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

function isBoolean(bytes: Buffer, from: number, to: number): boolean {
  const expected = to - from === 4 ? TRUE : FALSE
  return equalsBytes(expected, 0, expected.length, bytes, from, to)
}

function isDate(bytes: Buffer, from: number, to: number): boolean {
  if (to - from !== 10 || bytes[from + 4] !== 45 || bytes[from + 7] !== 45) return false
  for (let i = 0; i < 10; i++) if (i !== 4 && i !== 7 && !isDigit(bytes[from + i]!)) return false
  const month = bytes[from + 5]! * 10 + bytes[from + 6]! - 528
  const day = bytes[from + 8]! * 10 + bytes[from + 9]! - 528
  return month >= 1 && month <= 12 && day >= 1 && day <= 28
}

const CACHE_SLOTS = 1024

function createCachedCheck(field: FieldRules): BytesCheck {
  const cache = new Array<Buffer | undefined>(CACHE_SLOTS).fill(undefined)
  return (bytes, from, to) => {
    if (to - from > ANY_SIZE_BYTES) return false
    let hash = to - from
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0
    const slot = (hash ^ (hash >>> 15)) & (CACHE_SLOTS - 1)
    const cached = cache[slot]
    if (cached && equalsBytes(cached, 0, cached.length, bytes, from, to)) return true
    if (field.check(bytes.toString('utf8', from, to)).length) return false
    cache[slot] = Buffer.from(bytes.subarray(from, to))
    return true
  }
}

export function getPlainField(rule: HashedRule): string | undefined {
  return rule.fields.length === 1 && (isReference(rule) || rule.caseSensitive) ? rule.fields[0] : undefined
}
