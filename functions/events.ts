import { canReadEvent, loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { truncateList } from '../lib/events/claim-check.ts'
import { declareTopic } from '../lib/events/envelope.ts'
import { type EventList, readEventsPage } from '../lib/events/list.ts'
import { publish } from '../lib/events/publish.ts'
import { readEventWindow } from '../lib/events/replay-window.ts'
import { buildAcknowledgement, type StoredEvent, toEvent } from '../lib/events/store.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as events from '../schemas/events/endpoints.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

const SCOPE_BY_CONTEXT_KEY = {
  spaceId: 'space',
  workbookId: 'workbook',
  sheetId: 'sheet',
  fileId: 'file',
  jobId: 'job',
  agentId: 'agent',
  documentId: 'document',
  actionId: 'action',
  threadId: 'thread',
  canvasId: 'canvas',
  canvasAreaId: 'canvasArea',
  commitId: 'commit',
  versionId: 'commit',
  snapshotId: 'snapshot',
  programId: 'program',
  dataClipId: 'clip',
  precedingEventId: 'event',
} as const

interface Location {
  environmentId?: string | undefined
  spaceId?: string | undefined
}

export const create = serve(events.create)(async ({ environment, body, caller, tx }) => {
  const spaceId = await resolveSpace(body.context, environment.id, caller)
  const context = { ...body.context, ...tx.actor, environmentId: environment.id, ...(spaceId ? { spaceId } : {}) }
  const { dataUrl, callbackUrl, attributes, namespaces, origin, target } = body
  const event = tx.emit(declareTopic(body.topic), context, body.payload, {
    dataUrl,
    callbackUrl,
    attributes,
    namespaces,
    origin,
    target,
  })
  return { data: event }
})

async function resolveSpace(
  context: Record<string, unknown>,
  environmentId: string,
  caller: Principal,
): Promise<string | undefined> {
  if (context.appId !== undefined) await loadScope('app', caller, String(context.appId))
  let spaceId: string | undefined
  for (const [key, scope] of Object.entries(SCOPE_BY_CONTEXT_KEY)) {
    const id = context[key]
    if (id === undefined) continue
    if (typeof id !== 'string') throw invalidField(`context.${key}`, message('shape.id'))
    const loaded = await loadScope(scope, caller, id)
    const location: Location = scope === 'space' ? { environmentId: loaded.environmentId, spaceId: id } : loaded
    if (location.environmentId !== environmentId) throw notFound(scope, id)
    if (spaceId !== undefined && location.spaceId !== undefined && location.spaceId !== spaceId) {
      throw invalidField(`context.${key}`, message('requests.notInSpace', { spaceId }))
    }
    spaceId ??= location.spaceId
  }
  return spaceId
}

const canSeeAccount = ({ environmentId, roles, grants }: Principal): boolean =>
  environmentId === undefined && roles === undefined && grants === undefined

function getVisibleLists(caller: Principal, environments: { id: string }[]): EventList[] {
  if (caller.grants) return caller.grants.map(({ id }) => ({ spaceId: id }))
  const { roles } = caller
  if (!roles) return environments.map(({ id }) => ({ environmentId: id }))
  return environments.flatMap(({ id }): EventList[] => {
    const assignments = roles.filter(({ environmentId }) => environmentId === id)
    if (assignments.some(({ spaceId }) => spaceId === undefined)) return [{ environmentId: id }]
    return [...new Set(assignments.flatMap(({ spaceId }) => spaceId ?? []))].map((spaceId) => ({ spaceId }))
  })
}

export const list = serve(events.listed)(async ({ environments, query, caller }) => {
  const spaceId = query.spaceId ?? caller.spaceId
  const isVisible = (event: StoredEvent) => canReadEvent(caller, event)
  if (spaceId === undefined) {
    const includesAccount = query.environmentId === undefined && canSeeAccount(caller)
    const eventLists = [
      ...getVisibleLists(caller, environments),
      ...(includesAccount ? [{ accountId: caller.accountId }] : []),
    ]
    return { data: truncateList(await readEventsPage(eventLists, query, query, isVisible)) }
  }
  const space = await loadScope('space', caller, spaceId)
  if (!environments.some(({ id }) => id === space.environmentId)) throw notFound('space', spaceId)
  return { data: truncateList(await readEventsPage([{ spaceId }], query, query, isVisible)) }
})

export const get = serve(events.get)(async ({ event }) => ({ data: event }))

export const payload = serve(events.payload)(async ({ event }) => ({ data: event.payload ?? {} }))

export const acknowledge = serve(events.acknowledge)(async ({ event, caller, tx }) => {
  if (!event.acknowledgedAt) tx.write(buildAcknowledgement(event, caller.actorId, tx.now))
  return success
})

export const replay = serve(events.replay)(async ({ environment, body, caller }) => {
  const { eventIds, spaceId, ...window } = body
  if (spaceId !== undefined) {
    const space = await loadScope('space', caller, spaceId)
    if (space.environmentId !== environment.id) throw notFound('space', spaceId)
  }
  const loadedEvents = eventIds && (await Promise.all(eventIds.map((id) => loadScope('event', caller, id))))
  const misplaced = loadedEvents?.find(({ environmentId }) => environmentId !== environment.id)
  if (misplaced) throw notFound('event', misplaced.id)
  const batch = loadedEvents
    ? { events: loadedEvents }
    : await readEventWindow({ ...window, environmentId: environment.id, spaceId })
  // The events are already stored and marked as published, so nothing is written here.
  await publish(batch.events.map(toEvent), { replayed: true })
  return { data: { success: true as const, replayed: batch.events.length, next: batch.next } }
})

export const handler = lambda(create, list, get, payload, acknowledge, replay)
