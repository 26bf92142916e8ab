/** Compiles the elements of a pattern's match lists: exact values and operators (`prefix`, `wildcard`, ...). */
import { AwsError } from '../lambda/wire.ts'
import type { Leaf } from './event-fields.ts'

export type Matcher = { test(value: Leaf): boolean } | { exists: boolean }

export const invalidPattern = (reason: string) =>
  new AwsError(400, 'InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`)

export function compileMatcher(element: unknown): Matcher {
  if (Array.isArray(element)) throw invalidPattern('Match value must be String, number, true, false, or null')
  if (typeof element !== 'object' || element === null) return { test: (value) => value === element }
  const [operator, operand] = parseSingleEntry(element)
  if (operator === 'exists') return compileExists(operand)
  const compile = OPERATORS.get(operator)
  if (!compile) throw invalidPattern(`The embedded EventBridge does not know the match type ${operator}`)
  return { test: compile(operand) }
}

type Test = (value: Leaf) => boolean

const OPERATORS = new Map<string, (operand: unknown) => Test>(
  Object.entries({
    prefix: compilePrefix,
    wildcard: compileWildcard,
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

function compilePrefix(operand: unknown): Test {
  if (typeof operand !== 'string') throw invalidPattern('prefix match pattern must be a string')
  return (value) => typeof value === 'string' && value.startsWith(operand)
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

function compileAnythingBut(operand: unknown): Test {
  const values = Array.isArray(operand) ? operand : [operand]
  const types = new Set(values.map((value) => typeof value))
  if (![...types].every((type) => type === 'string' || type === 'number'))
    throw invalidPattern('Value of anything-but must be an array or single string/number value.')
  if (types.size !== 1) {
    throw invalidPattern(
      'Inside anything but list, either all values are number or string, mixed type is not supported',
    )
  }
  return (value) => !values.includes(value)
}
