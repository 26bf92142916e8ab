import { type ByteWriter, copyRange } from '../../../records/index.ts'
import { MAX_CELL_CHARACTERS } from './sheet.ts'

export const QUOTE = 34
export const LIST = 91
export const OBJECT = 123
export const TRUE = 116
export const FALSE = 102
const DASH = 45
const SPACE = 32

export const copy = (out: ByteWriter, bytes: Buffer): void => copyRange(out, bytes, 0, bytes.length)

/** 1 for ASCII that XML and JSON write without escapes. `_` may start an escape of a workbook. */
const PLAIN_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > SPACE && byte < 127 && !'"&<>_\\'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

export function isPlainText(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > MAX_CELL_CHARACTERS || bytes[from] === SPACE || bytes[to - 1] === SPACE) return false
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (PLAIN_BYTES[byte] !== 1 && (byte !== SPACE || bytes[at + 1] === SPACE)) return false
  }
  return true
}

export function readDate(bytes: Buffer, from: number, to: number): number | undefined {
  if (to - from !== 12 || bytes[from + 5] !== DASH || bytes[from + 8] !== DASH) return undefined
  const year = readDigits(bytes, from + 1, from + 5)
  const month = readDigits(bytes, from + 6, from + 8)
  const date = readDigits(bytes, from + 9, from + 11)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const ms = Date.UTC(year, month - 1, date)
  // Date.UTC rolls an invalid day over into the next month, and takes years below 100 for those of the 20th century.
  const parsedDate = new Date(ms)
  const isValid =
    parsedDate.getUTCFullYear() === year && parsedDate.getUTCMonth() === month - 1 && parsedDate.getUTCDate() === date
  return isValid ? ms : undefined
}

function readDigits(bytes: Buffer, from: number, to: number): number | undefined {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}
