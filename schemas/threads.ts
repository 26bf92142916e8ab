/** Threads: conversations about a thing in a space, with an assistant or among people; and their messages. */
import * as z from 'zod'
import { Empty, FieldChange, SpaceContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { free, Id, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list, Success } from './page.ts'
import { topic } from './topic.ts'

/** A thread has at most this many bytes as JSON. */
export const THREAD_BYTES = 64 * 1024
/** A message has at most this many bytes as JSON. */
export const MESSAGE_BYTES = 300 * 1024

const AnyObject = z.record(z.string(), z.unknown())
const Status = z.enum(['ready', 'active', 'error'])

const settings = {
  metadata: maybe(AnyObject),
  source: maybe(z.string().max(500)),
  state: maybe(AnyObject),
}

export const Thread = z.object({
  id: Id,
  /** What it is about: a space, or a workbook, sheet, file or document in one. */
  resourceId: Id,
  /** `metadata.title` is the title events tell. */
  metadata: AnyObject.optional(),
  source: z.string().optional(),
  state: AnyObject.optional(),
  status: Status,
  createdAt: Time,
  updatedAt: Time,
})
export type Thread = z.infer<typeof Thread>

export const create = endpoint({
  id: 'threads.create',
  method: 'POST',
  path: '/threads',
  summary: 'Begins a thread about something in a space',
  policy: { can: 'threads:write', on: 'resource', at: 'body.resourceId' },
  body: z.object({ resourceId: scoped('space', 'workbook', 'sheet', 'file', 'document'), ...settings, status: Status }),
  reply: data(Thread),
  errors: ['not-found', 'too-large'],
  example: { body: { resourceId: '{sheetId}', status: 'ready', metadata: { title: 'About the people' } } },
})
export const listed = endpoint({
  id: 'threads.list',
  method: 'GET',
  path: '/threads',
  summary: 'Lists threads, newest first',
  policy: { can: 'threads:read', on: 'environments', at: 'query.environmentId', optional: true },
  query: z.object({
    environmentId: scoped('environment').optional(),
    resourceId: scoped('space', 'workbook', 'sheet', 'file', 'document').optional(),
  }),
  reply: list(Thread),
  errors: ['not-found'],
  also: ['large'],
  example: { query: { environmentId: '{environmentId}', resourceId: '{sheetId}' } },
})

const params = z.object({ threadId: Id })
const at = 'params.threadId'
const example = { params: { threadId: '{threadId}' } }

export const get = endpoint({
  id: 'threads.get',
  method: 'GET',
  path: '/threads/{threadId}',
  summary: 'Reads a thread',
  policy: { can: 'threads:read', on: 'thread', at },
  params,
  reply: data(Thread),
  example,
})
export const update = endpoint({
  id: 'threads.update',
  method: 'PUT',
  path: '/threads/{threadId}',
  summary: 'Changes a thread; what is left out stays',
  description:
    '`state` is merged into the present one key by key, or replaces it with `stateUpdateStrategy: "replace"`. A new `resourceId` must be in the same space.',
  policy: { can: 'threads:write', on: 'thread', at },
  params,
  body: z.object({
    resourceId: maybe(scoped('space', 'workbook', 'sheet', 'file', 'document')),
    ...settings,
    status: maybe(Status),
    stateUpdateStrategy: maybe(z.enum(['upsert', 'replace'])),
  }),
  reply: data(Thread),
  errors: ['not-found', 'too-large'],
  example: { ...example, body: { status: 'active' } },
})
export const remove = endpoint({
  id: 'threads.remove',
  method: 'DELETE',
  path: '/threads/{threadId}',
  summary: 'Deletes a thread with its messages',
  policy: { can: 'threads:write', on: 'thread', at },
  params,
  reply: Success,
  example,
})

const said = {
  /** The client's own name for it. */
  messageId: maybe(free("the client's own name for it", z.string().max(500))),
  parts: maybe(z.array(AnyObject)),
  annotations: maybe(z.array(AnyObject)),
  state: maybe(AnyObject),
  metadata: maybe(AnyObject),
}
const Role = z.enum(['system', 'user', 'assistant', 'tool'])

export const Message = z.object({
  id: Id,
  threadId: Id,
  messageId: z.string().optional(),
  role: Role,
  content: AnyObject,
  parts: z.array(AnyObject).optional(),
  annotations: z.array(AnyObject).optional(),
  state: AnyObject.optional(),
  metadata: AnyObject.optional(),
  createdAt: Time,
  updatedAt: Time,
})

export const createMessage = endpoint({
  id: 'threads.createMessage',
  method: 'POST',
  path: '/threads/{threadId}/messages',
  summary: 'Adds a message; answers it bare',
  policy: { can: 'threads:write', on: 'thread', at },
  params,
  body: z.object({ ...said, role: Role, content: AnyObject }),
  reply: Message,
  errors: ['too-large'],
  example: { ...example, body: { role: 'user', content: { text: 'Which rows are wrong?' } } },
})
export const messages = endpoint({
  id: 'threads.messages',
  method: 'GET',
  path: '/threads/{threadId}/messages',
  summary: "Lists a thread's messages, oldest first",
  policy: { can: 'threads:read', on: 'thread', at },
  params,
  reply: list(Message),
  also: ['large'],
  example,
})

const one = {
  params: z.object({ threadId: Id, messageId: scoped('message') }),
  reply: Message,
  errors: ['not-found'],
} as const
const exampleOfOne = { params: { threadId: '{threadId}', messageId: '{messageId}' } }

export const getMessage = endpoint({
  id: 'threads.getMessage',
  method: 'GET',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Reads a message; answers it bare',
  policy: { can: 'threads:read', on: 'thread', at },
  ...one,
  example: exampleOfOne,
})
export const updateMessage = endpoint({
  id: 'threads.updateMessage',
  method: 'PUT',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Changes a message, what is left out stays; answers it bare',
  policy: { can: 'threads:write', on: 'thread', at },
  ...one,
  body: z.object({ ...said, role: maybe(Role), content: maybe(AnyObject), threadId: maybe(scoped('thread')) }),
  errors: ['not-found', 'too-large'],
  example: { ...exampleOfOne, body: { content: { text: 'Which rows are missing?' } } },
})
export const removeMessage = endpoint({
  id: 'threads.removeMessage',
  method: 'DELETE',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Deletes a message',
  policy: { can: 'threads:write', on: 'thread', at },
  ...one,
  reply: Success,
  example: exampleOfOne,
})

/** CT of the specification. */
const context = z.looseObject({ ...SpaceContext.shape, threadId: Id })
const described = { threadId: Id, title: z.string().optional(), status: z.string() }
export const created = topic('thread:created', {
  when: 'a thread begins',
  payload: z.object({ ...described, createdAt: Time }),
  context,
})
export const updated = topic('thread:updated', {
  when: 'a thread is changed',
  payload: z.object({ ...described, changes: z.array(FieldChange) }),
  context,
})
export const deleted = topic('thread:deleted', { when: 'a thread is deleted', payload: Empty, context })
