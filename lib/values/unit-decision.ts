/** Decides which units the numbers of a column are in, and whether those without a unit are clear. Pure. */
import type { NumberReading } from '../../schemas/programs/readings.ts'
import { FRACTION } from './fractions.ts'
import { withoutAccents } from './texts.ts'
import { areSameUnit, findFieldUnit, isKnownUnit, isSameWord, WHOLE_UNIT } from './unit-names.ts'
import { findRatio } from './unit-scales.ts'
import { findCurrencies, findUnits, getPer, isMultiplied, toPlainUnit } from './units.ts'

export interface NumberNames {
  fieldUnit?: string | undefined
  columnName?: string | undefined
  fieldNames?: readonly string[] | undefined
}

const LENGTHS = ['millimeter', 'centimeter', 'meter', 'kilometer', 'mile']

export const isLength = (unit: string): boolean => LENGTHS.some((length) => findUnits(unit).has(length))

const canBeShort = (unit: string): boolean =>
  isLength(unit) || ['minute', 'month'].some((short) => findUnits(unit).has(short))

export function decideLengths(
  units: readonly string[],
  unclearUnits: ReadonlySet<string>,
  evidence: UnitEvidence,
): UnitDecision | undefined {
  const unit = evidence.fieldUnit ?? findFieldUnit(evidence.columnName ?? '')
  if (unclearUnits.size === 0 || unit === undefined || !canBeShort(unit)) return undefined
  const { reading, isClear } = decideUnits([...units, ...unclearUnits], evidence)
  return isClear ? { reading: { ...reading, unit }, isClear } : undefined
}

export interface UnitEvidence extends NumberNames {
  hasBare: boolean
  hasBareFraction: boolean
  bareMinimum: number
  isBareIn: (unit: string) => boolean
}

/** A bare 5 next to `3 k€` can be thousands, too. */
export const MIN_BARE_NEXT_TO_MULTIPLIERS = 100

interface UnitDecision {
  reading: Partial<NumberReading>
  isClear: boolean
}

const DEGREE = '°'
const ALCOHOL = /alco|alkohol|\bvol\b/

const areOfAlcohol = ({ columnName = '', fieldNames = [] }: UnitEvidence): boolean =>
  [columnName, ...fieldNames].some((name) => ALCOHOL.test(withoutAccents(name.toLowerCase())))

export function decideUnits(names: readonly string[], evidence: UnitEvidence): UnitDecision {
  const others = names.filter((name) => !isOtherName(name, names, evidence))
  const { reading, isClear } = decideOtherUnits(others, evidence)
  if (others.length === names.length || !isClear) return { reading, isClear }
  const shortNames = names.filter((name) => !others.includes(name))
  return { reading: { ...reading, units: [...(reading.units ?? []), ...shortNames] }, isClear }
}

export const COUNTED = ['piece', 'person', 'page', 'room', 'copy', 'night']

/** `°` of alcohol, `F` of °F, and `Zi.` next to `Zimmer` or below it. */
function isOtherName(name: string, names: readonly string[], evidence: UnitEvidence): boolean {
  if (name === DEGREE) return areOfAlcohol(evidence)
  if (findNamedUnit(evidence) === `${DEGREE}${name}`) return true
  if (name.length < 2 || isKnownUnit(name)) return false
  const [counted = '', per = ''] = name.split('/')
  const unit = findNamedUnit(evidence)
  if (per !== '' && unit !== undefined && areSameUnit([counted, unit])) return isPeriodNamed(per, evidence)
  return [...names, ...listNameWords(evidence)].some(
    (other) => isShortFor(name, other) && COUNTED.some((one) => findUnits(other).has(one)),
  )
}

function decideOtherUnits(names: readonly string[], evidence: UnitEvidence): UnitDecision {
  const units = [...new Set(names.flatMap((name) => toPlainUnit(name) || (findNamedUnit(evidence) ?? [])))]
  if (areOrdinals(units) && findNamedUnit(evidence) === undefined) return { reading: { units }, isClear: true }
  const counted = findCounted(units, evidence)
  if (counted.length > 0) return decideNextToCounted(counted, units, evidence)
  const ownNames = names.filter((name) => !isOtherRate(name, evidence))
  if (ownNames.length < names.length)
    return ownNames.length === 0
      ? { reading: {}, isClear: false }
      : { ...decideOtherUnits(ownNames, evidence), isClear: false }
  if (!areSameUnit([...new Set(names.flatMap((name) => getPer(name) ?? []))])) return { reading: {}, isClear: false }
  if (names.every((name) => toPlainUnit(name) === name)) return decidePlainUnits(units, evidence)
  const { reading, isClear } = decidePlainUnits(units, evidence)
  if (!names.some(isMultiplied)) return { reading: isClear ? { ...reading, units: [...names] } : reading, isClear }
  const isBareClear = evidence.bareMinimum >= MIN_BARE_NEXT_TO_MULTIPLIERS
  if (isClear && isBareClear) return { reading: { ...reading, units: [...names] }, isClear }
  return { reading: evidence.hasBare && !isBareClear ? { onlyWithUnit: true } : {}, isClear: false }
}

const PERIODS = ['year', 'month', 'week', 'day', 'hour']
const ADJECTIVES: Readonly<Record<string, string>> = {
  ...{ annual: 'year', yearly: 'year', monthly: 'month', weekly: 'week', daily: 'day', hourly: 'hour' },
}

const listPeriods = (word: string): string[] =>
  PERIODS.filter((period) => findUnits(word).has(period) || ADJECTIVES[word] === period)

const listNamedPeriods = (evidence: UnitEvidence): string[] => listNameWords(evidence).flatMap(listPeriods)

const isPeriodNamed = (per: string, evidence: UnitEvidence): boolean =>
  listNamedPeriods(evidence).some((period) => findUnits(per).has(period) || period.startsWith(per))

function isOtherRate(name: string, evidence: UnitEvidence): boolean {
  const own = listPeriods(getPer(name) ?? '')
  const named = listNamedPeriods(evidence)
  return own.length > 0 && named.length > 0 && !own.some((period) => named.includes(period))
}

const findNamedUnit = ({ fieldUnit, columnName = '' }: NumberNames): string | undefined =>
  fieldUnit ?? findFieldUnit(columnName)

const ENGLISH_ORDINALS = ['nd', 'rd', 'th']
const ORDINALS = new Set(['°', 'º', 'ª', 'er', 'ème', 'ste', ...ENGLISH_ORDINALS])

/** `11°` and `2nd`; the ending of `1st` is also that of pieces. */
function areOrdinals(units: readonly string[]): boolean {
  const isEnglish = units.some((unit) => ENGLISH_ORDINALS.includes(unit))
  return units.length > 0 && units.every((unit) => ORDINALS.has(unit) || (isEnglish && unit === 'pcs'))
}

const MIN_CUT_LETTERS = 3

/** `10 AT` below `AT`, and `2 ex.` below `Nb ex.`. */
const areLetters = (unit: string, { columnName = '' }: NumberNames): boolean =>
  unit.length > 1 && listNameWords({ columnName }).includes(withoutAccents(unit))

/** The unit can be a word of the column name: `6 cadres` and `6 c.` below `Force (cadres)`. */
function findCounted(units: readonly string[], evidence: UnitEvidence): string[] {
  const words = listNameWords(evidence).filter((word) => word.length >= MIN_CUT_LETTERS)
  const isNamed = (unit: string): boolean =>
    !isKnownUnit(unit) &&
    (areLetters(unit, evidence) ||
      (unit.length >= MIN_CUT_LETTERS &&
        words.some((word) => isSameWord(word, unit) || word.startsWith(withoutAccents(unit)))))
  const named = units.filter(isNamed)
  const cut = units.filter(
    (unit) =>
      !named.includes(unit) &&
      named.some((name) => isShortFor(unit, name) || (unit.length > 1 && isShortFor(name, unit))),
  )
  return named.length === 0 ? [] : [...named, ...cut]
}

const listNameWords = ({ columnName = '', fieldNames = [] }: NumberNames): string[] =>
  [columnName, ...fieldNames].flatMap((name) => withoutAccents(name.toLowerCase()).split(/[^\p{L}]+/u))

/** `c` for `cadres`, `pll` for `pallets`: some of the letters in the same order, with the first. */
function isShortFor(short: string, long: string): boolean {
  if (short.length >= long.length || short[0] !== long[0]) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at++
  return at === short.length
}

function decideNextToCounted(
  counted: readonly string[],
  units: readonly string[],
  evidence: UnitEvidence,
): UnitDecision {
  const others = units.filter((unit) => !counted.includes(unit))
  if (others.length === 0) return { reading: { units: [...counted] }, isClear: true }
  const { reading } = decidePlainUnits(others, { ...evidence, hasBare: true })
  return { reading: reading.onlyWithUnit ? reading : { units: [...counted] }, isClear: false }
}

function decidePlainUnits(found: readonly string[], evidence: UnitEvidence): UnitDecision {
  const { columnName = '', hasBare, hasBareFraction, isBareIn } = evidence
  const columnUnit = findFieldUnit(columnName) ?? findOtherUnit(found, { columnName })
  const unit = findNamedUnit(evidence) ?? findOtherUnit(found, evidence)
  const units = unit === undefined ? found : withoutWords(found, unit)
  const bareUnit =
    unit !== undefined && columnUnit !== undefined && !areSameUnit([columnUnit, unit]) ? columnUnit : undefined
  const named = [...new Set([...units, ...(unit === undefined ? [] : [unit])])]
  const isBareClear = bareUnit === undefined || !hasBare
  if (areSameUnit(units, hasBareFraction) && (units.length === 0 || areSameUnit(named)) && isBareClear)
    return { reading: units.length > 0 ? { units: [...units] } : {}, isClear: true }
  const written = [...units, ...(isBareClear ? [] : [bareUnit!])]
  if (unit !== undefined && written.every((name) => areSameUnit([name, unit]) || findRatio(name, unit))) {
    const isBareOpen =
      hasBare &&
      (bareUnit === undefined
        ? columnUnit === undefined && !isBareIn(unit)
        : areOtherFractions(bareUnit, unit, evidence))
    const conversion = { units: [...units], unit, ...(bareUnit === undefined ? {} : { bareUnit }) }
    return { reading: { ...conversion, ...(isBareOpen ? { onlyWithUnit: true } : {}) }, isClear: !isBareOpen }
  }
  if (unit === undefined && areQuantities(units, evidence)) return { reading: { units: [...units] }, isClear: true }
  const isBareOpen = hasBare && (!isBareClear || ((unit ?? '%') === '%' && haveDifferentSizes(units)))
  const own = unit === undefined ? findOnlyCurrency(units) : units.filter((name) => areSameUnit([name, unit]))
  return {
    reading: { ...(own.length > 0 ? { units: own } : {}), ...(isBareOpen ? { onlyWithUnit: true } : {}) },
    isClear: false,
  }
}

const findOtherUnit = (units: readonly string[], names: NumberNames): string | undefined =>
  listNameWords(names).find((word) => WHOLE_UNIT.test(word) && units.some((unit) => canBeConverted(unit, word)))

function findOnlyCurrency(units: readonly string[]): string[] {
  const known = units.filter(isKnownUnit)
  return known.length < units.length && known.every(findCurrencies) && areSameUnit(known) ? known : []
}

const QUANTITY =
  /^(?:qt[ye]?|quanti.*|cantidad|cant|menge|anzahl|stuckzahl|hoeveelheid|aantal|ilosc|qtd[ae]?|count(?:ed)?|conte[og].*|contad[oa]|gezahlt|geteld|recuento|stock|bestand|existencias|giacenza|voorraad|estoque)$/

export const namesQuantity = (names: NumberNames): boolean => listNameWords(names).some((word) => QUANTITY.test(word))

/** `1,200 kg`, `20 drums` and `500 nos` of different goods, none of which can be converted into another. */
const areQuantities = (units: readonly string[], evidence: UnitEvidence): boolean =>
  namesQuantity(evidence) &&
  !units.some((unit) => findCurrencies(unit) !== undefined || DOZEN.test(withoutAccents(unit))) &&
  !haveDifferentSizes(units)

const DOZEN = /^(?:d[ou]z|dz|dtz|dutz|dou[cz]|do[cz]en|tuz|gross)/

/** Below `Share %`, 0.8 can mean 80 %, and 80 is not a fraction below `Share (0-1)`. */
function areOtherFractions(bareUnit: string, unit: string, { hasBareFraction, isBareIn }: UnitEvidence): boolean {
  if (unit === FRACTION) return hasBareFraction || isBareIn(FRACTION)
  return bareUnit === FRACTION && !isBareIn(FRACTION)
}

const haveDifferentSizes = (units: readonly string[]): boolean =>
  units.includes('%') ||
  units.some((unit, at) => units.slice(at + 1).some((other) => isKnownUnit(unit) && canBeConverted(unit, other)))

const canBeConverted = (a: string, b: string): boolean =>
  isKnownUnit(b) &&
  !areSameUnit([a, b]) &&
  (findRatio(a, b) !== undefined || (findCurrencies(a) !== undefined && findCurrencies(b) !== undefined))

/** Next to `12 months` and `1 year`, only `8 issues` cannot be read. */
function withoutWords(units: readonly string[], unit: string): readonly string[] {
  const known = units.filter((name) => isKnownUnit(name) || areSameUnit([name, unit]))
  return known.length > 0 ? known : units
}
