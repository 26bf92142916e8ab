/** Finds what the values of a column are, such as e-mail addresses, and which fields hold such values. Pure. */
import { gatherBooleans, readBooleanIn } from '../values/booleans.ts'
import { type Format, readEmail, readUrl } from '../values/formats.ts'
import { isMissingWord } from '../values/missing.ts'
import { isUnit, normalizeUnit } from '../values/units.ts'
import { findCode } from './codes.ts'
import type { Name } from './names.ts'
import { compact } from './tokenize.ts'
import { US_STATES } from './us-states.ts'
import { isBooleanText, isDateText, isMoney, isNumberText } from './values.ts'
import { findMeaning } from './vocabulary.ts'

export interface Shape {
  matches(text: string): boolean
  meanings: readonly number[]
  /** The confidence in such a field if the name of the column says nothing. */
  confidence: number
  /** Fields with another meaning do not hold such values. */
  excludesOthers: boolean
  format: Format | undefined
  /** Some texts of a column have to say what all of them can be. */
  isTypical?: (text: string) => boolean
  isProof?: (text: string) => boolean
}

export interface ExpectedValues {
  names: readonly Name[]
  format: Format | undefined
}

const isEmail = (text: string): boolean => 'value' in readEmail(text)
const isUrl = (text: string): boolean => 'value' in readUrl({ type: 'url', addScheme: false }, text)
const mayBeUrl = (text: string): boolean => isUrl(text) || /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}\/\S+$/u.test(text)
const UUID = /^\{?[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const PHONE = /^(?!000)(\+|\(|0)[\d\s()./+-]{6,24}$/
const MIN_PHONE_DIGITS = 7
const NUMBER_PART = /^[-+]?\d[\d\s.,'’]*/
const WEIGHTS = new Set(['kg', 'g', 'mg', 'lb', 'lbs', 'oz', 't'])
const LENGTHS = new Set(['cm', 'mm', 'm', 'km', 'in', 'ft'])

function isNumberWith(units: ReadonlySet<string>, text: string): boolean {
  const unit = normalizeUnit(text.replace(NUMBER_PART, ''))
  return NUMBER_PART.test(text) && units.has(unit) && isUnit(unit)
}

const isPhone = (text: string): boolean =>
  PHONE.test(text) && text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS && !isDateText(text)

/** `Tel. 0171 2345` and `+1 (737) 555-0112 (wife)`, but no code such as `C-10021`. */
const HAS_PHONE = /^(?:(?:tel|telf?|phone|ph|mob|mobile|cell|fax|[hmptw])[.:\s]\s*)?[\d+(](?:\D*\d){5}/i

const NATIONAL_PHONE = /^[1-9]\d{1,3}(?:[\s./-]?\d{2,4}){2,4}$/
const mayBePhone = (text: string): boolean =>
  isPhone(text) || (NATIONAL_PHONE.test(text) && text.replace(/\D/g, '').length >= MIN_NATIONAL_DIGITS)
const MIN_NATIONAL_DIGITS = 9

/** Codes of two letters are not enough: they are those of languages and states too. */
const isCountry = (text: string): boolean => text.length > 3 && findCode('region', compact(text)) !== undefined

const isCurrency = (text: string): boolean =>
  /^[A-Z]{3}$/.test(text) ? findCode('currency', compact(text)) !== undefined : /^\p{Sc}$/u.test(text)

const createShape = (
  fields: readonly string[],
  confidence: number,
  matches: Shape['matches'],
  excludesOthers = false,
  format?: Format,
): Shape => ({ matches, meanings: fields.map(findMeaning), confidence, excludesOthers, format })

/** `Am Brink 7` can be an address next to `Ahornstr. 14`. */
const ADDRESS = /^(?=.*\p{L}{3})(?:\p{L}[\p{L}.,'’ºª/\- ]+\d{1,4}(?:[\s,/-].*|\p{L})?|\d{1,5}\p{L}?,?\s\p{L}.*)$/su
const STREET =
  /str(?:\.|a(?:ß|ss)e|aat)(?!\p{L})|(?:weg|gasse|platz|allee|laan|plein|gracht|singel|dijk|kade)(?!\p{L})|(?<!\p{L})(?:rue|avenue|boulevard|chemin|impasse|quai|calle|avenida|avda|plaza|paseo|via|viale|piazza|corso|vicolo|rua|travessa|pra[cç]a|estrada|ul\.|al\.|os\.|pl\.|street|road|lane|drive|close|crescent|st|rd|ave|ln|blvd)(?!\p{L})/iu

/** Postcodes of other countries are mere numbers. */
const POSTCODE =
  /^(?:\d{4}\s?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|\d{2}-\d{3}|\d{4}-\d{3})$/i

const TAX_ID =
  /^(?:[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]|[XYZ]\d{7}-?[A-Z]|\d{8}-?[A-Z]|[ABCDEFGHJNPQRSUVW]-?\d{8})$/i

const US_STATE_CODES = new Set(Object.values(US_STATES))
export const isStateCode = (text: string): boolean => US_STATE_CODES.has(text)
const isStateOnly = (text: string): boolean => findCode('region', compact(text)) === undefined

const HASH_NUMBER = /^#\d+$/
const NUMBERED = ['id', 'order id', 'invoice number', 'document number', 'ticket id', 'request number']

const EMAIL_SHAPE = createShape(['email'], 0.7, isEmail, true, 'email')

const INTERNATIONAL_PHONE = /^(?:\+|00)[1-9](?:[\s()./-]*\d){9,14}$/

const PHONE_SHAPE: Shape = {
  ...createShape(['phone', 'mobile', 'emergency phone', 'fax'], 0.6, mayBePhone, true, 'phone'),
  isTypical: isPhone,
  isProof: (text) => INTERNATIONAL_PHONE.test(text),
}

const SHAPES: readonly Shape[] = [
  EMAIL_SHAPE,
  { ...createShape(['website', 'image url'], 0.7, mayBeUrl, true, 'url'), isTypical: isUrl },
  createShape(['iban'], 0.7, (text) => IBAN.test(text.replace(/\s/g, '')), true),
  createShape(['currency'], 0.65, isCurrency),
  PHONE_SHAPE,
  { ...createShape(['country'], 0.6, (text) => findCode('region', compact(text)) !== undefined), isTypical: isCountry },
  { ...createShape(['address'], 0.55, (text) => ADDRESS.test(text)), isTypical: (text) => STREET.test(text) },
  createShape(['weight'], 0.6, (text) => isNumberWith(WEIGHTS, text)),
  createShape(['zip'], 0.55, (text) => POSTCODE.test(text)),
  { ...createShape(['state'], 0.6, isStateCode), isTypical: isStateOnly },
  createShape(['tax id', 'national id'], 0.6, (text) => TAX_ID.test(text), true),
  createShape(['id'], 0.55, (text) => UUID.test(text), true),
  createShape(NUMBERED, 0.55, (text) => HASH_NUMBER.test(text)),
  createShape(['length', 'width', 'height'], 0.55, (text) => isNumberWith(LENGTHS, text)),
  createShape(['price', 'cost', 'amount', 'total amount', 'salary', 'balance'], 0.55, isMoney),
]

const FREE_MEANINGS = new Set(
  ['notes', 'description', 'subject', 'id', 'username', 'customer id', 'employee id', 'tags'].map(findMeaning),
)

const TEXT_MEANINGS = new Set(['notes', 'description', 'subject'].map(findMeaning))

const MIN_TEXTS = 3
const MAX_OTHER_SHARE = 0.1

export function areMost(texts: readonly string[], matches: (text: string) => boolean): boolean {
  let others = texts.length < MIN_TEXTS ? -1 : Math.floor(texts.length * MAX_OTHER_SHARE)
  for (const text of texts) if (others >= 0 && !matches(text)) others--
  return others >= 0
}

export function detectShapes(texts: readonly string[]): Shape[] {
  const written = withoutMissing(texts)
  return SHAPES.filter(
    ({ matches, isTypical, isProof }) =>
      areMost(written, matches) &&
      (!isTypical || areOften(written, isTypical) || (isProof !== undefined && written.some(isProof))),
  )
}

const MIN_TYPICAL_SHARE = 0.3
const areOften = (texts: readonly string[], matches: (text: string) => boolean): boolean =>
  texts.filter(matches).length >= texts.length * MIN_TYPICAL_SHARE

const CODE = /^\p{L}{0,5}[-/ .]?(?:\d{3,}|\d{2,4}[-/]\d{2,})[\p{L}\d./-]*$/u
export const isCode = (text: string): boolean => CODE.test(text)

export const areDates = (texts: readonly string[]): boolean =>
  areMost(withoutMissing(texts), (text) => !/^[\d\s]+$/.test(text) && isDateText(text))

/** A code with leading zeros is not a number. */
export const areNumbers = (texts: readonly string[]): boolean =>
  areMost(withoutMissing(texts), (text) => !/^0\d/.test(text) && isNumberText(text))

const withoutMissing = (texts: readonly string[]): string[] => texts.filter((text) => !isMissingWord(text))

const MAX_BOOLEAN_SPELLINGS = 8

export function areBooleans(
  texts: readonly string[],
  columnNames: readonly (string | null | undefined)[] = [],
): boolean {
  const spellings = new Set(texts.map((text) => text.toLowerCase()))
  if (spellings.size > MAX_BOOLEAN_SPELLINGS) return false
  const evidence = gatherBooleans(columnNames)
  for (const text of spellings) evidence.add(text)
  const { reading } = evidence.decide(false, true)
  const isBoolean = (text: string): boolean => isBooleanText(text) || 'value' in readBooleanIn(reading, text)
  const written = texts.filter((text) => isBoolean(text) || !isMissingWord(text))
  if (!areMost(written, isBoolean)) return false
  return spellings.size > 1 || !/\d/.test(texts[0]!)
}

export const getMainMeanings = ({ meanings, partialMeanings, isWeak }: Name): readonly number[] =>
  meanings.length > 0 ? meanings : isWeak ? [] : partialMeanings

const isExpected = ({ names, format }: ExpectedValues, shape: Shape): boolean =>
  (format !== undefined && format === shape.format) ||
  names.some((name) => getMainMeanings(name).some((meaning) => shape.meanings.includes(meaning)))

export const scoreByShapes = (shapes: readonly Shape[], expected: ExpectedValues): number =>
  shapes.reduce((best, shape) => (isExpected(expected, shape) ? Math.max(best, shape.confidence) : best), 0)

export const haveSameFormat = (shapes: readonly Shape[], expected: ExpectedValues): boolean =>
  SHAPES.every((shape) => shape.format === undefined || shapes.includes(shape) === isExpected(expected, shape))

const MIN_EXPECTED_SHARE = 0.2
export const PEOPLE_IN_RECORDS: ReadonlySet<string> = new Set(
  'applicant buyer caller claimant contact customer donor employee guardian guest member owner parent participant passenger patient person player pupil requester student subscriber tenant user visitor'.split(
    ' ',
  ),
)
const NAME_PARTS = new Set(['first', 'last', 'full', 'family'])

function isNameOfPerson({ words }: Name): boolean {
  const texts = words.map(({ text }) => text)
  if (texts.length > 1 && texts.at(-1) === 'by') return true
  return texts.includes('name') && texts.some((text) => NAME_PARTS.has(text) || PEOPLE_IN_RECORDS.has(text))
}

const startsWithDigit = (text: string): boolean => /^\d/.test(text)

export const areNoNames = (texts: readonly string[], names: readonly Name[]): boolean =>
  names.some(isNameOfPerson) && areMost(texts, startsWithDigit)

const CENTS = /^[-+]?\d[\d.,' ]*[.,]\d{2}$/

export const areAmounts = (texts: readonly string[]): boolean => areMost(texts, (text) => CENTS.test(text))

const areNoNumbers = (texts: readonly string[], names: readonly Name[]): boolean =>
  names.some(({ words }) => words.at(-1)?.text === 'number') && areAmounts(texts)

const areFew = (texts: readonly string[], matches: (text: string) => boolean): boolean =>
  texts.filter(matches).length < texts.length * MIN_EXPECTED_SHARE

export function lackFormat(texts: readonly string[], expected: ExpectedValues): boolean {
  if (texts.length < MIN_TEXTS) return false
  if (isExpected(expected, EMAIL_SHAPE)) return areFew(texts, isEmail)
  return isExpected(expected, PHONE_SHAPE) && areFew(withoutMissing(texts), (text) => HAS_PHONE.test(text))
}

export function contradicts(texts: readonly string[], shapes: readonly Shape[], expected: ExpectedValues): boolean {
  if (texts.length < MIN_TEXTS) return false
  if (isExpected(expected, EMAIL_SHAPE)) return false
  if (areNoNames(texts, expected.names) || areNoNumbers(texts, expected.names)) return true
  const meanings = expected.names.flatMap(getMainMeanings)
  if (meanings.some((meaning) => TEXT_MEANINGS.has(meaning)) && areAmounts(texts)) return true
  if (meanings.length === 0 || meanings.some((meaning) => FREE_MEANINGS.has(meaning))) return false
  return shapes.some((shape) => shape.excludesOthers && !isExpected(expected, shape))
}
