/** A job's lease: one run at a time, and a run that lost its lease stops. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace())

const startJob = () =>
  must('POST', '/jobs', { type: 'space', operation: 'build', source: spaceId, trigger: 'immediate' })

describe('a run of a job', () => {
  it('stops, and changes nothing, once another run has taken over the job', async () => {
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { Lease, StoppedError } = await import('../../lib/jobs/run/lease.ts')
    const { id } = await startJob()
    const job = (await Jobs.get(id))!
    const [first, second] = ['first', 'second'].map((owner) => new Lease(job, { owner, leaseMs: 200 }))
    expect(await first!.claim()).toBeDefined()
    await expect(first!.assertHeld()).resolves.toBeUndefined()
    expect(await second!.claim()).toBeDefined()
    await expect(first!.assertHeld()).rejects.toBeInstanceOf(StoppedError)
    await expect(first!.transition(() => ({ trigger: 'complete' }))).rejects.toBeInstanceOf(StoppedError)
    expect(first!.lost).toBe(true)
    expect(await must('GET', `/jobs/${id}`)).toMatchObject({ status: 'executing' })
    await second!.transition(() => ({ trigger: 'complete' }))
    expect(await must('GET', `/jobs/${id}`)).toMatchObject({ status: 'completed' })
  })

  it('tells where its time went; the job waits until it starts, and again until the next run after a dead one', async () => {
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { Lease } = await import('../../lib/jobs/run/lease.ts')
    const { measure } = await import('../../lib/core/stopwatch.ts')
    const { id } = await startJob()
    expect(await must('GET', `/jobs/${id}`)).not.toHaveProperty('timings')
    const job = (await Jobs.get(id))!
    const [dead, next] = ['dead', 'next'].map((owner) => new Lease(job, { owner, leaseMs: 200 }))
    const first = (await dead!.claim())!.timings!
    expect(first).toMatchObject({ reading: 0, computing: 0, writing: 0, events: 0 })
    expect((await next!.claim())!.timings!.waiting).toBeGreaterThan(first.waiting)
    await next!.measureRun(() => measure('reading', () => sleep(20)))
    await next!.transition(() => ({ trigger: 'complete' }))
    const { timings } = await must('GET', `/jobs/${id}`)
    expect(Object.keys(timings).sort()).toEqual(['computing', 'events', 'reading', 'waiting', 'writing'])
    expect(timings.reading).toBeGreaterThan(0)
    await must('POST', `/jobs/${id}/retry`)
    expect(await must('GET', `/jobs/${id}`)).not.toHaveProperty('timings')
  })
})
