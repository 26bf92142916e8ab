import wildcardMatch from 'wildcard-match'
import { TOPICS } from './topics.generated.ts'

const DOMAINS = new Set(TOPICS.map((topic) => topic.split(':')[0]))

export const matchesTopic = (topic: string, pattern: string): boolean => wildcardMatch(pattern, ':')(topic)

/** The topics that an agent with this pattern subscribes to. @throws TypeError if there is none */
export function listTopics(pattern: string): string[] {
  const known = TOPICS.filter((topic) => matchesTopic(topic, pattern))
  if (known.length > 0) return known
  const [domain, action] = pattern.split(':')
  const isCustom = Boolean(domain && action) && !pattern.includes('*') && !DOMAINS.has(domain)
  if (!isCustom) throw new TypeError(`No topic matches ${JSON.stringify(pattern)}.`)
  return [pattern]
}

type Flat = Record<string, unknown>

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const flatten = (value: object, path = ''): Flat =>
  Object.entries(value).reduce<Flat>((flat, [key, child]) => {
    const childPath = path ? `${path}.${key}` : key
    return Object.assign(flat, isObject(child) ? flatten(child, childPath) : { [childPath]: child })
  }, {})

function matchesValue(value: unknown, expected: unknown): boolean {
  if (value === null || value === undefined) return expected === null
  if (Array.isArray(value)) return value.some((item) => matchesValue(item, expected))
  return typeof expected === 'string' ? wildcardMatch(expected || '**', ':')(String(value)) : value === expected
}

export function matchesFilter(event: object, filter: object): boolean {
  const flatEvent = flatten(event)
  return Object.entries(flatten(filter)).every(([name, expected]) => {
    const matchesName = wildcardMatch(/[*.]/.test(name) ? name : `**.${name}`, '.')
    const values = Array.isArray(expected) ? expected : [expected]
    return Object.entries(flatEvent).some(
      ([path, value]) => matchesName(path) && values.some((each) => matchesValue(value, each)),
    )
  })
}
