/** A job's lease: one run at a time, and a run that lost its lease stops. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace())

describe('a run of a job', () => {
  it('stops, and changes nothing, once another run has taken over the job', async () => {
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { Lease, StoppedError } = await import('../../lib/jobs/run/lease.ts')
    const { id } = await must('POST', '/jobs', {
      type: 'space',
      operation: 'build',
      source: spaceId,
      trigger: 'immediate',
    })
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
})
