/** Builds an event from the declaration of its topic and validates the payload and context. */
import * as z from 'zod'
import type { Event } from '../../schemas/events/shape.ts'
import { Context } from '../../schemas/kit/context.ts'
import { domainOfTopic, type Topic } from '../../schemas/kit/topic.ts'
import { newId } from '../core/ids.ts'
import { getTraceFields, type TraceFields } from '../core/trace-context.ts'
import { formatIdTime } from './id-time.ts'

export interface EventExtras {
  id?: string
  dataUrl?: string
  callbackUrl?: string
  attributes?: unknown
  namespaces?: string[] | undefined
  origin?: Event['origin']
  target?: string
  cause?: TraceFields | undefined
}

export const buildCallbackUrl = (id: string): string => `v1/events/${id}/ack`

export function buildEvent<T extends Topic>(
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
    ...(extras.cause ?? getTraceFields()),
    callbackUrl: extras.callbackUrl ?? buildCallbackUrl(id),
    createdAt: formatIdTime(id),
  }
}

export const declareTopic = (name: string): Topic => ({
  topic: name as Topic['topic'],
  when: 'a caller emits it',
  payload: z.looseObject({}),
  context: Context,
})
