/** What the rules agree on about cells: which are empty, and what a value is as text and as a number. Pure. */

/** Before the name of a source field: what earlier rules made of that field of the destination. */
export const MADE = 'destination!'

/** A cell's value: a text, a number, true or false, a list of texts, or null. */
export type Cell = unknown

export const isEmpty = (value: Cell): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Lists as their items with commas between them; an empty cell is the empty text. */
export function textOf(value: Cell): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value)
}

interface Marks {
  decimal: string
  group: string
}
const marksByLocale = new Map<string, Marks>()

function marksOf(locale: string): Marks {
  let marks = marksByLocale.get(locale)
  if (!marks) {
    const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8)
    const mark = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    marks = { decimal: mark('decimal') || '.', group: mark('group') }
    marksByLocale.set(locale, marks)
  }
  return marks
}

/** A currency or percent sign before or after, and the spaces around it, say nothing about the number. */
const DECORATION = /^[\p{Sc}\s]+|[\p{Sc}%\s]+$/gu
const NUMBER = /^\d+(\.\d+)?([eE][-+]?\d+)?$/

/**
 * The number a cell holds, with the marks its locale writes; NaN when it holds none. `(12)` and `12-` are negative, `12 %`
 * is 12. Groups must have three digits: `1,5` is no number in English.
 */
export function numberOf(value: Cell, locale: string): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  let text = value.trim().replace(/\u2212/g, '-')
  const bracketed = /^\((.*)\)$/.exec(text)
  if (bracketed) text = bracketed[1]!
  let sign = bracketed ? -1 : 1
  const peel = (pattern: RegExp) => {
    const found = pattern.exec(text)
    if (!found) return
    if (found[1] === '-') sign = -sign
    text = text.replace(pattern, '')
  }
  peel(/^([-+])/)
  text = text.replace(DECORATION, '')
  peel(/^([-+])/)
  peel(/(-)$/)
  const plain = plainDigits(text.trim(), marksOf(locale))
  return plain === undefined || !NUMBER.test(plain) ? Number.NaN : sign * Number(plain)
}

/** Digits with a point, or undefined where the groups are not of three digits. */
function plainDigits(text: string, { decimal, group }: Marks): string | undefined {
  const at = text.indexOf(decimal)
  const [whole, fraction] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + decimal.length)]
  // A space of any width, or an apostrophe of either form, is what it looks like.
  const spaced = whole.replace(/[\s\u00a0\u202f]/g, ' ').replace(/’/g, "'")
  const mark = /[\s\u00a0\u202f]/.test(group) ? ' ' : group === '’' ? "'" : group
  const groups = mark === '' ? [spaced] : spaced.split(mark)
  if (groups.length > 1 && (!/^\d{1,3}$/.test(groups[0]!) || !groups.slice(1).every((one) => /^\d{3}$/.test(one))))
    return undefined
  return `${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Without the last digits, which binary fractions leave behind: 0.1 + 0.2 is 0.3. */
export const tidy = (value: number): number => Number(value.toPrecision(15))
