/**
 * EventBridge's event patterns: an event matches when, for some alternative of the pattern's `$or`s, every path of it
 * has a value that one of its matchers accepts, all in the same elements of the arrays they share. Pure.
 */
import { type EventFields, type Field, fieldsOf, joined, type Membership } from './event-fields.ts'
import { compileMatcher, invalidPattern, type Matcher } from './pattern-operators.ts'

const LONGEST_PATTERN = 2048
/** EventBridge's limit for the product of all `$or` lists. */
const ALTERNATIVES_LIMIT = 1000
/** Operators that may not name a field inside `$or`, where they are most likely a misplaced match expression. */
const RESERVED_IN_OR = new Set([
  'prefix',
  'suffix',
  'equals-ignore-case',
  'wildcard',
  'numeric',
  'cidr',
  'anything-but',
  'exists',
])

/** Everything that must hold together: the matchers of each path. */
type Alternative = Map<string, Matcher[]>

export type FieldsTest = (fields: EventFields) => boolean

/**
 * Compiles a pattern, given as an object or as its JSON text, to a test of events.
 * Throws InvalidEventPatternException with the reason, also for a pattern over 2,048 characters.
 */
export function compilePattern(pattern: unknown): (event: unknown) => boolean {
  const test = compileFieldsTest(pattern)
  return (event) => test(fieldsOf(event))
}

/** As `compilePattern`, for events whose fields are already taken apart: one event is matched against many patterns. */
export function compileFieldsTest(pattern: unknown): FieldsTest {
  const source = typeof pattern === 'string' ? pattern : (JSON.stringify(pattern) ?? '')
  if (source.length > LONGEST_PATTERN) throw invalidPattern(`Pattern is longer than ${LONGEST_PATTERN} characters`)
  const root = parse(source)
  if (!isObject(root)) throw invalidPattern('Filter is not an object')
  const requirements = alternativesOf(root, [], [new Map()], false).map(sortedRequirements)
  return (fields) => requirements.some((required) => satisfies(required, fields))
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    throw invalidPattern(`Pattern is not JSON: ${(error as Error).message}`)
  }
}

function alternativesOf(node: object, path: string[], alternatives: Alternative[], insideOr: boolean): Alternative[] {
  const entries = Object.entries(node)
  if (!entries.length) throw invalidPattern('Empty objects are not allowed')
  return entries.reduce((before, [key, value]) => {
    if (key === '$or') return orAlternatives(value, path, before)
    if (insideOr && RESERVED_IN_OR.has(key)) {
      throw invalidPattern(`${key} is Ruler reserved fieldName which cannot be used inside $or.`)
    }
    const inner = [...path, key]
    if (isObject(value)) return alternativesOf(value, inner, before, insideOr)
    if (Array.isArray(value)) return withMatchers(before, inner.join('.'), value)
    throw invalidPattern(`"${key}" must be an object or an array`)
  }, alternatives)
}

/** Every alternative so far, once for each branch. */
function orAlternatives(branches: unknown, path: string[], before: Alternative[]): Alternative[] {
  if (!Array.isArray(branches)) throw invalidPattern('It must be an Array followed with $or.')
  if (branches.length < 2) throw invalidPattern('There must have at least 2 Objects in $or relationship.')
  if (branches.length * before.length > ALTERNATIVES_LIMIT) {
    throw invalidPattern(`Pattern has more than ${ALTERNATIVES_LIMIT} combinations of its $or lists`)
  }
  return branches.flatMap((branch) => {
    if (!isObject(branch)) throw invalidPattern('Only JSON object is allowed in array of $or relationship.')
    return alternativesOf(branch, path, before, true)
  })
}

function withMatchers(before: Alternative[], path: string, list: unknown[]): Alternative[] {
  if (!list.length) throw invalidPattern('Empty arrays are not allowed')
  const matchers = list.map(compileMatcher)
  return before.map((alternative) => {
    if (alternative.has(path)) throw invalidPattern(`Path \`${path}\` cannot be allowed multiple times`)
    return new Map(alternative).set(path, matchers)
  })
}

type Requirement = [path: string, matchers: Matcher[]]

/** In the order of their paths, which decides what an `exists: false` is compared with: as EventBridge's own matcher. */
const sortedRequirements = (alternative: Alternative): Requirement[] =>
  [...alternative].sort(([a], [b]) => (a < b ? -1 : 1))

function satisfies(requirements: Requirement[], fields: EventFields): boolean {
  const candidates = requirements.map(([path, matchers]) => candidatesOf(matchers, fields.get(path)))
  if (candidates.some(({ accepted, absence }) => !accepted.length && !absence)) return false
  return consistent(candidates, 0, new Map())
}

/** The values of one path that a matcher accepts, and whether its absence is accepted too. */
interface Candidates {
  accepted: Field[]
  absence: boolean
  all: readonly Field[]
}

const candidatesOf = (matchers: Matcher[], all: readonly Field[]): Candidates => ({
  accepted: all.filter(({ value }) => matchers.some((m) => ('exists' in m ? m.exists : m.test(value)))),
  absence: matchers.some((m) => 'exists' in m && !m.exists),
  all,
})

/** Whether each remaining path has a candidate in the array elements chosen so far. */
function consistent(candidates: Candidates[], at: number, membership: Membership): boolean {
  const candidate = candidates[at]
  if (!candidate) return true
  if (candidate.absence && !candidate.all.some((field) => joined(membership, field.membership))) {
    if (consistent(candidates, at + 1, membership)) return true
  }
  return candidate.accepted.some((field) => {
    const next = joined(membership, field.membership)
    return next !== undefined && consistent(candidates, at + 1, next)
  })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
