/**
 * What the clock does about data retention: expires what a policy makes due, brings back what is due no longer, and
 * removes what has been expired for its time. It looks only at environments that have policies, there only at things
 * older than the shortest period; each step is one transaction conditional on what was read, so that runs may overlap.
 */

import { REMOVAL_DAYS } from '../../schemas/retention-policy.ts'
import { kindOf } from '../core/ids.ts'
import { log } from '../core/log.ts'
import { Expired, type RetentionPlace, RetentionPolicies, type StoredPolicy } from '../entities/retention.ts'
import { ConditionFailed } from '../table/transact.ts'
import { type Actor, begin, platformActor, type Tx } from '../tx.ts'
import { type Expiring, type ExpiringKind, KINDS } from './kinds.ts'

const DAY = 86_400_000

export interface Swept {
  expired: number
  restored: number
  removed: number
  /** Things that could not be looked after; the next run tries again. */
  failed: number
}

interface Run {
  actor: Actor
  now: Date
  policies: StoredPolicy[]
  swept: Swept
  /** Is there time to begin another thing? */
  goOn: () => boolean
}

/** @param only the environment to look at; all of them without it */
export async function sweep(now: Date, goOn: () => boolean, only?: string): Promise<Swept> {
  const swept: Swept = { expired: 0, restored: 0, removed: 0, failed: 0 }
  for await (const place of RetentionPolicies.places()) {
    if (!goOn()) break
    if (only !== undefined && place.environmentId !== only) continue
    const actor = platformActor(place.accountId)
    await sweepEnvironment(place, {
      actor,
      now,
      swept,
      goOn,
      policies: await RetentionPolicies.getMany(place.policyIds),
    })
  }
  return swept
}

async function sweepEnvironment({ environmentId, policyIds }: RetentionPlace, run: Run): Promise<void> {
  const before = run.swept.failed
  await reviewExpired(environmentId, run)
  for (const kind of Object.values(KINDS)) await expireDue(kind as unknown as ExpiringKind, environmentId, run)
  if (run.swept.failed > before || !run.goOn()) return
  const gone = policyIds.filter((id) => !run.policies.some((policy) => policy.id === id))
  for (const id of gone) {
    const tx = begin(run.actor)
    tx.write(RetentionPolicies.forget(environmentId, id))
    await tx.commit()
  }
}

/** What has expired before: it is back when nothing makes it due any more, and gone when its time is over. */
async function reviewExpired(environmentId: string, run: Run): Promise<void> {
  const removable = new Date(run.now.getTime() - REMOVAL_DAYS * DAY).toISOString()
  for await (const ids of Expired.in(environmentId))
    for (const id of ids) {
      if (!run.goOn()) return
      await step(run, id, async (tx) => {
        const kind = KINDS[kindOf(id) as keyof typeof KINDS] as unknown as ExpiringKind
        const thing = await kind.get(id)
        if (thing?.expiredAt && (await isDue(kind, thing, run))) {
          if (thing.expiredAt > removable) return undefined
          await kind.remove(tx, thing)
          tx.write(Expired.leave(environmentId, id))
          return 'removed'
        }
        tx.write(Expired.leave(environmentId, id))
        if (!thing?.expiredAt) return undefined
        kind.bringBack(tx, thing)
        return 'restored'
      })
    }
}

async function expireDue(kind: ExpiringKind, environmentId: string, run: Run): Promise<void> {
  if (run.policies.length === 0) return
  const youngest = cutoff(Math.min(...run.policies.map(({ period }) => period)), run.now)
  for (let after: string | undefined; ; ) {
    const things = await kind.page(environmentId, after)
    if (things.length === 0) return
    for (const thing of things) {
      if (thing.createdAt > youngest || !run.goOn()) return
      if (thing.expiredAt) continue
      await step(run, thing.id, async (tx) => {
        if (!(await isDue(kind, thing, run))) return undefined
        await kind.expire(tx, thing)
        tx.write(Expired.join(environmentId, thing.id))
        return 'expired'
      })
    }
    after = things.at(-1)!.id
  }
}

/** Before this time means longer ago than the period, in days. */
const cutoff = (period: number, now: Date): string => new Date(now.getTime() - period * DAY).toISOString()

async function isDue<T extends Expiring>(kind: ExpiringKind<T>, thing: T, { policies, now }: Run): Promise<boolean> {
  for (const { type, period } of policies) {
    const time = cutoff(period, now)
    if (thing.createdAt > time) continue
    if (type === 'sinceCreated' || !(await kind.usedSince(thing, time))) return true
  }
  return false
}

/** One thing in one transaction. Who lost it to somebody else leaves it to the next run. */
async function step(
  run: Run,
  id: string,
  work: (tx: Tx) => Promise<'expired' | 'restored' | 'removed' | undefined>,
): Promise<void> {
  const tx = begin(run.actor, run.now.toISOString())
  tx.onConflict((error) => error)
  try {
    const done = await work(tx)
    await tx.commit()
    if (done) run.swept[done]++
  } catch (error) {
    if (error instanceof ConditionFailed) return
    run.swept.failed++
    log.error('A thing could not be looked after by its retention policy', { id, error: error as Error })
  }
}
