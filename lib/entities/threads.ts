/** Stored threads, listed by environment and by space, and their messages. */
import type * as z from 'zod'
import { Id } from '../../schemas/ids.ts'
import * as threads from '../../schemas/threads.ts'
import { tooLarge } from '../core/errors.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = threads.Thread.extend({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  /** What listeners filter by: the namespaces of what it is about. */
  namespaces: Namespaces,
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
  shape: threads.Message,
  by: { inThread: { index: 'gsi1', of: ['threadId'] } },
})
export type StoredMessage = Stored<typeof threads.Message>
export type NewMessage = z.infer<typeof threads.Message>

export const Messages = {
  ...messages,
  /** Oldest first. */
  inThread: (threadId: string): Promise<StoredMessage[]> => messages.list('inThread', { threadId }),
}

/** CT of the specification. */
export const threadContext = (thread: NewThread) => ({
  environmentId: thread.environmentId,
  spaceId: thread.spaceId,
  threadId: thread.id,
})

/** What its events tell of it. */
export function threadPayload({ id, metadata, status }: NewThread) {
  const title = metadata?.title
  return { threadId: id, ...(typeof title === 'string' ? { title } : {}), status }
}

/** Throws 413 for a thread or a message that is larger than one may be. */
export function assertThreadFits(thing: NewThread | NewMessage): void {
  const [name, limit] = 'role' in thing ? ['message', threads.MESSAGE_BYTES] : ['thread', threads.THREAD_BYTES]
  const bytes = Buffer.byteLength(JSON.stringify(thing))
  if (bytes > Number(limit)) throw tooLarge(`A ${name} may have ${limit} bytes as JSON; this one has ${bytes}.`)
}

/** Its messages go by the event. */
export function removeThread(tx: Tx, thread: StoredThread): void {
  tx.write(stored.remove(thread))
  tx.emit(threads.deleted, threadContext(thread), {}, { namespaces: thread.namespaces })
}
