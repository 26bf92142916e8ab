/** Stored threads, listed by environment and by space, and their messages. */

import type * as z from 'zod'
import type { FieldChange } from '../../schemas/kit/context.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { message } from '../../schemas/messages/index.ts'
import * as threads from '../../schemas/threads/events.ts'
import { MAX_MESSAGE_BYTES, MAX_THREAD_BYTES, Message, Thread } from '../../schemas/threads/shape.ts'
import { tooLarge } from '../core/errors.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = Thread.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  namespaces: Namespaces,
  replyJobId: Id.optional(),
})

const stored = entity({
  name: 'thread',
  shape: Shape,
  by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] }, inSpace: { index: 'gsi2', of: ['spaceId'] } },
})
export type StoredThread = Stored<typeof Shape>
export type NewThread = z.infer<typeof Shape>

export const Threads = {
  ...stored,
  inEnvironment: (environmentId: string): Promise<StoredThread[]> =>
    stored.list('inEnvironment', { environmentId }, { order: 'desc' }),
  inSpace: (spaceId: string): Promise<StoredThread[]> => stored.list('inSpace', { spaceId }, { order: 'desc' }),
}

const messages = entity({
  name: 'message',
  shape: Message,
  by: { inThread: { index: 'gsi1', of: ['threadId'] } },
})
export type StoredMessage = Stored<typeof Message>
export type NewMessage = z.infer<typeof Message>

export const Messages = {
  ...messages,
  inThread: (threadId: string): Promise<StoredMessage[]> => messages.list('inThread', { threadId }),
}

/** The specification's CT. */
export const threadContext = (thread: NewThread) => ({
  environmentId: thread.environmentId,
  spaceId: thread.spaceId,
  threadId: thread.id,
})

export function threadPayload({ id, metadata, status }: NewThread) {
  const title = metadata?.title
  return { threadId: id, ...(typeof title === 'string' ? { title } : {}), status }
}

export function emitThreadUpdated(tx: Tx, thread: NewThread, changes: FieldChange[]): void {
  const payload = { ...threadPayload(thread), changes }
  tx.emit(threads.updated, threadContext(thread), payload, { namespaces: thread.namespaces })
}

export function assertThreadFits(threadOrMessage: NewThread | NewMessage): void {
  const isMessage = 'role' in threadOrMessage
  const limit = isMessage ? MAX_MESSAGE_BYTES : MAX_THREAD_BYTES
  const bytes = Buffer.byteLength(JSON.stringify(threadOrMessage))
  if (bytes > limit)
    throw tooLarge(message(isMessage ? 'requests.messageTooLarge' : 'requests.threadTooLarge', { limit, bytes }))
}

export function removeThread(tx: Tx, thread: StoredThread): void {
  tx.write(stored.remove(thread))
  tx.emit(threads.deleted, threadContext(thread), {}, { namespaces: thread.namespaces })
}
