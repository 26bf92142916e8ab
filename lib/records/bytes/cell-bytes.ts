/**
 * Cells as they stand in a file: places in bytes of UTF-8. Nearly all are judged, hashed and stored without becoming
 * strings; where bytes alone do not tell, the cell is read as the string it is. Pure.
 */
import { type FieldRules, type HashedRule, isReference } from '../rules/rules.ts'

/**
 * Rows of cells: cell `column` of row `row` is `bytes` from `starts` to `ends` at `row * keys.length + column`. They are read
 * before the next batch is asked for, so their memory may be used again.
 */
export interface CellBytes {
  length: number
  /** Field keys of the columns. */
  keys: readonly string[]
  /** Valid UTF-8 wherever a cell stands. */
  bytes: Buffer
  starts: Uint32Array
  /** An empty cell ends where it starts. */
  ends: Uint32Array
}

/** A cell as text; null when it is empty. */
export function textAt({ keys, bytes, starts, ends }: CellBytes, row: number, column: number): string | null {
  const at = row * keys.length + column
  return starts[at] === ends[at] ? null : bytes.toString('utf8', starts[at]!, ends[at]!)
}

/**
 * True when the text of these bytes passes the field's check and is stored byte for byte, as a text or, where
 * {@link isBareJson}, as JSON; false when they alone do not tell.
 */
export type BytesCheck = (bytes: Buffer, from: number, to: number) => boolean

/** Texts of fewer bytes fit any size a field may name. */
const ANY_SIZE_BYTES = 255

const checks: { [type: string]: BytesCheck } = {
  string: (_, from, to) => to - from <= ANY_SIZE_BYTES,
  number: isNumber,
  boolean: isBoolean,
  date: isDate,
}

/** Texts of numbers and booleans that pass are their JSON: they are stored without quotes. */
export const isBareJson = (type: string): boolean => type === 'number' || type === 'boolean'

/** The check of a field's cells; undefined when every text passes. */
export function bytesCheckOf(field: FieldRules): BytesCheck | undefined {
  if (field.anyText) return undefined
  return checks[field.type] ?? rememberedCheck(field)
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57

/** So many digits are the number they say, and come back as they are. */
const EXACT_DIGITS = 15

/**
 * A number as JSON.stringify writes it: no leading zeros, none at the end of a fraction, not -0, and none that is written
 * with an exponent.
 */
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
  // 0.000001 is written so, a smaller number with an exponent.
  return bytes[digits] !== 48 || to - fraction <= 6
}

const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')

function isBoolean(bytes: Buffer, from: number, to: number): boolean {
  const word = to - from === 4 ? TRUE : FALSE
  return isSame(word, bytes, from, to)
}

function isSame(word: Uint8Array, bytes: Buffer, from: number, to: number): boolean {
  if (word.length !== to - from) return false
  for (let i = 0; i < word.length; i++) if (word[i] !== bytes[from + i]) return false
  return true
}

/** YYYY-MM-DD up to the 28th, which every month has. */
function isDate(bytes: Buffer, from: number, to: number): boolean {
  if (to - from !== 10 || bytes[from + 4] !== 45 || bytes[from + 7] !== 45) return false
  for (let i = 0; i < 10; i++) if (i !== 4 && i !== 7 && !isDigit(bytes[from + i]!)) return false
  const month = bytes[from + 5]! * 10 + bytes[from + 6]! - 528
  const day = bytes[from + 8]! * 10 + bytes[from + 9]! - 528
  return month >= 1 && month <= 12 && day >= 1 && day <= 28
}

const REMEMBERED = 1024

/** For fields whose values recur: a text that passed is known by its bytes. */
function rememberedCheck(field: FieldRules): BytesCheck {
  const passed = new Array<Buffer | undefined>(REMEMBERED).fill(undefined)
  return (bytes, from, to) => {
    if (to - from > ANY_SIZE_BYTES) return false
    let hash = to - from
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0
    const slot = (hash ^ (hash >>> 15)) & (REMEMBERED - 1)
    const known = passed[slot]
    if (known && isSame(known, bytes, from, to)) return true
    if (field.check(bytes.toString('utf8', from, to))) return false
    passed[slot] = Buffer.from(bytes.subarray(from, to))
    return true
  }
}

/** The field a rule compares by the plain text of its cells: bytes can be hashed as they are. Undefined when it does more. */
export function plainFieldOf(rule: HashedRule): string | undefined {
  return rule.fields.length === 1 && (isReference(rule) || rule.caseSensitive) ? rule.fields[0] : undefined
}
