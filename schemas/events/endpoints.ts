/** The event schema, and endpoints to list, create, acknowledge and replay events. */
import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Context } from '../kit/context.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, unscoped } from '../kit/ids.ts'
import { notSupported, nullish } from '../kit/nullish.ts'
import { data, list, pageQuery, QueryBoolean, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { KnownTopic } from './known-topics.ts'
import { Event, EventOrigin, MAX_EVENTS_PER_REPLAY, Replay, Replayed, validateReplay } from './shape.ts'

const ApiPath = z
  .string()
  .max(2000)
  .regex(/^\/?v\d[\w-]*\//, message('requests.apiPath'))

const callerId = unscoped('always the account and actor of the caller')
const CustomEventContext = Context.partial()
  .extend({
    accountId: callerId.optional(),
    actorId: callerId.optional(),
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
    answeredBy: unscoped('an agent that is not invoked for the event, which grants no access').optional(),
  })
  .loose()

export const create = endpoint({
  id: 'events.create',
  method: 'POST',
  path: '/events',
  summary: 'Emits a custom event',
  description:
    'The topic is one of the platform or has a custom domain; the domain of the stored event is the first part of its topic. Every id in `context` must refer to a resource the caller can access ' +
    'in the environment; account and actor are always those of the caller.',
  policy: { can: 'events:write', on: 'environment', at: 'body.context.environmentId', optional: true },
  body: z.object({
    topic: KnownTopic,
    domain: z.string().min(1),
    context: CustomEventContext,
    payload: AnyObject,
    namespaces: nullish(z.array(z.string())),
    attributes: z.unknown().optional(),
    dataUrl: nullish(ApiPath),
    callbackUrl: nullish(ApiPath),
    deletedAt: notSupported(message('requests.eventsNotDeletable')),
    origin: nullish(EventOrigin),
    target: nullish(z.string()),
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
  summary: 'Lists events, oldest first unless `sortDirection` is `desc`',
  description:
    'Administrators who do not specify an environment also see `environment:deleted` events. ' +
    'Acknowledged events are omitted unless `includeAcknowledged=true`. Events about resources the caller cannot read are always omitted. To poll efficiently, pass `since` ' +
    'with the last `createdAt` seen and skip known ids. Events are listed as soon as the request that caused them ' +
    'has returned. On AWS the list is eventually consistent (usually well under a second), while `GET /events/{eventId}` is strongly consistent.',
  policy: { can: 'events:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    spaceId: scoped('space').optional(),
    domain: z.string().optional(),
    topic: z.string().optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    includeAcknowledged: QueryBoolean.optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    ...pageQuery(10),
  }),
  reply: list(Event),
  example: { query: { environmentId: '{environmentId}', pageSize: '5' } },
})

export const get = endpoint({
  id: 'events.get',
  method: 'GET',
  path: '/events/{eventId}',
  summary: 'Reads an event',
  policy: { can: 'events:read', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  reply: data(Event),
  example: { params: { eventId: '{eventId}' } },
})

export const payload = endpoint({
  id: 'events.payload',
  method: 'GET',
  path: '/events/{eventId}/payload',
  summary: "Reads an event's payload, whatever its size",
  policy: { can: 'events:read', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  reply: data(z.unknown()),
  example: { params: { eventId: '{eventId}' } },
})

export const acknowledge = endpoint({
  id: 'events.acknowledge',
  method: 'POST',
  path: '/events/{eventId}/ack',
  summary: 'Acknowledges an event, so that lists omit it',
  policy: { can: 'events:write', on: 'event', at: 'params.eventId' },
  params: z.object({ eventId: Id }),
  reply: Success,
  example: { params: { eventId: '{eventId}' } },
})

export const replay = endpoint({
  id: 'events.replay',
  method: 'POST',
  path: '/events/replay',
  summary: 'Redelivers events on the bus, with the same ids',
  description:
    'Selects events by `eventIds`, or by a time window of `since` (inclusive) and `until` (exclusive), optionally with `topic` and `spaceId`. Invokes every subscribed agent of the environment ' +
    'and the platform’s own handlers, which are idempotent; `POST /agents/{agentId}/replay` invokes only one agent. ' +
    `Redelivers at most ${MAX_EVENTS_PER_REPLAY} events per call, oldest first. To continue, repeat the call with \`after\` set to \`next\` from the response.`,
  policy: { can: 'events:write', on: 'environment', at: 'body.environmentId', optional: true },
  body: Replay.extend({ environmentId: nullish(scoped('environment')) }).superRefine((value, context) => {
    const { environmentId: _, ...filters } = value
    validateReplay()(filters, context)
  }),
  reply: data(Replayed),
  errors: ['not-found'],
  example: { body: { environmentId: '{environmentId}', eventIds: ['{eventId}'] } },
})
