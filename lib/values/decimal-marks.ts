/** Decides from all numbers of a column whether a point or a comma separates their decimals. Pure. */
import { EXAMPLES, pushExample } from './decision.ts'
import { addRoundness, areRound, createRoundness, type Sizes } from './sizes.ts'
import { COUNTED, isLength, type NumberNames, namesQuantity } from './unit-decision.ts'
import { findCurrencies, findUnits, toPlainUnit } from './units.ts'
import { type DecimalMark, getOtherMark, type WrittenNumber } from './written-numbers.ts'

export interface MarkContext extends NumberNames {
  sizes: Sizes
  units: readonly string[]
  haveOneUnit: boolean
  namedUnit: string | undefined
  arePercentages: boolean
  fileMark: DecimalMark | undefined
}

export interface MarkEvidence {
  addPlain(fractionLength: number): void
  addDecimal(written: WrittenNumber): void
  addOpen(written: WrittenNumber, text: string, value: number): void
  listOpen(): string[]
  decide(context: MarkContext): DecimalMark | undefined
}

export function gatherMarks(): MarkEvidence {
  const fractionLengths = { '.': new Set<number>(), ',': new Set<number>() }
  const open: Record<DecimalMark, string[]> = { '.': [], ',': [] }
  const roundness = { '.': createRoundness(), ',': createRoundness() }
  const marks = new Set<DecimalMark>()
  const typedMarks = new Set<DecimalMark>()
  const groupMarks = new Set<DecimalMark>()
  let [areAllTyped, endAllInZero] = [true, true]

  function addDecimal(mark: DecimalMark, fractionLength: number): void {
    marks.add(mark)
    if (fractionLength > 0) fractionLengths[mark].add(fractionLength)
  }
  function decideByDecimals(arePercentages: boolean, sizes: Sizes): DecimalMark | undefined {
    const [mark, other] = marks
    if (mark === undefined) return undefined
    if (other !== undefined) return decideByGroups() ?? decideByTyped()
    return isOpenNextTo(mark) && !(arePercentages && sizes.arePercentages(mark)) ? undefined : mark
  }
  /** Next to numbers that all have two decimals, three digits are more likely to be thousands. */
  function isOpenNextTo(mark: DecimalMark): boolean {
    const isFixed = fractionLengths[mark].size === 1 && !fractionLengths[mark].has(3)
    return isFixed && open[mark].length > 0
  }
  /** `1.150` has thousands next to `1.150,00`, even if some numbers are written `48.40`. */
  function decideByGroups(): DecimalMark | undefined {
    const [mark, other] = groupMarks
    if (mark === undefined || other !== undefined) return undefined
    const decimalMark = getOtherMark(mark)
    const areFixed = [...fractionLengths[mark]].every((length) => length === 2)
    return areFixed && open[decimalMark].length === 0 ? decimalMark : undefined
  }
  const hasOpen = (): boolean => open['.'].length > 0 || open[','].length > 0
  /** `€ 1.350` has thousands next to `680,50 €`, though a number cell of the spreadsheet is 745.5. */
  function decideByTyped(): DecimalMark | undefined {
    const [mark, other] = typedMarks
    if (mark === undefined || other !== undefined || !areAllTyped || !hasOpen()) return undefined
    return open[mark].length > 0 && !fractionLengths[mark].has(3) ? undefined : mark
  }
  /** A lone `1.234` has thousands if the file's decimals have a comma; `1,234` next to it or `1,2` then has decimals. */
  function decideByFile(mark: DecimalMark | undefined): DecimalMark | undefined {
    const other = getOtherMark(mark)
    const isWrittenSo = marks.size === 0 || (marks.size === 1 && marks.has(mark!))
    const isAlsoOwn = mark !== undefined && marks.has(mark) && fractionLengths[mark].has(1)
    return isWrittenSo && (open[other].length > 0 || isAlsoOwn) ? mark : undefined
  }
  function decideBySize(context: MarkContext): DecimalMark | undefined {
    const { sizes, units } = context
    const areAmounts = isMoneyIn(units)
    const [mark, other] = (['.', ','] as const).filter((one) => open[one].length > 0)
    const haveNoDecimals = marks.size === 0 || (typedMarks.size === 0 && areAllTyped)
    if (mark === undefined || other !== undefined || !haveNoDecimals) return undefined
    if (sizes.areThousands(mark, areAmounts)) return getOtherMark(mark)
    if (marks.size > 0) return undefined
    const areRoundAmounts = () => areAmounts && areRound(roundness[mark]) && !units.some(hasThousandths)
    const areNextToWhole = () =>
      areAmounts ? endAllInZero && sizes.areLikeWholeThousands(mark) : areCounts(mark, context)
    return areRoundAmounts() || areNextToWhole() ? getOtherMark(mark) : undefined
  }
  /** `1.250` has thousands next to 35, 180 and 12 pieces: decimals would not end in 0, or the others would have them, too. */
  function areCounts(mark: DecimalMark, { sizes, units, namedUnit, ...names }: MarkContext): boolean {
    const all = namedUnit === undefined ? units : [...units, namedUnit]
    const isNamed = all.length > 0 ? all.every(isCount) : endAllInZero && namesQuantity(names)
    return isNamed && sizes.areLikeWhole(mark)
  }

  return {
    addPlain(fractionLength) {
      addDecimal('.', fractionLength)
    },
    addDecimal({ decimalMark, groupMark, fraction, exponent }) {
      if (groupMark) groupMarks.add(groupMark)
      if (!decimalMark) return
      addDecimal(decimalMark, exponent === '' ? fraction.length : 0)
      typedMarks.add(decimalMark)
    },
    addOpen({ openMark, fraction, unit }, text, value) {
      if (!openMark) return
      pushExample(open[openMark], text)
      addRoundness(roundness[openMark], value)
      const endsInZero = fraction.endsWith('0')
      endAllInZero &&= endsInZero
      areAllTyped &&= openMark === ',' || unit !== '' || endsInZero
    },
    listOpen: () => [...open['.'], ...open[',']].slice(0, EXAMPLES),
    decide(context) {
      const { sizes, haveOneUnit, arePercentages, fileMark } = context
      return (
        decideByDecimals(arePercentages, sizes) ??
        decideByFile(fileMark) ??
        (haveOneUnit ? decideBySize(context) : undefined)
      )
    },
  }
}

const WHOLE_UNITS: ReadonlySet<string> = new Set([...COUNTED, 'minute', 'day'])

/** Not kilograms or metres, of which a thousandth is a unit, too. */
const isCount = (unit: string): boolean => !isLength(unit) && [...findUnits(unit)].some((one) => WHOLE_UNITS.has(one))

export const isMoneyIn = (units: readonly string[]): boolean =>
  units.some((unit) => findCurrencies(toPlainUnit(unit)) !== undefined)

/** Prices in dinars have three decimals. */
const hasThousandths = (unit: string): boolean =>
  [...(findCurrencies(toPlainUnit(unit)) ?? [])].some((currency) => countDecimals(currency) === 3)

const countDecimals = (currency: string): number | undefined =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
