/** Pairs two columns and two fields of dates that are left, such as a start and an end, by which dates are later. Pure. */
import type { Column, Target } from './candidates.ts'
import { toWeak } from './left.ts'
import { listLeft, type Match, MIN_TEXTS_LEFT } from './matches.ts'
import { isOfKind } from './names.ts'
import { areDatesMaybe, hasOtherName } from './only-ones-left.ts'
import { isTooEmpty } from './score-pair.ts'
import { findMeaning } from './vocabulary.ts'

const STARTS = new Set(['arrival', 'begin', 'entry', 'from', 'hire', 'issued', 'opening', 'pickup', 'since'])
const ENDS = new Set(['closing', 'departure', 'due', 'end', 'exit', 'expiry', 'return', 'termination', 'to', 'until'])

export function matchDatePairLeft(
  columns: readonly Column[],
  targets: readonly Target[],
  matches: readonly Match[],
): Match[] {
  const left = listLeft(columns, targets, matches)
  const rows = left.rows.filter((at) => targets[at]!.field.type === 'date')
  const [a, b, ...others] = left.columns.filter((at) => areDatesMaybe(columns[at]!))
  if (rows.length !== 2 || a === undefined || b === undefined || others.length > 0) return []
  const end = rows.find((at) => isNamedBy(targets[at]!, ENDS))
  const start = rows.find((at) => isNamedBy(targets[at]!, STARTS)) ?? findStart(rows, targets)
  if (start === undefined || end === undefined || start === end) return []
  const first = findFirst(columns[a]!, columns[b]!)
  if (first === undefined) return []
  const [early, late] = first === columns[a] ? [a, b] : [b, a]
  const mayPair = mayHold(columns[early]!, targets[start]!, ENDS) && mayHold(columns[late]!, targets[end]!, STARTS)
  return mayPair ? [toWeak({ row: start, column: early }), toWeak({ row: end, column: late })] : []
}

const isNamedBy = ({ names }: Pick<Target, 'names'>, words: ReadonlySet<string>): boolean =>
  names.some((name) => name.words.some(({ text }) => words.has(text)))

const findStart = (rows: readonly number[], targets: readonly Target[]): number | undefined =>
  rows.find((at) => !isNamedBy(targets[at]!, ENDS) && targets[at]!.names.some((name) => isOfKind(name, 'date')))

const mayHold = (column: Column, target: Target, others: ReadonlySet<string>): boolean =>
  !isTooEmpty(column, target) && !isNamedBy(column, others) && !hasOtherName(column, target, BOUNDS)

const BOUNDS: ReadonlySet<number> = new Set(
  ['start date', 'end date', 'start time', 'end time', 'valid from', 'valid until'].map(findMeaning),
)

function findFirst(a: Column, b: Column): Column | undefined {
  const found = new Set(ORDERS.map((toNumber) => compareDates(a.samples, b.samples, toNumber)))
  found.delete(undefined)
  const [sign, ...others] = found
  return others.length > 0 || !sign ? undefined : sign < 0 ? a : b
}

const DATE = /^\s*(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})/

const LAST_SHORT_YEAR = 50

const toFullYear = (year: string): number =>
  Number(year) + (year.length > 2 ? 0 : Number(year) > LAST_SHORT_YEAR ? 1900 : 2000)

const toDay = (year: string, month: string, day: string): number | undefined =>
  Number(month) > 12 || Number(day) > 31 ? undefined : (toFullYear(year) * 100 + Number(month)) * 100 + Number(day)

type ToNumber = (parts: readonly string[]) => number | undefined

const readYearFirst: ToNumber = ([year = '', month = '', day = '']) => toDay(year, month, day)

const withYearFirst =
  (toNumber: ToNumber): ToNumber =>
  (parts) =>
    parts[0]!.length === 4 ? readYearFirst(parts) : toNumber(parts)

const ORDERS: readonly ToNumber[] = [
  readYearFirst,
  withYearFirst(([day = '', month = '', year = '']) => toDay(year, month, day)),
  withYearFirst(([month = '', day = '', year = '']) => toDay(year, month, day)),
]

function compareDates(a: readonly unknown[], b: readonly unknown[], toNumber: ToNumber): number | undefined {
  const signs: number[] = []
  for (const [at, text] of a.entries()) {
    const [own, other] = [text, b[at]].map((value) => DATE.exec(String(value ?? ''))?.slice(1))
    if (!own || !other) continue
    const [day, otherDay] = [toNumber(own), toNumber(other)]
    if (day === undefined || otherDay === undefined) return undefined
    signs.push(Math.sign(day - otherDay))
  }
  const differing = new Set(signs.filter((sign) => sign !== 0))
  const isClear = differing.size === 1 && signs.filter((sign) => sign !== 0).length >= MIN_TEXTS_LEFT
  return isClear ? [...differing][0] : 0
}
