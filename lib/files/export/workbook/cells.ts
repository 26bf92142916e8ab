import { type ByteWriter, copyRange, reserve } from '../../../records/index.ts'
import { MAX_CELL_CHARACTERS } from './sheet.ts'
import { ENTITIES } from './xml.ts'

export const QUOTE = 34
export const LIST = 91
export const OBJECT = 123
export const TRUE = 116
export const FALSE = 102
const DASH = 45
const SPACE = 32
const UNDERSCORE = 95
const BACKSLASH = 92
const SMALL_X = 120
const DELETE = 127

const [CONTROL_START, NONCHARACTER_START] = [0xc2, 0xef]
const SPECIAL = new Set([DELETE, CONTROL_START, NONCHARACTER_START, UNDERSCORE, BACKSLASH, ...Buffer.from('&<>')])
const SPECIAL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => (byte <= SPACE || SPECIAL.has(byte) ? 1 : 0))
const SPACE_STARTS: ReadonlySet<number> = new Set([
  SPACE,
  ...[...'\u00a0\u1680\u2000\u3000\ufeff'].map((space) => Buffer.from(space)[0]!),
])

const ENTITY_BYTES: readonly (Buffer | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const entity = ENTITIES[String.fromCharCode(byte)]
  return entity === undefined ? undefined : Buffer.from(entity)
})

/** Writes the text of a JSON string for XML; nothing if it needs more than entities. `_x` may start an escape of a workbook. */
export function writeUsualText(out: ByteWriter, bytes: Buffer, from: number, to: number): boolean {
  if (to - from > MAX_CELL_CHARACTERS || isEdgedBySpace(bytes, from, to)) return false
  const start = out.length
  reserve(out, to - from)
  let at = start
  let target = out.bytes
  for (let i = from; i < to; i++) {
    let byte = bytes[i]!
    if (SPECIAL_BYTES[byte] === 1 && !isUnescaped(bytes, i)) {
      const isEscaped = byte === BACKSLASH
      if (isEscaped) byte = bytes[++i]!
      if (!isEscaped || byte !== BACKSLASH) {
        const entity = ENTITY_BYTES[byte]
        out.length = entity ? at : start
        if (!entity) return false
        copyRange(out, entity, 0, entity.length)
        reserve(out, to - i)
        target = out.bytes
        at = out.length
        continue
      }
    }
    target[at++] = byte
  }
  out.length = at
  return true
}

function isUnescaped(bytes: Buffer, at: number): boolean {
  const byte = bytes[at]!
  const next = bytes[at + 1]!
  if (byte === SPACE) return next !== SPACE
  if (byte === UNDERSCORE) return next !== SMALL_X
  if (byte === CONTROL_START) return next >= 0xa0
  return byte === NONCHARACTER_START && (next !== 0xbf || bytes[at + 2]! < 0xbe)
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

function isEdgedBySpace(bytes: Buffer, from: number, to: number): boolean {
  let last = to - 1
  while (isContinuation(bytes[last]!)) last--
  return SPACE_STARTS.has(bytes[from]!) || SPACE_STARTS.has(bytes[last]!)
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
const EPOCH_YEAR = 1970

/** Days since 1970-01-01 of a JSON string in the form YYYY-MM-DD, from the year 100 on. */
export function readDay(bytes: Buffer, from: number, to: number): number | undefined {
  if (to - from !== 12 || bytes[from + 5] !== DASH || bytes[from + 8] !== DASH) return undefined
  const year = readDigits(bytes, from + 1, from + 5)
  const month = readDigits(bytes, from + 6, from + 8)
  const date = readDigits(bytes, from + 9, from + 11)
  if (!(year >= 100 && month >= 1 && month <= 12 && date >= 1)) return undefined
  const isLeapYear = countLeapDays(year + 1) > countLeapDays(year)
  const leapDayOf = (before: number): number => (isLeapYear && before > 1 ? 1 : 0)
  const monthStart = DAYS_BEFORE_MONTH[month - 1]! + leapDayOf(month - 1)
  if (monthStart + date > DAYS_BEFORE_MONTH[month]! + leapDayOf(month)) return undefined
  return (year - EPOCH_YEAR) * 365 + countLeapDays(year) - countLeapDays(EPOCH_YEAR) + monthStart + date - 1
}

function countLeapDays(beforeYear: number): number {
  const years = beforeYear - 1
  return Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
}

function readDigits(bytes: Buffer, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
