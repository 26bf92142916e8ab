/** Suggests edges by field names and sample values, one to one with the best total. Pure. */
import type { Edge } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { memoize } from '../core/memo.ts'
import { isMissingWord } from '../values/missing.ts'
import { findFieldUnit } from '../values/unit-names.ts'
import { findCurrencies, findUnits } from '../values/units.ts'
import { assign } from './assign.ts'
import { type Column, type Target, toColumns, toTargets } from './candidates.ts'
import { toCertainty } from './confidence.ts'
import { areMost } from './evidence.ts'
import type { MappingLookup } from './learned.ts'
import { isIdName, isOfKind, type KindName, type Name } from './names.ts'
import { isRowCounter, measureMeantOptions, scorePair } from './score-pair.ts'
import { createNameComparer, differsInKind } from './similarity.ts'
import { buildPreview, isBooleanText, isNumberText, measureTypeFit } from './values.ts'
import { findMeaning } from './vocabulary.ts'

export const DEFAULT_THRESHOLD = 0.5

export interface SuggestOptions {
  samples?: ReadonlyMap<string, readonly unknown[]>
  /** From 0 to 1. */
  threshold?: number | undefined
  lookup?: MappingLookup | undefined
}

interface Match {
  row: number
  column: number
  confidence: number
}

/** In the order of the destination's fields. Each field is in at most one edge. */
export function suggest(source: readonly Field[], destination: readonly Field[], options: SuggestOptions = {}): Edge[] {
  const threshold = options.threshold ?? DEFAULT_THRESHOLD
  const columns = toColumns(source, options.samples ?? new Map())
  const targets = toTargets(destination)
  const scores = scoreAll(columns, targets, options.lookup)
  const certain = match(scores, threshold)
  const sure = [...certain, ...matchOnlyOnesLeft(columns, targets, certain)]
  const measured = [...sure, ...matchUnitsLeft(columns, targets, sure)]
  const similar = [...measured, ...matchSimilarLeft(columns, targets, scores, measured)]
  const found = [...similar, ...matchOptionsLeft(columns, targets, similar)]
  return [...found, ...matchOnlyOnesLeft(columns, targets, found)]
    .filter(({ confidence }) => confidence >= threshold)
    .toSorted((a, b) => a.row - b.row)
    .map(({ row, column, confidence }) => toEdge(columns[column]!, targets[row]!, confidence, options.lookup))
}

/** The scores of all pairs: one row for each fillable field of the destination. */
export const scorePairs = (
  source: readonly Field[],
  destination: readonly Field[],
  { samples, lookup }: SuggestOptions = {},
): number[][] => scoreAll(toColumns(source, samples ?? new Map()), toTargets(destination), lookup)

const OTHER_FIELD_FACTOR = 0.7

function scoreAll(
  columns: readonly Column[],
  targets: readonly Target[],
  lookup: MappingLookup | undefined,
): number[][] {
  const compare = createNameComparer([
    ...columns.flatMap(({ names, parts }) => [...names, ...parts]),
    ...targets.flatMap(({ names, parts, alternatives }) => [...names, ...parts, ...alternatives]),
  ])
  return targets.map((target) =>
    columns.map((column) => {
      const learned = lookup?.getConfidence(column.field.key, target.field.key)
      if (learned !== undefined) return learned
      return scorePair(column, target, compare) * (lookup?.hasSource(column.field.key) ? OTHER_FIELD_FACTOR : 1)
    }),
  )
}

function match(scores: readonly (readonly number[])[], threshold: number): Match[] {
  // Cubing prefers one certain pair over two doubtful ones.
  const columns = assign(scores.map((row) => row.map((score) => (score >= threshold && score > 0 ? score ** 3 : 0))))
  return columns.flatMap((column, row) => {
    if (column < 0) return []
    const confidence = limitAmbiguous(scores, columns, row)
    return confidence >= threshold ? [{ row, column, confidence }] : []
  })
}

const CERTAIN = 0.9
const SAME_SCORE = 0.005
const AMBIGUOUS_CONFIDENCE = 0.55

/** Nothing is suggested if two free fields fit equally. If two free columns do, the first is suggested as weak. */
function limitAmbiguous(scores: readonly (readonly number[])[], columns: readonly number[], row: number): number {
  const column = columns[row]!
  const score = scores[row]![column]!
  if (score >= CERTAIN) return score
  const isAsGood = (other: number) => other >= score - SAME_SCORE
  if (columns.some((own, other) => own < 0 && isAsGood(scores[other]![column]!))) return 0
  const isColumnAmbiguous = scores[row]!.some((other, at) => isAsGood(other) && at !== column && !columns.includes(at))
  return isColumnAmbiguous ? Math.min(score, AMBIGUOUS_CONFIDENCE) : score
}

const MIN_SIMILAR_SCORE = 0.2
/** Texts can be of any kind, and many names have a word such as `number`. */
const MIN_SIMILAR_TEXT_SCORE = 0.3
const MIN_LEAD = 1.25
const SIMILAR_LEFT_CONFIDENCE = 0.5

/** Pairs columns and fields that are left and are more similar to each other than to any other. */
function matchSimilarLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  scores: readonly (readonly number[])[],
  matches: readonly Match[],
): Match[] {
  const [usedColumns, usedRows] = [new Set(matches.map(({ column }) => column)), new Set(matches.map(({ row }) => row))]
  const freeColumns = [...columns.keys()].filter((at) => !usedColumns.has(at))
  const freeRows = [...targets.keys()].filter((at) => !usedRows.has(at))
  const getScore = (row: number, column: number): number =>
    hasValuesOf(columns[column]!, targets[row]!) ? scores[row]![column]! : 0
  return freeRows.flatMap((row) =>
    freeColumns.flatMap((column) => {
      const score = getScore(row, column)
      if (score < (targets[row]!.field.type === 'string' ? MIN_SIMILAR_TEXT_SCORE : MIN_SIMILAR_SCORE)) return []
      const isBest =
        freeColumns.every((other) => other === column || getScore(row, other) * MIN_LEAD <= score) &&
        freeRows.every((other) => other === row || getScore(other, column) * MIN_LEAD <= score)
      return isBest ? [{ row, column, confidence: SIMILAR_LEFT_CONFIDENCE }] : []
    }),
  )
}

const MIN_TEXTS_LEFT = 3

function hasValuesOf(column: Column, { field }: Target): boolean {
  const { texts, distinctTexts } = column
  if (texts.length < MIN_TEXTS_LEFT || column.names.every(({ isVague }) => isVague)) return false
  if (field.type === 'date') return areDatesMaybe(column)
  if (field.type === 'boolean') return column.areBooleans || areOftenBooleans(column)
  if (field.type === 'number') return areNumbersOnly(column) || (!column.areBooleans && areOften(column, isNumberText))
  if (column.areDates || column.areBooleans || areOftenBooleans(column)) return false
  return field.type === 'enum' ? !column.areNumbers && distinctTexts < texts.length : field.type === 'string'
}

const OFTEN = 0.5

/** Next to `< 10 %` and `pending`, which cannot be read. */
function areOften({ texts, areDates }: Column, matches: (text: string) => boolean): boolean {
  const written = texts.filter((text) => !isMissingWord(text))
  return !areDates && written.filter(matches).length >= Math.max(MIN_TEXTS_LEFT, written.length * OFTEN)
}

const areOftenBooleans = memoize((column: Column) => areOften(column, isBooleanText))

const MIN_OPTIONS_LEFT = 0.4

/** Pairs columns and fields that are left if some texts of no other column mean options of no other field. */
function matchOptionsLeft(columns: readonly Column[], targets: readonly Target[], matches: readonly Match[]): Match[] {
  const [usedColumns, usedRows] = [new Set(matches.map(({ column }) => column)), new Set(matches.map(({ row }) => row))]
  const freeColumns = [...columns.keys()].filter((at) => !usedColumns.has(at) && !columns[at]!.areBooleans)
  const freeRows = [...targets.keys()].filter((at) => !usedRows.has(at) && targets[at]!.field.type === 'enum')
  const found = freeRows.flatMap((row) =>
    freeColumns.flatMap((column) =>
      measureMeantOptions(columns[column]!, targets[row]!) >= MIN_OPTIONS_LEFT ? [{ row, column }] : [],
    ),
  )
  return listUnambiguous(found)
}

const listUnambiguous = (pairs: readonly Omit<Match, 'confidence'>[]): Match[] =>
  pairs
    .filter((one) => pairs.every((other) => other === one || (other.row !== one.row && other.column !== one.column)))
    .map((one) => ({ ...one, confidence: SIMILAR_LEFT_CONFIDENCE }))

function matchUnitsLeft(columns: readonly Column[], targets: readonly Target[], matches: readonly Match[]): Match[] {
  const [usedColumns, usedRows] = [new Set(matches.map(({ column }) => column)), new Set(matches.map(({ row }) => row))]
  const pairs = targets.flatMap((target, row) => {
    const unit = findFieldUnit(target.field.label ?? '') ?? findFieldUnit(target.field.key)
    if (usedRows.has(row) || target.field.type !== 'number' || unit === undefined) return []
    const found = [...columns.keys()].filter((at) => !usedColumns.has(at) && areInUnit(columns[at]!, unit))
    return found.map((column) => ({ row, column }))
  })
  return listUnambiguous(pairs).filter(
    ({ row, column }) => !hasOtherName(columns[column]!, targets[row]!, TEXT_AND_AMOUNT_MEANINGS),
  )
}

const areInUnit = ({ texts }: Column, unit: string): boolean =>
  texts.filter((text) => isAmountIn(text, unit)).length >= MIN_TEXTS_LEFT

function isAmountIn(text: string, unit: string): boolean {
  const sign = text.replace(/[-+\d\s.,'’()]/g, '')
  if (sign === '' || !/\d/.test(text)) return false
  const units = findUnits(unit)
  return findCurrencies(sign)?.has(unit.toUpperCase()) || [...findUnits(sign)].some((one) => units.has(one))
}

const ONLY_ONE_LEFT_CONFIDENCE = 0.55

/** A column of dates belongs to the only date field left, unless their names or other columns say otherwise. */
function matchOnlyOnesLeft(columns: readonly Column[], targets: readonly Target[], matches: readonly Match[]): Match[] {
  const [usedColumns, usedRows] = [new Set(matches.map(({ column }) => column)), new Set(matches.map(({ row }) => row))]
  return KINDS_LEFT.flatMap((kind) => {
    const { mayBe, isSure, fits, agrees = () => true, contradicted = NO_MEANINGS, mayHaveOtherName } = kind
    const free = [...columns.keys()].filter((at) => !usedColumns.has(at) && mayBe(columns[at]!))
    const rows = [...targets.keys()].filter((at) => !usedRows.has(at) && fits(targets[at]!))
    const [[column], [row]] = [free, rows]
    if (column === undefined || row === undefined || free.length > 1 || rows.length > 1) return []
    if (!isSure(columns[column]!) || !agrees(columns[column]!, targets[row]!)) return []
    const mayHaveName = mayHaveOtherName || isTimestamp(columns[column]!)
    if (!mayHaveName && hasOtherName(columns[column]!, targets[row]!, contradicted)) return []
    usedColumns.add(column)
    usedRows.add(row)
    return [{ row, column, confidence: ONLY_ONE_LEFT_CONFIDENCE }]
  })
}

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
const TEXT_MEANINGS: ReadonlySet<number> = new Set(TEXTS.map(findMeaning))
const SUBJECTS = ['customer name', 'serial number', 'customer id', 'employee', 'owner', 'email', 'phone']
const TEXT_AND_AMOUNT_MEANINGS: ReadonlySet<number> = new Set([...TEXTS, 'amount'].map(findMeaning))
const NOT_BOOLEAN_MEANINGS: ReadonlySet<number> = new Set([...TEXTS, ...QUANTITIES, ...SUBJECTS].map(findMeaning))

const areNumbersOnly = (one: Column): boolean => one.areNumbers && !one.areDates && !one.areBooleans
const isNamedId = (one: Column): boolean => one.names.some(({ meanings }) => meanings.includes(ID))
const isTimestamp = ({ names }: Column): boolean => names.some(({ meanings }) => meanings.includes(TIMESTAMP))
const mayBeDates = (column: Column): boolean =>
  !column.names.some((name) => !name.isVague && isKnown(name)) && areDatesMaybe(column)
const areDatesMaybe = ({ texts, areDates, areNumbers }: Column): boolean =>
  areDates || (texts.length > 0 && !areNumbers && measureTypeFit(texts, { type: 'date' }) >= MIN_DATE_SHARE)

const DECIMAL_OR_UNIT = /\d[.,]\d|\d\s?[\p{L}°%]/u

/** Whole numbers such as 1, 2 and 7 can be anything, but hardly temperatures or weights. */
function agreesInUnit({ texts }: Column, { field }: Target): boolean {
  const unit = findFieldUnit(field.label ?? '') ?? findFieldUnit(field.key)
  const isMeasured = unit !== undefined && findCurrencies(unit) === undefined && !TIME_UNITS.has(unit)
  return !isMeasured || texts.some((text) => DECIMAL_OR_UNIT.test(text))
}

const isForDates = ({ field }: Target): boolean => field.type === 'date'

const TIME = /^\d{1,2}\s?[:.h]\s?\d{2}(:\d{2})?(\s?[ap]\.?m\.?|\s?Uhr|h)?$/i
const TIME_WORDS = ['time', 'hour']
const areTimes = ({ texts }: Column): boolean => texts.length > 0 && areMost(texts, (text) => TIME.test(text))
const isForTimes = ({ field, names }: Target): boolean =>
  field.type === 'string' && names.some(({ words }) => words.some(({ text }) => TIME_WORDS.includes(text)))

const CODE = /^\p{L}{0,5}[-/ .]?\d{3,}[\p{L}\d./-]*$/u

const areCodes = ({ names, texts, areDates }: Column): boolean =>
  !areDates &&
  names.every((name) => isOfKind(name, 'id') || name.isUnknown) &&
  areMost(texts, (text) => CODE.test(text))

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
  !column.names.some(isClear) &&
  areMost(column.texts, (text) => CODE.test(text)) &&
  !column.areDates

const isForFirstId = ({ field, names, isFirst }: Target): boolean =>
  isFirst && field.type === 'string' && names.some((name) => isOfKind(name, 'id'))

const isForOptionsOrTexts = ({ field }: Target): boolean => field.type === 'enum' || field.type === 'string'

/** `Type` is the only type that the fields know, whatever it is a type of. */
const createBareKind = (kind: KindName, isSure: KindLeft['isSure'], fits: KindLeft['fits']): KindLeft => ({
  mayBe: ({ names }) => names.every((name) => name.isVague && isOfKind(name, kind)),
  isSure: (column) => column.texts.length >= MIN_TEXTS_LEFT && isSure(column) && !isRowCounter(column),
  fits: (target) => fits(target) && target.names.some((name) => isOfKind(name, kind)),
})

/** The vocabulary has no names for such a field, which the name of the column could be. */
const isWithoutMeaning = (column: Column, target: Target): boolean =>
  target.names.every((name) => name.meanings.length === 0) &&
  !column.names.some((own) => target.names.some((other) => differsInKind(own, other)))

const KINDS_LEFT: readonly KindLeft[] = [
  { mayBe: areTimes, isSure: areTimes, fits: isForTimes },
  { mayBe: mayBeDates, isSure: (one) => one.areDates, fits: isForDates },
  {
    mayBe: (one) => mayBeDates(one) || (isTimestamp(one) && areDatesMaybe(one)),
    isSure: (one) => isTimestamp(one) && one.areDates,
    fits: isForDates,
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
  { mayBe: areCodes, isSure: areUnknownCodes, fits: isForRequiredId },
  { mayBe: isNamedId, isSure: ({ texts }) => texts.length > 0, fits: ({ names }) => names.some(isIdName) },
  createBareKind('type', ({ distinctTexts, texts }) => distinctTexts < texts.length, isForOptionsOrTexts),
  createBareKind(
    'name',
    ({ areDates, areNumbers }) => !areDates && !areNumbers,
    ({ field }) => field.type === 'string',
  ),
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
    agrees: isWithoutMeaning,
    mayHaveOtherName: true,
  },
]

const hasOtherName = (column: Column, target: Target, contradicted: ReadonlySet<number>): boolean =>
  column.names.some((own) => {
    if (own.isVague || (isKnown(own) && own.meanings.every((meaning) => contradicted.has(meaning)))) return false
    const certain = isKnown(own) ? own : { ...own, meanings: [] }
    return isKnown(own) || target.names.some((other) => differsInKind(certain, other))
  })

const isKnown = ({ meanings, isAbbreviated }: Name): boolean => meanings.length > 0 && !isAbbreviated

function toEdge(
  { field: sourceField, samples }: Column,
  { field: destinationField }: Target,
  score: number,
  lookup: MappingLookup | undefined,
): Edge {
  const confidence = Math.round(score * 100) / 100
  const isLearned = lookup?.getConfidence(sourceField.key, destinationField.key) !== undefined
  return {
    sourceField,
    destinationField,
    preview: buildPreview(samples),
    enumDetails: undefined,
    metadata: {
      certainty: toCertainty(score),
      confidence,
      source: isLearned ? 'history' : 'names-and-values',
      detectedDelimiter: undefined,
    },
  }
}
