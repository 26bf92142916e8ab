/**
 * FFQL, the query language of `q`:
 * [field] operator value first_name eq Ada "Last Name" ilike "%son" eq Ada
 * [field] is state email is error is valid phone is not empty
 * and, or, not, ( ) not binds before and, and before or
 * A field is its key or, ignoring case, its label; without one, any field can match. Operators: eq ne lt gt lte gte
 * (also = == != < > <= >=), contains, like and ilike (`%` any run, `_` one character, `\` escapes). States: error,
 * valid, warning, info, empty. Keywords ignore case. Names and values that contain spaces, operators or parentheses
 * need quotes.
 */
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_WILDCARD_PATTERN_LENGTH } from '../../../../schemas/records/selection.ts'
import { invalidField } from '../../../core/errors.ts'
import type { SheetRef } from '../../sheet.ts'
import { createQueryError, type Token, tokenize } from './lexer.ts'
import { hasAnyCharacter } from './like.ts'

export const MAX_QUERY_LENGTH = 10_000
export const MAX_QUERY_DEPTH = 100

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

export type Condition =
  | { kind: 'and' | 'or'; of: Condition[] }
  | { kind: 'not'; of: Condition }
  | { kind: 'compare'; field: string | undefined; operator: Operator; value: string }
  | { kind: 'is'; field: string | undefined; state: CellState }

export interface NamedField {
  key: string
  label: string | undefined
}

const BINDING_POWERS: { readonly [word: string]: number } = { or: 1, and: 2 }
const NOT_BINDING_POWER = 3

interface Parser {
  tokens: readonly Token[]
  at: number
  depth: number
  fields: readonly NamedField[]
}

/** @throws ApiError invalid with the column and what was expected there */
export function parseQuery(q: string, fields: readonly NamedField[]): Condition {
  if (q.length > MAX_QUERY_LENGTH) throw invalidField('q', message('records.queryTooLong', { count: MAX_QUERY_LENGTH }))
  const parser: Parser = { tokens: tokenize(q), at: 0, depth: 0, fields }
  const condition = parseExpression(parser, 0)
  const unexpected = parser.tokens[parser.at]!
  if (unexpected.kind === 'close') throw createQueryError(unexpected.column, message('records.parenthesisNotOpened'))
  if (unexpected.kind !== 'end')
    throw createQueryError(unexpected.column, message('records.expectedEnd', { found: unexpected.text }))
  return condition
}

export function assertQuery({ fields }: Pick<SheetRef, 'fields'>, q: string): void {
  const namedFields = fields.map(({ key, label }) => ({ key, label: label ?? undefined }))
  if (q.trim()) parseQuery(q, namedFields)
}

const peek = ({ tokens, at }: Parser): Token => tokens[at]!

function advance(parser: Parser): Token {
  const token = peek(parser)
  if (token.kind !== 'end') parser.at++
  return token
}

const getKeyword = ({ kind, text }: Token): string | undefined => (kind === 'word' ? text.toLowerCase() : undefined)

const getOperator = (token: Token): Operator | undefined =>
  token.kind === 'symbol' ? SYNONYMS[token.text] : OPERATORS.find((operator) => operator === getKeyword(token))

const getPower = (token: Token): number => {
  const word = getKeyword(token)
  return word === 'and' || word === 'or' ? BINDING_POWERS[word]! : 0
}

function parseExpression(parser: Parser, power: number): Condition {
  let left = parseOperand(parser)
  for (;;) {
    const token = peek(parser)
    const tokenPower = getPower(token)
    if (tokenPower <= power) return left
    advance(parser)
    left = joinConditions(tokenPower === BINDING_POWERS.and ? 'and' : 'or', left, parseExpression(parser, tokenPower))
  }
}

/** Flattens chains, so that the tree of a long chain is not deep. */
function joinConditions(kind: 'and' | 'or', left: Condition, right: Condition): Condition {
  if (left.kind !== kind) return { kind, of: [left, right] }
  left.of.push(right)
  return left
}

function parseOperand(parser: Parser): Condition {
  const token = peek(parser)
  if (getKeyword(token) === 'not') {
    advance(parser)
    return { kind: 'not', of: parseNested(parser, token, () => parseExpression(parser, NOT_BINDING_POWER)) }
  }
  if (token.kind !== 'open') return parseTest(parser)
  advance(parser)
  const inner = parseNested(parser, token, () => parseExpression(parser, 0))
  const end = advance(parser)
  if (end.kind === 'end') throw createQueryError(token.column, message('records.parenthesisNotClosed'))
  if (end.kind !== 'close')
    throw createQueryError(end.column, message('records.expectedParenthesis', { found: end.text }))
  return inner
}

function parseNested(parser: Parser, { column }: Token, parse: () => Condition): Condition {
  if (++parser.depth > MAX_QUERY_DEPTH)
    throw createQueryError(column, message('records.queryTooDeep', { count: MAX_QUERY_DEPTH }))
  const condition = parse()
  parser.depth--
  return condition
}

/** `[field] operator value` or `[field] is [not] state`. */
function parseTest(parser: Parser): Condition {
  const first = advance(parser)
  if (getOperator(first) || getKeyword(first) === 'is') return parseComparison(parser, undefined, first)
  if ((first.kind !== 'word' && first.kind !== 'quoted') || getPower(first))
    throw createQueryError(
      first.column,
      first.text ? message('records.expectedField', { found: first.text }) : message('records.expectedFieldAtEnd'),
    )
  const operator = advance(parser)
  if (!getOperator(operator) && getKeyword(operator) !== 'is')
    throw createQueryError(
      operator.column,
      message('records.expectedOperator', { operators: OPERATORS.join(', '), text: first.text }),
    )
  return parseComparison(parser, findFieldKey(parser, first), operator)
}

function parseComparison(parser: Parser, field: string | undefined, token: Token): Condition {
  const operator = getOperator(token)
  if (!operator) return parseStateTest(parser, field)
  const value = advance(parser)
  if ((value.kind !== 'word' && value.kind !== 'quoted') || getPower(value) || getKeyword(value) === 'not')
    throw createQueryError(value.column, message('records.expectedValue', { text: token.text }))
  const isPattern = operator === 'like' || operator === 'ilike'
  if (isPattern && value.text.length > MAX_WILDCARD_PATTERN_LENGTH && hasAnyCharacter(value.text))
    throw createQueryError(value.column, message('records.patternTooLong', { count: MAX_WILDCARD_PATTERN_LENGTH }))
  return { kind: 'compare', field, operator, value: value.text }
}

function parseStateTest(parser: Parser, field: string | undefined): Condition {
  const token = advance(parser)
  if (getKeyword(token) === 'not') return { kind: 'not', of: parseState(advance(parser), field) }
  return parseState(token, field)
}

function parseState(token: Token, field: string | undefined): Condition {
  const state = STATES.find((candidate) => candidate === getKeyword(token))
  if (!state) throw createQueryError(token.column, message('records.expectedState', { states: STATES.join(', ') }))
  return { kind: 'is', field, state }
}

function findFieldKey({ fields }: Parser, { text, column }: Token): string {
  const label = text.toLowerCase()
  const field =
    fields.find(({ key }) => key === text) ?? fields.find((candidate) => candidate.label?.toLowerCase() === label)
  if (!field) throw createQueryError(column, message('records.unknownQueryField', { field: text }))
  return field.key
}
