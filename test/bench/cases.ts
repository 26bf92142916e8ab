/** How benches measure: a work and its reference by turns, so that the machine's moods meet both, and what it costs. */
import type { Meter } from '../support/records.ts'
import { PRICES } from './prices.ts'
import { type BenchRow, type Cost, medianOf } from './row.ts'

export interface Case {
  what: string
  reference: string
  /** The ratio to reach. */
  reach: number
  rounds: number
  /** Untimed rounds ahead of them; 1 unless told. More where a round takes so little that the compiler is not done. */
  warmUp?: number
  /** How its time is to grow with the rows of the sheet; untold, it is not compared. */
  growth?: 'flat' | 'linear'
  /** Capacity units it may write. */
  writesAtMost?: number
  /** Untimed, ahead of each round. */
  before?(): unknown
  work(): unknown
  beside(): unknown
}

const timed = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Medians of the timed rounds. */
export async function measured(one: Case, rows: number, meter: Meter): Promise<BenchRow> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  let cost: Cost | undefined
  for (let round = -(one.warmUp ?? 1); round < one.rounds; round++) {
    await one.before?.()
    meter.reset()
    const time = await timed(one.work)
    cost = costOf(meter)
    if (cost.written > (one.writesAtMost ?? Number.POSITIVE_INFINITY))
      throw new Error(`${one.what} wrote ${cost.written} units; it may write ${one.writesAtMost}`)
    const reference = await timed(one.beside)
    if (round < 0) continue
    ours.push(time)
    theirs.push(reference)
  }
  const ratios = ours.map((time, round) => time / theirs[round]!)
  const { what, reference, reach } = one
  const spread = [Math.min(...ratios), Math.max(...ratios)] as const
  const [value, referenceValue] = [medianOf(ours), medianOf(theirs)]
  return { what, rows, value, reference, referenceValue, reach, spread, ...(cost ? { cost } : {}) }
}

export const costOf = (meter: Meter): Cost => ({
  requests: meter.count(),
  written: meter.written,
  read: meter.read,
  puts: meter.count('PUT'),
  gets: meter.count('GET'),
})

export const dollarsOf = ({ written, read, puts, gets }: Cost): number =>
  written * PRICES.writeUnit + read * PRICES.readUnit + puts * PRICES.s3Put + gets * PRICES.s3Get

/**
 * Ratios on the largest sheet beside those on the smallest. Where a case's time is to grow linearly, its reference does;
 * where it is to be flat, its reference is: so a ratio that stays says it of the case.
 */
export function growthOf(
  cases: readonly Case[],
  rows: readonly BenchRow[],
  smallest: number,
  largest: number,
): BenchRow[] {
  const ratioAt = (what: string, size: number): number | undefined => {
    const row = rows.find((one) => one.what === what && one.rows === size)
    return row && row.value / row.referenceValue
  }
  return cases.flatMap(({ what, growth }): BenchRow[] => {
    const [first, last] = [ratioAt(what, smallest), ratioAt(what, largest)]
    if (!growth || first === undefined || last === undefined || smallest === largest) return []
    return [
      {
        ...{ what: `growth, ${growth}: ${what}`, rows: largest, unit: 'x', reach: 2 },
        ...{ value: last, reference: `at ${smallest} rows`, referenceValue: first },
      },
    ]
  })
}
