/** Decides from all texts of a column which mark separates decimals and which unit is meant, and reads them. Pure. */
import { DEBITS, type NumberReading } from '../../schemas/programs/readings.ts'
import { readCompound } from './compound.ts'
import { gatherMarks, isMoneyIn } from './decimal-marks.ts'
import { type Decision, EXAMPLES } from './decision.ts'
import { FRACTION } from './fractions.ts'
import { gatherLabels } from './labels.ts'
import { namesMoney } from './missing.ts'
import { areLoneSides, areSides, getSide, splitSide } from './sides.ts'
import { gatherSizes } from './sizes.ts'
import { cleanText } from './texts.ts'
import {
  decideLengths,
  decideUnits,
  MIN_BARE_NEXT_TO_MULTIPLIERS,
  type NumberNames,
  type UnitEvidence,
} from './unit-decision.ts'
import { areSameUnit, findFieldUnit, isKnownUnit } from './unit-names.ts'
import { findRatio, scaleExactly } from './unit-scales.ts'
import { isBareMultiplier, toPlainUnit } from './units.ts'
import { type DecimalMark, parseWrittenNumber, toNumber, type WrittenNumber } from './written-numbers.ts'

export type NumberProblem = 'unreadable' | 'ambiguous' | 'unit' | 'too-long'

const INTEGER = /^-?\d{1,15}$/
export const PLAIN_DECIMAL = /^-?\d{1,12}\.\d{1,2}$/
export const findWrittenUnit = (text: string): string | undefined =>
  parseWrittenNumber(splitSide(text)?.text ?? text)?.unit || undefined

export interface NumberContext extends NumberNames {
  decimalMark?: DecimalMark | undefined
}

export interface NumberEvidence {
  add(text: string): void
  decide(context?: NumberContext): Decision<NumberReading>
}

const MAX_UNITS = 50
const COMPOUND = /^\s*\d{1,6}\s?(?:\p{L}{1,10}\.?\s?\d|['’′]\s*$|:[0-5]\d)/u

export function gatherNumbers(): NumberEvidence {
  const marks = gatherMarks()
  const unitExamples = new Map<string, string>()
  const marked: { text: string; unmarked: string; mark: string }[] = []
  const unclearUnits = new Set<string>()
  const multiplied: string[] = []
  const sizes = gatherSizes()
  const labels = gatherLabels()
  let [hasBare, hasBareFraction, hasCompound] = [false, false, false]

  function addBare(value: number): void {
    hasBare ||= value !== 0
    hasBareFraction ||= value !== 0 && Math.abs(value) < 1
  }
  function addWritten(text: string): void {
    const written = parseWrittenNumber(text)
    if (!written) {
      hasCompound ||= COMPOUND.test(text)
      return
    }
    if (isBareMultiplier(written.unit)) multiplied.push(text)
    else addEvidence(text, written)
  }
  function addEvidence(text: string, written: WrittenNumber): void {
    marks.addDecimal(written)
    const value = toNumber(written, true) ?? 0
    if (written.label !== undefined) {
      labels.add(written.label, text, value)
      if (written.unit === '') return
    }
    marks.addOpen(written, text, value)
    if (written.isUnclear) {
      unclearUnits.add(written.unit)
      return
    }
    sizes.add(written.unit, value, written.openMark ?? 'clear')
    if (written.unit === '') addBare(value)
    else if (unitExamples.size < MAX_UNITS && !unitExamples.has(written.unit)) unitExamples.set(written.unit, text)
  }
  /** `12k` in a column of money, or next to 9500 and 14,000. */
  const areMultiplied = (unit: string | undefined, names: readonly string[]): boolean =>
    isMoney(unit) ||
    isMoneyIn([...unitExamples.keys()]) ||
    (names.some(namesMoney) && sizes.getMinimum('') >= MIN_BARE_NEXT_TO_MULTIPLIERS) ||
    multiplied.every((text) => sizes.isThousands(toNumber(parseWrittenNumber(text)!, true) ?? 0))
  /** Examples of both letters, if the letters are sides. */
  function decideSides(columnName: string, fieldUnit: string | undefined): string[] {
    const examples = new Map(marked.map(({ text, mark }) => [mark, text]))
    const found = new Set(examples.keys())
    const texts = marked.map(({ unmarked }) => unmarked)
    const hasSides = areSides(found, columnName) || areLoneSides(found, texts, [columnName, fieldUnit ?? ''])
    for (const { text, unmarked } of marked.splice(0)) addWritten(hasSides ? unmarked : text)
    return hasSides ? [...examples.values()] : []
  }

  return {
    add(text) {
      if (INTEGER.test(text) || PLAIN_DECIMAL.test(text)) {
        const at = text.indexOf('.')
        if (at >= 0) marks.addPlain(text.length - at - 1)
        addBare(Number(text))
        sizes.add('', Number(text), 'clear')
        return
      }
      const side = splitSide(text)
      if (side) marked.push({ text, unmarked: side.text, mark: side.mark })
      else addWritten(text)
    },
    decide({ fieldUnit, columnName = '', fieldNames, decimalMark: fileMark } = {}) {
      const sideTexts = decideSides(columnName, fieldUnit)
      const named = fieldUnit ?? findFieldUnit(columnName)
      if (areMultiplied(named, [columnName, ...(fieldNames ?? [])]))
        for (const text of multiplied.splice(0)) addEvidence(text, parseWrittenNumber(text)!)
      const hasSides = sideTexts.length > 0
      const addDebits = (readings: NumberReading[]): NumberReading[] =>
        hasSides ? readings.flatMap((one) => DEBITS.map((debits) => ({ ...one, debits }))) : readings
      const unitNames = [...unitExamples.keys()].filter((unit) => !sizes.isAgeNextToYears(unit))
      const knownUnits = unitNames.map(toPlainUnit).filter(isKnownUnit)
      const haveOneUnit = areSameUnit(knownUnits.length > 0 ? knownUnits : unitNames)
      const arePercentages = unitNames.every((name) => name === '%') && [named, ...unitNames].includes('%')
      const decimalMark = marks.decide({
        ...{ sizes, units: unitNames, haveOneUnit, namedUnit: named, arePercentages, fileMark },
        ...{ columnName, fieldNames },
      })
      const evidence: UnitEvidence = {
        ...{ fieldUnit, columnName, fieldNames, hasBare, bareMinimum: sizes.getMinimum('') },
        hasBareFraction: hasBareFraction && !sizes.areBarePercentages(),
        isBareIn: (unit) => (unit === FRACTION ? sizes.areFractions('') : sizes.areBareIn(unit, decimalMark)),
      }
      const units = decideLengths(unitNames, unclearUnits, evidence) ?? decideUnits(unitNames, evidence)
      const {
        accepted,
        open: openLabels,
        texts: labelTexts,
      } = labels.decide([columnName, ...(fieldNames ?? [])], {
        ...{ unit: named, largestBare: sizes.getMaximum('') },
      })
      const reading: NumberReading = {
        type: 'number',
        ...(decimalMark ? { decimalMark } : {}),
        ...(hasSides ? { debits: 'unclear' } : {}),
        ...(hasCompound && fieldUnit !== undefined && isKnownUnit(fieldUnit) ? { unit: fieldUnit } : {}),
        ...units.reading,
        ...(accepted.length > 0 ? { labels: accepted } : {}),
      }
      const examples = marks.listOpen()
      if (examples.length > 0 && !decimalMark) {
        const alternatives = (['.', ','] as const).map((mark) => ({ ...reading, decimalMark: mark }))
        return { reading, question: { about: 'decimal-mark', examples, alternatives: addDebits(alternatives) } }
      }
      if (units.isClear && hasSides)
        return { reading, question: { about: 'debit-credit', examples: sideTexts, alternatives: addDebits([reading]) } }
      if (units.isClear && openLabels.length === 0) return { reading }
      if (units.isClear) {
        const alternatives = [{ ...reading, labels: [...accepted, ...openLabels] }]
        return { reading, question: { about: 'unit', examples: labelTexts, alternatives: addDebits(alternatives) } }
      }
      const unitTexts = [...unitExamples.values()].slice(0, EXAMPLES)
      const alternatives = [{ ...reading, units: [...unitNames], onlyWithUnit: undefined }]
      return { reading, question: { about: 'unit', examples: unitTexts, alternatives: addDebits(alternatives) } }
    },
  }
}

const isMoney = (unit: string | undefined): boolean => unit !== undefined && isMoneyIn([unit])

/** Whether every number of digits with at most two decimals after a point is read as it is, without a unit. */
export const readsPlainNumbers = ({ debits, bareUnit, onlyWithUnit, emptyTexts = [] }: NumberReading): boolean =>
  !debits && bareUnit === undefined && !onlyWithUnit && !emptyTexts.some((text) => Number.isFinite(Number(text)))

export function readNumberIn(reading: NumberReading, text: string): ReadNumber {
  if (reading.debits) return readSide(reading, text)
  const { decimalMark, units = [], onlyWithUnit, unit = '', bareUnit } = reading
  if (bareUnit === undefined && (INTEGER.test(text) || PLAIN_DECIMAL.test(text))) {
    const value = Number(text) || 0
    return onlyWithUnit && value !== 0 ? { problem: 'unit' } : { value }
  }
  const written = parseWrittenNumber(text)
  if (!written) {
    const sum = unit === '' ? undefined : readCompound(text, unit)
    return sum === undefined ? { problem: 'unreadable' } : { value: sum }
  }
  if (written.label !== undefined && !reading.labels?.includes(written.label)) return { problem: 'unreadable' }
  if (written.unit === '' ? onlyWithUnit : !units.includes(written.unit)) return { problem: 'unit' }
  if (written.isUnclear && unit === '') return { problem: 'unit' }
  if (written.openMark && decimalMark === undefined) return { problem: 'ambiguous' }
  const ownUnit = toPlainUnit(written.unit) || bareUnit || unit
  if (unit !== '' && !areSameUnit([ownUnit, unit]))
    return convert(written, written.openMark === decimalMark, unit, ownUnit)
  const value = toNumber(written, written.openMark === decimalMark)
  return value === undefined ? { problem: 'too-long' } : { value }
}

type ReadNumber = { value: number } | { problem: NumberProblem }

function convert(written: WrittenNumber, isDecimal: boolean, unit: string, ownUnit: string): ReadNumber {
  const { isNegative, integer, fraction, exponent, openMark } = written
  const ratio = findRatio(ownUnit, unit)
  const decimals = openMark !== undefined && !isDecimal ? 0 : fraction.length
  const shift = Number(exponent) - decimals
  const digits = (integer + fraction || '0') + '0'.repeat(Math.max(0, shift))
  const value = ratio && scaleExactly(digits, Math.max(0, -shift), ratio)
  if (value === undefined) return { problem: 'unit' }
  return { value: isNegative && value !== 0 ? -value : value }
}

/** A number with a sign of its own has no second one; only 0 needs no side. */
function readSide(reading: NumberReading, text: string): ReadNumber {
  const side = splitSide(cleanText(text))
  const read = readNumberIn({ ...reading, debits: undefined }, side?.text ?? text)
  if ('problem' in read) return read
  if (read.value === 0) return read
  if (!side) return { problem: 'ambiguous' }
  if (read.value < 0) return { problem: 'unreadable' }
  if (reading.debits === 'unclear') return { problem: 'ambiguous' }
  return { value: (getSide(side.mark) === 'debit') === (reading.debits === 'negative') ? -read.value : read.value }
}
