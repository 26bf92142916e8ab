/** The unit of work: writes and events in one transaction. A sweeper publishes what a crash leaves unpublished. */

import type * as z from 'zod'
import type { Event } from '../schemas/events/shape.ts'
import type { Topic } from '../schemas/kit/topic.ts'
import { message } from '../schemas/messages/index.ts'
import { conflict } from './core/errors.ts'
import { getGroupIndex, newGroupId, withGroupIndex } from './core/ids.ts'
import { log } from './core/log.ts'
import { buildEvent, type EventExtras } from './events/envelope.ts'
import { publishOrDefer } from './events/publish.ts'
import { buildPendingPuts } from './events/store.ts'
import { ConditionFailedError, MAX_WRITES_PER_TRANSACTION, transact } from './table/transact.ts'
import type { Write } from './table/write.ts'

export interface Actor {
  accountId: string
  actorId: string
}

export const createPlatformActor = (accountId: string): Actor => ({ accountId, actorId: 'system' })

export const toActor = ({ accountId, actorId }: { accountId: string; actorId?: string | undefined }): Actor =>
  actorId === undefined ? createPlatformActor(accountId) : { accountId, actorId }

export interface Tx {
  readonly actor: Actor
  readonly now: string
  write(...writes: Write[]): void
  emit<T extends Topic>(
    topic: T,
    context: Omit<z.input<T['context']>, 'accountId' | 'actorId'>,
    payload: z.input<T['payload']>,
    extras?: EventExtras,
  ): Event
  onConflict(toError: (error: ConditionFailedError) => Error): void
  /** Runs after the commit; only for effects that may be lost or repeated. */
  afterCommit(effect: () => Promise<void>): void
  /** Throws a 409 when an item that was read has changed in the meantime. */
  commit(): Promise<void>
}

export function begin(actor: Actor, now = new Date().toISOString()): Tx {
  let writes: Write[] = []
  let events: Event[] = []
  let effects: (() => Promise<void>)[] = []
  let toConflictError = (error: ConditionFailedError): Error =>
    conflict(message('requests.changedConcurrently'), { cause: error })

  return {
    actor,
    now,
    write: (...newWrites) => void writes.push(...newWrites),
    emit(topic, context, payload, extras) {
      const fullContext = { accountId: actor.accountId, actorId: actor.actorId, ...context } as never
      const event = buildEvent(topic, fullContext, payload, { id: nextEventId(events), ...extras })
      events.push(event)
      return event
    },
    onConflict(replacement) {
      toConflictError = replacement
    },
    afterCommit: (effect) => void effects.push(effect),
    async commit() {
      const [first, ...others] = events
      const allWrites = [...writes, ...(first ? buildPendingPuts([first, ...others]) : [])]
      if (allWrites.length > MAX_WRITES_PER_TRANSACTION)
        throw conflict(
          message('requests.tooManyChanges', { limit: MAX_WRITES_PER_TRANSACTION, items: allWrites.length }),
        )
      try {
        await transact(allWrites)
      } catch (error) {
        throw error instanceof ConditionFailedError ? toConflictError(error) : error
      }
      const committed = { events, effects }
      writes = []
      events = []
      effects = []
      if (first) await publishOrDefer({ id: first.id, events: committed.events })
      for (const effect of committed.effects) await runEffect(effect)
    },
  }
}

const nextEventId = (events: readonly Event[]): string => {
  const last = events.at(-1)
  return last ? withGroupIndex(last.id, getGroupIndex(last.id) + 1) : newGroupId('event')
}

/** The commit has succeeded, so a failed effect is only logged; other processes repeat it. */
const runEffect = (effect: () => Promise<void>): Promise<void> =>
  effect().catch((error: unknown) => log.warn('An effect after a commit failed', { error: error as Error }))
