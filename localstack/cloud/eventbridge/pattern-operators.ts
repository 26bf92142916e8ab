/** Compiles the elements of a pattern's match lists: exact values and operators (`prefix`, `numeric`, ...). */
import { BlockList, isIP } from 'node:net'
import { AwsError } from '../lambda/wire.ts'
import type { Leaf } from './event-fields.ts'

export type Matcher = { test(value: Leaf): boolean } | { exists: boolean }

/** EventBridge compares numbers only within these bounds. */
const NUMBER_LIMIT = 5_000_000_000

export const invalidPattern = (reason: string) =>
  new AwsError(400, 'InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`)

export function compileMatcher(element: unknown): Matcher {
  if (Array.isArray(element)) throw invalidPattern('Match value must be String, number, true, false, or null')
  if (typeof element !== 'object' || element === null) return { test: (value) => value === element }
  const [operator, operand] = parseSingleEntry(element)
  if (operator === 'exists') return compileExists(operand)
  const compile = OPERATORS.get(operator)
  if (!compile) throw invalidPattern(`Unrecognized match type ${operator}`)
  return { test: compile(operand) }
}

type Test = (value: Leaf) => boolean

const OPERATORS = new Map<string, (operand: unknown) => Test>(
  Object.entries({
    prefix: (operand) => compileTextTest('prefix', operand, (text, part) => text.startsWith(part)),
    suffix: (operand) => compileTextTest('suffix', operand, (text, part) => text.endsWith(part)),
    'equals-ignore-case': (operand) => compileIgnoreCase(operand, (text, part) => text === part),
    wildcard: compileWildcard,
    numeric: compileNumeric,
    cidr: compileCidr,
    'anything-but': compileAnythingBut,
  }),
)

function parseSingleEntry(element: object): [string, unknown] {
  const [entry, ...extra] = Object.entries(element)
  if (!entry) throw invalidPattern('Match expression name not found')
  if (extra.length) throw invalidPattern('Only one key allowed in match expression')
  return entry
}

function compileExists(operand: unknown): Matcher {
  if (typeof operand !== 'boolean') throw invalidPattern('exists match pattern must be either true or false.')
  return { exists: operand }
}

function compileTextTest(operator: string, operand: unknown, compare: (text: string, part: string) => boolean): Test {
  if (typeof operand === 'string') return (value) => typeof value === 'string' && compare(value, operand)
  if (typeof operand !== 'object' || operand === null)
    throw invalidPattern(`${operator} match pattern must be a string`)
  const [inner, part] = parseSingleEntry(operand)
  if (inner !== 'equals-ignore-case') throw invalidPattern(`Unsupported ${operator} pattern: ${inner}`)
  return compileIgnoreCase(part, compare)
}

function compileIgnoreCase(operand: unknown, compare: (text: string, part: string) => boolean): Test {
  if (typeof operand !== 'string') throw invalidPattern('equals-ignore-case match pattern must be a string')
  const part = operand.toLowerCase()
  return (value) => typeof value === 'string' && compare(value.toLowerCase(), part)
}

function compileWildcard(operand: unknown): Test {
  if (typeof operand !== 'string') throw invalidPattern('wildcard match pattern must be a string')
  const parts = splitWildcard(operand)
  const first = parts[0]!
  if (parts.length === 1) return (value) => value === first
  const last = parts.at(-1)!
  const middle = parts.slice(1, -1)
  return (value) => {
    if (typeof value !== 'string' || value.length < first.length + last.length) return false
    if (!value.startsWith(first) || !value.endsWith(last)) return false
    return containsInOrder(middle, value.slice(first.length, value.length - last.length))
  }
}

function splitWildcard(pattern: string): string[] {
  const parts = ['']
  for (let index = 0; index < pattern.length; index++) {
    let character = pattern[index]!
    if (character === '*') {
      if (pattern[index + 1] === '*') throw invalidPattern(`Consecutive wildcard characters at pos ${index}`)
      parts.push('')
      continue
    }
    if (character === '\\') {
      character = pattern[++index] ?? ''
      if (character !== '*' && character !== '\\') throw invalidPattern(`Invalid escape character at pos ${index - 1}`)
    }
    parts[parts.length - 1] += character
  }
  return parts
}

function containsInOrder(parts: string[], text: string): boolean {
  let from = 0
  for (const part of parts) {
    const index = text.indexOf(part, from)
    if (index < 0) return false
    from = index + part.length
  }
  return true
}

const COMPARISONS = new Map<string, (a: number, b: number) => boolean>([
  ['=', (a, b) => a === b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
])

function compileNumeric(operand: unknown): Test {
  if (!Array.isArray(operand)) throw invalidPattern('Value of numeric must be an array.')
  const [lowerOperator, bottom, upperOperator, top, ...extra] = operand as unknown[]
  const lower = compileComparison(lowerOperator, bottom, 'Unrecognized numeric range operator')
  if (operand.length <= 2) return (value) => isComparable(value) && lower(value)
  if (extra.length || !String(lowerOperator).startsWith('>'))
    throw invalidPattern('Too many elements in numeric expression')
  if (!String(upperOperator).startsWith('<')) throw invalidPattern(`Bad numeric range operator: ${upperOperator}`)
  const upper = compileComparison(upperOperator, top, 'Bad numeric range operator')
  if (Number(bottom) >= Number(top)) throw invalidPattern('Bottom must be less than top')
  return (value) => isComparable(value) && lower(value) && upper(value)
}

function compileComparison(operator: unknown, bound: unknown, messagePrefix: string): (value: number) => boolean {
  if (typeof operator !== 'string') throw invalidPattern(`Invalid member in numeric match: ${operator}`)
  const compare = COMPARISONS.get(operator)
  if (!compare) throw invalidPattern(`${messagePrefix}: ${operator}`)
  if (typeof bound !== 'number')
    throw invalidPattern(`Value of ${operator === '=' ? 'equals' : operator} must be numeric`)
  if (!isComparable(bound))
    throw invalidPattern(`Value must be between -${NUMBER_LIMIT} and ${NUMBER_LIMIT}, inclusive`)
  return (value) => compare(value, bound)
}

const isComparable = (value: Leaf): value is number => typeof value === 'number' && Math.abs(value) <= NUMBER_LIMIT

function compileCidr(operand: unknown): Test {
  if (typeof operand !== 'string') throw invalidPattern('cidr match pattern must be a string')
  const [address = '', bits = '', ...extra] = operand.split('/')
  const version = isIP(address)
  if (!bits || extra.length) throw invalidPattern("Malformed CIDR, one '/' required")
  if (!version) throw invalidPattern(`Malformed CIDR, bad IP address: ${address}`)
  if (!/^\d+$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) {
    throw invalidPattern(`Malformed CIDR, mask bits must be between 0 and ${version === 4 ? 32 : 128}`)
  }
  const block = new BlockList()
  block.addSubnet(address, Number(bits), `ipv${version}` as 'ipv4' | 'ipv6')
  return (value) =>
    typeof value === 'string' && isIP(value) === version && block.check(value, `ipv${version}` as 'ipv4')
}

function compileAnythingBut(operand: unknown): Test {
  const excluded = isPlainObject(operand) ? compileExcludedPatterns(operand) : compileExcludedValues(operand)
  return (value) => !excluded.some((test) => test(value))
}

function compileExcludedPatterns(operand: object): Test[] {
  const [operator, inner] = parseSingleEntry(operand)
  const compile = OPERATORS.get(operator)
  if (!compile || !['prefix', 'suffix', 'equals-ignore-case', 'wildcard'].includes(operator)) {
    throw invalidPattern(`Unsupported anything-but pattern: ${operator}`)
  }
  const values = Array.isArray(inner) ? inner : [inner]
  if (!values.length || !values.every((value) => typeof value === 'string')) {
    throw invalidPattern(`anything-but/${operator} match pattern must be a string or a list of strings`)
  }
  if (operator.endsWith('fix') && values.includes('')) throw invalidPattern('Null prefix/suffix not allowed')
  return values.map(compile)
}

function compileExcludedValues(operand: unknown): Test[] {
  const values = Array.isArray(operand) ? operand : [operand]
  const types = new Set(values.map((value) => typeof value))
  if (![...types].every((type) => type === 'string' || type === 'number')) {
    throw invalidPattern(
      Array.isArray(operand)
        ? 'Inside anything but list, start|null|boolean is not supported.'
        : 'Value of anything-but must be an array or single string/number value.',
    )
  }
  if (types.size !== 1) {
    throw invalidPattern(
      'Inside anything but list, either all values are number or string, mixed type is not supported',
    )
  }
  return values.map((excluded) => (value) => value === excluded)
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
