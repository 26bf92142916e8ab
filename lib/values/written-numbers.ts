/** Parses written numbers with their sign, marks and unit. Pure. */
import { cleanText, isAscii } from './texts.ts'
import { isLength } from './unit-decision.ts'
import { areSameUnit } from './unit-names.ts'
import { findCurrencies, findMoneyMultiplier, findRate, findUnits, isMultiplier, normalizeUnit } from './units.ts'

export type DecimalMark = '.' | ','

export const getOtherMark = (mark: DecimalMark | undefined): DecimalMark => (mark === '.' ? ',' : '.')

export interface WrittenNumber {
  isNegative: boolean
  integer: string
  fraction: string
  exponent: string
  decimalMark?: DecimalMark | undefined
  openMark?: DecimalMark | undefined
  groupMark?: DecimalMark | undefined
  unit: string
  isUnclear?: boolean | undefined
  label?: string | undefined
}

const MAX_NUMBER_LENGTH = 80
const MAX_EXACT_DIGITS = 15

const BODY = /[.,]?\d(?:[\d.,' ]*\d)?/
const EXPONENT = /^e([+-]?\d{1,2})(?![\p{L}\d.,])/iu
const NO_CENTS = /^[.,]\s?(?:-{1,2}|–|—)(?=\s|\)|\p{L}|\p{Sc}|$)/u
const NO_PAISE = /^\s?\/[-–—=](?=\s|\)|$)/u
const UNIT = /^(?:[\p{L}\p{Sc}°µ%‰][\p{L}\p{Sc}°/^-]{0,10}[23²³]?|\p{L}{1,4}\.?\s\p{L}{1,4}|%\s?(?:vol|abv))\.?$/iu
const CLOCK = /^(?:am|pm|uhr)\.?$/i
const ATTACHED_SYMBOL = /^[mt]$/i

export function parseWrittenNumber(original: string): WrittenNumber | undefined {
  if (original.length > MAX_NUMBER_LENGTH) return undefined
  const text = cleanMarks(original)
  const found = BODY.exec(text)
  if (!found) return undefined
  const [body] = found
  const behind = text.slice(found.index + body.length)
  const exponent = behind === '' || behind[0] === ' ' ? null : EXPONENT.exec(behind)
  const noCents = !exponent && isMark(behind[0]) ? NO_CENTS.exec(behind)?.[0] : undefined
  const tail = behind.slice((exponent?.[0] ?? noCents ?? NO_PAISE.exec(behind)?.[0] ?? '').length)
  const sign = readSign(text.slice(0, found.index), tail)
  if (!sign) return undefined
  const written = splitMarks(body, exponent !== null)
  const digits = noCents === undefined ? written : addNoCents(written, noCents[0] as DecimalMark)
  if (!digits) return undefined
  const { integer, fraction, decimalMark, openMark, groupMark } = digits
  const { isNegative, unit, isUnclear, power, label } = sign
  if (exponent && power) return undefined
  const powerOfTen = exponent?.[1] ?? (power ? String(power) : '')
  return {
    isNegative,
    integer,
    fraction,
    exponent: powerOfTen,
    decimalMark,
    openMark,
    groupMark,
    unit,
    isUnclear,
    label,
  }
}

const RAND = /^([-(]?\s?)R\s?(?=-?\d{1,3}(?:(?:[\s,.]\d{3})+(?:[.,]\d{2})?|[.,]\d{2})\)?$)/

function cleanMarks(text: string): string {
  const clean = cleanText(text).replace(RAND, '$1ZAR ')
  if (!OTHER_MARKS.test(clean)) return clean
  if (isAscii(clean)) return clean.replace(/\s/g, ' ')
  return clean
    .replace(/[\u2212\ufe63\uff0d]/g, '-')
    .replace(/[’‘`´ʼ]/g, "'")
    .replace(/\s/g, ' ')
}

const OTHER_MARKS = /[^\S ]|[\u2212\ufe63\uff0d’‘`´ʼ]/

const isMark = (character: string | undefined): boolean => character === '.' || character === ','

interface Sign {
  isNegative: boolean
  unit: string
  /** `172 mm` and `7m` can be millions, so they are lengths only next to a field or column with a unit of length. */
  isUnclear?: boolean
  /** The power of ten of `k` in `£5k`. */
  power?: number
  /** The `table` of `Table 5`, and the `/20` of `16/20`. */
  label?: string
}

const MAX_CACHED_SIGNS = 1000
const signs = new Map<string, Sign | undefined>()
let last: { head: string; tail: string; sign: Sign | undefined } | undefined

function readSign(head: string, tail: string): Sign | undefined {
  if (last?.head === head && last.tail === tail) return last.sign
  const key = `${head}0${tail}`
  let sign = signs.get(key)
  if (sign === undefined && !signs.has(key)) {
    if (signs.size >= MAX_CACHED_SIGNS) signs.clear()
    sign = parseSign(head, tail)
    signs.set(key, sign)
  }
  last = { head, tail, sign }
  return sign
}

function parseSign(head: string, tail: string): Sign | undefined {
  const isEnclosed = head.includes('(') && tail.includes(')')
  const before = isEnclosed ? head.replace('(', '') : head
  const behind = isEnclosed ? tail.replace(')', '') : tail
  const found = [
    ...(/^\s*[-+]|[-+]\s*$/.exec(before)?.[0].trim() ?? ''),
    ...(/^\s?-|-$/.exec(behind)?.[0].trim() ?? ''),
  ]
  if (found.length + (isEnclosed ? 1 : 0) > 1) return undefined
  const prefix = before.replace(/^\s*[-+]|[-+]\s*$/, '').trim()
  const suffix = behind
    .replace(FOOTNOTE, '')
    .replace(/^\s?-|-$/, '')
    .trim()
  const money = suffix === '' ? undefined : findMoneyMultiplier(suffix, prefix)
  if (money) return { isNegative: isEnclosed || found[0] === '-', ...money }
  const rate = suffix === '' ? undefined : findRate(suffix, prefix)
  if (rate) return { isNegative: isEnclosed || found[0] === '-', unit: rate }
  const labelled = splitLabel(prefix, suffix)
  if (labelled) return { isNegative: isEnclosed || found[0] === '-', ...labelled }
  const isRepeated = prefix !== '' && suffix !== '' && findCurrencies(prefix) && areSameUnit([prefix, suffix])
  if (prefix !== '' && !isRepeated && (suffix !== '' || !canPrecede(prefix))) return undefined
  if (suffix !== '' && suffix !== POUNDS && !UNIT.test(suffix)) return undefined
  const isUnclear = suffix !== '' && canBeMultiplied(suffix, behind)
  if (isUnclear && !isLength(suffix)) return undefined
  return {
    isNegative: isEnclosed || found[0] === '-',
    unit: suffix === POUNDS ? 'lb' : normalizeUnit(prefix || suffix),
    isUnclear,
  }
}

const FOOTNOTE = /\s?\*{1,3}$/
const MAXIMUM = /^(?:\/|(?:out of|of|von|sur|su|de|van|op|na|z)\s)\s?([1-9]\d{0,2})$/i
const LABEL = /^(\p{L}{2,20})[.:]?$/u
const NUMBER_SIGN = /^(?:#|n[°ºr]|no|num|№)[.:]?$/iu

export const NUMBER_LABEL = '#'

const LABELLED_UNIT = /^([%\p{Sc}])\s?(\p{L}{2,20})\.?$/u

function splitLabel(prefix: string, suffix: string): { unit: string; label: string } | undefined {
  const [, maximum] = (prefix === '' && MAXIMUM.exec(suffix)) || []
  if (maximum !== undefined) return { unit: '', label: `/${maximum}` }
  const [, unit = '', behind] = (prefix === '' && LABELLED_UNIT.exec(suffix)) || []
  if (behind !== undefined && !UNIT.test(suffix)) return { unit, label: behind.toLowerCase() }
  if (prefix === '' || canPrecede(prefix) || (suffix !== '' && !SIGN.test(suffix))) return undefined
  const label = NUMBER_SIGN.test(prefix) ? NUMBER_LABEL : LABEL.exec(prefix)?.[1]?.toLowerCase()
  return label === undefined ? undefined : { unit: suffix, label }
}

const SIGN = /^[%\p{Sc}]$/u

const POUNDS = '#'

const canPrecede = (unit: string): boolean =>
  findCurrencies(unit) !== undefined || ['page', 'piece'].some((one) => findUnits(unit).has(one))

const canBeMultiplied = (unit: string, behind: string): boolean =>
  ATTACHED_SYMBOL.test(unit)
    ? unit !== unit.toLowerCase() || !behind.startsWith(' ')
    : isMultiplier(unit) || CLOCK.test(unit)

type Digits = Pick<WrittenNumber, 'integer' | 'fraction' | 'decimalMark' | 'openMark' | 'groupMark'>

function splitMarks(body: string, hasExponent: boolean): Digits | undefined {
  const at = findLastMark(body)
  if (at < 0) return { integer: body, fraction: '' }
  const mark = body[at]!
  const isPoint = mark === '.' || mark === ','
  if (isPoint && body.indexOf(mark) === at) {
    const before = body.slice(0, at)
    const fraction = body.slice(at + 1)
    const integer = joinGroups(before)
    if (integer === undefined) return undefined
    if (!hasExponent && fraction.length === 3 && FIRST_GROUP.test(before)) return { integer, fraction, openMark: mark }
    const other = getOtherMark(mark)
    return { integer, fraction, decimalMark: mark, groupMark: before.includes(other) ? other : undefined }
  }
  const integer = joinGroups(body)
  if (integer === undefined) return undefined
  return { integer, fraction: '', decimalMark: isPoint ? getOtherMark(mark) : undefined }
}

/** `1.000,--` has thousands, because its decimal mark is the comma. */
function addNoCents(written: Digits | undefined, decimalMark: DecimalMark): Digits | undefined {
  if (!written || written.openMark === decimalMark || (written.decimalMark ?? decimalMark) !== decimalMark)
    return undefined
  const { integer, fraction, openMark } = written
  if (fraction !== '' && openMark === undefined) return undefined
  return { integer: integer + fraction, fraction: '', decimalMark }
}

function findLastMark(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (!isDigit(text.charCodeAt(at))) return at
  return -1
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const FIRST_GROUP = /^[1-9]\d{0,2}$/
const GROUPED = /^[1-9]\d{0,2}(\D)\d{3}(?:\1\d{3})*$/
const INDIAN = /^[1-9]\d?(?:,\d{2})*,\d{3}$/

function joinGroups(text: string): string | undefined {
  if (findLastMark(text) < 0) return text
  const mark = GROUPED.exec(text)?.[1] ?? (INDIAN.test(text) ? ',' : undefined)
  return mark === undefined ? undefined : text.replaceAll(mark, '')
}

export function toNumber(written: WrittenNumber, openMarkIsDecimal: boolean): number | undefined {
  const { isNegative, integer, fraction, exponent, openMark } = written
  const isGroup = openMark !== undefined && !openMarkIsDecimal
  const text = isGroup ? integer + fraction : `${integer || '0'}.${fraction || '0'}`
  const digits = (integer + fraction).replace(/^0+/, '')
  if (digits.length > MAX_EXACT_DIGITS && (isGroup || digits.replace(/0+$/, '').length > MAX_EXACT_DIGITS))
    return undefined
  const value = Number(exponent === '' ? text : `${text}e${exponent}`)
  return isNegative && value !== 0 ? -value : value
}
