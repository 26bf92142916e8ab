/** Which topics can occur: those of the platform, and custom ones, which have domains that are not the platform's. */
import * as z from 'zod'
import { TOPIC_NAMES } from './generated/topic-names.ts'
import { didYouMean, editDistance } from './nearest.ts'
import { domainOfTopic } from './topic.ts'

/** Topics that public clients know and nothing here emits; a client may still send them. */
const CLIENTS_ONLY = ['flag:created', 'flag:updated', 'flag:deleted', 'workbook:thawed']

const KNOWN = [...TOPIC_NAMES, ...CLIENTS_ONLY]
const NAMES: ReadonlySet<string> = new Set(KNOWN)
const DOMAINS: ReadonlySet<string> = new Set(KNOWN.map(domainOfTopic))

const FORM = /^[^:\s"\\]+:[^\s"\\]+$/
export const TOPIC_FORM = 'must be <domain>:<event>'

const plain = (domain: string): string => domain.toLowerCase().replace(/[-_]/g, '').replace(/s$/, '')

/** Another case, number or separator, or a letter too many, too few or in the wrong place. */
const isSlip = (domain: string, of: string): boolean =>
  plain(domain) === plain(of) ||
  (domain.length > 3 &&
    editDistance(domain, of, 1) === 1 &&
    (domain.length !== of.length || [...domain].sort().join() === [...of].sort().join()))

/** Why no event has a topic of that domain: the platform's domains are its own, and nearly their names are slips. */
function domainProblem(domain: string, whole: string): string | undefined {
  if (DOMAINS.has(domain)) return undefined
  const meant = [...DOMAINS].find((one) => isSlip(domain, one))
  return meant && `is not a topic: ${whole}. Did you mean ${meant}${whole.slice(domain.length)}?`
}

/** Why no event can have this topic; undefined for one that can occur. */
export function topicProblem(name: string): string | undefined {
  if (!FORM.test(name) || name.includes('*')) return TOPIC_FORM
  if (NAMES.has(name)) return undefined
  const domain = domainOfTopic(name)
  if (!DOMAINS.has(domain)) return domainProblem(domain, name)
  return `is not a topic: ${name}.${didYouMean(name, KNOWN) || ` Topics of custom events have a domain that is not the platform's, unlike ${domain}.`}`
}

/** Why no event can match `<domain>:*`; undefined for a pattern that can match. */
export const patternProblem = (pattern: string): string | undefined => domainProblem(domainOfTopic(pattern), pattern)

/** A text that the check has no problem with. */
export const topicText = (problemOf: (text: string) => string | undefined) =>
  z
    .string()
    // EventBridge takes no longer `DetailType`.
    .max(128)
    .superRefine((text, context) => {
      const message = problemOf(text)
      if (message) context.addIssue({ code: 'custom', message })
    })

/** A topic that an event can have. */
export const KnownTopic = topicText(topicProblem)
