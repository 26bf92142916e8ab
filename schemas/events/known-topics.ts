/** Validates topic names: those of the platform, and custom ones outside the platform's domains. */

import * as z from 'zod'
import { TOPIC_NAMES } from '../generated/topic-names.ts'
import { editDistance, findNearest } from '../kit/nearest.ts'
import { domainOfTopic } from '../kit/topic.ts'
import { message } from '../messages/index.ts'

/** Topics of public clients that the platform never emits; a client may still send them. */
const CLIENT_ONLY_TOPICS = ['flag:created', 'flag:updated', 'flag:deleted', 'workbook:thawed']

const KNOWN_TOPICS = [...TOPIC_NAMES, ...CLIENT_ONLY_TOPICS]
const KNOWN_TOPIC_SET: ReadonlySet<string> = new Set(KNOWN_TOPICS)
const DOMAINS: ReadonlySet<string> = new Set(KNOWN_TOPICS.map(domainOfTopic))

const TOPIC_PATTERN = /^[^:\s"\\]+:[^\s"\\]+$/
export const TOPIC_FORM = message('requests.topicForm')

const normalizeDomain = (domain: string): string => domain.toLowerCase().replace(/[-_]/g, '').replace(/s$/, '')

const isMisspelling = (domain: string, known: string): boolean =>
  normalizeDomain(domain) === normalizeDomain(known) ||
  (domain.length > 3 &&
    editDistance(domain, known, 1) === 1 &&
    (domain.length !== known.length || [...domain].sort().join() === [...known].sort().join()))

function findDomainProblem(domain: string, fullTopic: string): string | undefined {
  if (DOMAINS.has(domain)) return undefined
  const suggestedDomain = [...DOMAINS].find((candidate) => isMisspelling(domain, candidate))
  const suggestion = suggestedDomain && `${suggestedDomain}${fullTopic.slice(domain.length)}`
  return suggestion && message('requests.unknownTopicSuggestion', { topic: fullTopic, suggestion })
}

export function findTopicProblem(name: string): string | undefined {
  if (!TOPIC_PATTERN.test(name) || name.includes('*')) return TOPIC_FORM
  if (KNOWN_TOPIC_SET.has(name)) return undefined
  const domain = domainOfTopic(name)
  if (!DOMAINS.has(domain)) return findDomainProblem(domain, name)
  const suggestion = findNearest(name, KNOWN_TOPICS)
  return suggestion
    ? message('requests.unknownTopicSuggestion', { topic: name, suggestion })
    : message('requests.reservedTopic', { topic: name, domain })
}

export const findPatternProblem = (pattern: string): string | undefined =>
  findDomainProblem(domainOfTopic(pattern), pattern)

export const topicSchema = (findProblem: (text: string) => string | undefined) =>
  z
    .string()
    .max(128)
    .superRefine((text, context) => {
      const problem = findProblem(text)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

export const KnownTopic = topicSchema(findTopicProblem)
