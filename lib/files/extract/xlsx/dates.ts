/**
 * Formats spreadsheet numbers as dates (ISO 8601), times, durations or numbers. Pure.
 * Formats: ECMA-376 part 1, 18.8.30 (numFmt) and 18.17.4 (dates and times).
 */
import { DAY_MS } from '../../../../schemas/kit/time.ts'

/** `digits` are numbers with leading zeros, such as postal codes. */
export type Format =
  | { kind: 'number' | 'percent' }
  | { kind: 'date' | 'time' | 'datetime' | 'duration' }
  | { kind: 'digits'; pattern: string }

const NUMBER_FORMAT: Format = { kind: 'number' }

const BUILT_IN_FORMATS = new Map<number, Format['kind']>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id) => [id, 'time'] as const),
  [22, 'datetime'],
  [46, 'duration'],
  ...[9, 10].map((id) => [id, 'percent'] as const),
])

export function resolveFormat(id: number, code: string | undefined): Format {
  if (code === undefined) {
    const kind = BUILT_IN_FORMATS.get(id) ?? 'number'
    return kind === 'digits' ? NUMBER_FORMAT : { kind }
  }
  return parseFormatCode(code)
}

const MAX_CODE_CHARACTERS = 1000

export function parseFormatCode(code: string): Format {
  const first = getFirstSection(code.slice(0, MAX_CODE_CHARACTERS))
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return { kind: 'duration' }
  const codeWithoutBrackets = first.replace(/\[[^\]]*\]/g, '')
  if (/^[0]{2,}(?:[ -]?0+)*$/.test(codeWithoutBrackets)) return { kind: 'digits', pattern: codeWithoutBrackets }
  const tokens = codeWithoutBrackets.match(/am\/pm|a\/p|y+|m+|d+|h+|s+|e+|b+|g+/gi) ?? []
  if (/[0#?]/.test(codeWithoutBrackets) && !tokens.some((token) => /^[ydhs]/i.test(token)))
    return codeWithoutBrackets.includes('%') ? { kind: 'percent' } : NUMBER_FORMAT
  return { kind: classifyTokens(tokens.map((token) => token.toLowerCase())) }
}

function getFirstSection(code: string): string {
  let section = ''
  for (let at = 0; at < code.length; at++) {
    const character = code[at]!
    if (character === ';') break
    if (character === '"') {
      const end = code.indexOf('"', at + 1)
      at = end < 0 ? code.length : end
    } else if (character === '\\' || character === '_' || character === '*') {
      at++
      if (character === '\\' && (code[at] === '-' || code[at] === ' ')) section += code[at]
    } else section += character
  }
  return section.trim()
}

function classifyTokens(tokens: readonly string[]): 'number' | 'date' | 'time' | 'datetime' {
  const hasTime = tokens.some((token) => /^[hsa]/.test(token))
  const hasDate = tokens.some((token, at) => /^[yd]/.test(token) || (token.startsWith('m') && !isMinutes(tokens, at)))
  if (hasDate) return hasTime ? 'datetime' : 'date'
  return hasTime ? 'time' : 'number'
}

/** An m is minutes after hours or before seconds, otherwise a month. */
const isMinutes = (tokens: readonly string[], at: number): boolean =>
  tokens[at]!.length <= 2 && (tokens[at - 1]?.startsWith('h') === true || tokens[at + 1]?.startsWith('s') === true)

const EPOCH_1900 = Date.UTC(1899, 11, 31)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The 1900 system counts 1900-02-29, which did not exist. */
const NONEXISTENT_DAY = 60
const LAST_DAY = Date.UTC(9999, 11, 31)

export function formatNumber(text: string, format: Format, is1904: boolean): string {
  if (format.kind === 'number') return toPlainNumber(text)
  const value = Number(text)
  if (text === '' || !Number.isFinite(value)) return text
  if (format.kind === 'percent') return formatPercent(value)
  if (format.kind === 'digits') return padToPattern(text, format.pattern)
  if (format.kind === 'duration') return formatDuration(value)
  if (value < 0) return toPlainNumber(text)
  const ms = Math.round((value - Math.floor(value)) * DAY_MS)
  const roundsToNextDay = ms === DAY_MS
  const day = Math.floor(value) + (roundsToNextDay ? 1 : 0)
  const time = roundsToNextDay ? 0 : ms
  if (format.kind === 'time' && day === 0) return formatTime(time)
  const date = formatDate(day, is1904)
  if (date === undefined) return toPlainNumber(text)
  return format.kind === 'date' && time === 0 ? date : `${date}T${formatTime(time)}`
}

const MAX_EXACT_DIGITS = 15

/** Cells mean what they show: 0.2 in the format 0% is 20%. */
const formatPercent = (value: number): string =>
  `${toPlainNumber(String(Number((value * 100).toPrecision(MAX_EXACT_DIGITS))))}%`

function formatDate(day: number, is1904: boolean): string | undefined {
  if (!is1904 && day === NONEXISTENT_DAY) return undefined
  const ms = is1904 ? EPOCH_1904 + day * DAY_MS : EPOCH_1900 + (day > NONEXISTENT_DAY ? day - 1 : day) * DAY_MS
  return ms > LAST_DAY ? undefined : new Date(ms).toISOString().slice(0, 10)
}

const padTwo = (value: number): string => String(value).padStart(2, '0')

function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const clock = `${padTwo(Math.floor(seconds / 3600))}:${padTwo(Math.floor(seconds / 60) % 60)}:${padTwo(seconds % 60)}`
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`
}

const formatDuration = (days: number): string =>
  `${days < 0 ? '-' : ''}${formatTime(Math.round(Math.abs(days) * DAY_MS))}`

function padToPattern(text: string, pattern: string): string {
  if (!/^\d{1,15}(?:\.0+)?$/.test(text)) return toPlainNumber(text)
  const digits = (text.split('.')[0] ?? '').padStart(pattern.replace(/[^0]/g, '').length, '0')
  let at = digits.length
  let result = ''
  for (let i = pattern.length - 1; i >= 0; i--) result = (pattern[i] === '0' ? digits[--at] : pattern[i]) + result
  return digits.slice(0, at) + result
}

const MAX_EXACT_CHARACTERS = 15

/** Expands exponents. Up to 15 digits are exact as written; longer numbers contain floating-point noise. */
export function toPlainNumber(text: string): string {
  if (text.length <= MAX_EXACT_CHARACTERS && /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text)) return text
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  const shortest = String(value)
  return shortest.includes('e') ? expandExponent(shortest) : shortest
}

function expandExponent(text: string): string {
  const [, sign = '', integerDigits = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text) ?? []
  const digits = integerDigits + fraction
  const pointPosition = integerDigits.length + Number(exponent)
  if (pointPosition <= 0) return `${sign}0.${'0'.repeat(-pointPosition)}${digits}`
  return `${sign}${digits.padEnd(pointPosition, '0')}`
}
