/**
 * One run's hold on a job: taken by the conditional move to executing, kept by renewing a lease, lost when the job is
 * canceled, deleted or taken over. Knows nothing of the work.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { Jobs, type NewJob, type StoredJob } from '../entities/jobs.ts'
import type { Actor } from '../tx.ts'
import { type Decide, moveNow } from './move.ts'

export interface LeaseOptions {
  /** Names the run among all. */
  owner: string
  /** How long a run without a sign of life counts as alive; it gives one three times as often. */
  leaseMs?: number
}

const LEASE_MS = 30_000
const POLL_MS = 250

/** The run is over for this process: the job was canceled or deleted, or another run holds it. */
export class Stopped extends Error {}

export function unlessStopped(error: unknown): void {
  if (!(error instanceof Stopped)) throw error
}

/** One run's hold on a job. */
export class Lease {
  readonly jobId: string
  readonly actor: Actor
  lost = false
  readonly #owner: string
  readonly #ms: number

  constructor(job: NewJob, { owner, leaseMs = LEASE_MS }: LeaseOptions) {
    this.jobId = job.id
    this.actor = { accountId: job.accountId, actorId: job.createdBy }
    this.#owner = owner
    this.#ms = leaseMs
  }

  next() {
    return { owner: this.#owner, until: new Date(Date.now() + this.#ms).toISOString() }
  }

  /** Of a run that gives the job up. */
  ended() {
    return { owner: this.#owner, until: new Date().toISOString() }
  }

  /** Takes the job: at once when it is ready, after the lease has run out when another run has it. Undefined: not ours. */
  async claim(): Promise<NewJob | undefined> {
    const seen = await Jobs.get(this.jobId)
    if (seen?.status === 'executing' && seen.lease && !(await this.#runsOut(seen.lease.until))) return undefined
    const job = await moveNow(this.actor, this.jobId, (current) =>
      isFree(current) ? { trigger: 'acknowledge', changes: { lease: this.next() } } : undefined,
    )
    return job.lease?.owner === this.#owner ? job : undefined
  }

  /** Waits for the end of another run's lease. False when that run showed itself alive, or ended. */
  async #runsOut(until: string): Promise<boolean> {
    for (;;) {
      const job = await Jobs.get(this.jobId)
      if (job?.status !== 'executing' || job.lease?.until !== until) return false
      const left = Date.parse(until) - Date.now()
      if (left <= 0) return true
      await wait(Math.min(left + 1, POLL_MS))
    }
  }

  /** A move by this run. Throws {@link Stopped} when the job is no longer its own. */
  async move(decide: Decide): Promise<void> {
    await moveNow(this.actor, this.jobId, (job) => {
      this.#check(job)
      return decide(job)
    }).catch((error) => {
      // Deleted meanwhile: nobody waits for the work any more.
      if (error instanceof ApiError && error.code === 'not-found') this.lost = true
      throw this.lost ? new Stopped() : error
    })
  }

  /** Throws {@link Stopped} when the job is no longer this run's. */
  async assertHeld(): Promise<void> {
    this.#check(await Jobs.get(this.jobId))
  }

  #check(job: StoredJob | undefined): void {
    this.lost = job?.status !== 'executing' || job.lease?.owner !== this.#owner
    if (this.lost) throw new Stopped()
  }

  /** Renews the lease in the background until told to stop; no event tells of it. */
  keepRenewing(): () => void {
    const timer = setInterval(
      () =>
        void this.#renew().catch((error: Error) => log.warn('A lease was not renewed', { jobId: this.jobId, error })),
      this.#ms / 3,
    )
    return () => clearInterval(timer)
  }

  async #renew(): Promise<void> {
    await this.move(() => ({ trigger: 'renew', changes: { lease: this.next() } })).catch(unlessStopped)
  }
}

const isFree = (job: StoredJob): boolean =>
  job.status === 'ready' ||
  (job.status === 'executing' && job.lease !== undefined && Date.parse(job.lease.until) <= Date.now())
