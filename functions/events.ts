/** Events over HTTP. */

import type { Principal } from '../lib/auth/principal.ts'
import { loadScope, mayHear } from '../lib/auth/scopes.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { fitting } from '../lib/events/claimed.ts'
import { customTopic } from '../lib/events/envelope.ts'
import { type EventList, eventsPage } from '../lib/events/list.ts'
import { publish } from '../lib/events/publish.ts'
import { acknowledgement, asEvent, type StoredEvent } from '../lib/events/store.ts'
import { eventsWithin } from '../lib/events/window.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as events from '../schemas/events.ts'
import { success } from '../schemas/page.ts'

/** The ids in a context that name something, and the scope that loads it for the caller. */
const NAMED = {
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

interface Place {
  environmentId?: string | undefined
  spaceId?: string | undefined
}

export const create = serve(events.create)(async ({ environment, body, caller, tx }) => {
  const spaceId = await spaceOf(body.context, environment.id, caller)
  const context = { ...body.context, ...tx.actor, environmentId: environment.id, ...(spaceId ? { spaceId } : {}) }
  const { dataUrl, callbackUrl, attributes, namespaces, origin, target } = body
  const event = tx.emit(customTopic(body.topic), context, body.payload, {
    dataUrl,
    callbackUrl,
    attributes,
    namespaces,
    origin,
    target,
  })
  return { data: event }
})

/** The one space everything in the context belongs to. Throws 404 for what the caller does not reach, 400 for a mixture. */
async function spaceOf(
  context: Record<string, unknown>,
  environmentId: string,
  caller: Principal,
): Promise<string | undefined> {
  if (context.appId !== undefined) await loadScope('app', caller, String(context.appId))
  let spaceId: string | undefined
  for (const [key, scope] of Object.entries(NAMED)) {
    const id = context[key]
    if (id === undefined) continue
    if (typeof id !== 'string') throw invalidField(`context.${key}`, 'must be an id')
    const loaded = await loadScope(scope, caller, id)
    const place: Place = scope === 'space' ? { environmentId: loaded.environmentId, spaceId: id } : loaded
    if (place.environmentId !== environmentId) throw notFound(scope, id)
    if (spaceId !== undefined && place.spaceId !== undefined && place.spaceId !== spaceId) {
      throw invalidField(`context.${key}`, `is not in the space ${spaceId}`)
    }
    spaceId ??= place.spaceId
  }
  return spaceId
}

/** Does the caller reach the whole account: its administrators and their tokens? */
const hasAccount = ({ environmentId, roles, grants }: Principal): boolean =>
  environmentId === undefined && roles === undefined && grants === undefined

/** Whole environments where they are reached, otherwise the spaces the caller has. */
function placesOf(caller: Principal, environments: { id: string }[]): EventList[] {
  if (caller.grants) return caller.grants.map(({ id }) => ({ spaceId: id }))
  const { roles } = caller
  if (!roles) return environments.map(({ id }) => ({ environmentId: id }))
  return environments.flatMap(({ id }): EventList[] => {
    const here = roles.filter(({ environmentId }) => environmentId === id)
    if (here.some(({ spaceId }) => spaceId === undefined)) return [{ environmentId: id }]
    return [...new Set(here.flatMap(({ spaceId }) => spaceId ?? []))].map((spaceId) => ({ spaceId }))
  })
}

export const list = serve(events.listed)(async ({ environments, query, caller }) => {
  const spaceId = query.spaceId ?? caller.spaceId
  const heard = (event: StoredEvent) => mayHear(caller, event)
  if (spaceId === undefined) {
    const isWhole = query.environmentId === undefined && hasAccount(caller)
    const places = [...placesOf(caller, environments), ...(isWhole ? [{ accountId: caller.accountId }] : [])]
    return { data: fitting(await eventsPage(places, query, query, heard)) }
  }
  const space = await loadScope('space', caller, spaceId)
  if (!environments.some(({ id }) => id === space.environmentId)) throw notFound('space', spaceId)
  return { data: fitting(await eventsPage([{ spaceId }], query, query, heard)) }
})

export const get = serve(events.get)(async ({ event }) => ({ data: event }))

export const payload = serve(events.payload)(async ({ event }) => ({ data: event.payload ?? {} }))

export const acknowledge = serve(events.acknowledge)(async ({ event, caller, tx }) => {
  if (!event.acknowledgedAt) tx.write(acknowledgement(event.id, caller.actorId, tx.now))
  return success
})

export const replay = serve(events.replay)(async ({ environment, body, caller }) => {
  const { eventIds, spaceId, ...window } = body
  if (spaceId !== undefined) {
    const space = await loadScope('space', caller, spaceId)
    if (space.environmentId !== environment.id) throw notFound('space', spaceId)
  }
  const named = eventIds && (await Promise.all(eventIds.map((id) => loadScope('event', caller, id))))
  const foreign = named?.find(({ environmentId }) => environmentId !== environment.id)
  if (foreign) throw notFound('event', foreign.id)
  const found = named ? { events: named } : await eventsWithin({ ...window, environmentId: environment.id, spaceId })
  // They are stored and marked as published already, or about to be: nothing is written here.
  await publish(found.events.map(asEvent), { marked: false, replayed: true })
  return { data: { success: true as const, replayed: found.events.length, next: found.next } }
})

export const handler = lambda(create, list, get, payload, acknowledge, replay)
