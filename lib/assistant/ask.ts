import { DAY_MS, DAY_SECONDS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import { MAX_MESSAGES_PER_ASSISTED_THREAD } from '../../schemas/threads/assistant.ts'
import { encryptForEnvironment } from '../auth/envelope-encryption.ts'
import { loadWithPermission } from '../auth/load-resource.ts'
import type { Principal } from '../auth/principal.ts'
import { conflict, tooManyRequests } from '../core/errors.ts'
import { newId, parseKind } from '../core/ids.ts'
import { Assistants, Questions } from '../entities/assistant.ts'
import { Jobs } from '../entities/jobs.ts'
import {
  emitThreadUpdated,
  Messages,
  type NewMessage,
  type NewThread,
  type StoredThread,
  Threads,
} from '../entities/threads.ts'
import { createJob } from '../jobs/lifecycle/create.ts'
import { isEnded } from '../jobs/lifecycle/state-machine.ts'
import { incrementCounter } from '../table/counters.ts'
import type { Tx } from '../tx.ts'
import { assertConfigured } from './settings.ts'

const ASSISTED_KINDS: readonly (string | undefined)[] = ['space', 'workbook', 'sheet']
/** Longer than the reply takes, also after a crash. */
const QUESTION_SECONDS = 2 * 60 * 60

export interface Asked {
  caller: Principal
  thread: StoredThread
  text: string
  authorization: string
  address: string
}

export async function ask(tx: Tx, { caller, thread, text, authorization, address }: Asked) {
  const { environmentId } = thread
  const { messagesPerDay } = assertConfigured(await Assistants.get(environmentId))
  if (!ASSISTED_KINDS.includes(parseKind(thread.resourceId))) throw conflict(message('assistant.otherResource'))
  await assertReady(thread)
  const space = await loadWithPermission('space', caller, 'threads:write', thread.spaceId)
  await countQuestion(environmentId, messagesPerDay, tx.now)
  const job = createJob(
    tx,
    {
      ...{ type: 'space', operation: 'assistant-reply', source: space.id, config: {} },
      ...{ immediate: true, mode: 'hidden', info: message('assistant.replying') },
    },
    { kind: 'space', space },
  )
  const asked: NewMessage = {
    ...{ id: newId('message'), threadId: thread.id, role: 'user', content: { text } },
    metadata: { createdBy: tx.actor.actorId, jobId: job.id },
    ...{ createdAt: tx.now, updatedAt: tx.now },
  }
  tx.write(
    Messages.create(asked),
    Questions.create({
      ...{ jobId: job.id, threadId: thread.id, messageId: asked.id, environmentId, address, role: caller.role },
      sealedAuthorization: await encryptForEnvironment(environmentId, authorization, job.id),
      expires: Math.floor(Date.parse(tx.now) / 1000) + QUESTION_SECONDS,
    }),
  )
  setStatus(tx, thread, { ...thread, status: 'active', replyJobId: job.id })
  return { message: asked, jobId: job.id }
}

/** @throws 409 while a reply is being written, and for a full thread */
async function assertReady({ id, replyJobId }: StoredThread): Promise<void> {
  const job = replyJobId === undefined ? undefined : await Jobs.get(replyJobId)
  if (job && !isEnded(job.status)) throw conflict(message('assistant.busy'))
  const count = (await Messages.inThread(id)).length
  if (count >= MAX_MESSAGES_PER_ASSISTED_THREAD) throw conflict(message('assistant.threadFull', { count }))
}

async function countQuestion(environmentId: string, limit: number, now: string): Promise<void> {
  const time = Date.parse(now)
  const day = Math.floor(time / DAY_MS)
  const endSeconds = (day + 1) * DAY_SECONDS
  const count = await incrementCounter(`assistant#${environmentId}#${day}`, 1, endSeconds + DAY_SECONDS)
  if (count > limit)
    throw tooManyRequests(message('assistant.dayFull', { count: limit }), endSeconds - Math.floor(time / 1000))
}

/** Makes the transaction depend on the thread, so that two questions cannot be asked at the same time. */
export function setStatus(tx: Tx, before: StoredThread, after: NewThread): void {
  const changed = { ...after, updatedAt: tx.now }
  tx.write(Threads.replace(before, changed))
  const changes = [{ field: 'status', previousValue: before.status, newValue: after.status }]
  emitThreadUpdated(tx, changed, changes)
}
