/** Comments on records, stored as one thread for each record. */

import * as threadEvents from '../../schemas/threads/events.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../tx.ts'
import type { StoredSheet } from './sheets.ts'
import {
  emitThreadUpdated,
  Messages,
  type NewThread,
  type StoredMessage,
  type StoredThread,
  Threads,
  threadContext,
  threadPayload,
} from './threads.ts'

const SOURCE = 'record-comments'

interface Commented {
  recordId: string
  count: number
}

const readState = ({ state }: NewThread): Commented => state as unknown as Commented

export async function listCommentThreads(sheet: StoredSheet): Promise<(Commented & { thread: StoredThread })[]> {
  const threads = await Threads.inSpace(sheet.spaceId)
  return threads
    .filter(({ resourceId, source, state }) => resourceId === sheet.id && source === SOURCE && state?.recordId)
    .map((thread) => ({ ...readState(thread), thread }))
}

/** Two first comments at the same time make two threads; their comments are listed together. */
export async function listComments(sheet: StoredSheet, recordId: string): Promise<StoredMessage[]> {
  const threads = (await listCommentThreads(sheet)).filter((thread) => thread.recordId === recordId)
  const lists = await Promise.all(threads.map(({ thread }) => Messages.inThread(thread.id)))
  return lists.flat().sort((a, b) => a.id.localeCompare(b.id))
}

export async function addComment(tx: Tx, sheet: StoredSheet, recordId: string, text: string) {
  const [known] = (await listCommentThreads(sheet)).filter((thread) => thread.recordId === recordId)
  const thread = known ? countComment(tx, known.thread) : createThread(tx, sheet, recordId)
  const comment = {
    id: newId('message'),
    threadId: thread.id,
    role: 'user' as const,
    content: { text },
    metadata: { createdBy: tx.actor.actorId },
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Messages.create(comment))
  return comment
}

function createThread(tx: Tx, sheet: StoredSheet, recordId: string): NewThread {
  const { accountId, environmentId, spaceId } = sheet
  const thread: NewThread = {
    id: newId('thread'),
    resourceId: sheet.id,
    source: SOURCE,
    status: 'ready',
    state: { recordId, count: 1 },
    ...{ accountId, environmentId, spaceId, namespaces: sheet.namespaces },
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Threads.create(thread))
  const payload = { ...threadPayload(thread), createdAt: tx.now }
  tx.emit(threadEvents.created, threadContext(thread), payload, { namespaces: thread.namespaces })
  return thread
}

function countComment(tx: Tx, thread: StoredThread): NewThread {
  const state = readState(thread)
  const after = { ...thread, state: { ...state, count: state.count + 1 }, updatedAt: tx.now }
  tx.write(Threads.replace(thread, after))
  const changes = [{ field: 'state', previousValue: thread.state, newValue: after.state }]
  emitThreadUpdated(tx, after, changes)
  return after
}
