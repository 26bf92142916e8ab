/** Parses numbers and booleans in JSON notation, which can be stored typed. */

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const MAX_EXACT_DIGITS = 15

/** Undefined for too many digits, spaces, a plus, leading zeros (`007` may be an article number) and exponents. */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  if (text.length > MAX_EXACT_DIGITS && countDigits(text) > MAX_EXACT_DIGITS && String(value) !== text) return undefined
  return value === 0 ? 0 : value
}

const countDigits = (text: string): number => text.replace(/^-?0?\.?0*|\./g, '').length

export const parseBoolean = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined
