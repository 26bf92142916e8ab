/** The lease of one run on a job. It is lost when the job is canceled, deleted or taken over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { processEnv } from '../../core/env.ts'
import { ApiError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { Stopwatch, withStopwatch } from '../../core/stopwatch.ts'
import { Jobs, type NewJob, type StoredJob } from '../../entities/jobs.ts'
import type { Actor } from '../../tx.ts'
import { applyTransition, type ChooseTransition } from '../lifecycle/transition.ts'
import { addRun, addWaiting, NO_TIME } from './timings.ts'

export interface LeaseOptions {
  owner: string
  leaseMs?: number
}

const POLL_MS = 250

/** The run must stop: the job was canceled or deleted, or another run has it. */
export class StoppedError extends Error {}

export function ignoreStopped(error: unknown): void {
  if (!(error instanceof StoppedError)) throw error
}

export class Lease {
  readonly jobId: string
  readonly actor: Actor
  lost = false
  readonly #owner: string
  readonly #ms: number
  #earlierTimings = NO_TIME
  #stopwatch = new Stopwatch()

  constructor(job: NewJob, { owner, leaseMs = processEnv().LEASE_MS }: LeaseOptions) {
    this.jobId = job.id
    this.actor = { accountId: job.accountId, actorId: job.createdBy }
    this.#owner = owner
    this.#ms = leaseMs
  }

  buildRenewal() {
    return { owner: this.#owner, until: new Date(Date.now() + this.#ms).toISOString() }
  }

  buildExpired() {
    return { owner: this.#owner, until: new Date().toISOString() }
  }

  /** Claims a ready job, or another run's job once its lease has expired. Undefined if another run has the job. */
  async claim(): Promise<NewJob | undefined> {
    const existing = await Jobs.get(this.jobId)
    if (existing?.status === 'executing' && existing.lease && !(await this.#runsOut(existing.lease.until)))
      return undefined
    const job = await applyTransition(this.actor, this.jobId, (current) =>
      isFree(current)
        ? { trigger: 'acknowledge', changes: { lease: this.buildRenewal(), timings: addWaiting(current) } }
        : undefined,
    )
    if (job.lease?.owner !== this.#owner) return undefined
    this.#earlierTimings = job.timings ?? NO_TIME
    this.#stopwatch = new Stopwatch()
    return job
  }

  measureRun<T>(work: () => Promise<T>): Promise<T> {
    return withStopwatch(this.#stopwatch, work)
  }

  async #runsOut(until: string): Promise<boolean> {
    for (;;) {
      const job = await Jobs.get(this.jobId)
      if (job?.status !== 'executing' || job.lease?.until !== until) return false
      const remainingMs = Date.parse(until) - Date.now()
      if (remainingMs <= 0) return true
      await sleep(Math.min(remainingMs + 1, POLL_MS))
    }
  }

  async transition(choose: ChooseTransition): Promise<void> {
    await applyTransition(this.actor, this.jobId, (job) => {
      this.#check(job)
      const chosen = choose(job)
      const timings = addRun(this.#earlierTimings, this.#stopwatch.read())
      return chosen && { ...chosen, changes: { ...chosen.changes, timings } }
    }).catch((error) => {
      if (error instanceof ApiError && error.code === 'not-found') this.lost = true
      throw this.lost ? new StoppedError() : error
    })
  }

  async assertHeld(): Promise<void> {
    this.#check(await Jobs.get(this.jobId))
  }

  #check(job: StoredJob | undefined): void {
    this.lost = job?.status !== 'executing' || job.lease?.owner !== this.#owner
    if (this.lost) throw new StoppedError()
  }

  keepRenewing(): () => void {
    const timer = setInterval(
      () =>
        void this.#renew().catch((error: Error) => log.warn('Renewing a lease failed', { jobId: this.jobId, error })),
      this.#ms / 3,
    )
    return () => clearInterval(timer)
  }

  async #renew(): Promise<void> {
    await this.transition(() => ({ trigger: 'renew', changes: { lease: this.buildRenewal() } })).catch(ignoreStopped)
  }
}

const isFree = (job: StoredJob): boolean =>
  job.status === 'ready' ||
  (job.status === 'executing' && job.lease !== undefined && Date.parse(job.lease.until) <= Date.now())
