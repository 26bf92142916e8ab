/** Numbers read from the bytes of a cell, without decoding it. Pure. */
const QUOTE = 34
const MINUS = 45
const POINT = 46
const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i)

/**
 * The number in a cell's JSON text, bare or in quotes, as `Number` reads it, when it has at most 15 digits and no exponent:
 * both its digits and the power of ten are then exact, and so is their quotient. NaN for any other cell.
 */
export function plainNumber(bytes: Uint8Array, start: number, end: number): number {
  const quoted = bytes[start] === QUOTE ? 1 : 0
  const to = end - quoted
  let at = start + quoted
  const negative = bytes[at] === MINUS
  if (negative) at++
  let value = 0
  let digits = 0
  let decimals = -1
  for (; at < to; at++) {
    const byte = bytes[at]!
    if (byte >= 48 && byte <= 57) {
      value = value * 10 + byte - 48
      digits++
      if (decimals >= 0) decimals++
    } else if (byte === POINT && decimals < 0 && digits > 0) decimals = 0
    else return Number.NaN
  }
  if (digits === 0 || digits > 15) return Number.NaN
  if (decimals > 0) value /= POWERS[decimals]!
  return negative ? -value : value
}
