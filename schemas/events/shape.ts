import * as z from 'zod'
import { Context } from '../kit/context.ts'
import { Id, narrowing, scoped, Time, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { message } from '../messages/index.ts'

export const Topic = z.string().regex(/^[^:\s]+:[^\s]+$/, message('requests.topicForm'))

export const EventOrigin = z.object({
  id: unscoped('name that the creator chose', z.string()).optional(),
  slug: z.string().optional(),
})

export const Event = z.object({
  id: Id,
  topic: Topic,
  domain: z.string(),
  context: Context,
  payload: z.unknown(),
  namespaces: z.array(z.string()).optional(),
  attributes: z.unknown().optional(),
  /** Path of the data, relative to /api/. */
  dataUrl: z.string().optional(),
  /** Path for acknowledging the event, or one specified by its creator, relative to /api/. */
  callbackUrl: z.string().optional(),
  origin: EventOrigin.optional(),
  target: z.string().optional(),
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  createdAt: Time,
  acknowledgedAt: Time.optional(),
  acknowledgedBy: Id.optional(),
})
export type Event = z.infer<typeof Event>

/** Larger events go on the bus without their payload, which is fetched from `dataUrl`. */
export const MAX_BUS_EVENT_BYTES = 240 * 1024

/** Maximum size of a stored event in bytes of JSON; larger changes emit several events. */
export const MAX_EVENT_BYTES = 360 * 1024

export const MAX_EVENTS_PER_REPLAY = 500

const DateTimeInput = z.iso.datetime({ offset: true })

export const Replay = z.object({
  eventIds: nullish(z.array(scoped('event')).min(1).max(100)),
  since: nullish(DateTimeInput),
  until: nullish(DateTimeInput),
  topic: nullish(Topic),
  spaceId: nullish(scoped('space')),
  after: nullish(narrowing('event')),
})
export const Replayed = z.object({
  success: z.literal(true),
  replayed: z.number().int(),
  next: Id.optional(),
})
export type Replayed = z.infer<typeof Replayed>

export const validateReplay =
  (alternative?: string) =>
  (value: z.output<typeof Replay>, context: z.RefinementCtx): void => {
    const { eventIds, ...filters } = value
    const givenFilters = Object.entries(filters).filter(([, narrowing]) => narrowing !== undefined)
    const addIssue = (path: string, text: string) => context.addIssue({ code: 'custom', path: [path], message: text })
    if (eventIds) for (const [key] of givenFilters) addIssue(key, message('requests.eventIdsExclusive'))
    else if (!givenFilters.some(([key]) => key === 'since' || key === alternative))
      addIssue(
        'since',
        alternative
          ? message('requests.replaySelectionOr', { name: alternative })
          : message('requests.replaySelection'),
      )
  }
