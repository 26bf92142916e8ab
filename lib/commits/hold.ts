/**
 * One process at a time tells of a commit with many events: the sweep does not begin what the writer is still at, nor the
 * next sweep what the one before is at. What a process leaves that died is taken over once its hold has run out.
 */
import { randomUUID } from 'node:crypto'
import { claimWork, holdWork, leaveWork } from '../table/once.ts'

/** Longer than telling of some events takes, also where the cloud is slow; shorter than anybody waits for. */
const HOLD_SECONDS = 60
/** What nobody took off is forgotten by then. */
const KEPT_SECONDS = 3600

/** Another process tells of the commit. */
export class Held extends Error {}

export interface Hold {
  /** Begins to hold, or goes on. @throws Held when somebody else does */
  keep(): Promise<void>
  end(): Promise<void>
}

export function holdOf(commitId: string): Hold {
  const name = `telling#${commitId}`
  const attempt = randomUUID()
  let until = 0
  const holding = (now: number) => ({
    ...{ attempt, fingerprint: 'commit', leaseUntil: now + HOLD_SECONDS, expires: now + KEPT_SECONDS },
  })
  return {
    async keep() {
      const now = Math.floor(Date.now() / 1000)
      if (until - now > HOLD_SECONDS / 2) return
      const mine = holding(now)
      const held = until === 0 ? (await claimWork(name, mine, now)) === undefined : await holdWork(name, mine)
      if (!held) throw new Held(`Another process tells of ${commitId}.`)
      until = mine.leaseUntil
    },
    async end() {
      if (until > 0) await leaveWork(name, attempt)
    },
  }
}
