import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { EmailReading, PhoneReading, TimeReading, UrlReading } from '../../schemas/programs/readings.ts'
import { unwrapEmail, unwrapPhone, unwrapUrl } from './additions.ts'
import { type Decision, pushExample } from './decision.ts'
import { cleanText, withoutAccents } from './texts.ts'

export const FORMATS = ['email', 'phone', 'url', 'time'] as const
export type Format = (typeof FORMATS)[number]

export type FormatProblem = 'unreadable' | 'ambiguous'
type Read = { value: string } | { problem: FormatProblem }

interface FormattedField {
  type: string
  metadata?: unknown
  constraints?: unknown
}

export function findFormat({ type, metadata, constraints }: FormattedField): Format | undefined {
  if (type !== 'string') return undefined
  const named = typeof metadata === 'object' && metadata !== null && 'format' in metadata ? metadata.format : undefined
  const rules = Array.isArray(constraints) ? constraints.map(({ type }) => type) : []
  return FORMATS.find((format) => format === named) ?? FORMATS.find((format) => rules.includes(format))
}

export interface FormatEvidence<R extends EmailReading | PhoneReading | TimeReading | UrlReading> {
  add(text: string): void
  decide(): Decision<R>
}

const unreadable = { problem: 'unreadable' } as const

const MAILBOX = /^[^\s@<>()[\]\\,;:"]+$/
const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+)$/u
const MAX_TEXT_LENGTH = 2000

export function readEmail(text: string): Read {
  const address = findAddress(cleanText(text)) ?? findAddress(unwrapEmail(cleanText(text)))
  return address === undefined ? unreadable : { value: address }
}

export function readEmailIn({ hasLowerDomain }: EmailReading, text: string): Read {
  const read = readEmail(text)
  return hasLowerDomain && 'value' in read
    ? { value: read.value.replace(DOMAIN, (domain) => domain.toLowerCase()) }
    : read
}

const DOMAIN = /@[^@]*$/

export const isEmailAddress = (text: string): boolean => findAddress(text) !== undefined

function findAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const [mailbox, host] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || text.length > MAX_TEXT_LENGTH || !MAILBOX.test(mailbox) || !HOST.test(host)) return undefined
  return text
}

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i
const BARE_ADDRESS = /^([^/?#@\s]+)([/?#]\S*)?$/

function isHost(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '')
  return HOST.test(name) || name === 'localhost' || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)
}

/** `www.` is part of a web address only; `readme.md` can be a file. */
export function readUrl(reading: UrlReading, text: string): Read {
  const address = cleanText(text)
  const read = readAddress(reading, address)
  return 'problem' in read && read.problem === 'unreadable' ? readAddress(reading, unwrapUrl(address)) : read
}

function readAddress({ addScheme }: UrlReading, address: string): Read {
  if (address.length > MAX_TEXT_LENGTH || /\s/.test(address)) return unreadable
  const [, scheme, host = '', path = ''] = SCHEME.exec(address) ?? []
  if (scheme !== undefined)
    return isHost(host) ? { value: `${scheme.toLowerCase()}://${host.toLowerCase()}${path}` } : unreadable
  const bare = BARE_ADDRESS.exec(address)
  if (!bare || !HOST.test(bare[1]!)) return unreadable
  const isWebAddress = /^www\./i.test(address)
  return isWebAddress || addScheme
    ? { value: `https://${bare[1]!.toLowerCase()}${bare[2] ?? ''}` }
    : { problem: 'ambiguous' }
}

export function gatherUrls(): FormatEvidence<UrlReading> {
  const examples: string[] = []
  let hasAddress = false
  return {
    add(text) {
      const read = readUrl({ type: 'url' }, text)
      if ('value' in read) hasAddress = true
      else if (read.problem === 'ambiguous') pushExample(examples, text)
    },
    decide() {
      if (examples.length === 0) return { reading: { type: 'url' } }
      const withScheme: UrlReading = { type: 'url', addScheme: true }
      if (hasAddress) return { reading: withScheme }
      return { reading: { type: 'url' }, question: { about: 'url-scheme', examples, alternatives: [withScheme] } }
    },
  }
}

const MAX_PHONE_LENGTH = 50

function parsePhone(text: string, region: string | undefined) {
  if (text.length > MAX_PHONE_LENGTH) return undefined
  const written = cleanText(text)
  return (
    parseNumber(written, region) ?? (/\p{L}/u.test(written) ? parseNumber(unwrapPhone(written), region) : undefined)
  )
}

function parseNumber(text: string, region: string | undefined) {
  const number = text.replace(/^tel:/i, '').replace(/^00(?=[1-9])/, '+')
  const country = region !== undefined && isSupportedCountry(region) ? (region as CountryCode) : undefined
  const parsed = parsePhoneNumberFromString(number, { extract: false, ...(country ? { defaultCountry: country } : {}) })
  return parsed?.isValid() && parsed.ext === undefined ? parsed : undefined
}

const NATIONAL = /^[(]?0?[\d\s()./-]{4,}$/

const isNational = (text: string): boolean => {
  const number = cleanText(text)
  return number.length <= MAX_PHONE_LENGTH && NATIONAL.test(unwrapPhone(number))
}

export function readPhone({ region }: PhoneReading, text: string, rowRegion?: string): Read {
  const parsed = parsePhone(text, rowRegion ?? region)
  if (parsed) return { value: parsed.number }
  const isOpen = rowRegion === undefined && region === undefined && isNational(text)
  return isOpen ? { problem: 'ambiguous' } : unreadable
}

const MAX_REGIONS = 5

export function gatherPhones(country: Pick<PhoneReading, 'region' | 'regionField'> = {}): FormatEvidence<PhoneReading> {
  const regions = new Set<string>()
  const national: string[] = []
  return {
    add(text) {
      const parsed = parsePhone(text, undefined)
      if (parsed?.country && regions.size < MAX_REGIONS) regions.add(parsed.country)
      else if (!parsed && isNational(text)) pushExample(national, text)
    },
    decide() {
      const reading: PhoneReading = { type: 'phone', ...country }
      if (national.length === 0 || country.region || country.regionField) return { reading }
      const alternatives = [...regions].map((region): PhoneReading => ({ ...reading, region }))
      return { reading, question: { about: 'phone-region', examples: national, alternatives } }
    },
  }
}

const TIME =
  /^(?:(?:um|at|ore|alle|as|om|a las|(?:o )?g(?:odz)?\.?|h)\s)?(\d{1,2})(?:(?:[:.]|\s?[hu]\s?|\suhr\s)([0-5]\d)(?::([0-5]\d))?)?\s?(?:([ap])\.?\s?m\.?|(uhr|h(?:rs?|s)?|u(?:ur)?))?$/i

const pad = (value: number): string => String(value).padStart(2, '0')

/** Next to times with `pm`, a bare `2:30` can be in the afternoon. */
export function readTime({ hasMeridiem, bareHours }: TimeReading, text: string): Read {
  const [match, hours, minutes, seconds, meridiem, unit] = TIME.exec(withoutAccents(cleanText(text))) ?? []
  if (match === undefined || (minutes === undefined && !meridiem && !unit)) return unreadable
  const hour = Number(hours)
  if (hour > 23 || (meridiem && (hour < 1 || hour > 12))) return unreadable
  const isBare = !meridiem && hour >= 1 && hour <= 12
  if (isBare && hasMeridiem && bareHours === undefined) return { problem: 'ambiguous' }
  const half = meridiem?.toLowerCase() ?? (isBare && hasMeridiem && bareHours === 'pm' ? 'p' : undefined)
  const hour24 = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)
  return { value: `${pad(hour24)}:${minutes ?? '00'}${seconds === undefined ? '' : `:${seconds}`}` }
}

export function gatherTimes(): FormatEvidence<TimeReading> {
  const bare: string[] = []
  let hasMeridiem = false
  return {
    add(text) {
      if (/[ap]\.?\s?m\.?\s*$/i.test(text)) hasMeridiem = true
      else if (readTimeProblem(text) === 'ambiguous') pushExample(bare, text)
    },
    decide() {
      if (!hasMeridiem) return { reading: { type: 'time' } }
      const reading: TimeReading = { type: 'time', hasMeridiem }
      if (bare.length === 0) return { reading }
      const alternatives = (['24h', 'pm'] as const).map((bareHours): TimeReading => ({ ...reading, bareHours }))
      return { reading, question: { about: 'time-of-day', examples: bare, alternatives } }
    },
  }
}

function readTimeProblem(text: string): FormatProblem | undefined {
  const read = readTime({ type: 'time', hasMeridiem: true }, text)
  return 'problem' in read ? read.problem : undefined
}
