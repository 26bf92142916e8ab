/**
 * Compares cells with the operand of a query.
 * Numeric texts count as numbers in number fields; values that do not parse are equal only as text. eq and ne compare
 * exact text (boolean fields ignore case); lt, gt, lte and gte compare in lower case, like sorting.
 * A list matches if one value does; for `ne`, none may be equal. An empty cell equals only "" and is `ne` to any value.
 */
import { createTextFinder } from '../../../core/find-text.ts'
import { valueToText } from '../values.ts'
import { createLikeTest, findLongestRun } from './like.ts'
import type { Operator } from './parser.ts'

export type CellTest = (value: unknown) => boolean

export function createCellTest(operator: Operator, type: string, operand: string): CellTest {
  if (operator === 'ne') {
    const isEqual = createCellTest('eq', type, operand)
    return (value) => !isEqual(value)
  }
  if (operator === 'eq' && operand === '') return (value) => value === null
  const scalarTest = createValueTest(operator, type, operand)
  const elementTest = operator === 'contains' ? createExactTest(operand) : scalarTest
  return (value) => {
    if (value === null) return false
    return Array.isArray(value) ? value.some((item) => item !== null && elementTest(item)) : scalarTest(value)
  }
}

function createValueTest(operator: Exclude<Operator, 'ne'>, type: string, operand: string): CellTest {
  switch (operator) {
    case 'like': {
      const matchesPattern = createLikeTest(operand)
      return (value) => matchesPattern(valueToText(value))
    }
    case 'ilike': {
      const matchesPattern = createLikeTest(operand.toLowerCase())
      return (value) => matchesPattern(valueToText(value).toLowerCase())
    }
    case 'contains': {
      const findText = createTextFinder(operand.toLowerCase())
      return (value) => findText(valueToText(value).toLowerCase()) >= 0
    }
    case 'eq':
      return createEqualTest(type, operand)
    default:
      return createOrderTest(ORDERS[operator], type, operand)
  }
}

function createExactTest(operand: string): CellTest {
  const expected = operand.toLowerCase()
  return (value) => valueToText(value).toLowerCase() === expected
}

function getNumberParser(type: string): (value: unknown) => number {
  if (type === 'number') return parseNumber
  if (type === 'date') return parseTime
  return () => Number.NaN
}

export function parseNumber(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /\S/.test(value) ? Number(value) : Number.NaN
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Epoch milliseconds; UTC without a time zone. NaN for invalid dates such as February 30. */
function parseTime(value: unknown): number {
  const match = typeof value === 'string' ? ISO_DATE.exec(value) : null
  if (!match) return Number.NaN
  const [, year, month, day, time, zone] = match
  const start = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (new Date(start).getUTCDate() !== Number(day) || Number(month) > 12 || month === '00') return Number.NaN
  return time ? Date.parse(zone ? match[0] : `${match[0]}Z`) : start
}

function createEqualTest(type: string, operand: string): CellTest {
  const toNumber = getNumberParser(type)
  const operandNumber = toNumber(operand)
  if (!Number.isNaN(operandNumber))
    return (value) => toNumber(value) === operandNumber || valueToText(value) === operand
  if (type === 'boolean') return createExactTest(operand)
  return (value) => valueToText(value) === operand
}

export function createNumberTest(
  operator: Operator,
  type: string,
  operand: string,
): ((size: number) => boolean) | undefined {
  const operandNumber = type === 'number' ? parseNumber(operand) : Number.NaN
  if (Number.isNaN(operandNumber)) return undefined
  if (operator === 'eq') return (cellNumber) => cellNumber === operandNumber
  if (operator === 'ne') return (cellNumber) => cellNumber !== operandNumber
  if (operator === 'like' || operator === 'ilike' || operator === 'contains') return undefined
  const matchesOrder = ORDERS[operator]
  return (cellNumber) => matchesOrder(cellNumber - operandNumber)
}

/** A lower-case text that every matching cell contains, if there is one. */
export function extractNeedle(operator: Operator, type: string, operand: string): string | undefined {
  const text = operand.toLowerCase()
  if (operator === 'contains') return text
  if (operator === 'like' || operator === 'ilike') return findLongestRun(text)
  return operator === 'eq' && type !== 'number' && type !== 'date' ? text : undefined
}

/** Compares two values by type. Undefined if one of them is not a value of the type. */
export function compareScalars(
  operator: keyof typeof ORDERS | 'eq' | 'ne',
  type: string,
  left: unknown,
  right: unknown,
): boolean | undefined {
  if (type === 'number' || type === 'date') {
    const toNumber = getNumberParser(type)
    const order = toNumber(left) - toNumber(right)
    if (Number.isNaN(order)) return undefined
    return operator === 'eq' ? order === 0 : operator === 'ne' ? order !== 0 : ORDERS[operator](order)
  }
  const [leftText, rightText] = [valueToText(left), valueToText(right)]
  if (operator === 'eq' || operator === 'ne') return (leftText === rightText) === (operator === 'eq')
  const [leftFolded, rightFolded] = [leftText.toLowerCase(), rightText.toLowerCase()]
  return ORDERS[operator](leftFolded < rightFolded ? -1 : leftFolded > rightFolded ? 1 : 0)
}

const ORDERS = {
  lt: (order: number) => order < 0,
  gt: (order: number) => order > 0,
  lte: (order: number) => order <= 0,
  gte: (order: number) => order >= 0,
}

function createOrderTest(matchesOrder: (order: number) => boolean, type: string, operand: string): CellTest {
  if (type === 'number' || type === 'date') {
    const toNumber = getNumberParser(type)
    const operandNumber = toNumber(operand)
    // NaN is neither less nor greater.
    return (value) => matchesOrder(toNumber(value) - operandNumber)
  }
  const text = operand.toLowerCase()
  return (value) => {
    const cellText = valueToText(value).toLowerCase()
    return matchesOrder(cellText < text ? -1 : cellText > text ? 1 : 0)
  }
}
