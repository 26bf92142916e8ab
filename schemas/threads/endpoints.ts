/** Endpoints of threads: conversations about a resource, with an assistant or between people. */
import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped, unscoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, Pagination, QueryNumber, Success } from '../kit/page.ts'
import { Message, MessageRole, Thread, ThreadStatus } from './shape.ts'

const settings = {
  metadata: nullish(AnyObject),
  source: nullish(z.string().max(500)),
  state: nullish(AnyObject),
}

export const create = endpoint({
  id: 'threads.create',
  method: 'POST',
  path: '/threads',
  summary: 'Creates a thread about a resource in a space',
  policy: { can: 'threads:write', on: 'resource', at: 'body.resourceId' },
  body: z.object({
    resourceId: scoped('space', 'workbook', 'sheet', 'file', 'document'),
    ...settings,
    status: ThreadStatus,
  }),
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
  summary: 'Updates a thread; omitted properties are unchanged',
  description:
    '`state` is merged into the current state key by key, or replaces it with `stateUpdateStrategy: "replace"`. A new `resourceId` must be in the same space.',
  policy: { can: 'threads:write', on: 'thread', at },
  params,
  body: z.object({
    resourceId: nullish(scoped('space', 'workbook', 'sheet', 'file', 'document')),
    ...settings,
    status: nullish(ThreadStatus),
    stateUpdateStrategy: nullish(z.enum(['upsert', 'replace'])),
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

const messageFields = {
  messageId: nullish(unscoped("the client's own id for it", z.string().max(500))),
  parts: nullish(z.array(AnyObject)),
  annotations: nullish(z.array(AnyObject)),
  state: nullish(AnyObject),
  metadata: nullish(AnyObject),
}

export const createMessage = endpoint({
  id: 'threads.createMessage',
  method: 'POST',
  path: '/threads/{threadId}/messages',
  summary: 'Adds a message; the response is not wrapped in `data`',
  policy: { can: 'threads:write', on: 'thread', at },
  params,
  body: z.object({ ...messageFields, role: MessageRole, content: AnyObject }),
  reply: Message,
  errors: ['too-large'],
  example: { ...example, body: { role: 'user', content: { text: 'Which rows are wrong?' } } },
})
export const messages = endpoint({
  id: 'threads.messages',
  method: 'GET',
  path: '/threads/{threadId}/messages',
  summary: "Lists a thread's messages, oldest first; all without a `pageSize`",
  policy: { can: 'threads:read', on: 'thread', at },
  params,
  query: z.object({ pageSize: QueryNumber(1, 1000).optional(), pageNumber: QueryNumber(1, 1_000_000).default(1) }),
  reply: z.object({ data: z.array(Message), pagination: Pagination.optional() }),
  also: ['large'],
  example,
})

const messageEndpoint = {
  params: z.object({ threadId: Id, messageId: scoped('message') }),
  reply: Message,
  errors: ['not-found'],
} as const
const messageExample = { params: { threadId: '{threadId}', messageId: '{messageId}' } }

export const getMessage = endpoint({
  id: 'threads.getMessage',
  method: 'GET',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Reads a message; the response is not wrapped in `data`',
  policy: { can: 'threads:read', on: 'thread', at },
  ...messageEndpoint,
  example: messageExample,
})
export const updateMessage = endpoint({
  id: 'threads.updateMessage',
  method: 'PUT',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Updates a message, omitted properties are unchanged; the response is not wrapped in `data`',
  policy: { can: 'threads:write', on: 'thread', at },
  ...messageEndpoint,
  body: z.object({
    ...messageFields,
    role: nullish(MessageRole),
    content: nullish(AnyObject),
    threadId: nullish(scoped('thread')),
  }),
  errors: ['not-found', 'too-large'],
  example: { ...messageExample, body: { content: { text: 'Which rows are missing?' } } },
})
export const removeMessage = endpoint({
  id: 'threads.removeMessage',
  method: 'DELETE',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Deletes a message',
  policy: { can: 'threads:write', on: 'thread', at },
  ...messageEndpoint,
  reply: Success,
  example: messageExample,
})
