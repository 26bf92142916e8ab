/** Scores how likely a column belongs to a field, from 0 to 1, by names and sample values. Pure. */
import type { Field } from '../../schemas/sheets/fields.ts'
import { memoize } from '../core/memo.ts'
import { isMissingWord } from '../values/missing.ts'
import { areSameUnit } from '../values/unit-names.ts'
import type { Column, Target } from './candidates.ts'
import { listMeant } from './enums.ts'
import { areMost, contradicts, getMainMeanings, lackFormat, type Shape, scoreByShapes } from './evidence.ts'
import { meansPerson } from './lexicon/lexicon.ts'
import { isLight, isOfKind, type Name, type Word } from './names.ts'
import { type NameComparer, SIMILARITY_SCORES } from './similarity.ts'
import { getShare, isBooleanText, MAX_SAMPLE_TEXTS, measureOptionFit, measureTypeFit } from './values.ts'
import { findBroaderMeanings, findMeaning, isNumberMeaning } from './vocabulary.ts'

const NAME_PART_FACTOR = 0.95
const CONTRADICTION_FACTOR = 0.6
const LACKING_FORMAT_FACTOR = 0.3
const OTHER_UNIT_FACTOR = 0.97
const OTHER_PARTY_FACTOR = 0.3
const NO_KEY_FACTOR = 0.85

export function scorePair(column: Column, target: Target, compare: NameComparer): number {
  const nameScore = Math.max(scoreNames(column, target, compare), scoreBroader(column, target))
  const personFactor = nameScore < SIMILARITY_SCORES.sameMeaning ? scoreOwner(column, target) : 1
  const score = combine(nameScore, scoreByValues(column, target, nameScore)) * personFactor
  if (score === 0 || column.texts.length === 0) return score
  const lacksDigits = needsDigits(target) && areWithoutDigits(column)
  if (lacksDigits && nameScore < SIMILARITY_SCORES.alternative) return 0
  const typeFactor = 1 - (1 - getCachedTypeFit(column, target.field)) * getMismatchPenalty(nameScore)
  const valueFactor = getValueFactor(column, target, nameScore)
  const keyFactor = target.isUnique && isNoKey(column, target) ? NO_KEY_FACTOR : 1
  const unitFactor = haveOtherUnits(column, target) ? OTHER_UNIT_FACTOR : 1
  return score * typeFactor * valueFactor * keyFactor * unitFactor * (lacksDigits ? NO_DIGITS_FACTOR : 1)
}

const NO_DIGITS_FACTOR = 0.8

const haveOtherUnits = (column: Column, target: Target): boolean =>
  column.unit !== undefined && target.unit !== undefined && !areSameUnit([column.unit, target.unit])

function getValueFactor(column: Column, target: Target, nameScore: number): number {
  if (lackFormat(column.texts, target) || areWordsForCodes(column, target))
    return nameScore < SIMILARITY_SCORES.alternative ? LACKING_FORMAT_FACTOR : CONTRADICTION_FACTOR
  if (areCountsForCodes(column, target)) return COUNTS_FACTOR
  if (nameScore < SIMILARITY_SCORES.alternative && areLettersForNames(column, target)) return LACKING_FORMAT_FACTOR
  const isOther =
    areOtherValues(column, target) || (nameScore < SIMILARITY_SCORES.sameMeaning && isTooEmpty(column, target))
  return isOther ? CONTRADICTION_FACTOR : isAlwaysSame(column) ? SAME_TEXTS_FACTOR : 1
}

const SAME_TEXTS_FACTOR = 0.9
const MIN_SAME_TEXTS = 8

/** The IBAN of the own account is in every line of its statement. */
const isAlwaysSame = (column: Column): boolean =>
  column.texts.length >= MIN_SAME_TEXTS &&
  column.distinctTexts === 1 &&
  listShapes(column).some(({ excludesOthers }) => excludesOthers)

function scoreOwner(column: Column, target: Target): number {
  const contacts = column.names.filter(({ words }) => words.some(({ text }) => CONTACT_WORDS.has(text)))
  if (contacts.length > 0 && contacts.every((name) => isOfOtherParty(name, target))) return OTHER_PARTY_FACTOR
  return isOfOtherPerson(column, target) ? CONTRADICTION_FACTOR : 1
}

const CONTACT_WORDS = new Set(['email', 'phone', 'mobile', 'fax', 'cell', 'landline', 'whatsapp'])
const isParty = ({ text, weight, isCut }: Word): boolean =>
  weight === 1 && !isCut && !CONTACT_WORDS.has(text) && !ELECTRONIC.test(text) && !isLight(text) && /\p{L}/u.test(text)

const ELECTRONIC = /^ele[ck]?tt?ron/

/** `Head of year email` is not a parent's, not even as the only column that is left. */
export const isOfOtherParty = ({ words }: Name, target: Target): boolean =>
  target.names.some((name) => name.words.some(isParty)) &&
  words.some(isParty) &&
  !words.some((word) => isParty(word) && (word.text === 'contact' || isNamedBy(word, target.names)))

/** A `Manager email` is not that of the employee whose record it is in. */
const isOfOtherPerson = ({ names }: Column, target: Target): boolean =>
  target.names.some(({ meanings, partialMeanings }) => meanings.length + partialMeanings.length > 0) &&
  names.every(({ words, persons }) => words.length > 1 && persons.some((person) => !isNamed(person, target)))

const isNamed = (word: Word, { names, subjects }: Target): boolean => subjects.has(word.text) || isNamedBy(word, names)

const isNamedBy = ({ text, senses }: Word, names: readonly Name[]): boolean =>
  names.some(
    ({ words, persons }) =>
      words.some((own) => own.text === text || own.others.includes(text)) ||
      persons.some((own) => [...senses].some((sense) => own.senses.has(sense))),
  )

const areOtherValues = (column: Column, target: Target): boolean =>
  contradicts(column.texts, listShapes(column), target) ||
  (isRowCounter(column) && !isVague(target)) ||
  (column.areNumbers && target.options.size > 0 && !hasNumericOption(target)) ||
  (target.field.type === 'boolean' && column.areDates) ||
  (target.field.type === 'enum' && (areMoreThanOptions(column, target) || areYesAndNoOnly(column, target))) ||
  (target.field.type === 'string' && !isVague(target) && (areYesOrNo(column) || areDaysForTimes(column, target)))

const areWordsForCodes = (column: Column, { names }: Target): boolean =>
  names.some((name) => isOfKind(name, 'id')) && areWordsOnly(column)

/** Below `Prov.`, TV and MB are provinces instead of providers. */
const areLettersForNames = (column: Column, { names }: Target): boolean =>
  names.some((name) => isOfKind(name, 'name')) && areShortLetters(column)

const areShortLetters = memoize(({ texts }: Column): boolean => areMost(texts, (text) => SHORT_LETTERS.test(text)))
const SHORT_LETTERS = /^\p{Lu}{2,3}$/u

const COUNTS_FACTOR = 0.85
const SHORT_NUMBER = /^[1-9]\d{0,2}$/

/** 14, 47 and 6 below `Nº don.` can be donations instead of donors. */
const areCountsForCodes = (column: Column, { field, names }: Target): boolean =>
  field.type === 'string' && names.some((name) => isOfKind(name, 'id')) && mayBeCounts(column)

const mayBeCounts = memoize(
  ({ names, texts }: Column): boolean =>
    texts.length >= MIN_COUNTED_ROWS &&
    names.every(({ words }) => words.some(({ isCut }) => isCut)) &&
    areMost(texts, (text) => SHORT_NUMBER.test(text)) &&
    new Set(texts.map(({ length }) => length)).size > 1,
)

const areWordsOnly = memoize(
  ({ texts }: Column): boolean =>
    areMost(texts, (text) => WORDS_ONLY.test(text)) ||
    (texts.length >= MIN_COUNTED_ROWS &&
      getShare(texts, (text) => WORDS_ONLY.test(text)) >= MIN_WORDS_SHARE &&
      getShare(texts, (text) => /\d/.test(text)) <= MAX_DIGITS_SHARE),
)

const MIN_WORDS_SHARE = 0.5
const MAX_DIGITS_SHARE = 0.2

export const isTooEmpty = ({ emptyShare }: Column, { isRequired }: Target): boolean => isRequired && emptyShare > 0.5

const needsDigits = ({ field }: Target): boolean => field.type === 'number' || field.type === 'date'

const areWithoutDigits = memoize(
  ({ texts }: Column): boolean => texts.length >= MIN_COUNTED_ROWS && texts.every((text) => !/\d/.test(text)),
)

const areMoreThanOptions = ({ texts, distinctTexts }: Column, { options }: Target): boolean =>
  texts.length >= MIN_DISTINCT_ROWS && distinctTexts === texts.length && texts.length > options.size

const areYesAndNoOnly = (column: Column, { options }: Target): boolean =>
  options.size > 0 && column.areBooleans && ![...options].some(isBooleanText)

const MIN_DISTINCT_ROWS = 10

export const hasNumericOption = memoize(({ options }: Target) => [...options].some((option) => /\d/.test(option)))

const areDaysForTimes = ({ texts, areDates }: Column, { names }: Target): boolean =>
  areDates && names.every(({ words }) => words.at(-1)?.text === 'time') && !texts.some((text) => text.includes(':'))

const YES_OR_NO_SHARE = 0.5

const areYesOrNo = memoize(({ texts }: Column): boolean => {
  const written = texts.filter((text) => !isMissingWord(text))
  const found = written.filter((text) => /^\p{L}{1,5}$/u.test(text) && isBooleanText(text))
  return written.length >= MIN_COUNTED_ROWS && found.length >= written.length * YES_OR_NO_SHARE
})

const MIN_COUNTED_ROWS = 5
const MIN_COUNTED_SHARE = 0.9

/** Under a header such as `No.`, rows numbered from 1 say nothing about customers, but `0001` of 30 rows does. */
export const isRowCounter = ({ names, texts }: Column): boolean =>
  texts.length >= MIN_COUNTED_ROWS &&
  !areLongCodes(texts) &&
  names.some((name) => name.isVague) &&
  texts.filter((text, row) => Number(text) === row + 1).length >= texts.length * MIN_COUNTED_SHARE

const areLongCodes = (texts: readonly string[]): boolean =>
  texts.length < MAX_SAMPLE_TEXTS && texts.every((text) => /^0\d+$/.test(text) && text.length > MIN_CODE_DIGITS)

const MIN_CODE_DIGITS = 3

const isVague = ({ names }: Target): boolean => names.every((name) => name.isVague)

const MAX_COMBINED_SCORE = 0.95

const combine = (nameScore: number, valueScore: number): number =>
  Math.max(nameScore, Math.min(MAX_COMBINED_SCORE, 1 - (1 - nameScore) * (1 - valueScore)))

function scoreNames(column: Column, target: Target, compare: NameComparer): number {
  const partScore = Math.max(
    findBestSimilarity(column.parts, target.names, compare),
    findBestSimilarity(column.names, target.parts, compare),
  )
  const alternativeScore = findBestSimilarity(column.names, target.alternatives, compare)
  return Math.max(
    findBestSimilarity(column.names, target.names, compare),
    partScore * NAME_PART_FACTOR,
    Math.min(alternativeScore, SIMILARITY_SCORES.alternative),
  )
}

const findBestSimilarity = (a: readonly Name[], b: readonly Name[], compare: NameComparer): number => {
  let highest = 0
  for (const first of a) for (const second of b) highest = Math.max(highest, compare(first, second))
  return highest
}

function getCachedTypeFit({ texts, fits }: Column, field: Field): number {
  const fit = fits.get(field.type) ?? measureTypeFit(texts, field)
  fits.set(field.type, fit)
  return fit
}

const getMismatchPenalty = (nameScore: number): number =>
  nameScore >= SIMILARITY_SCORES.alternative ? 0.1 : nameScore >= SIMILARITY_SCORES.sameMeaning ? 0.4 : 0.7

/** Numbers of parcels and policies can look like phone numbers. */
const isOtherNumber = ({ names }: Column, { meanings, format }: Shape): boolean =>
  format === 'phone' &&
  names.some(
    (name) =>
      ((!name.isAbbreviated && name.meanings.some(isNumberMeaning)) ||
        (name.words.length > 1 && name.words.some(({ text }) => text === 'number'))) &&
      !getMainMeanings(name).some((meaning) => meanings.includes(meaning)),
  )

const listShapes = memoize((column: Column) => column.shapes.filter((shape) => !isOtherNumber(column, shape)))

const MIN_OPTION_FIT = 0.8
const OPTION_CONFIDENCE = 0.6
const MEANT_OPTION_CONFIDENCE = 0.55

function scoreByValues(column: Column, target: Target, nameScore: number): number {
  const { compacts, distinctTexts } = column
  const byShapes = scoreByShapes(listShapes(column), target)
  if (distinctTexts > 1 && measureOptionFit(compacts, target.options) >= MIN_OPTION_FIT)
    return Math.max(OPTION_CONFIDENCE, byShapes)
  const mayMeanOptions = nameScore < SIMILARITY_SCORES.sameMeaning && byShapes < MEANT_OPTION_CONFIDENCE
  return mayMeanOptions && measureMeantOptions(column, target) >= MIN_OPTION_FIT ? MEANT_OPTION_CONFIDENCE : byShapes
}

const MAX_MEANT_TEXTS = 20
const MAX_MEANT_OPTIONS = 50

/** The share of texts that mean options: `Strom` and `Gas` are the options `power` and `gas` in another language. */
export function measureMeantOptions(column: Column, target: Target): number {
  const measured = getMeasured(column)
  const share = measured.get(target) ?? measureOptions(column, target)
  measured.set(target, share)
  return share
}

const getMeasured = memoize((_: Column) => new Map<Target, number>())

function measureOptions({ texts, areDates, areNumbers }: Column, { field, options }: Target): number {
  if (field.type !== 'enum' || options.size > MAX_MEANT_OPTIONS || areDates || areNumbers) return 0
  const written = texts.filter((text) => !isMissingWord(text))
  const distinct = listFrequent(written)
  const areRepeated = distinct.length * MIN_REPETITIONS <= written.length
  if (distinct.length < 2 || (distinct.length > MAX_MEANT_TEXTS && !areRepeated)) return 0
  const meant = listMeant(distinct.slice(0, MAX_MEANT_TEXTS), field)
  if (meant.options < 2) return 0
  const share = distinct.filter((text) => meant.texts.has(text)).length / distinct.length
  return areRepeated ? Math.max(share, written.filter((text) => meant.texts.has(text)).length / written.length) : share
}

const MIN_REPETITIONS = 2

function listFrequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([text]) => text)
}

const BROADER_CONFIDENCE = 0.6
const MAX_BROADER_MEANINGS = 2
const PERSON_CONFIDENCE = 0.55
const FULL_NAME = findMeaning('full name')
const PEOPLE = new Set(
  [
    'owner',
    'customer name',
    'employee',
    'donor',
    'patient',
    'guardian',
    'contact person',
    'requester',
    'recipient name',
  ].map(findMeaning),
)

/** `Surname and first name` is the name of the only person that the fields know, and so is `Name` above words. */
const isPersonName = ({ meanings, words }: Name, texts: readonly string[]): boolean =>
  meanings.includes(FULL_NAME) && (words.length > 1 || areMost(texts, (text) => WORDS_ONLY.test(text)))

const WORDS_ONLY = /^[^\d@]*\p{L}[.,]?\s+\p{L}[^\d@]*$/u

function scoreBroader({ names, parts, texts }: Column, target: Target): number {
  if (texts.length === 0) return 0
  const broader = names
    .map(getMainMeanings)
    .flatMap((meanings) => (meanings.length <= MAX_BROADER_MEANINGS ? meanings.flatMap(findBroaderMeanings) : []))
  const isIn = target.names.some(({ meanings }) => meanings.some((meaning) => broader.includes(meaning)))
  if (isIn) return BROADER_CONFIDENCE
  const isPerson = target.names.some(
    (name) => name.meanings.some((meaning) => PEOPLE.has(meaning)) || isForPerson(name),
  )
  const isText = target.field.type === 'string'
  return isText && isPerson && [...names, ...parts].some((name) => isPersonName(name, texts)) ? PERSON_CONFIDENCE : 0
}

/** `Athlete` and `Guest name`, which have no meaning of the vocabulary. */
const isForPerson = ({ meanings, words }: Name): boolean => {
  const [heavy, ...others] = words.filter(({ weight }) => weight === 1)
  return meanings.length === 0 && heavy !== undefined && others.length === 0 && meansPerson(heavy.written)
}

const MIN_KEYS = 5
const MIN_DISTINCT_SHARE = 0.8
const MAX_EMPTY_SHARE = 0.1

const isNoKey = ({ texts, distinctTexts, emptyShare }: Column, { isRequired }: Target): boolean =>
  texts.length >= MIN_KEYS &&
  (distinctTexts < texts.length * MIN_DISTINCT_SHARE || (isRequired && emptyShare > MAX_EMPTY_SHARE))
