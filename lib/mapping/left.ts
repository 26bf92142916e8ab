/** Pairs the columns and fields that are left, by evidence that is weaker than their names. Pure. */
import type { Field } from '../../schemas/sheets/fields.ts'
import { memoize } from '../core/memo.ts'
import { isMissingWord } from '../values/missing.ts'
import { findFieldUnit } from '../values/unit-names.ts'
import { findCurrencies, findUnits } from '../values/units.ts'
import type { Column, Target } from './candidates.ts'
import { areAmounts, areBooleans, areMost, areNoNames } from './evidence.ts'
import { type Left, listLeft, type Match, MIN_TEXTS_LEFT } from './matches.ts'
import { isOfKind, type Name } from './names.ts'
import { areDatesMaybe, areNumbersOnly, hasOtherName, MEANINGS_IN_UNITS } from './only-ones-left.ts'
import { isEmpty } from './rules/cells.ts'
import { hasNumericOption, isRowCounter, isTooEmpty, measureMeantOptions } from './score-pair.ts'
import { differsInKind, isContrasting } from './similarity.ts'
import { isBooleanText, isNumberText } from './values.ts'

const MIN_SIMILAR_SCORE = 0.2
/** Texts can be of any kind, and many names have a word such as `number`. */
const MIN_SIMILAR_TEXT_SCORE = 0.3
const MIN_LEAD = 1.25
const SIMILAR_LEFT_CONFIDENCE = 0.5

export function matchSimilarLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  scores: readonly (readonly number[])[],
  matches: readonly Match[],
): Match[] {
  const { rows: freeRows, columns: freeColumns } = listLeft(columns, targets, matches)
  const getScore = (row: number, column: number): number =>
    hasValuesOf(columns[column]!, targets[row]!) &&
    !areNoNames(columns[column]!.texts, targets[row]!.names) &&
    !areOpposites(columns[column]!, targets[row]!)
      ? scores[row]![column]!
      : 0
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

const areOpposites = ({ names }: Column, target: Target): boolean =>
  target.field.type === 'number' && names.every((own) => target.names.some((other) => isContrasting(own, other)))

export function hasValuesOf(column: Column, target: Target): boolean {
  const [{ texts, distinctTexts }, { field }] = [column, target]
  const isVague = field.type !== 'boolean' && column.names.every((name) => name.isVague)
  if (texts.length < MIN_TEXTS_LEFT || isVague || isTooEmpty(column, target)) return false
  if (field.type === 'date') return areDatesMaybe(column)
  if (field.type === 'boolean') return column.areBooleans || areOftenBooleans(column)
  if (field.type === 'number') return areNumbersOnly(column) || (!column.areBooleans && areOften(column, isNumberText))
  if (column.areDates || column.areBooleans || areOftenBooleans(column) || areOtherAmounts(column, target)) return false
  if (field.type !== 'enum') return field.type === 'string'
  return !column.areNumbers && distinctTexts < texts.length && !areOtherCodes(column, target)
}

const areOtherCodes = (column: Column, target: Target): boolean =>
  areMost(column.texts, (text) => /\d/.test(text)) &&
  !hasNumericOption(target) &&
  measureMeantOptions(column, target) === 0

const areOtherAmounts = ({ texts }: Column, { names }: Target): boolean =>
  areAmounts(texts) && !names.some((name) => isOfKind(name, 'amount'))

const OFTEN = 0.5

/** Next to `< 10 %` and `pending`, which cannot be read. */
function areOften({ texts, areDates }: Column, matches: (text: string) => boolean): boolean {
  const written = texts.filter((text) => !isMissingWord(text))
  return !areDates && written.filter(matches).length >= Math.max(MIN_TEXTS_LEFT, written.length * OFTEN)
}

const areOftenBooleans = memoize((column: Column) => areOften(column, isBooleanText))

const MIN_OPTIONS_LEFT = 0.4

export function matchOptionsLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const left = listLeft(columns, targets, matches)
  const freeColumns = left.columns.filter((at) => !columns[at]!.areBooleans)
  const freeRows = left.rows.filter((at) => targets[at]!.field.type === 'enum')
  return pairLeft(
    { rows: freeRows, columns: freeColumns },
    (row, column) => measureMeantOptions(columns[column]!, targets[row]!) >= MIN_OPTIONS_LEFT,
  )
}

/** Pairs columns and fields that are left if the name of the field says which texts mean yes: `Pass` is `Passed`. */
export function matchBooleansLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const left = listLeft(columns, targets, matches)
  const freeRows = left.rows.filter((at) => targets[at]!.field.type === 'boolean')
  const freeColumns = left.columns.filter((at) => !columns[at]!.areBooleans && !columns[at]!.areNumbers)
  return pairLeft({ rows: freeRows, columns: freeColumns }, (row, column) =>
    areNamedBooleans(columns[column]!, targets[row]!),
  )
}

const areNamedBooleans = ({ field, names, texts, distinctTexts }: Column, target: Target): boolean =>
  texts.length >= MIN_TEXTS_LEFT &&
  distinctTexts > 1 &&
  !names.some((own) => target.names.some((other) => differsInKind({ ...own, meanings: [] }, other))) &&
  areBooleans(texts, [field.key, field.label, target.field.key, target.field.label])

/** Pairs codes with the field for numbers of items, customers and so on, if they repeat one to one with the names of another column. */
export function matchCodesLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const left = listLeft(columns, targets, matches)
  const freeColumns = left.columns.filter((at) => areBareCodes(columns[at]!))
  return listUnambiguous(
    left.rows.flatMap((row) => {
      const named = matches.filter((match) => isNumberOf(targets[row]!, targets[match.row]!))
      return freeColumns
        .filter((at) => named.some((match) => areOneToOne(columns[at]!.samples, columns[match.column]!.samples)))
        .map((column) => ({ row, column }))
    }),
  )
}

const areBareCodes = (column: Column): boolean =>
  column.names.every((name) => name.isVague && isOfKind(name, 'id')) && !isRowCounter(column) && !column.areDates

const isNumberOf = ({ field, names }: Target, named: Target): boolean =>
  field.type === 'string' &&
  names.some((name) => isOfKind(name, 'id') && named.names.some((other) => isSameButKind(name, other)))

function isSameButKind(number: Name, name: Name): boolean {
  const heavy = ({ words }: Name): string[] => words.flatMap(({ text, weight }) => (weight === 1 ? [text] : []))
  const [own, other] = [heavy(number), heavy(name)]
  return !isOfKind(name, 'id') && own.length > 0 && own.join(' ') === other.join(' ')
}

function areOneToOne(codes: readonly unknown[], names: readonly unknown[]): boolean {
  const [nameByCode, codeByName] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()]
  let rows = 0
  for (const [at, code] of codes.entries()) {
    const name = names[at]
    if (isEmpty(code) || isEmpty(name)) continue
    if ((nameByCode.get(code) ?? name) !== name || (codeByName.get(name) ?? code) !== code) return false
    nameByCode.set(code, name)
    codeByName.set(name, code)
    rows++
  }
  return nameByCode.size >= MIN_TEXTS_LEFT && nameByCode.size < rows
}

export const listUnambiguous = (pairs: readonly Omit<Match, 'confidence'>[]): Match[] =>
  pairs
    .filter((one) => pairs.every((other) => other === one || (other.row !== one.row && other.column !== one.column)))
    .map(toWeak)

export const pairLeft = ({ rows, columns }: Left, mayPair: (row: number, column: number) => boolean): Match[] =>
  listUnambiguous(
    rows.flatMap((row) => columns.filter((column) => mayPair(row, column)).map((column) => ({ row, column }))),
  )

export const toWeak = (pair: Omit<Match, 'confidence'>): Match => ({ ...pair, confidence: SIMILAR_LEFT_CONFIDENCE })

export function matchUnitsLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const left = listLeft(columns, targets, matches)
  const freeRows = left.rows.filter((at) => targets[at]!.field.type === 'number')
  const pairs = freeRows.flatMap((row) => {
    const { unit } = targets[row]!
    return left.columns
      .filter((at) => (unit && areInUnit(columns[at]!, unit)) || haveSameUnitInNames(columns[at]!, targets[row]!))
      .map((column) => ({ row, column }))
  })
  return listUnambiguous(pairs).filter(
    ({ row, column }) => !hasOtherName(columns[column]!, targets[row]!, MEANINGS_IN_UNITS),
  )
}

/** `Ilość (l)` for `Litres`, and `Kg` for a weight in kg. */
function haveSameUnitInNames(column: Column, target: Target): boolean {
  const units = new Set(listUnitsInNames(target.field))
  return column.areNumbers && listUnitsInNames(column.field).some((unit) => units.has(unit))
}

const listUnitsInNames = ({ key, label }: Field): string[] =>
  [key, label ?? ''].flatMap((name) => [...findUnits(findFieldUnit(name) ?? name)])

const areInUnit = ({ texts }: Column, unit: string): boolean =>
  texts.filter((text) => isAmountIn(text, unit)).length >= MIN_TEXTS_LEFT

function isAmountIn(text: string, unit: string): boolean {
  const sign = text.replace(/[-+\d\s.,'’()]/g, '')
  if (sign === '' || !/\d/.test(text) || /^\p{L}-?\d/u.test(text)) return false
  const units = findUnits(unit)
  return findCurrencies(sign)?.has(unit.toUpperCase()) || [...findUnits(sign)].some((one) => units.has(one))
}
