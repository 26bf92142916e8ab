/** Evidence from the other columns of a file, for a column that leaves its reading open. Pure. */
import { DATE_MARKS, type DateReading, type NumberReading } from '../../schemas/programs/readings.ts'
import type { Decision, FileHabits } from '../values/decision.ts'
import { isDash, isMissingWord, startsWithNone } from '../values/missing.ts'
import { findWrittenUnit, PLAIN_DECIMAL } from '../values/numbers.ts'
import { cleanText } from '../values/texts.ts'
import { areSameUnit } from '../values/unit-names.ts'
import { findCurrencies, normalizeUnit } from '../values/units.ts'
import { parseName } from './names.ts'
import { findNativeOrders } from './native-orders.ts'
import { isEmpty } from './rules/cells.ts'
import { findMeaning } from './vocabulary.ts'

export function findHabits(
  decisions: readonly (Decision | undefined)[],
  columns: readonly (readonly unknown[])[],
  headers: readonly string[],
): FileHabits {
  const readings = decisions.flatMap((decision) => (decision ? [decision.reading] : []))
  const numbers = decisions
    .flatMap((decision, at) => (decision && !hasBothMarks(decision, columns[at]!) ? [decision.reading] : []))
    .filter((reading): reading is NumberReading => reading.type === 'number')
  const dates = readings.filter((reading): reading is DateReading => reading.type === 'date')
  const orders = DATE_MARKS.flatMap((mark) => {
    const order = findOnly(dates.map(({ orders }) => orders?.[mark]))
    return order ? [[mark, order] as const] : []
  })
  return {
    decimalMark: findOnly(numbers.map(({ decimalMark }) => decimalMark)),
    orders: Object.fromEntries(orders),
    nativeOrders: findNativeOrders(
      headers,
      dates.map((date) => date.orders),
    ),
    missingWords: findMissingWords(columns),
  }
}

/** Next to `680,50 €`, 745.5 is a number cell of a spreadsheet; 25.009 in another column can be one, too. */
const hasBothMarks = ({ reading }: Decision, cells: readonly unknown[]): boolean =>
  reading.type === 'number' &&
  reading.decimalMark === ',' &&
  cells.some((cell) => typeof cell === 'string' && PLAIN_DECIMAL.test(cell))

const MIN_COLUMNS_WITH_WORD = 3

/** `nc` names no company if columns of numbers and addresses have it, too. */
function findMissingWords(columns: readonly (readonly unknown[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const cells of columns)
    for (const word of new Set([...new Set(cells)].flatMap(listMissingWord)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set([...counts].flatMap(([word, count]) => (count >= MIN_COLUMNS_WITH_WORD ? [word] : [])))
}

const listMissingWord = (cell: unknown): string[] =>
  typeof cell === 'string' && isMissingWord(cell) && !isDash(cell) && !startsWithNone(cell)
    ? [cleanText(cell).toLowerCase()]
    : []

function findOnly<T>(found: readonly (T | undefined)[]): T | undefined {
  const [only, ...others] = new Set(found.filter((one) => one !== undefined))
  return others.length > 0 ? undefined : only
}

const MIN_ROWS = 3
const MIN_ROWS_NEXT_TO_CURRENCIES = 2

interface WrittenUnit {
  row: number
  unit: string
}

const listWrittenUnits = (values: readonly unknown[]): WrittenUnit[] =>
  values.flatMap((value, row) => {
    const unit = typeof value === 'string' ? findWrittenUnit(value) : undefined
    return unit ? [{ row, unit }] : []
  })

/** Another column says which unit or currency each number has. */
export function hasUnitColumn(
  key: string,
  samples: ReadonlyMap<string, readonly unknown[]>,
  { question }: Decision,
): boolean {
  const rows = listWrittenUnits(samples.get(key) ?? [])
  const [alternative] = question?.alternatives ?? []
  const seen = new Set(rows.map(({ unit }) => unit))
  const units = alternative?.type === 'number' ? (alternative.units ?? []) : []
  if (rows.length === 0 || units.some((unit) => !seen.has(unit))) return false
  return [...samples].some(
    ([other, cells]) => other !== key && (repeatUnits(other, cells, rows) || decideUnits(cells, rows)),
  )
}

/** `EUR` next to `12,50 €`. */
const repeatUnits = (header: string, cells: readonly unknown[], rows: readonly WrittenUnit[]): boolean =>
  (rows.length >= MIN_ROWS ||
    (rows.length >= MIN_ROWS_NEXT_TO_CURRENCIES && areCurrencies(cells)) ||
    isForUnits(header)) &&
  rows.every(({ row, unit }) => {
    const cell = cells[row]
    return typeof cell === 'string' && areSameUnit([unit, normalizeUnit(cleanText(cell))])
  })

const MIN_ROWS_PER_UNIT = 3

/** Meters of `Strom` are read in kWh and those of `Gas` in m³. */
function decideUnits(cells: readonly unknown[], rows: readonly WrittenUnit[]): boolean {
  const unitsByText = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { row, unit } of rows) {
    const cell = cells[row]
    if (typeof cell !== 'string' || isEmpty(cell) || findCurrencies(unit) !== undefined) return false
    const text = cleanText(cell).toLowerCase()
    if (!areSameUnit([unitsByText.get(text) ?? unit, unit])) return false
    unitsByText.set(text, unit)
    counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  const areRepeated = rows.length >= unitsByText.size * MIN_ROWS_PER_UNIT
  return areRepeated && counts.size > 1 && [...counts.values()].every((count) => count >= MIN_ROWS_PER_UNIT)
}

const UNIT = findMeaning('unit of measure')
const isForUnits = (header: string): boolean => parseName(header).meanings.includes(UNIT)

const areCurrencies = (cells: readonly unknown[]): boolean =>
  cells.every((cell) => isEmpty(cell) || findCurrencies(cleanText(String(cell))) !== undefined)

export function acceptUnits({ question }: Decision): Decision {
  const [reading, ...others] = question!.alternatives
  if (others.length === 0 || reading?.type !== 'number') return { reading: reading! }
  return { reading: { ...reading, debits: 'unclear' }, question: { ...question!, about: 'debit-credit' } }
}
