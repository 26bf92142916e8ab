/** The specification's events (events.json), and the comparison of an event with them, field by field. */
import { readFileSync } from 'node:fs'
import type { Event } from '../../schemas/events/shape.ts'
import { domainOfTopic } from '../../schemas/kit/topic.ts'

type Fields = { [name: string]: FieldType }
type FieldType = string | Fields | [Fields]

interface Specified {
  when: string
  payload: Fields | string | null
  context: Fields | string | null
}

const { contexts, topics } = JSON.parse(readFileSync('test/contract/events.json', 'utf8')) as {
  contexts: { [name: string]: Fields }
  topics: { [topic: string]: Specified }
}

export const SPECIFIED = topics

/** Payload fields beyond the specification that public listeners and plugins read. */
export const EXTRA_FIELDS: { [topic: string]: string[] } = {
  'commit:created': ['trackChanges', 'recordCount', 'part', 'parts'],
}

export function findDeviations(event: Event): string[] {
  const { payload, context } = topics[event.topic]!
  const domain = domainOfTopic(event.topic)
  return [
    ...(event.domain === domain ? [] : [`domain is ${event.domain}, not ${domain}`]),
    ...checkFields(event.context, { accountId: 'string', environmentId: 'string' }, 'context'),
    ...(context === null
      ? []
      : checkFields(event.context, typeof context === 'string' ? contexts[context]! : context, 'context')),
    ...checkPayload(event, payload),
  ]
}

function checkPayload({ topic, payload }: Event, specified: Specified['payload']): string[] {
  if (typeof specified === 'string') return checkType(payload, specified, 'payload')
  const fields = specified ?? {}
  const known = [...Object.keys(fields), ...(EXTRA_FIELDS[topic] ?? [])]
  const more = Object.keys(payload as object).filter((name) => !known.includes(name))
  return [...checkFields(payload, fields, 'payload'), ...more.map((name) => `payload.${name} is not specified`)]
}

const checkFields = (value: unknown, fields: Fields, path: string): string[] =>
  typeof value !== 'object' || value === null
    ? [`${path} is no object`]
    : Object.entries(fields).flatMap(([name, type]) =>
        checkType((value as { [name: string]: unknown })[name], type, `${path}.${name}`),
      )

function checkType(value: unknown, type: FieldType, path: string): string[] {
  if (Array.isArray(type))
    return Array.isArray(value)
      ? value.flatMap((item, i) => checkFields(item, type[0], `${path}[${i}]`))
      : [`${path} is no array`]
  if (typeof type === 'object') return checkFields(value, type, path)
  if (type.endsWith('?')) return value === undefined ? [] : checkType(value, type.slice(0, -1), path)
  return matchesType(value, type) ? [] : [`${path} is ${JSON.stringify(value)}, not ${type}`]
}

function matchesType(value: unknown, type: string): boolean {
  const [name, pattern] = type.split(' /')
  if (pattern) return typeof value === 'string' && new RegExp(pattern.slice(0, -1)).test(value)
  if (name === 'any') return value !== undefined
  if (name === 'object') return typeof value === 'object' && value !== null
  if (name === 'string[]') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (['string', 'number', 'boolean'].includes(name!)) return typeof value === name
  return typeof value === 'string' && name!.split('|').includes(value)
}
