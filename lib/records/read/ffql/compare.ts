/**
 * How a cell compares with the text of a query.
 *
 * In number fields numbers (also ones that stand as text) compare by size, in date fields dates by time; what cannot be
 * read so is neither less nor greater, and equal only as text. Elsewhere eq and ne take texts as they are (in boolean
 * fields in any case), lt, gt, lte and gte order them as sorting does: in lower case. A list satisfies a comparison when
 * one of its values does, and `ne` when none is equal. `contains` means a part of a text, or a whole value of a list,
 * in any case. An empty cell equals "" only: it is `ne` to any value and neither less, greater, like nor containing. Pure.
 */
import { textFinder } from '../../../core/find-text.ts'
import { textOf } from '../../rules/values.ts'
import { likeTest, longestRun } from './like.ts'
import type { Operator } from './parser.ts'

/** Judges a cell's value, null when empty. */
export type CellTest = (value: unknown) => boolean

export function cellTest(operator: Operator, type: string, operand: string): CellTest {
  if (operator === 'ne') {
    const equal = cellTest('eq', type, operand)
    return (value) => !equal(value)
  }
  if (operator === 'eq' && operand === '') return (value) => value === null
  const one = valueTest(operator, type, operand)
  const element = operator === 'contains' ? wholeTest(operand) : one
  return (value) => {
    if (value === null) return false
    return Array.isArray(value) ? value.some((part) => part !== null && element(part)) : one(value)
  }
}

/** Of a value that is neither empty nor a list. */
function valueTest(operator: Exclude<Operator, 'ne'>, type: string, operand: string): CellTest {
  switch (operator) {
    case 'like': {
      const like = likeTest(operand)
      return (value) => like(textOf(value))
    }
    case 'ilike': {
      const like = likeTest(operand.toLowerCase())
      return (value) => like(textOf(value).toLowerCase())
    }
    case 'contains': {
      const next = textFinder(operand.toLowerCase())
      return (value) => next(textOf(value).toLowerCase()) >= 0
    }
    case 'eq':
      return equalTest(type, operand)
    default:
      return orderTest(ORDERS[operator], type, operand)
  }
}

function wholeTest(operand: string): CellTest {
  const whole = operand.toLowerCase()
  return (value) => textOf(value).toLowerCase() === whole
}

/** A value as the number it compares by; NaN when its type has none, or the value cannot be read so. */
function sizer(type: string): (value: unknown) => number {
  if (type === 'number') return numberOf
  if (type === 'date') return timeOf
  return () => Number.NaN
}

/** A number, or a text that is one; NaN otherwise. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /\S/.test(value) ? Number(value) : Number.NaN
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Epoch milliseconds of an ISO date or time; without a zone it is UTC. NaN for a day no month has. */
function timeOf(value: unknown): number {
  const match = typeof value === 'string' ? ISO_DATE.exec(value) : null
  if (!match) return Number.NaN
  const [, year, month, day, time, zone] = match
  const start = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (new Date(start).getUTCDate() !== Number(day) || Number(month) > 12 || month === '00') return Number.NaN
  return time ? Date.parse(zone ? match[0] : `${match[0]}Z`) : start
}

function equalTest(type: string, operand: string): CellTest {
  const sizeOf = sizer(type)
  const size = sizeOf(operand)
  if (!Number.isNaN(size)) return (value) => sizeOf(value) === size || textOf(value) === operand
  if (type === 'boolean') return wholeTest(operand)
  return (value) => textOf(value) === operand
}

/**
 * A test by size alone, for cells read as numbers without decoding; undefined when the comparison is not one of numbers.
 */
export function sizeTest(operator: Operator, type: string, operand: string): ((size: number) => boolean) | undefined {
  const size = type === 'number' ? numberOf(operand) : Number.NaN
  if (Number.isNaN(size)) return undefined
  if (operator === 'eq') return (own) => own === size
  if (operator === 'ne') return (own) => own !== size
  if (operator === 'like' || operator === 'ilike' || operator === 'contains') return undefined
  const holds = ORDERS[operator]
  return (own) => holds(own - size)
}

/** A text that the lower case of every matching cell has, to find cells by; undefined when there is none. */
export function needleOf(operator: Operator, type: string, operand: string): string | undefined {
  const text = operand.toLowerCase()
  if (operator === 'contains') return text
  if (operator === 'like' || operator === 'ilike') return longestRun(text)
  return operator === 'eq' && type !== 'number' && type !== 'date' ? text : undefined
}

const ORDERS = {
  lt: (order: number) => order < 0,
  gt: (order: number) => order > 0,
  lte: (order: number) => order <= 0,
  gte: (order: number) => order >= 0,
}

function orderTest(holds: (order: number) => boolean, type: string, operand: string): CellTest {
  if (type === 'number' || type === 'date') {
    const sizeOf = sizer(type)
    const size = sizeOf(operand)
    // NaN is neither.
    return (value) => holds(sizeOf(value) - size)
  }
  const text = operand.toLowerCase()
  return (value) => {
    const own = textOf(value).toLowerCase()
    return holds(own < text ? -1 : own > text ? 1 : 0)
  }
}
