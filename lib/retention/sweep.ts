/** Applies retention policies. Each step is one conditional transaction, so runs can overlap. */

import { DAY_MS } from '../../schemas/kit/time.ts'
import { REMOVAL_DAYS } from '../../schemas/retention/shape.ts'
import { parseKind } from '../core/ids.ts'
import { log } from '../core/log.ts'
import {
  ExpiredResources,
  type RetentionEnvironment,
  RetentionPolicies,
  type StoredPolicy,
} from '../entities/retention.ts'
import { tryCommit } from '../table/transact.ts'
import { type Actor, begin, createPlatformActor, type Tx } from '../tx.ts'
import { type Expiring, type ExpiringKind, KINDS } from './expiring-resources.ts'

export interface SweepCounts {
  expired: number
  restored: number
  removed: number
  failed: number
}

interface Run {
  actor: Actor
  now: Date
  policies: StoredPolicy[]
  counts: SweepCounts
  hasTimeLeft: () => boolean
}

export async function sweep(now: Date, hasTimeLeft: () => boolean, environmentFilter?: string): Promise<SweepCounts> {
  const counts: SweepCounts = { expired: 0, restored: 0, removed: 0, failed: 0 }
  for await (const location of RetentionPolicies.listEnvironments()) {
    if (!hasTimeLeft()) break
    if (environmentFilter !== undefined && location.environmentId !== environmentFilter) continue
    const actor = createPlatformActor(location.accountId)
    await sweepEnvironment(location, {
      actor,
      now,
      counts,
      hasTimeLeft,
      policies: await RetentionPolicies.getMany(location.policyIds),
    })
  }
  return counts
}

async function sweepEnvironment({ environmentId, policyIds }: RetentionEnvironment, run: Run): Promise<void> {
  const failedBefore = run.counts.failed
  await reviewExpired(environmentId, run)
  for (const kind of Object.values(KINDS)) await expireDue(kind as unknown as ExpiringKind, environmentId, run)
  if (run.counts.failed > failedBefore || !run.hasTimeLeft()) return
  const deletedPolicyIds = policyIds.filter((id) => !run.policies.some((policy) => policy.id === id))
  for (const id of deletedPolicyIds) {
    const tx = begin(run.actor)
    tx.write(RetentionPolicies.removeFromSet(environmentId, id))
    await tx.commit()
  }
}

async function reviewExpired(environmentId: string, run: Run): Promise<void> {
  const removalCutoff = new Date(run.now.getTime() - REMOVAL_DAYS * DAY_MS).toISOString()
  for await (const ids of ExpiredResources.list(environmentId))
    for (const id of ids) {
      if (!run.hasTimeLeft()) return
      await runStep(run, id, async (tx) => {
        const kind = KINDS[parseKind(id) as keyof typeof KINDS] as unknown as ExpiringKind
        const resource = await kind.get(id)
        if (resource?.expiredAt && (await isDue(kind, resource, run))) {
          if (resource.expiredAt > removalCutoff) return undefined
          await kind.remove(tx, resource)
          tx.write(ExpiredResources.remove(environmentId, id))
          return 'removed'
        }
        tx.write(ExpiredResources.remove(environmentId, id))
        if (!resource?.expiredAt) return undefined
        kind.restore(tx, resource)
        return 'restored'
      })
    }
}

async function expireDue(kind: ExpiringKind, environmentId: string, run: Run): Promise<void> {
  if (run.policies.length === 0) return
  const newestDue = cutoff(Math.min(...run.policies.map(({ period }) => period)), run.now)
  for (let after: string | undefined; ; ) {
    const resources = await kind.listPage(environmentId, after)
    if (resources.length === 0) return
    for (const resource of resources) {
      if (resource.createdAt > newestDue || !run.hasTimeLeft()) return
      if (resource.expiredAt) continue
      await runStep(run, resource.id, async (tx) => {
        if (!(await isDue(kind, resource, run))) return undefined
        await kind.expire(tx, resource)
        tx.write(ExpiredResources.add(environmentId, resource.id))
        return 'expired'
      })
    }
    after = resources.at(-1)!.id
  }
}

const cutoff = (period: number, now: Date): string => new Date(now.getTime() - period * DAY_MS).toISOString()

async function isDue<T extends Expiring>(kind: ExpiringKind<T>, resource: T, { policies, now }: Run): Promise<boolean> {
  for (const { type, period } of policies) {
    const time = cutoff(period, now)
    if (resource.createdAt > time) continue
    if (type === 'sinceCreated' || !(await kind.wasUsedSince(resource, time))) return true
  }
  return false
}

async function runStep(
  run: Run,
  id: string,
  action: (tx: Tx) => Promise<'expired' | 'restored' | 'removed' | undefined>,
): Promise<void> {
  const tx = begin(run.actor, run.now.toISOString())
  try {
    const outcome = await action(tx)
    if ((await tryCommit(tx.commit())) && outcome) run.counts[outcome]++
  } catch (error) {
    run.counts.failed++
    log.error('Could not apply the retention policy to a resource', { id, error: error as Error })
  }
}
