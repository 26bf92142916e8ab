/** Converts numbers between units of the same kind, only if the result is exact. Pure. */
import { FRACTION } from './fractions.ts'
import { findUnits, normalizeUnit, splitMoney } from './units.ts'

const SCALES: readonly Readonly<Record<string, number>>[] = [
  { milligram: 1, gram: 1e3, kilogram: 1e6, tonne: 1e9 },
  { millimeter: 1, centimeter: 10, meter: 1e3, kilometer: 1e6 },
  { milliliter: 1, centiliter: 10, deciliter: 100, liter: 1e3, hectoliter: 1e5, 'cubic-meter': 1e6 },
  { 'square-centimeter': 1, 'square-meter': 1e4, hectare: 1e8, 'square-kilometer': 1e10 },
  { second: 1, minute: 60, hour: 3600 },
  { day: 1, week: 7 },
  { month: 1, year: 12 },
  { gigabyte: 1, terabyte: 1000 },
  { 'watt-hour': 1, 'kilowatt-hour': 1e3, 'megawatt-hour': 1e6 },
  { ounce: 1, pound: 16 },
  { inch: 1, foot: 12, yard: 36 },
  { percent: 1, [FRACTION]: 100 },
]

export interface Ratio {
  numerator: bigint
  denominator: bigint
}

/** Undefined if a name has no unit of a common kind, or several. */
export function findRatio(from: string, to: string): Ratio | undefined {
  const found = SCALES.flatMap((scale) => {
    const [sources, targets] = [from, to].map((name) => [...findUnits(name)].filter((unit) => unit in scale))
    return sources!.flatMap((source) => targets!.map((target) => [scale[source]!, scale[target]!] as const))
  })
  const [ratio, ...others] = found
  if (!ratio) return findMoneyRatio(from, to)
  if (others.length > 0) return undefined
  return { numerator: BigInt(ratio[0]), denominator: BigInt(ratio[1]) }
}

function findMoneyRatio(from: string, to: string): Ratio | undefined {
  const [source, target] = [splitMoney(from), splitMoney(to)]
  if (!source || !target || source.power === target.power) return undefined
  if (![...source.currencies].some((currency) => target.currencies.has(currency))) return undefined
  const difference = source.power - target.power
  return { numerator: 10n ** BigInt(Math.max(0, difference)), denominator: 10n ** BigInt(Math.max(0, -difference)) }
}

export function findFactor(from: string, to: string): number | undefined {
  if (normalizeUnit(from) === normalizeUnit(to)) return 1
  const ratio = findRatio(from, to)
  return ratio && Number(ratio.numerator) / Number(ratio.denominator)
}

const MAX_DIGITS = 15

/** The number `digits / 10^decimals` times the ratio; undefined unless at most 15 digits write it exactly. */
export function scaleExactly(digits: string, decimals: number, { numerator, denominator }: Ratio): number | undefined {
  let dividend = BigInt(digits) * numerator
  if (dividend % denominator === 0n) return toNumber(dividend / denominator, decimals)
  for (let added = 1; added <= MAX_DIGITS; added++) {
    dividend *= 10n
    if (dividend % denominator === 0n) return toNumber(dividend / denominator, decimals + added)
  }
  return undefined
}

function toNumber(digits: bigint, decimals: number): number | undefined {
  const significant = String(digits).replace(/0+$/, '')
  return significant.length > MAX_DIGITS ? undefined : Number(`${digits}e-${decimals}`)
}
