/**
 * What a number of a spreadsheet means by its format: a date, a time, both, a duration, or a number. Dates become ISO 8601.
 * Pure. Formats: ECMA-376 part 1, 18.8.30 (numFmt) and 18.17.4 (dates and times).
 */

/** `digits` are numbers shown with leading zeros, as postal codes are. */
export type Format =
  | { kind: 'number' }
  | { kind: 'date' | 'time' | 'datetime' | 'duration' }
  | { kind: 'digits'; pattern: string }

const NUMBER: Format = { kind: 'number' }

/** Formats that have a number instead of a code; those of East Asian versions are dates and times too. */
const BUILT_IN = new Map<number, Format['kind']>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id) => [id, 'time'] as const),
  [22, 'datetime'],
  [46, 'duration'],
])

/** @param code undefined for the formats that every program knows */
export function formatOf(id: number, code: string | undefined): Format {
  if (code === undefined) {
    const kind = BUILT_IN.get(id) ?? 'number'
    return kind === 'digits' ? NUMBER : { kind }
  }
  return formatOfCode(code)
}

/** Characters of a code that are looked at. */
const CODE_CHARACTERS = 1000

export function formatOfCode(code: string): Format {
  const first = firstSection(code.slice(0, CODE_CHARACTERS))
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return { kind: 'duration' }
  const bare = first.replace(/\[[^\]]*\]/g, '')
  if (/^[0]{2,}(?:[ -]?0+)*$/.test(bare)) return { kind: 'digits', pattern: bare }
  const tokens = bare.match(/am\/pm|a\/p|y+|m+|d+|h+|s+|e+|b+|g+/gi) ?? []
  if (/[0#?]/.test(bare) && !tokens.some((token) => /^[ydhs]/i.test(token))) return NUMBER
  return { kind: kindOf(tokens.map((token) => token.toLowerCase())) }
}

/** The part for positive numbers, without quoted text; a backslash shows the next character as it is. */
function firstSection(code: string): string {
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

function kindOf(tokens: readonly string[]): 'number' | 'date' | 'time' | 'datetime' {
  const hasTime = tokens.some((token) => /^[hsa]/.test(token))
  const hasDate = tokens.some((token, at) => /^[yd]/.test(token) || (token.startsWith('m') && !isMinutes(tokens, at)))
  if (hasDate) return hasTime ? 'datetime' : 'date'
  return hasTime ? 'time' : 'number'
}

/** After hours or before seconds; elsewhere an m is a month. */
const isMinutes = (tokens: readonly string[], at: number): boolean =>
  tokens[at]!.length <= 2 && (tokens[at - 1]?.startsWith('h') === true || tokens[at + 1]?.startsWith('s') === true)

const DAY_MS = 86_400_000
/** 1899-12-31 and 1904-01-01: day 0 of each system. */
const EPOCH_1900 = Date.UTC(1899, 11, 31)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** Day 60 of the 1900 system is 1900-02-29, which never was. */
const NO_DAY = 60
const LAST_DAY = Date.UTC(9999, 11, 31)

/** A number as text, by its format. What no date is stays a number. */
export function formatted(text: string, format: Format, is1904: boolean): string {
  if (format.kind === 'number') return plainNumber(text)
  const value = Number(text)
  if (text === '' || !Number.isFinite(value)) return text
  if (format.kind === 'digits') return withZeros(text, format.pattern)
  if (format.kind === 'duration') return durationOf(value)
  if (value < 0) return plainNumber(text)
  const ms = Math.round((value - Math.floor(value)) * DAY_MS)
  const carried = ms === DAY_MS
  const day = Math.floor(value) + (carried ? 1 : 0)
  const time = carried ? 0 : ms
  if (format.kind === 'time' && day === 0) return timeOf(time)
  const date = dateOf(day, is1904)
  if (date === undefined) return plainNumber(text)
  return format.kind === 'date' && time === 0 ? date : `${date}T${timeOf(time)}`
}

function dateOf(day: number, is1904: boolean): string | undefined {
  if (!is1904 && day === NO_DAY) return undefined
  const ms = is1904 ? EPOCH_1904 + day * DAY_MS : EPOCH_1900 + (day > NO_DAY ? day - 1 : day) * DAY_MS
  return ms > LAST_DAY ? undefined : new Date(ms).toISOString().slice(0, 10)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** hh:mm:ss, with milliseconds where there are any. */
function timeOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`
}

/** Hours may be more than a day has. */
const durationOf = (days: number): string => `${days < 0 ? '-' : ''}${timeOf(Math.round(Math.abs(days) * DAY_MS))}`

/** The number's digits in the places of a pattern of zeros: 7 in 00000 is 00007. */
function withZeros(text: string, pattern: string): string {
  if (!/^\d{1,15}(?:\.0+)?$/.test(text)) return plainNumber(text)
  const digits = (text.split('.')[0] ?? '').padStart(pattern.replace(/[^0]/g, '').length, '0')
  let at = digits.length
  let shown = ''
  for (let i = pattern.length - 1; i >= 0; i--) shown = (pattern[i] === '0' ? digits[--at] : pattern[i]) + shown
  return digits.slice(0, at) + shown
}

/** A number of so many characters, with a sign or a point, has at most 15 digits. */
const EXACT_CHARACTERS = 15

/** A decimal number without exponent; those of up to 15 digits are exact as they stand, longer ones carry noise. */
export function plainNumber(text: string): string {
  if (text.length <= EXACT_CHARACTERS && /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text)) return text
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  const shortest = String(value)
  return shortest.includes('e') ? withoutExponent(shortest) : shortest
}

function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?e([-+]\d+)$/.exec(text) ?? []
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
