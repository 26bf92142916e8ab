/** Decides the order of day and month of a few dates by the dates around them, in a column that is sorted. Pure. */
import type { Decision } from '../values/decision.ts'
import { readValue } from '../values/read-column.ts'

const MIN_CLEAR_DATES = 5
const MIN_CLEAR_PER_OPEN = 2

/** `11/03/2025` between `2025-03-11` and `13 March 2025` is a day of March. */
export function decideBySorting({ question }: Decision, cells: readonly unknown[]): Decision | undefined {
  if (question?.about !== 'day-month-order') return undefined
  const texts = cells.flatMap((cell) => (typeof cell === 'string' && cell !== '' ? [cell] : []))
  const columns = question.alternatives.map((reading) =>
    texts.map((text) => {
      const read = readValue(reading, text)
      return 'value' in read ? read.value : undefined
    }),
  )
  const meanings = texts.map((_, row) => new Set(columns.map((dates) => dates[row])))
  const open = [...meanings.keys()].filter((row) => meanings[row]!.size > 1)
  const clear = [...meanings.keys()].filter((row) => meanings[row]!.size === 1 && !meanings[row]!.has(undefined))
  if (clear.length < Math.max(MIN_CLEAR_DATES, open.length * MIN_CLEAR_PER_OPEN)) return undefined
  if (clear[0]! > open[0]! || clear.at(-1)! < open.at(-1)!) return undefined
  const [reading, ...others] = question.alternatives.filter((_, at) => areSorted(columns[at]!))
  return reading && others.length === 0 ? { reading } : undefined
}

function areSorted(dates: readonly unknown[]): boolean {
  const days = dates.flatMap((date) => (typeof date === 'string' ? [date] : []))
  const rises = (sign: 1 | -1) => days.every((day, at) => at === 0 || sign * day.localeCompare(days[at - 1]!) >= 0)
  return rises(1) || rises(-1)
}
