/** Evidence from the other columns of a file, for a column that leaves its reading open. Pure. */
import { DATE_MARKS, type DateReading, type NumberReading } from '../../schemas/programs/readings.ts'
import type { Decision, FileHabits } from '../values/decision.ts'
import { findWrittenUnit } from '../values/numbers.ts'
import { cleanText } from '../values/texts.ts'
import { areSameUnit } from '../values/unit-names.ts'
import { normalizeUnit } from '../values/units.ts'

export function findHabits(decisions: readonly (Decision | undefined)[]): FileHabits {
  const readings = decisions.flatMap((decision) => (decision ? [decision.reading] : []))
  const numbers = readings.filter((reading): reading is NumberReading => reading.type === 'number')
  const dates = readings.filter((reading): reading is DateReading => reading.type === 'date')
  const orders = DATE_MARKS.flatMap((mark) => {
    const order = findOnly(dates.map(({ orders }) => orders?.[mark]))
    return order ? [[mark, order] as const] : []
  })
  return { decimalMark: findOnly(numbers.map(({ decimalMark }) => decimalMark)), orders: Object.fromEntries(orders) }
}

function findOnly<T>(found: readonly (T | undefined)[]): T | undefined {
  const [only, ...others] = new Set(found.filter((one) => one !== undefined))
  return others.length > 0 ? undefined : only
}

const MIN_ROWS = 3

/** Another column repeats the unit or currency of each number that has one: `EUR` next to `12,50 €`. */
export function hasUnitColumn(
  key: string,
  samples: ReadonlyMap<string, readonly unknown[]>,
  { question }: Decision,
): boolean {
  const rows = (samples.get(key) ?? []).flatMap((value, row) => {
    const unit = typeof value === 'string' ? findWrittenUnit(value) : undefined
    return unit ? [{ row, unit }] : []
  })
  const [alternative] = question?.alternatives ?? []
  const seen = new Set(rows.map(({ unit }) => unit))
  const units = alternative?.type === 'number' ? (alternative.units ?? []) : []
  if (rows.length < MIN_ROWS || units.some((unit) => !seen.has(unit))) return false
  return [...samples].some(
    ([other, cells]) =>
      other !== key &&
      rows.every(({ row, unit }) => {
        const cell = cells[row]
        return typeof cell === 'string' && areSameUnit([unit, normalizeUnit(cleanText(cell))])
      }),
  )
}

export function acceptUnits({ question }: Decision): Decision {
  const [reading, ...others] = question!.alternatives
  if (others.length === 0 || reading?.type !== 'number') return { reading: reading! }
  return { reading: { ...reading, debits: 'unclear' }, question: { ...question!, about: 'debit-credit' } }
}
