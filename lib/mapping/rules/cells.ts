/** Shared rules for cells: emptiness, text and numbers. Pure. */

/** Prefix of a source field that refers to the destination field's value after earlier rules. */
export const DERIVED_PREFIX = 'destination!'

export type Cell = unknown

export const isEmpty = (value: Cell): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

export const emptyToNull = (value: Cell): Cell => (isEmpty(value) ? null : value)

export function toText(value: Cell): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(toText).join(', ') : String(value)
}

interface Marks {
  decimal: string
  group: string
}
const marksByLocale = new Map<string, Marks>()

function getMarks(locale: string): Marks {
  let marks = marksByLocale.get(locale)
  if (!marks) {
    const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8)
    const findMark = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    marks = { decimal: findMark('decimal') || '.', group: findMark('group') }
    marksByLocale.set(locale, marks)
  }
  return marks
}

const DECORATION = /^[\p{Sc}\s]+|[\p{Sc}%\s]+$/gu
const NUMBER = /^\d+(\.\d+)?([eE][-+]?\d+)?$/

/**
 * NaN if the cell has no number in the locale. `(12)` and `12-` are negative, `12 %` is 12. Groups need three digits:
 * `1,5` is not a number in English.
 */
export function parseNumber(value: Cell, locale: string): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return Number.NaN
  let text = value.trim().replace(/\u2212/g, '-')
  const parenthesized = /^\((.*)\)$/.exec(text)
  if (parenthesized) text = parenthesized[1]!
  let sign = parenthesized ? -1 : 1
  const stripSign = (pattern: RegExp) => {
    const match = pattern.exec(text)
    if (!match) return
    if (match[1] === '-') sign = -sign
    text = text.replace(pattern, '')
  }
  stripSign(/^([-+])/)
  text = text.replace(DECORATION, '')
  stripSign(/^([-+])/)
  stripSign(/(-)$/)
  const digits = normalizeDigits(text.trim(), getMarks(locale))
  return digits === undefined || !NUMBER.test(digits) ? Number.NaN : sign * Number(digits)
}

function normalizeDigits(text: string, { decimal, group }: Marks): string | undefined {
  const at = text.indexOf(decimal)
  const [integer, fraction] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + decimal.length)]
  const normalized = integer.replace(/[\s\u00a0\u202f]/g, ' ').replace(/’/g, "'")
  const separator = /[\s\u00a0\u202f]/.test(group) ? ' ' : group === '’' ? "'" : group
  const groups = separator === '' ? [normalized] : normalized.split(separator)
  if (
    groups.length > 1 &&
    (!/^\d{1,3}$/.test(groups[0]!) || !groups.slice(1).every((digits) => /^\d{3}$/.test(digits)))
  )
    return undefined
  return `${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}`
}

export const roundFloatError = (value: number): number => Number(value.toPrecision(15))
