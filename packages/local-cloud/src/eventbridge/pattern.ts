/** EventBridge's event patterns: one alternative's paths must all match, within the same array elements. */
import { type EventFields, type Field, type Membership, mergeMemberships } from './event-fields.ts'
import { compileMatcher, invalidPattern, type Matcher } from './pattern-operators.ts'

const MAX_PATTERN_CHARACTERS = 2048
/** EventBridge's limit on the product of all `$or` list lengths. */
const MAX_ALTERNATIVES_PER_PATTERN = 1000
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

type Alternative = Map<string, Matcher[]>

export type FieldsTest = (fields: EventFields) => boolean

/** For collected fields, because one event is matched against many patterns. */
export function compileFieldsTest(source: string): FieldsTest {
  if (source.length > MAX_PATTERN_CHARACTERS)
    throw invalidPattern(`Pattern is longer than ${MAX_PATTERN_CHARACTERS} characters`)
  const root = parsePatternJson(source)
  if (!isObject(root)) throw invalidPattern('Filter is not an object')
  const requirements = buildAlternatives(root, [], [new Map()], false).map(sortRequirements)
  return (fields) => requirements.some((required) => satisfiesRequirements(required, fields))
}

function parsePatternJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    throw invalidPattern(`Pattern is not JSON: ${(error as Error).message}`)
  }
}

function buildAlternatives(
  node: object,
  path: string[],
  alternatives: Alternative[],
  insideOr: boolean,
): Alternative[] {
  const entries = Object.entries(node)
  if (!entries.length) throw invalidPattern('Empty objects are not allowed')
  return entries.reduce((before, [key, value]) => {
    if (key === '$or') return expandOr(value, path, before)
    if (insideOr && RESERVED_IN_OR.has(key)) {
      throw invalidPattern(`${key} is Ruler reserved fieldName which cannot be used inside $or.`)
    }
    const inner = [...path, key]
    if (isObject(value)) return buildAlternatives(value, inner, before, insideOr)
    if (Array.isArray(value)) return addMatchers(before, inner.join('.'), value)
    throw invalidPattern(`"${key}" must be an object or an array`)
  }, alternatives)
}

function expandOr(branches: unknown, path: string[], alternatives: Alternative[]): Alternative[] {
  if (!Array.isArray(branches)) throw invalidPattern('It must be an Array followed with $or.')
  if (branches.length < 2) throw invalidPattern('There must have at least 2 Objects in $or relationship.')
  if (branches.length * alternatives.length > MAX_ALTERNATIVES_PER_PATTERN) {
    throw invalidPattern(`Pattern has more than ${MAX_ALTERNATIVES_PER_PATTERN} combinations of its $or lists`)
  }
  return branches.flatMap((branch) => {
    if (!isObject(branch)) throw invalidPattern('Only JSON object is allowed in array of $or relationship.')
    return buildAlternatives(branch, path, alternatives, true)
  })
}

function addMatchers(alternatives: Alternative[], path: string, list: unknown[]): Alternative[] {
  if (!list.length) throw invalidPattern('Empty arrays are not allowed')
  const matchers = list.map(compileMatcher)
  return alternatives.map((alternative) => {
    if (alternative.has(path)) throw invalidPattern(`Path \`${path}\` cannot be allowed multiple times`)
    return new Map(alternative).set(path, matchers)
  })
}

type Requirement = [path: string, matchers: Matcher[]]

/** The order of paths decides what an `exists: false` is compared with, as in EventBridge. */
const sortRequirements = (alternative: Alternative): Requirement[] =>
  [...alternative].sort(([a], [b]) => (a < b ? -1 : 1))

function satisfiesRequirements(requirements: Requirement[], fields: EventFields): boolean {
  const candidates = requirements.map(([path, matchers]) => findCandidates(matchers, fields.get(path)))
  if (candidates.some(({ accepted, absence }) => !accepted.length && !absence)) return false
  return isConsistent(candidates, 0, new Map())
}

interface Candidates {
  accepted: Field[]
  absence: boolean
  all: readonly Field[]
}

const findCandidates = (matchers: Matcher[], all: readonly Field[]): Candidates => ({
  accepted: all.filter(({ value }) => matchers.some((m) => ('exists' in m ? m.exists : m.test(value)))),
  absence: matchers.some((m) => 'exists' in m && !m.exists),
  all,
})

function isConsistent(candidates: Candidates[], index: number, membership: Membership): boolean {
  const candidate = candidates[index]
  if (!candidate) return true
  if (candidate.absence && !candidate.all.some((field) => mergeMemberships(membership, field.membership))) {
    if (isConsistent(candidates, index + 1, membership)) return true
  }
  return candidate.accepted.some((field) => {
    const merged = mergeMemberships(membership, field.membership)
    return merged !== undefined && isConsistent(candidates, index + 1, merged)
  })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
