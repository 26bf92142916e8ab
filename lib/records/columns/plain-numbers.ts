/**
 * Samples the plain numbers of a text column, such as `12` and `-0.50`: without leading zeros, with at most two decimals.
 * A million of them say no more about how a column is written than a few of each form, the smallest and the largest.
 */
const SAMPLES_PER_FORM = 8
const MAX_INTEGER_DIGITS = 12
const MAX_DECIMALS = 2

const NEWLINE = 10
const QUOTE = 34
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48

/** The numbers with the same count of decimals, as integers: 1250 is `12.50`. */
interface Form {
  first: Set<number>
  smallest: number
  largest: number
}

export interface PlainNumbers {
  /** By decimals, twice: numbers whose last decimal is 0 have their own form. */
  forms: readonly Form[]
  hasZero: boolean
}

const createForm = (): Form => ({ first: new Set(), smallest: Number.POSITIVE_INFINITY, largest: 0 })

export const createPlainNumbers = (): PlainNumbers => ({
  forms: Array.from({ length: 2 * (MAX_DECIMALS + 1) }, createForm),
  hasZero: false,
})

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57

/** Returns the start of the next cell, or -1 if the cell is not the text of a plain number. */
export function samplePlainNumber(numbers: PlainNumbers, raw: Buffer, from: number, isIncluded: boolean): number {
  if (raw[from] !== QUOTE) return -1
  const start = raw[from + 1] === MINUS ? from + 2 : from + 1
  let at = start
  let value = 0
  for (; isDigit(raw[at]); at++) value = value * 10 + raw[at]! - ZERO
  const digits = at - start
  if (digits === 0 || digits > MAX_INTEGER_DIGITS || (raw[start] === ZERO && digits > 1)) return -1
  let decimals = 0
  if (raw[at] === POINT) {
    const point = at++
    for (; isDigit(raw[at]); at++) value = value * 10 + raw[at]! - ZERO
    decimals = at - point - 1
    if (decimals === 0 || decimals > MAX_DECIMALS) return -1
  }
  const next = findNextCell(raw, at)
  const isZeroWithForm = value === 0 && (decimals > 0 || start > from + 1)
  if (next < 0 || isZeroWithForm) return -1
  if (isIncluded) addNumber(numbers, start > from + 1 ? -value : value, decimals)
  return next
}

function findNextCell(raw: Buffer, at: number): number {
  if (raw[at] !== QUOTE) return -1
  if (at + 1 === raw.length) return raw.length + 1
  return raw[at + 1] === COMMA && raw[at + 2] === NEWLINE ? at + 3 : -1
}

function addNumber(numbers: PlainNumbers, value: number, decimals: number): void {
  if (value === 0) {
    numbers.hasZero = true
    return
  }
  const form = numbers.forms[decimals > 0 && value % 10 === 0 ? decimals + MAX_DECIMALS + 1 : decimals]!
  if (form.first.size < SAMPLES_PER_FORM) form.first.add(value)
  const size = Math.abs(value)
  if (size < Math.abs(form.smallest)) form.smallest = value
  if (size > Math.abs(form.largest)) form.largest = value
}

export function listPlainNumbers({ forms, hasZero }: PlainNumbers): string[] {
  const texts = forms.flatMap(({ first, smallest, largest }, at) => {
    const decimals = at % (MAX_DECIMALS + 1)
    const values = first.size > 0 ? new Set([...first, smallest, largest]) : first
    return [...values].map((value) => (value / 10 ** decimals).toFixed(decimals))
  })
  return hasZero ? [...texts, '0'] : texts
}
