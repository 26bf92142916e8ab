/** Parses numbers from a cell's bytes without decoding them. */
const QUOTE = 34
const MINUS = 45
const POINT = 46
const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i)

/** Equals `Number` for up to 15 digits without exponent, where division is exact; NaN for any other cell. */
export function parsePlainNumber(bytes: Uint8Array, start: number, end: number): number {
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
