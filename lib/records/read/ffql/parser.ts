/**
 * FFQL, the query language of `q`:
 *
 *     [field] operator value      first_name eq Ada        "Last Name" ilike "%son"        eq Ada
 *     [field] is state            email is error           is valid                        phone is not empty
 *     and, or, not, ( )           not binds before and, and before or
 *
 * A field is named by its key or, in any case, its label; without one any field may match. Operators: eq ne lt gt lte gte
 * (also = == != < > <= >=), like and ilike (`%` any run, `_` one character, `\` before one of them takes it as it is) and
 * contains. States: error, valid, warning, info, empty. Keywords in any case; names and values with spaces, operators or
 * parentheses in them, and ones that are `and`, `or` or `not`, stand in quotes. Pure.
 */
import { WILDCARD_PATTERN_CHARACTERS } from '../../../../schemas/selection.ts'
import { invalidField } from '../../../core/errors.ts'
import type { SheetRef } from '../../sheet.ts'
import { errorAt, type Token, tokensOf } from './lexer.ts'
import { takesAnyCharacter } from './like.ts'

export const QUERY_LENGTH = 10_000
export const QUERY_DEPTH = 100

const OPERATORS = ['eq', 'ne', 'lt', 'gt', 'lte', 'gte', 'like', 'ilike', 'contains'] as const
export type Operator = (typeof OPERATORS)[number]
const STATES = ['error', 'valid', 'warning', 'info', 'empty'] as const
export type CellState = (typeof STATES)[number]

const SYNONYMS: { readonly [symbol: string]: Operator } = {
  '=': 'eq',
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '>': 'gt',
  '<=': 'lte',
  '>=': 'gte',
}

/** `field` is a key; undefined when any field may match. */
export type Condition =
  | { kind: 'and' | 'or'; of: Condition[] }
  | { kind: 'not'; of: Condition }
  | { kind: 'compare'; field: string | undefined; operator: Operator; value: string }
  | { kind: 'is'; field: string | undefined; state: CellState }

/** What a name in a query can stand for. */
export interface NamedField {
  key: string
  label: string | undefined
}

const POWERS: { readonly [word: string]: number } = { or: 1, and: 2 }
const NOT_POWER = 3

interface Parser {
  tokens: readonly Token[]
  at: number
  depth: number
  fields: readonly NamedField[]
}

/**
 * Parses a query.
 * @throws ApiError invalid, naming the column, and what was expected there
 */
export function parseQuery(q: string, fields: readonly NamedField[]): Condition {
  if (q.length > QUERY_LENGTH) throw invalidField('q', `A query has at most ${QUERY_LENGTH} characters.`)
  const parser: Parser = { tokens: tokensOf(q), at: 0, depth: 0, fields }
  const condition = expression(parser, 0)
  const rest = parser.tokens[parser.at]!
  if (rest.kind === 'close') throw errorAt(rest.column, 'this parenthesis was not opened.')
  if (rest.kind !== 'end')
    throw errorAt(rest.column, `expected "and", "or" or the end, not "${rest.text}"; a text with spaces needs quotes.`)
  return condition
}

/** @throws ApiError invalid for a query that the sheet cannot be asked */
export function assertQuery({ fields }: Pick<SheetRef, 'fields'>, q: string): void {
  const named = fields.map(({ key, label }) => ({ key, label: label ?? undefined }))
  if (q.trim()) parseQuery(q, named)
}

const peek = ({ tokens, at }: Parser): Token => tokens[at]!

function next(parser: Parser): Token {
  const token = peek(parser)
  if (token.kind !== 'end') parser.at++
  return token
}

/** A bare word in lower case: keywords do not stand in quotes. */
const keyword = ({ kind, text }: Token): string | undefined => (kind === 'word' ? text.toLowerCase() : undefined)

const operatorOf = (token: Token): Operator | undefined =>
  token.kind === 'symbol' ? SYNONYMS[token.text] : OPERATORS.find((operator) => operator === keyword(token))

const powerOf = (token: Token): number => {
  const word = keyword(token)
  return word === 'and' || word === 'or' ? POWERS[word]! : 0
}

/** Binary operators that bind more strongly than `power`. */
function expression(parser: Parser, power: number): Condition {
  let left = operand(parser)
  for (;;) {
    const token = peek(parser)
    const own = powerOf(token)
    if (own <= power) return left
    next(parser)
    left = joined(own === POWERS.and ? 'and' : 'or', left, expression(parser, own))
  }
}

/** A long chain is one flat list: it must not be as deep as it is long. */
function joined(kind: 'and' | 'or', left: Condition, right: Condition): Condition {
  if (left.kind !== kind) return { kind, of: [left, right] }
  left.of.push(right)
  return left
}

function operand(parser: Parser): Condition {
  const token = peek(parser)
  if (keyword(token) === 'not') {
    next(parser)
    return { kind: 'not', of: deeper(parser, token, () => expression(parser, NOT_POWER)) }
  }
  if (token.kind !== 'open') return test(parser)
  next(parser)
  const inner = deeper(parser, token, () => expression(parser, 0))
  const end = next(parser)
  if (end.kind === 'end') throw errorAt(token.column, 'this parenthesis is not closed.')
  if (end.kind !== 'close') throw errorAt(end.column, `expected "and", "or" or ")", not "${end.text}".`)
  return inner
}

function deeper(parser: Parser, { column }: Token, parse: () => Condition): Condition {
  if (++parser.depth > QUERY_DEPTH) throw errorAt(column, `a query nests at most ${QUERY_DEPTH} levels deep.`)
  const condition = parse()
  parser.depth--
  return condition
}

/** `[field] operator value` or `[field] is [not] state`. */
function test(parser: Parser): Condition {
  const first = next(parser)
  if (operatorOf(first) || keyword(first) === 'is') return comparison(parser, undefined, first)
  if ((first.kind !== 'word' && first.kind !== 'quoted') || powerOf(first))
    throw errorAt(first.column, `expected a field or an operator${first.text ? `, not "${first.text}"` : ''}.`)
  const operator = next(parser)
  if (!operatorOf(operator) && keyword(operator) !== 'is')
    throw errorAt(operator.column, `expected an operator (${OPERATORS.join(', ')}, is) after "${first.text}".`)
  return comparison(parser, keyOf(parser, first), operator)
}

function comparison(parser: Parser, field: string | undefined, token: Token): Condition {
  const operator = operatorOf(token)
  if (!operator) return stateTest(parser, field)
  const value = next(parser)
  if ((value.kind !== 'word' && value.kind !== 'quoted') || powerOf(value) || keyword(value) === 'not')
    throw errorAt(value.column, `expected a value after "${token.text}"; put and, or, not and signs in quotes.`)
  const pattern = operator === 'like' || operator === 'ilike'
  if (pattern && value.text.length > WILDCARD_PATTERN_CHARACTERS && takesAnyCharacter(value.text))
    throw errorAt(value.column, `a pattern with "_" has at most ${WILDCARD_PATTERN_CHARACTERS} characters.`)
  return { kind: 'compare', field, operator, value: value.text }
}

function stateTest(parser: Parser, field: string | undefined): Condition {
  const token = next(parser)
  if (keyword(token) === 'not') return { kind: 'not', of: stateOf(next(parser), field) }
  return stateOf(token, field)
}

function stateOf(token: Token, field: string | undefined): Condition {
  const state = STATES.find((one) => one === keyword(token))
  if (!state) throw errorAt(token.column, `expected one of ${STATES.join(', ')} after "is".`)
  return { kind: 'is', field, state }
}

/** Keys win over labels. */
function keyOf({ fields }: Parser, { text, column }: Token): string {
  const label = text.toLowerCase()
  const field = fields.find(({ key }) => key === text) ?? fields.find((one) => one.label?.toLowerCase() === label)
  if (!field) throw errorAt(column, `the sheet has no field "${text}".`)
  return field.key
}
