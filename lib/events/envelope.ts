/** Makes an event from a topic's declaration: the payload is checked against it, the domain is the topic's first part. */
import { decodeTime } from 'ulid'
import * as z from 'zod'
import { Context } from '../../schemas/context.ts'
import type { Event } from '../../schemas/events.ts'
import { domainOfTopic, type Topic } from '../../schemas/topic.ts'
import { newId } from '../core/ids.ts'

export interface EventExtras {
  /** Instead of a new one, for an event that any process must derive alike. */
  id?: string
  dataUrl?: string
  callbackUrl?: string
  attributes?: unknown
  namespaces?: string[] | undefined
  origin?: Event['origin']
  target?: string
}

/** Builds the envelope. Throws when payload or context do not fit the topic: a mistake of ours, not of a caller. */
export function envelope<T extends Topic>(
  topic: T,
  context: z.input<T['context']>,
  payload: z.input<T['payload']>,
  extras: EventExtras = {},
): Event {
  const id = extras.id ?? newId('event')
  return {
    id,
    topic: topic.topic,
    domain: domainOfTopic(topic.topic),
    context: topic.context.parse(context) as Context,
    payload: topic.payload.parse(payload),
    ...(extras.namespaces?.length ? { namespaces: extras.namespaces } : {}),
    ...(extras.attributes === undefined ? {} : { attributes: extras.attributes }),
    ...(extras.dataUrl ? { dataUrl: extras.dataUrl } : {}),
    ...(extras.origin ? { origin: extras.origin } : {}),
    ...(extras.target ? { target: extras.target } : {}),
    callbackUrl: extras.callbackUrl ?? `v1/events/${id}/ack`,
    // The time its id carries: a moment bounds both the same events.
    createdAt: new Date(decodeTime(id.slice(id.lastIndexOf('_') + 1))).toISOString(),
  }
}

/** The declaration of a topic that callers make up themselves: any payload, the general context. */
export const customTopic = (name: string): Topic => ({
  topic: name as Topic['topic'],
  when: 'a caller emits it',
  payload: z.looseObject({}),
  context: Context,
})
