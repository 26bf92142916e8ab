/** Pairs a column with the only field left that holds values of its kind. Pure. */
import { findCurrencies } from '../values/units.ts'
import type { Column, Target } from './candidates.ts'
import { areMost, isCode, PEOPLE_IN_RECORDS } from './evidence.ts'
import { detectDelimiter, splitItems } from './lists.ts'
import { listLeft, type Match, MIN_TEXTS_LEFT } from './matches.ts'
import { isIdName, isOfKind, type KindName, type Name } from './names.ts'
import { isRowCounter } from './score-pair.ts'
import { differsInKind, isContrasting } from './similarity.ts'
import { isMoney, measureTypeFit } from './values.ts'
import { findEntry, findMeaning, isEnglish, isNumberMeaning } from './vocabulary.ts'

const ONLY_ONE_LEFT_CONFIDENCE = 0.55
/** `Payment received` is like `Paid`, and `Badge printed` is not, though only its texts are yes and no. */
const MIN_SIMILAR_SCORE = 0.3

/** A column of dates belongs to the only date field left, unless their names or other columns say otherwise. */
export function matchOnlyOnesLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  scores: readonly (readonly number[])[],
  matches: readonly Match[],
): Match[] {
  const left = listLeft(columns, targets, matches)
  const isSimilar = (row: number, column: number): boolean =>
    scores[row]![column]! >= MIN_SIMILAR_SCORE && left.columns.includes(column)
  const [usedColumns, usedRows] = [new Set<number>(), new Set<number>()]
  return KINDS_LEFT.flatMap((kind) => {
    const { mayBe, isSure, fits, agrees = () => true, contradicted = NO_MEANINGS, mayHaveOtherName } = kind
    const rows = left.rows.filter((at) => !usedRows.has(at) && fits(targets[at]!))
    const [row] = rows
    if (row === undefined || rows.length > 1) return []
    const free = left.columns.filter(
      (at) => !usedColumns.has(at) && mayBe(columns[at]!) && agrees(columns[at]!, targets[row]!),
    )
    const [column] = free
    if (column === undefined || free.length > 1 || !isSure(columns[column]!)) return []
    const mayHaveName = mayHaveOtherName || isTimestamp(columns[column]!)
    if (!mayHaveName && hasOtherName(columns[column]!, targets[row]!, contradicted)) return []
    if (areOtherPhrases(columns[column]!, targets[row]!)) return []
    if (scores[row]!.some((score, at) => score > scores[row]![column]! && isSimilar(row, at))) return []
    usedColumns.add(column)
    usedRows.add(row)
    return [{ row, column, confidence: ONLY_ONE_LEFT_CONFIDENCE }]
  })
}

/** `Bonfire rules signed` says what it is, and it is not `Water key issued`. */
export const areOtherPhrases = ({ names }: Column, target: Target): boolean =>
  names.some(isPhrase) &&
  target.names.some(isPhrase) &&
  !names.some((own) => target.names.some((other) => shareSense(own, other)))

const isPhrase = ({ words }: Name): boolean =>
  words.filter(({ weight, part }) => weight === 1 && part.length >= MIN_PHRASE_LETTERS).length > 1 &&
  words.some(({ part }) => findEntry(part) !== undefined) &&
  words.every(({ isCut, isKnown, senses, part }) => !isCut && (isKnown || senses.size > 0) && isEnglish(part))

const MIN_PHRASE_LETTERS = 3

const shareSense = (a: Name, b: Name): boolean =>
  a.words.some((own) =>
    b.words.some(
      (other) =>
        own.text === other.text ||
        own.others.includes(other.text) ||
        [...own.senses].some((one) => other.senses.has(one)),
    ),
  )

interface KindLeft {
  mayBe(column: Column): boolean
  isSure(column: Column): boolean
  fits(target: Target): boolean
  agrees?(column: Column, target: Target): boolean
  /** Meanings that a column of this kind cannot have, whatever its name says. */
  contradicted?: ReadonlySet<number>
  mayHaveOtherName?: boolean
}

const MIN_DATE_SHARE = 0.5
const ID = findMeaning('id')
const TIMESTAMP = findMeaning('timestamp')

const TIME_UNITS = new Set(['year', 'years', 'month', 'months', 'week', 'weeks', 'day', 'days', 'hour', 'hours'])
const NO_MEANINGS: ReadonlySet<number> = new Set()
const TEXTS = ['first name', 'last name', 'full name', 'city', 'company', 'address', 'location', 'notes', 'description']
const QUANTITIES = ['amount', 'net amount', 'total amount', 'price', 'cost', 'quantity', 'rooms', 'weight', 'duration']
const SIZES = ['surface', 'length', 'width', 'height', 'distance', 'power', 'temperature', 'age', 'salary', 'mileage']
const TEXT_MEANINGS: ReadonlySet<number> = new Set(TEXTS.map(findMeaning))
const SUBJECTS = [
  'carrier',
  'customer name',
  'serial number',
  'customer id',
  'employee',
  'owner',
  'email',
  'phone',
  'website',
  'invoice number',
]
/** `Zapłacono` and `Delivered` above yes and no say whether, and not when. */
const DAYS = [
  'payment date',
  'delivery date',
  'ship date',
  'received date',
  'resolved',
  'signed',
  'follow up date',
  'next step',
]
export const MEANINGS_IN_UNITS: ReadonlySet<number> = new Set(
  [...TEXTS, 'amount', 'quantity', 'rooms', 'stock'].map(findMeaning),
)
const NOT_BOOLEAN_MEANINGS: ReadonlySet<number> = new Set(
  [...TEXTS, ...QUANTITIES, ...SIZES, ...SUBJECTS, ...DAYS].map(findMeaning),
)

const NOT_DATE_MEANINGS: ReadonlySet<number> = new Set([...QUANTITIES, 'paid out'].map(findMeaning))

export const areNumbersOnly = (one: Column): boolean => one.areNumbers && !one.areDates && !one.areBooleans
const isNamedId = (one: Column): boolean => one.names.some(({ meanings }) => meanings.includes(ID))
const isTimestamp = ({ names }: Column): boolean => names.some(({ meanings }) => meanings.includes(TIMESTAMP))
const mayBeDates = (column: Column): boolean =>
  !column.names.some((name) => !name.isVague && isKnown(name) && !isOnly(name, NOT_DATE_MEANINGS)) &&
  areDatesMaybe(column)
const isOnly = ({ meanings }: Name, listed: ReadonlySet<number>): boolean => meanings.every((one) => listed.has(one))
export const areDatesMaybe = ({ texts, areDates, areNumbers }: Column): boolean =>
  areDates || (texts.length > 0 && !areNumbers && measureTypeFit(texts, { type: 'date' }) >= MIN_DATE_SHARE)

const DECIMAL_OR_UNIT = /\d[.,]\d|\d\s?[\p{L}°%]/u

/** Whole numbers such as 1, 2 and 7 can be anything, but hardly temperatures or prices. If all differ, they can be codes. */
function agreesInUnit({ texts, distinctTexts }: Column, target: Target): boolean {
  if (isForMoney(target) && areMost(texts, (text) => text.includes('%'))) return false
  if (texts.some((text) => DECIMAL_OR_UNIT.test(text))) return true
  const isMeasured = target.unit !== undefined && !TIME_UNITS.has(target.unit)
  return !isMeasured && !isForMoney(target) && (distinctTexts < texts.length || texts.length < MIN_CODES)
}

const MIN_CODES = 8

const areMoney = (one: Column): boolean => areNumbersOnly(one) && areMost(one.texts, isMoney)
const MONEY = /^(?:amount|balance|budget|cost|expense|fee|income|payment|price|revenue|salary|value)$/
const isForMoney = ({ field, names, unit }: Target): boolean =>
  field.type === 'number' &&
  (unit === undefined || findCurrencies(unit) !== undefined) &&
  names.some(({ words, heads }) => heads.some((at) => MONEY.test(words[at]!.text)))

const isForDates = ({ field }: Target): boolean => field.type === 'date'

const TIME = /^\d{1,2}\s?[:.h]\s?\d{2}(:\d{2})?(\s?[ap]\.?m\.?|\s?Uhr|h)?$/i
const TIME_WORDS = ['time', 'hour']
const areTimes = ({ texts }: Column): boolean => texts.length > 0 && areMost(texts, (text) => TIME.test(text))
const isForTimes = ({ field, names }: Target): boolean =>
  field.type === 'string' && names.some(({ words }) => words.some(({ text }) => TIME_WORDS.includes(text)))

const areCodes = ({ names, texts, areDates }: Column): boolean =>
  !areDates && names.every((name) => isOfKind(name, 'id') || mayBeAnyWord(name)) && areMost(texts, isCode)

const mayBeAnyWord = ({ meanings, words }: Name): boolean =>
  words.every(({ isKnown }) => !isKnown) || (meanings.length === 0 && words.every(({ isCut }) => isCut))

const isClear = (name: Name): boolean => isKnown(name) && name.meanings.length === 1

const areUnknownCodes = (column: Column): boolean =>
  column.texts.length >= MIN_TEXTS_LEFT && !isRowCounter(column) && !column.names.some(isClear)

const isForRequiredId = ({ field, names, isUnique }: Target): boolean =>
  field.type === 'string' &&
  field.constraints?.some(({ type }) => type === 'required') === true &&
  (isUnique || names.some((name) => isOfKind(name, 'id')))

/** Under `Ref`, the first column holds the number of the record, which is the first field. */
const areFirstCodes = (column: Column): boolean =>
  column.isFirst &&
  column.texts.length >= MIN_TEXTS_LEFT &&
  column.distinctTexts === column.texts.length &&
  !isRowCounter(column) &&
  !column.names.some((name) => isClear(name) && !isReference(name)) &&
  areMost(column.texts, isCode) &&
  !column.areDates

const isReference = ({ words }: Name): boolean => words.length === 1 && words[0]!.text === 'reference'

const areDistinctCodes = (column: Column): boolean =>
  areCodes(column) && column.distinctTexts === column.texts.length && !isRowCounter(column)

const isForUniqueId = (target: Target): boolean => target.isUnique && isForRequiredId(target)

const PARTICLE = "(?:(?:d[aeiou]s?|del|della|van|von|der|den|ten|el|la|le|i|y|zu)\\s+|d['’])*"
const NAME_WORD = "\\p{Lu}(?:[\\p{L}'’]*(?:-\\p{L}+)*|\\.)"
const PERSON = new RegExp(`^${NAME_WORD}(?:,?\\s+${PARTICLE}${NAME_WORD}){1,3}$`, 'u')

const areNames = ({ texts, distinctTexts }: Column): boolean =>
  texts.length >= MIN_NAMES && distinctTexts * 2 >= texts.length && areMost(texts, (text) => PERSON.test(text))
const MIN_NAMES = 5

const isForNames = (target: Target): boolean =>
  target.field.type === 'string' && target.format === undefined && target.names.some(isOfPerson)

const isOfPerson = (name: Name): boolean => {
  const heavy = name.words.filter(({ weight, text }) => weight === 1 && text !== 'by')
  return (
    name.words.at(-1)?.text === 'by' ||
    (heavy.length === 1 && name.persons.includes(heavy[0]!) && !isOfKind(name, 'id'))
  )
}

const areLists = ({ texts, areDates, areNumbers }: Column): boolean => {
  const delimiter = areDates || areNumbers ? undefined : detectDelimiter(texts)
  const lists = delimiter === undefined ? [] : texts.filter((text) => splitItems(text, delimiter).length > 1)
  if (lists.length < MIN_TEXTS_LEFT) return false
  const counts = new Map<string, number>()
  const items = texts.flatMap((text) => splitItems(text, delimiter))
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return items.filter((item) => counts.get(item)! > 1).length * 2 >= items.length
}

const isForFirstId = ({ field, names, isFirst }: Target): boolean =>
  isFirst &&
  field.type === 'string' &&
  names.some((name) => isOfKind(name, 'id') || name.meanings.some(isNumberMeaning))

const isForOptionsOrTexts = ({ field }: Target): boolean => field.type === 'enum' || field.type === 'string'

const createBareKind = (kind: KindName, isSure: KindLeft['isSure'], fits: KindLeft['fits']): KindLeft => ({
  mayBe: ({ names }) => names.every((name) => (name.isVague && isOfKind(name, kind)) || isBareType(name, kind)),
  isSure: (column) => column.texts.length >= MIN_TEXTS_LEFT && isSure(column) && !isRowCounter(column),
  fits: (target) => fits(target) && target.names.some((name) => isOfKind(name, kind)),
  mayHaveOtherName: kind === 'type',
})

const TYPE = findMeaning('type')

const isBareType = ({ words, meanings }: Name, kind: KindName): boolean =>
  kind === 'type' && words.length === 1 && meanings.includes(TYPE)

const isBareValue = ({ words }: Name): boolean => words.length === 1 && words[0]!.text === 'amount'
const isAnyValue = ({ rawWords }: Name): boolean =>
  VALUE_WORDS.some((word) => rawWords.some((own) => own.endsWith(word)))
const VALUE_WORDS = ['value', 'wert', 'valeur', 'valor', 'valore', 'waarde', 'wartosc']

/** `Finish` can be the day a task is due, unlike a birthday or the time of an entry. */
const mayBeSameDay = ({ names }: Column, target: Target): boolean =>
  names.some(isSpecialDay) === target.names.some(isSpecialDay) &&
  (target.names.every(mayBeOfRow) || !names.some(isOfRow)) &&
  !(names.some(isKnown) && target.names.some(isKnown)) &&
  !names.some((own) => target.names.some((other) => isContrasting(own, other) || own.marks !== other.marks))

/** Rows are written when people order or apply, and not when they were born or arrive. */
const mayBeOfRow = ({ meanings }: Name): boolean =>
  meanings.length === 0 || meanings.some((meaning) => DAYS_OF_ROWS.has(meaning))

const isOfRow = (name: Name): boolean => isKnown(name) && mayBeOfRow(name)

const DAYS_OF_ROWS: ReadonlySet<number> = new Set(
  ['timestamp', 'created', 'date', 'application date', 'order date', 'received date', 'member since'].map(findMeaning),
)

const SPECIAL_DAYS: ReadonlySet<number> = new Set(['date birth', 'updated'].map(findMeaning))
const isSpecialDay = (name: Name): boolean => isKnown(name) && name.meanings.some((one) => SPECIAL_DAYS.has(one))

const COMPANY = findMeaning('company')
const ORGANISATIONS: ReadonlySet<string> = new Set(['buyer', 'customer', 'donor', 'member', 'subscriber', 'supplier'])
/** Other people can be next to the one that a record is about, such as its owner. */
const NOT_SUBJECTS: ReadonlySet<string> = new Set(['contact', 'guardian', 'owner', 'parent', 'user'])
const SUBJECTS_OF_RECORDS: ReadonlySet<string> = new Set(
  [...PEOPLE_IN_RECORDS, ...ORGANISATIONS].filter((one) => !NOT_SUBJECTS.has(one)),
)

const findSubjectWords = ({ names }: Column): string[] =>
  names.flatMap(({ words }) => words.flatMap(({ text }) => (SUBJECTS_OF_RECORDS.has(text) ? [text] : [])))

/** `Name 1` is the first of two lines. */
const isBareName = ({ words: [word, ...others] }: Name): boolean =>
  word?.text === 'name' && others.every(({ text }) => text === '1')

const areSubjects = (column: Column): boolean =>
  column.texts.length >= MIN_TEXTS_LEFT &&
  (findSubjectWords(column).length > 0 || column.names.every((name) => isBareName(name) || isOnlyCompany(name))) &&
  areMost(column.texts, (text) => CAPITAL_FIRST.test(text))

const CAPITAL_FIRST = /^\P{L}*\p{Lu}/u

const isForRequiredName = ({ field, names, isRequired }: Target): boolean =>
  isRequired &&
  field.type === 'string' &&
  names.some((name) => (isOfKind(name, 'name') && isOfAnybody(name)) || isOnlyCompany(name)) &&
  !names.some((name) => isOfKind(name, 'name') && !isOfAnybody(name) && !isOnlyCompany(name))

const FULL_NAME = findMeaning('full name')

/** `Project name` is of no person, and `Last name` is only a part. */
const isOfAnybody = ({ meanings, words }: Name): boolean =>
  meanings.includes(FULL_NAME) ||
  (meanings.length === 0 && words.every(({ text, isKnown }) => text === 'name' || !isKnown))

const isOnlyPerson = ({ meanings }: Name): boolean => meanings.length === 1 && meanings[0] === FULL_NAME

const isOnlyCompany = ({ meanings }: Name): boolean => meanings.length === 1 && meanings[0] === COMPANY

const NAMED: ReadonlySet<number> = new Set(
  ['customer name', 'supplier name', 'product name', 'company'].map(findMeaning),
)

const KINDS_LEFT: readonly KindLeft[] = [
  { mayBe: areTimes, isSure: areTimes, fits: isForTimes },
  { mayBe: mayBeDates, isSure: (one) => one.areDates, fits: isForDates, contradicted: NOT_DATE_MEANINGS },
  {
    mayBe: (one) => mayBeDates(one) || (isTimestamp(one) && areDatesMaybe(one)),
    isSure: (one) => isTimestamp(one) && one.areDates,
    fits: (target) => isForDates(target) && target.names.every(mayBeOfRow),
  },
  {
    mayBe: (one) => one.areBooleans,
    isSure: (one) => one.areBooleans,
    fits: ({ field }) => field.type === 'boolean',
    contradicted: NOT_BOOLEAN_MEANINGS,
  },
  {
    mayBe: areNumbersOnly,
    isSure: areNumbersOnly,
    fits: ({ field }) => field.type === 'number',
    agrees: agreesInUnit,
    contradicted: TEXT_MEANINGS,
  },
  { mayBe: areMoney, isSure: areMoney, fits: isForMoney },
  { mayBe: areCodes, isSure: areUnknownCodes, fits: isForRequiredId },
  { mayBe: areDistinctCodes, isSure: areUnknownCodes, fits: isForUniqueId },
  { mayBe: areNames, isSure: areNames, fits: isForNames },
  {
    mayBe: areNames,
    isSure: areNames,
    fits: ({ field, names }) =>
      field.type === 'string' && names.every((name) => name.isVague && isOfKind(name, 'name')),
    agrees: ({ names }, { subjects }) =>
      names.some(({ persons }) => persons.some(({ text }) => text !== 'contact' && subjects.has(text))),
    mayHaveOtherName: true,
  },
  { mayBe: areLists, isSure: areLists, fits: ({ field }) => field.type === 'string-list' },
  { mayBe: isNamedId, isSure: ({ texts }) => texts.length > 0, fits: ({ names }) => names.some(isIdName) },
  createBareKind('type', ({ distinctTexts, texts }) => distinctTexts < texts.length, isForOptionsOrTexts),
  {
    mayBe: ({ names }) => names.some((name) => isOfKind(name, 'type')),
    isSure: ({ texts, distinctTexts, areDates, areNumbers }) =>
      texts.length >= MIN_TEXTS_LEFT && distinctTexts < texts.length && !areDates && !areNumbers,
    fits: (target) =>
      isForOptionsOrTexts(target) && target.names.every((name) => name.isVague && isOfKind(name, 'type')),
    mayHaveOtherName: true,
  },
  {
    mayBe: (one) => areNumbersOnly(one) && one.names.every(isBareValue),
    isSure: ({ texts }) => texts.length >= MIN_TEXTS_LEFT,
    fits: ({ field, names }) => field.type === 'number' && names.some(isAnyValue),
    mayHaveOtherName: true,
  },
  createBareKind(
    'name',
    ({ areDates, areNumbers }) => !areDates && !areNumbers,
    ({ field }) => field.type === 'string',
  ),
  {
    mayBe: ({ names }) => names.every((name) => name.isVague && isOfKind(name, 'name')),
    isSure: ({ texts, areDates, areNumbers }) =>
      texts.length >= MIN_TEXTS_LEFT && !areDates && !areNumbers && !areMost(texts, isCode),
    fits: ({ field, names }) =>
      field.type === 'string' && names.some((name) => name.meanings.some((meaning) => NAMED.has(meaning))),
  },
  {
    mayBe: areSubjects,
    isSure: areSubjects,
    fits: isForRequiredName,
    agrees: (column, { names }) =>
      (!names.some(isOnlyCompany) || findSubjectWords(column).every((word) => ORGANISATIONS.has(word))) &&
      !(column.names.some(isOnlyCompany) && names.some(isOnlyPerson)),
    mayHaveOtherName: true,
  },
  {
    mayBe: ({ names }) => names.every(isBareName),
    isSure: areNames,
    fits: ({ field, isRequired }) => field.type === 'string' && isRequired,
    agrees: ({ names: [name] }, { names }) =>
      names.every(({ meanings, words }) => meanings.length === 0 && words.length === 1) &&
      !names.some((other) => differsInKind(name!, other)),
    mayHaveOtherName: true,
  },
  createBareKind(
    'id',
    ({ distinctTexts, texts }) => distinctTexts === texts.length,
    ({ isUnique }) => isUnique,
  ),
  { mayBe: areFirstCodes, isSure: areFirstCodes, fits: isForFirstId, mayHaveOtherName: true },
  {
    mayBe: areDatesMaybe,
    isSure: (one) => one.areDates,
    fits: isForDates,
    agrees: mayBeSameDay,
    mayHaveOtherName: true,
  },
]

export const hasOtherName = (column: Column, target: Target, contradicted: ReadonlySet<number>): boolean =>
  column.names.some((own) => {
    if (own.isVague || (isKnown(own) && isOnly(own, contradicted))) return false
    const certain = isKnown(own) ? own : { ...own, meanings: [] }
    return isKnown(own) || target.names.some((other) => differsInKind(certain, other))
  })

const isKnown = ({ meanings, isAbbreviated }: Name): boolean => meanings.length > 0 && !isAbbreviated
