/** Lets one process at a time publish a large commit; another takes over when the lease of a dead process expires. */
import { randomUUID } from 'node:crypto'
import { HOUR_SECONDS } from '../../schemas/kit/time.ts'
import { acquireLease, releaseLease, renewLease } from '../table/leases.ts'

const LEASE_SECONDS = 60
const RETENTION_SECONDS = HOUR_SECONDS

export class LeaseHeldError extends Error {}

export interface PublishLease {
  /** Acquires or renews the lease. @throws LeaseHeldError when another process holds it */
  renew(): Promise<void>
  release(): Promise<void>
}

export function createPublishLease(commitId: string): PublishLease {
  const name = `telling#${commitId}`
  const attempt = randomUUID()
  let until = 0
  const buildLease = (now: number) => ({
    ...{ attempt, fingerprint: 'commit', leaseUntil: now + LEASE_SECONDS, expires: now + RETENTION_SECONDS },
  })
  return {
    async renew() {
      const now = Math.floor(Date.now() / 1000)
      if (until - now > LEASE_SECONDS / 2) return
      const lease = buildLease(now)
      const isHeld = until === 0 ? (await acquireLease(name, lease, now)) === undefined : await renewLease(name, lease)
      if (!isHeld) throw new LeaseHeldError(`Another process is publishing ${commitId}.`)
      until = lease.leaseUntil
    },
    async release() {
      if (until > 0) await releaseLease(name, attempt)
    },
  }
}
