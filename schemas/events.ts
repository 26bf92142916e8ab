/** Events: the envelope, reading, making and acknowledging them. Their topics stand beside the things they tell of. */
import * as z from 'zod'
import { Context } from './context.ts'
import { endpoint } from './endpoint.ts'
import { free, Id, narrowing, scoped, Time } from './ids.ts'
import { maybe, refused } from './optional.ts'
import { data, list, pageQuery, QueryBoolean, Success } from './page.ts'
import { KnownTopic } from './topics.ts'

export const Topic = z.string().regex(/^[^:\s]+:[^\s]+$/, 'must be <domain>:<event>')

const Origin = z.object({
  id: free('what its maker calls itself', z.string()).optional(),
  slug: z.string().optional(),
})

/** The envelope every event travels in. */
export const Event = z.object({
  id: Id,
  topic: Topic,
  domain: z.string(),
  context: Context,
  payload: z.unknown(),
  namespaces: z.array(z.string()).optional(),
  attributes: z.unknown().optional(),
  /** Where the data the event is about is read, relative to /api/. */
  dataUrl: z.string().optional(),
  /** Where the event is acknowledged, or what its maker named instead, relative to /api/. */
  callbackUrl: z.string().optional(),
  origin: Origin.optional(),
  target: z.string().optional(),
  createdAt: Time,
  acknowledgedAt: Time.optional(),
  acknowledgedBy: Id.optional(),
})
export type Event = z.infer<typeof Event>

/** Largest event as JSON, in bytes, that travels on the bus whole; above it the payload is claimed by `dataUrl`. */
export const EVENT_BUS_BYTES = 240 * 1024

/** Largest event as JSON, in bytes, that is stored; a cause with more to tell tells it in several events. */
export const EVENT_BYTES = 360 * 1024

/** A path of ours, relative to /api/. */
const ApiPath = z
  .string()
  .max(2000)
  .regex(/^\/?v\d[\w-]*\//, 'must be a path below /api, e.g. v1/sheets/<id>/records?pageSize=100')

/** Events one call to replay hands over at most. */
export const REPLAYED_AT_ONCE = 500

const Moment = z.iso.datetime({ offset: true })

/** Which events are to be delivered again: some by their ids, or those of a window of time. */
export const Replay = z.object({
  eventIds: maybe(z.array(scoped('event')).min(1).max(100)),
  since: maybe(Moment),
  until: maybe(Moment),
  topic: maybe(Topic),
  spaceId: maybe(scoped('space')),
  /** The `next` of an earlier answer. */
  after: maybe(narrowing('event')),
})
export const Replayed = z.object({
  success: z.literal(true),
  replayed: z.number().int(),
  /** Set when there are more. */
  next: Id.optional(),
})
export type Replayed = z.infer<typeof Replayed>

/** Refuses a replay that names nothing, and one that names events by their ids and otherwise too. */
export const replayProblem =
  (...others: string[]) =>
  (value: z.output<typeof Replay>, context: z.RefinementCtx): void => {
    const { eventIds, ...rest } = value
    const named = Object.entries(rest).filter(([, narrowing]) => narrowing !== undefined)
    const message = (path: string, text: string) => context.addIssue({ code: 'custom', path: [path], message: text })
    if (eventIds) for (const [key] of named) message(key, 'does not go together with eventIds')
    else if (!named.some(([key]) => ['since', ...others].includes(key)))
      message('since', `is required, or eventIds${others.map((key) => `, or ${key}`).join('')}`)
  }

const own = free('account and actor are always those of the caller')
/** What a custom event is about. */
const Named = Context.partial()
  .extend({
    accountId: own.optional(),
    actorId: own.optional(),
    environmentId: scoped('environment').optional(),
    spaceId: scoped('space').optional(),
    workbookId: scoped('workbook').optional(),
    sheetId: scoped('sheet').optional(),
    fileId: scoped('file').optional(),
    jobId: scoped('job').optional(),
    agentId: scoped('agent').optional(),
    documentId: scoped('document').optional(),
    actionId: scoped('action').optional(),
    threadId: scoped('thread').optional(),
    canvasId: scoped('canvas').optional(),
    canvasAreaId: scoped('canvasArea').optional(),
    snapshotId: scoped('snapshot').optional(),
    programId: scoped('program').optional(),
    dataClipId: scoped('clip').optional(),
    appId: scoped('app').optional(),
    commitId: scoped('commit').optional(),
    versionId: scoped('commit').optional(),
    precedingEventId: scoped('event').optional(),
    answeredBy: free('an agent that the event does not call: naming it calls none').optional(),
  })
  .loose()

export const create = endpoint({
  id: 'events.create',
  method: 'POST',
  path: '/events',
  summary: 'Emits a custom event',
  description:
    'The topic is one of the platform’s, or has a domain that is not the platform’s; the domain of the stored event is its first part. Every id in `context` must name something the caller reaches, ' +
    'inside the environment; account and actor are always the caller’s own.',
  policy: { can: 'events:write', on: 'environment', at: 'body.context.environmentId', optional: true },
  body: z.object({
    topic: KnownTopic,
    domain: z.string().min(1),
    context: Named,
    payload: z.record(z.string(), z.unknown()),
    namespaces: maybe(z.array(z.string())),
    attributes: z.unknown().optional(),
    dataUrl: maybe(ApiPath),
    /** Where whoever handles it is to answer; unless told where it is acknowledged. */
    callbackUrl: maybe(ApiPath),
    deletedAt: refused('events are not deleted'),
    origin: maybe(Origin),
    target: maybe(z.string()),
  }),
  reply: data(Event),
  errors: ['not-found', 'too-large'],
  example: {
    body: {
      topic: 'shop:ordered',
      domain: 'shop',
      context: { environmentId: '{environmentId}', spaceId: '{spaceId}' },
      payload: { reason: 'demo' },
    },
  },
})

export const listed = endpoint({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'Lists events, oldest first',
  description:
    'Administrators who name no environment also find `environment:deleted` of environments that are gone. ' +
    'Acknowledged events are left out unless `includeAcknowledged=true`, and always those about what the caller may not read. `since` leaves out earlier events and is the cheap way to follow ' +
    'along: ask from the last `createdAt` seen and skip ids already known. The list shows an event as soon as the request that caused it ' +
    'has answered; in AWS it is read from an index that follows within moments (usually well under a second), while `GET /events/{eventId}` is exact.',
  policy: { can: 'events:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: scoped('space').optional(),
    domain: z.string().optional(),
    topic: z.string().optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    includeAcknowledged: QueryBoolean.optional(),
    ...pageQuery(10),
  }),
  reply: list(Event),
  example: { query: { environmentId: '{environmentId}', pageSize: '5' } },
})

export const get = endpoint({
  id: 'events.get',
  method: 'GET',
  path: '/events/{eventId}',
  summary: 'Reads one event',
  policy: { can: 'events:read', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  reply: data(Event),
  example: { params: { eventId: '{eventId}' } },
})

export const payload = endpoint({
  id: 'events.payload',
  method: 'GET',
  path: '/events/{eventId}/payload',
  summary: "Reads an event's payload, however large",
  policy: { can: 'events:read', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  reply: data(z.unknown()),
  example: { params: { eventId: '{eventId}' } },
})

export const acknowledge = endpoint({
  id: 'events.acknowledge',
  method: 'POST',
  path: '/events/{eventId}/ack',
  summary: 'Acknowledges an event: lists leave it out from now on',
  policy: { can: 'events:write', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  reply: Success,
  example: { params: { eventId: '{eventId}' } },
})

export const replay = endpoint({
  id: 'events.replay',
  method: 'POST',
  path: '/events/replay',
  summary: 'Delivers events once more, with the same ids, to whatever listens on the bus',
  description:
    'Which events: `eventIds` names them, or `since` (inclusive) and `until` (exclusive) a window that `topic` and `spaceId` narrow. Every agent of the environment that hears them is called again, ' +
    'and so are the platform’s own reactions, which do nothing twice; `POST /agents/{agentId}/replay` calls one agent alone. ' +
    `One call delivers at most ${REPLAYED_AT_ONCE} events, oldest first; when there are more, repeat it with \`after\` set to the \`next\` of the answer.`,
  policy: { can: 'events:write', on: 'environment', at: 'body.environmentId', optional: true },
  body: Replay.extend({ environmentId: maybe(scoped('environment')) }).superRefine((value, context) => {
    const { environmentId: _, ...rest } = value
    replayProblem()(rest, context)
  }),
  reply: data(Replayed),
  errors: ['not-found'],
  example: { body: { environmentId: '{environmentId}', eventIds: ['{eventId}'] } },
})
