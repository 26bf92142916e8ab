/** Texts that are a number or a truth value written the way JSON writes it: they can be stored as what they are. Pure. */

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** So many significant digits survive as a binary number. */
const EXACT_DIGITS = 15

/**
 * The number a text is: digits with a point and a minus, and no more digits than a number keeps. Undefined for any other
 * text, also for spaces, a plus, leading zeros (`007` may be an article number), exponents and thousands separators.
 */
export function numberOf(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  if (text.length > EXACT_DIGITS && digitsIn(text) > EXACT_DIGITS && String(value) !== text) return undefined
  // Not -0: it is equal to 0 and looks different.
  return value === 0 ? 0 : value
}

const digitsIn = (text: string): number => text.replace(/^-?0?\.?0*|\./g, '').length

export const booleanOf = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined
