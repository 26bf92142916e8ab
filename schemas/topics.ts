/** Validates topic names: those of the platform, and custom ones outside the platform's domains. */
import * as z from 'zod'
import { TOPIC_NAMES } from './generated/topic-names.ts'
import { didYouMean, editDistance } from './nearest.ts'
import { domainOfTopic } from './topic.ts'

/** Topics of public clients that the platform never emits; a client may still send them. */
const CLIENT_ONLY_TOPICS = ['flag:created', 'flag:updated', 'flag:deleted', 'workbook:thawed']

const KNOWN_TOPICS = [...TOPIC_NAMES, ...CLIENT_ONLY_TOPICS]
const KNOWN_TOPIC_SET: ReadonlySet<string> = new Set(KNOWN_TOPICS)
const DOMAINS: ReadonlySet<string> = new Set(KNOWN_TOPICS.map(domainOfTopic))

const TOPIC_PATTERN = /^[^:\s"\\]+:[^\s"\\]+$/
export const TOPIC_FORM = 'must be <domain>:<event>'

const normalizeDomain = (domain: string): string => domain.toLowerCase().replace(/[-_]/g, '').replace(/s$/, '')

/** Allows for case, number, separators and one edit. */
const isMisspelling = (domain: string, known: string): boolean =>
  normalizeDomain(domain) === normalizeDomain(known) ||
  (domain.length > 3 &&
    editDistance(domain, known, 1) === 1 &&
    (domain.length !== known.length || [...domain].sort().join() === [...known].sort().join()))

function findDomainProblem(domain: string, fullTopic: string): string | undefined {
  if (DOMAINS.has(domain)) return undefined
  const suggestedDomain = [...DOMAINS].find((candidate) => isMisspelling(domain, candidate))
  return (
    suggestedDomain && `is not a topic: ${fullTopic}. Did you mean ${suggestedDomain}${fullTopic.slice(domain.length)}?`
  )
}

export function findTopicProblem(name: string): string | undefined {
  if (!TOPIC_PATTERN.test(name) || name.includes('*')) return TOPIC_FORM
  if (KNOWN_TOPIC_SET.has(name)) return undefined
  const domain = domainOfTopic(name)
  if (!DOMAINS.has(domain)) return findDomainProblem(domain, name)
  return `is not a topic: ${name}.${didYouMean(name, KNOWN_TOPICS) || ` Topics of custom events must not use a domain of the platform, such as ${domain}.`}`
}

export const findPatternProblem = (pattern: string): string | undefined =>
  findDomainProblem(domainOfTopic(pattern), pattern)

export const topicSchema = (findProblem: (text: string) => string | undefined) =>
  z
    .string()
    .max(128)
    .superRefine((text, context) => {
      const message = findProblem(text)
      if (message) context.addIssue({ code: 'custom', message })
    })

export const KnownTopic = topicSchema(findTopicProblem)
