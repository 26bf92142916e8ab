/**
 * The unit of work: collects writes and events, commits both in one DynamoDB transaction, then publishes.
 * No event without its change, no change without its event; what a crash leaves unpublished the sweeper publishes.
 */
import type * as z from 'zod'
import type { Event } from '../schemas/events.ts'
import type { Topic } from '../schemas/topic.ts'
import { conflict } from './core/errors.ts'
import { log } from './core/log.ts'
import { type EventExtras, envelope } from './events/envelope.ts'
import { publishOrLeave } from './events/publish.ts'
import { pendingEvent } from './events/store.ts'
import type { Write } from './table/entity.ts'
import { ConditionFailed, TRANSACTION_LIMIT, transact } from './table/transact.ts'

/** Who acts; stands in the context of every event of the transaction. */
export interface Actor {
  accountId: string
  actorId: string
}

/** The platform itself, where no caller asked for it: sweeps, ticks and what follows from them. */
export const platformActor = (accountId: string): Actor => ({ accountId, actorId: 'system' })

/** Who caused an event, and so what follows from it. */
export const actorOf = ({ accountId, actorId }: { accountId: string; actorId?: string | undefined }): Actor =>
  actorId === undefined ? platformActor(accountId) : { accountId, actorId }

export interface Tx {
  readonly actor: Actor
  /** One clock for the whole unit: ISO-8601 with milliseconds. */
  readonly now: string
  write(...writes: Write[]): void
  /** Emits with the commit. `accountId` and `actorId` come from the actor unless the context names them. */
  emit<T extends Topic>(
    topic: T,
    context: Omit<z.input<T['context']>, 'accountId' | 'actorId'>,
    payload: z.input<T['payload']>,
    extras?: EventExtras,
  ): Event
  /** What to answer when a condition is lost, instead of the general 409. */
  onConflict(answer: (error: ConditionFailed) => Error): void
  /** Runs after the commit; only for effects that may be lost or repeated. */
  afterCommit(effect: () => Promise<void>): void
  /** Writes everything at once or nothing. Throws a 409 when something read has changed meanwhile. */
  commit(): Promise<void>
}

export function begin(actor: Actor, now = new Date().toISOString()): Tx {
  let writes: Write[] = []
  let events: Event[] = []
  let effects: (() => Promise<void>)[] = []
  let answer = (error: ConditionFailed): Error =>
    conflict('Somebody else changed this at the same time: read it again and repeat the request.', { cause: error })

  return {
    actor,
    now,
    write: (...more) => void writes.push(...more),
    emit(topic, context, payload, extras) {
      const full = { accountId: actor.accountId, actorId: actor.actorId, ...context } as never
      const event = envelope(topic, full, payload, extras)
      events.push(event)
      return event
    },
    onConflict(replacement) {
      answer = replacement
    },
    afterCommit: (effect) => void effects.push(effect),
    async commit() {
      const all = [...writes, ...events.map(pendingEvent)]
      if (all.length > TRANSACTION_LIMIT)
        throw conflict(
          `One request may change at most ${TRANSACTION_LIMIT} things, this one would change ${all.length}.`,
        )
      try {
        await transact(all)
      } catch (error) {
        throw error instanceof ConditionFailed ? answer(error) : error
      }
      const done = { events, effects }
      writes = []
      events = []
      effects = []
      await publishOrLeave(done.events)
      for (const effect of done.effects) await attempt(effect)
    },
  }
}

/** The commit stands: what comes after it is repeated by others when it fails here. */
const attempt = (effect: () => Promise<void>): Promise<void> =>
  effect().catch((error: unknown) => log.warn('An effect after a commit failed', { error: error as Error }))
