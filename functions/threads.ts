import { readActorNames } from '../lib/auth/actor-names.ts'
import { loadScope, visibleTo } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { env } from '../lib/core/env.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { lazy } from '../lib/core/lazy.ts'
import { Assistants } from '../lib/entities/assistant.ts'
import { Proposals } from '../lib/entities/proposals.ts'
import { listComments, listCommentThreads, addComment as writeComment } from '../lib/entities/record-comments.ts'
import {
  assertThreadFits,
  emitThreadUpdated,
  Messages,
  type NewMessage,
  type NewThread,
  removeThread,
  type StoredMessage,
  type StoredThread,
  Threads,
  threadContext,
  threadPayload,
} from '../lib/entities/threads.ts'
import { getClientAddress } from '../lib/http/address.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { getNamespaces, getResourceLocation } from '../lib/jobs/request/resources.ts'
import { createApi } from '../lib/mcp/api.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as endpoints from '../schemas/threads/assistant-endpoints.ts'
import * as recordComments from '../schemas/threads/comments.ts'
import * as threads from '../schemas/threads/endpoints.ts'
import * as threadEvents from '../schemas/threads/events.ts'

const loadEngine = lazy(() => import('../lib/records/index.ts'))
const loadSettings = lazy(() => import('../lib/assistant/settings.ts'))
const loadProposals = lazy(() => import('../lib/assistant/proposals.ts'))

export const create = serve(threads.create)(async ({ resource, body, tx }) => {
  const { environmentId, spaceId } = getResourceLocation(resource)
  if (spaceId === undefined) throw notFound('resource', body.resourceId)
  const thread: NewThread = {
    ...body,
    id: newId('thread'),
    accountId: tx.actor.accountId,
    environmentId,
    spaceId,
    namespaces: await getNamespaces(resource),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  assertThreadFits(thread)
  tx.write(Threads.create(thread))
  const { namespaces } = thread
  tx.emit(threadEvents.created, threadContext(thread), { ...threadPayload(thread), createdAt: tx.now }, { namespaces })
  return { data: thread }
})

export const list = serve(threads.listed)(async ({ environments, query, caller, request }) => {
  const found =
    query.resourceId === undefined
      ? (await Promise.all(environments.map(({ id }) => Threads.inEnvironment(id)))).flat().filter(visibleTo(caller))
      : await listThreadsAbout(query.resourceId, environments, caller)
  const cacheScope = { environmentId: query.environmentId ?? caller.accountId, spaceId: 'threads' }
  return createLargeJsonReply(request, cacheScope, 'threads', threads.listed.reply.parse({ data: found }))
})

async function listThreadsAbout(
  resourceId: string,
  environments: { id: string }[],
  caller: Principal,
): Promise<StoredThread[]> {
  const { spaceId, environmentId } = getResourceLocation(await loadScope('resource', caller, resourceId))
  if (spaceId === undefined || !environments.some(({ id }) => id === environmentId))
    throw notFound('resource', resourceId)
  return (await Threads.inSpace(spaceId)).filter((thread) => thread.resourceId === resourceId)
}

export const get = serve(threads.get)(async ({ thread }) => ({ data: thread }))

export const update = serve(threads.update)(async ({ thread, body, caller, tx }) => {
  const { stateUpdateStrategy, ...fields } = body
  if (fields.resourceId !== undefined) {
    const location = getResourceLocation(await loadScope('resource', caller, fields.resourceId))
    if (location.spaceId !== thread.spaceId) throw notFound('resource', fields.resourceId)
  }
  const state = fields.state && stateUpdateStrategy !== 'replace' ? { ...thread.state, ...fields.state } : fields.state
  const after = mergeDefined(thread, { ...fields, state })
  const changes = diffFields(thread, after)
  if (changes.length === 0) return { data: thread }
  assertThreadFits(after)
  tx.write(Threads.replace(thread, { ...after, updatedAt: tx.now }))
  emitThreadUpdated(tx, after, changes)
  return { data: { ...after, updatedAt: tx.now } }
})

export const remove = serve(threads.remove)(async ({ thread, tx }) => {
  removeThread(tx, thread)
  return success
})

async function getMessageOf(thread: StoredThread, messageId: string): Promise<StoredMessage> {
  const message = await Messages.get(messageId)
  if (message?.threadId !== thread.id) throw notFound('message', messageId)
  return message
}

export const createMessage = serve(threads.createMessage)(async ({ thread, body, tx }) => {
  const message: NewMessage = {
    ...body,
    id: newId('message'),
    threadId: thread.id,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  assertThreadFits(message)
  tx.write(Messages.create(message))
  return message
})

export const messages = serve(threads.messages)(async ({ thread, query, request }) => {
  const all = await Messages.inThread(thread.id)
  const { pageSize, pageNumber } = query
  const page = pageSize === undefined ? { data: all } : paginate(all, { pageSize, pageNumber })
  const reply = threads.messages.reply.parse(page)
  return createLargeJsonReply(request, thread, 'messages', reply)
})

export const getMessage = serve(threads.getMessage)(async ({ thread, params }) =>
  getMessageOf(thread, params.messageId),
)

export const updateMessage = serve(threads.updateMessage)(async ({ thread, params, body, tx }) => {
  if (body.threadId !== undefined && body.threadId !== thread.id)
    throw invalidField('threadId', message('requests.messageOfOtherThread'))
  const before = await getMessageOf(thread, params.messageId)
  const after = { ...mergeDefined(before, body), updatedAt: tx.now }
  assertThreadFits(after)
  tx.write(Messages.replace(before, after))
  return after
})

export const removeMessage = serve(threads.removeMessage)(async ({ thread, params, tx }) => {
  tx.write(Messages.remove(await getMessageOf(thread, params.messageId)))
  return success
})

const readText = ({ content }: StoredMessage): string => (typeof content.text === 'string' ? content.text : '')

export const comments = serve(recordComments.comments)(async ({ sheet, query, request }) => {
  const found = await listComments(sheet, query.recordId)
  const authors = found.map(({ metadata }) => String(metadata?.createdBy ?? ''))
  const names = await readActorNames(sheet.accountId, authors)
  const data = found.map((comment, i) => ({
    ...{ id: comment.id, recordId: query.recordId, text: readText(comment), createdBy: authors[i]! },
    ...(names.has(authors[i]!) ? { createdByName: names.get(authors[i]!)! } : {}),
    createdAt: comment.createdAt,
  }))
  return createLargeJsonReply(request, sheet, 'comments', { data })
})

export const commentedRecords = serve(recordComments.commentedRecords)(async ({ sheet, request }) => {
  const threads = await listCommentThreads(sheet)
  const data = threads.map(({ recordId, count, thread }) => ({ recordId, count, updatedAt: thread.updatedAt }))
  return createLargeJsonReply(request, sheet, 'commented-records', { data })
})

export const addComment = serve(recordComments.addComment)(async ({ sheet, body, tx }) => {
  const { recordId, text } = body
  const { findIndices } = await loadEngine()
  if ((await findIndices(toSheetRef(sheet), [recordId], {})).length === 0) throw notFound('record', recordId)
  const { id, createdAt } = await writeComment(tx, sheet, recordId, text)
  const name = (await readActorNames(sheet.accountId, [tx.actor.actorId])).get(tx.actor.actorId)
  const author = { createdBy: tx.actor.actorId, ...(name ? { createdByName: name } : {}) }
  return { data: { id, recordId, text, ...author, createdAt } }
})

export const assistant = serve(endpoints.assistant)(async ({ environments }) => {
  const { serializeAssistant } = await loadSettings()
  const stored = await Assistants.getMany(environments.map(({ id }) => id))
  return {
    data: environments.map(({ id }) =>
      serializeAssistant(
        id,
        stored.find((one) => one.environmentId === id),
      ),
    ),
  }
})

export const configureAssistant = serve(endpoints.configureAssistant)(async ({ environment, body, tx }) => {
  const { configureAssistant, serializeAssistant } = await loadSettings()
  return { data: serializeAssistant(environment.id, await configureAssistant(tx, environment, body)) }
})

export const removeAssistant = serve(endpoints.removeAssistant)(async ({ environment, tx }) => {
  const stored = await Assistants.get(environment.id)
  if (!stored) throw notFound('assistant', environment.id)
  tx.write(Assistants.remove(stored))
  return success
})

export const ask = serve(endpoints.ask)(async ({ thread, body, caller, request, tx }) => {
  const { ask } = await import('../lib/assistant/ask.ts')
  const address = getClientAddress(request)
  return { data: await ask(tx, { caller, thread, address, ...body, authorization: request.headers.authorization! }) }
})

export const proposals = serve(endpoints.proposals)(async ({ thread, query, request }) => {
  const page = paginate(await Proposals.inThread(thread.id), query)
  return createLargeJsonReply(request, thread, 'proposals', endpoints.proposals.reply.parse(page))
})

export const applyProposal = serve(endpoints.applyProposal)(async ({ thread, params, caller, request, tx }) => {
  const { applyProposal, getProposal } = await loadProposals()
  const api = createApi(env().BASE_URL, request.headers.authorization!)
  return { data: await applyProposal({ api, tx, caller, thread }, await getProposal(thread, params.proposalId)) }
})

export const undoProposal = serve(endpoints.undoProposal)(async ({ thread, params, caller, request, tx }) => {
  const { getProposal, undoProposal } = await loadProposals()
  const api = createApi(env().BASE_URL, request.headers.authorization!)
  return { data: await undoProposal({ api, tx, caller, thread }, await getProposal(thread, params.proposalId)) }
})

export const handler = lambda(
  create,
  list,
  get,
  update,
  remove,
  createMessage,
  messages,
  getMessage,
  updateMessage,
  removeMessage,
  comments,
  commentedRecords,
  addComment,
  assistant,
  configureAssistant,
  removeAssistant,
  ask,
  proposals,
  applyProposal,
  undoProposal,
)
