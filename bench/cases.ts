/** Measures a case and its reference in alternating rounds, so that load affects both, and counts its cost. */
import type { Meter } from '../test/support/records.ts'
import { PRICES } from './prices.ts'
import { type BenchRow, type Cost, median } from './row.ts'

export interface Case {
  what: string
  reference: string
  target: number
  rounds: number
  warmUp?: number
  growth?: 'flat' | 'linear'
  maxWrites?: number
  before?(): unknown
  work(): unknown
  runReference(): unknown
}

const measureMs = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export async function measureCase(benchCase: Case, rows: number, meter: Meter): Promise<BenchRow> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  let cost: Cost | undefined
  for (let round = -(benchCase.warmUp ?? 1); round < benchCase.rounds; round++) {
    await benchCase.before?.()
    meter.reset()
    const time = await measureMs(benchCase.work)
    cost = toCost(meter)
    if (cost.written > (benchCase.maxWrites ?? Number.POSITIVE_INFINITY))
      throw new Error(`${benchCase.what} wrote ${cost.written} units; it may write ${benchCase.maxWrites}`)
    const reference = await measureMs(benchCase.runReference)
    if (round < 0) continue
    ours.push(time)
    theirs.push(reference)
  }
  const ratios = ours.map((time, round) => time / theirs[round]!)
  const { what, reference, target } = benchCase
  const spread = [Math.min(...ratios), Math.max(...ratios)] as const
  const [value, referenceValue] = [median(ours), median(theirs)]
  return { what, rows, value, reference, referenceValue, target, spread, ...(cost ? { cost } : {}) }
}

export const toCost = (meter: Meter): Cost => ({
  requests: meter.count(),
  written: meter.written,
  read: meter.read,
  puts: meter.count('PUT'),
  gets: meter.count('GET'),
})

export const toDollars = ({ written, read, puts, gets }: Cost): number =>
  written * PRICES.writeUnit + read * PRICES.readUnit + puts * PRICES.s3Put + gets * PRICES.s3Get

export function compareGrowth(
  cases: readonly Case[],
  rows: readonly BenchRow[],
  smallest: number,
  largest: number,
): BenchRow[] {
  const findRatio = (what: string, size: number): number | undefined => {
    const row = rows.find((one) => one.what === what && one.rows === size)
    return row && row.value / row.referenceValue
  }
  return cases.flatMap(({ what, growth }): BenchRow[] => {
    const [first, last] = [findRatio(what, smallest), findRatio(what, largest)]
    if (!growth || first === undefined || last === undefined || smallest === largest) return []
    return [
      {
        ...{ what: `growth, ${growth}: ${what}`, rows: largest, unit: 'x', target: 2 },
        ...{ value: last, reference: `at ${smallest} rows`, referenceValue: first },
      },
    ]
  })
}
