/** The specification's events as data (events.json), and whether an event is what it says, field by field. */
import { readFileSync } from 'node:fs'
import type { Event } from '../../schemas/events.ts'
import { domainOfTopic } from '../../schemas/topic.ts'

/** Field name to type; types as the file's `about` tells. */
type Fields = { [name: string]: FieldType }
type FieldType = string | Fields | [Fields]

interface Specified {
  when: string
  /** null where the specification does not show it. */
  payload: Fields | string | null
  context: Fields | string | null
}

const { contexts, topics } = JSON.parse(readFileSync('test/contract/events.json', 'utf8')) as {
  contexts: { [name: string]: Fields }
  topics: { [topic: string]: Specified }
}

export const SPECIFIED = topics

/** Payload fields beyond the specification, which public listeners and plugins read. */
export const BEYOND: { [topic: string]: string[] } = {
  'commit:created': ['trackChanges'],
}

/** What is wrong with an event; empty when it is as specified. */
export function deviations(event: Event): string[] {
  const { payload, context } = topics[event.topic]!
  const domain = domainOfTopic(event.topic)
  return [
    ...(event.domain === domain ? [] : [`domain is ${event.domain}, not ${domain}`]),
    ...ofFields(event.context, { accountId: 'string', environmentId: 'string' }, 'context'),
    ...(context === null
      ? []
      : ofFields(event.context, typeof context === 'string' ? contexts[context]! : context, 'context')),
    ...ofPayload(event, payload),
  ]
}

function ofPayload({ topic, payload }: Event, specified: Specified['payload']): string[] {
  if (typeof specified === 'string') return ofType(payload, specified, 'payload')
  const fields = specified ?? {}
  const known = [...Object.keys(fields), ...(BEYOND[topic] ?? [])]
  const more = Object.keys(payload as object).filter((name) => !known.includes(name))
  return [...ofFields(payload, fields, 'payload'), ...more.map((name) => `payload.${name} is not specified`)]
}

const ofFields = (value: unknown, fields: Fields, path: string): string[] =>
  typeof value !== 'object' || value === null
    ? [`${path} is no object`]
    : Object.entries(fields).flatMap(([name, type]) =>
        ofType((value as { [name: string]: unknown })[name], type, `${path}.${name}`),
      )

function ofType(value: unknown, type: FieldType, path: string): string[] {
  if (Array.isArray(type))
    return Array.isArray(value)
      ? value.flatMap((item, i) => ofFields(item, type[0], `${path}[${i}]`))
      : [`${path} is no array`]
  if (typeof type === 'object') return ofFields(value, type, path)
  if (type.endsWith('?')) return value === undefined ? [] : ofType(value, type.slice(0, -1), path)
  return fits(value, type) ? [] : [`${path} is ${JSON.stringify(value)}, not ${type}`]
}

function fits(value: unknown, type: string): boolean {
  const [name, pattern] = type.split(' /')
  if (pattern) return typeof value === 'string' && new RegExp(pattern.slice(0, -1)).test(value)
  if (name === 'any') return value !== undefined
  if (name === 'object') return typeof value === 'object' && value !== null
  if (name === 'string[]') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (['string', 'number', 'boolean'].includes(name!)) return typeof value === name
  return typeof value === 'string' && name!.split('|').includes(value)
}
