/** Compares the sizes of a column's numbers: a mark or a unit read wrongly makes a number a thousand times larger. Pure. */
import { isKnownUnit } from './unit-names.ts'
import { findFactor } from './unit-scales.ts'

type Mark = '.' | ','
/** Clear numbers, and those whose only mark can be one of decimals. */
type Kind = 'clear' | Mark

interface Range {
  count: number
  min: number
  max: number
}

const createRange = (): Range => ({ count: 0, min: Number.POSITIVE_INFINITY, max: 0 })

function extendRange(range: Range, value: number): void {
  const size = Math.abs(value)
  if (size === 0) return
  range.count++
  range.min = Math.min(range.min, size)
  range.max = Math.max(range.max, size)
}

const scaleRange = ({ count, min, max }: Range, factor: number): Range => ({
  ...{ count, min: min * factor, max: max * factor },
})

function joinRanges(ranges: readonly Range[]): Range {
  const joined = createRange()
  for (const { count, min, max } of ranges) {
    joined.count += count
    joined.min = Math.min(joined.min, min)
    joined.max = Math.max(joined.max, max)
  }
  return joined
}

const isWithin = (range: Range, other: Range, factor: number): boolean =>
  range.min >= other.min / factor && range.max <= other.max * factor

const isFarFrom = (range: Range, other: Range, factor: number): boolean =>
  range.max < other.min / factor || range.min > other.max * factor

const MAX_UNITS = 50
const MIN_NUMBERS = 3
const MIN_CLEAR_NUMBERS = 5
const MIN_WHOLE_NUMBERS = 8
const MAX_SPREAD = 100
const MAX_PERCENTAGE = 100
const NEAR_FACTOR = 10
const FAR_FACTOR = 5
const MAX_WHOLE_FACTOR = 20

const [FIRST_YEAR, LAST_YEAR] = [1800, 2200]
const APART_FACTOR = 1.5
const MAJORITY_FACTOR = 5

/** Next to `45 min`, `20 min` and `2 h`, a bare 35 is in minutes: it is as large as they are, and unlike all hours. */
function areLikeOwn(bare: Range, written: readonly Range[], factors: readonly number[]): boolean {
  const own = joinRanges(written.filter((_, at) => factors[at] === 1))
  const others = joinRanges(written.filter((_, at) => factors[at] !== 1))
  if (own.count < MIN_NUMBERS || !isWithin(bare, own, FAR_FACTOR)) return false
  return isFarFrom(bare, others, APART_FACTOR) || own.count >= others.count * MAJORITY_FACTOR
}

export interface Roundness {
  values: Set<number>
  hasOthers: boolean
}

const MAX_ROUND_VALUES = 50
const MIN_ROUND_VALUES = 3
const MIN_ROUND_VALUE = 10

export const createRoundness = (): Roundness => ({ values: new Set(), hasOthers: false })

/** @param value the number, read with three decimals */
export function addRoundness(roundness: Roundness, value: number): void {
  const size = Math.abs(value)
  const isRound = size >= MIN_ROUND_VALUE && Math.round(size * 1000) % 10 === 0
  if (!isRound) roundness.hasOthers = true
  else if (roundness.values.size < MAX_ROUND_VALUES) roundness.values.add(size)
}

/** `46.000 €`, `31.200 €` and `28.850 €` have thousands: as decimals, the last digits would say nothing. */
export const areRound = ({ values, hasOthers }: Roundness): boolean => !hasOthers && values.size >= MIN_ROUND_VALUES

export interface Sizes {
  /** @param value the number, read with decimals if that is open */
  add(unit: string, value: number, kind: Kind): void
  getMinimum(unit: string): number
  getMaximum(unit: string): number
  areFractions(unit: string): boolean
  /** `8.625` and `11.125` have decimals next to percentages such as 7.25, as they would be thousands of percent. */
  arePercentages(mark: Mark): boolean
  /** `15 years` next to 2001 and 2019 is an age. */
  isAgeNextToYears(unit: string): boolean
  /** A bare 0.44 next to `0.21 %` is in percent, too: as a fraction it would be larger than all percentages. */
  areBarePercentages(): boolean
  /** `54.408` has thousands next to 57368 and 16941, which have no decimals and are not a thousand times larger. */
  areThousands(mark: Mark, areAmounts: boolean): boolean
  /** `1.250` next to whole numbers such as 35, 180 and 12. */
  areLikeWhole(mark: Mark): boolean
  areLikeWholeThousands(mark: Mark): boolean
  isThousands(value: number): boolean
  /** Next to `23,8 t`, a bare 16408 is in kg: it is as large as the others then, and far from them in t. */
  areBareIn(unit: string, decimalMark: Mark | undefined): boolean
}

export function gatherSizes(): Sizes {
  const byUnit = new Map<string, Record<Kind, Range>>()
  const join = (kind: Kind): Range => joinRanges([...byUnit.values()].map((ranges) => ranges[kind]))
  const hasOpen = (): boolean => join('.').count > 0 || join(',').count > 0

  function read(unit: string, decimalMark: Mark | undefined): Range {
    const { clear, ...open } = byUnit.get(unit)!
    const marks = (['.', ','] as const).map((mark) => scaleRange(open[mark], mark === decimalMark ? 1 : 1000))
    return joinRanges([clear, ...marks])
  }
  return {
    add(unit, value, kind) {
      const known = byUnit.get(unit)
      if (!known && byUnit.size > MAX_UNITS) return
      const ranges = known ?? { clear: createRange(), '.': createRange(), ',': createRange() }
      extendRange(ranges[kind], value)
      if (!known) byUnit.set(unit, ranges)
    },
    getMinimum: (unit) => byUnit.get(unit)?.clear.min ?? Number.POSITIVE_INFINITY,
    getMaximum: (unit) => byUnit.get(unit)?.clear.max ?? 0,
    areFractions: (unit) => (byUnit.get(unit)?.clear.max ?? 0) <= 1,
    arePercentages(mark) {
      const [clear, decimals] = [join('clear'), join(mark)]
      return clear.count >= MIN_NUMBERS && Math.max(clear.max, decimals.max) <= MAX_PERCENTAGE
    },
    isAgeNextToYears(unit) {
      const bare = byUnit.get('')?.clear ?? createRange()
      const areYears = bare.count >= MIN_NUMBERS && bare.min >= FIRST_YEAR && bare.max <= LAST_YEAR
      return areYears && (byUnit.get(unit)?.clear.min ?? FIRST_YEAR) < FIRST_YEAR
    },
    areBarePercentages() {
      const [bare, own] = ['', '%'].map((unit) => byUnit.get(unit)?.clear ?? createRange()) as [Range, Range]
      const isOverlapping = bare.max >= own.min && bare.max <= own.max * FAR_FACTOR
      return own.count >= MIN_NUMBERS && isOverlapping && bare.min * MAX_PERCENTAGE > own.max
    },
    areThousands(mark, areAmounts) {
      const [clear, decimals] = [join('clear'), join(mark)]
      const areMany =
        clear.count >= MIN_WHOLE_NUMBERS ||
        (clear.count >= MIN_CLEAR_NUMBERS && (areAmounts || decimals.count >= MIN_NUMBERS))
      const areAlike = areMany && clear.max <= clear.min * MAX_SPREAD && isFarFrom(decimals, clear, FAR_FACTOR)
      return areAlike && isWithin(scaleRange(decimals, 1000), clear, NEAR_FACTOR)
    },
    areLikeWhole(mark) {
      const [clear, decimals] = [join('clear'), join(mark)]
      return decimals.count > 0 && clear.count >= MIN_NUMBERS && decimals.max * 1000 <= clear.max * MAX_WHOLE_FACTOR
    },
    areLikeWholeThousands(mark) {
      const clear = join('clear')
      return clear.max >= 1000 && isWithin(clear, scaleRange(join(mark), 1000), NEAR_FACTOR)
    },
    isThousands(value) {
      const bare = byUnit.get('')?.clear ?? createRange()
      const own = { count: 1, min: value, max: value }
      return bare.count >= MIN_NUMBERS && isWithin(own, bare, FAR_FACTOR) && value / 1000 < bare.min / FAR_FACTOR
    },
    areBareIn(unit, decimalMark) {
      if (!byUnit.has('') || (decimalMark === undefined && hasOpen())) return false
      const units = [...byUnit.keys()].filter((name) => name !== '')
      const factors = units.flatMap((name) => findFactor(name, unit) ?? [])
      const bare = read('', decimalMark)
      const known = units.filter((name) => findFactor(name, unit) !== undefined)
      if (units.some((name) => !known.includes(name) && isKnownUnit(name))) return false
      if (
        areLikeOwn(
          bare,
          known.map((name) => read(name, decimalMark)),
          factors,
        )
      )
        return true
      if (factors.length === 0 || factors.length < units.length) return false
      const converted = joinRanges(units.map((name, at) => scaleRange(read(name, decimalMark), factors[at]!)))
      const isFar = (factor: number) => factor === 1 || isFarFrom(scaleRange(bare, factor), converted, FAR_FACTOR)
      // A total below the numbers is larger than they are, but not as far off as the unit would be.
      const ratio = Math.max(...factors.map((factor) => Math.max(factor, 1 / factor)))
      const isNear = isWithin(bare, converted, Math.max(FAR_FACTOR, ratio / NEAR_FACTOR))
      return bare.count >= MIN_NUMBERS && isNear && factors.every(isFar)
    },
  }
}
