/** A run's hold on a job: one run at a time, and a run whose job another one has taken over ends. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, mustOf, server } from '../support/api.ts'

let call: ReturnType<typeof callerOf>
let spaceId: string
const must = mustOf(() => call)

beforeAll(async () => {
  server()
  call = callerOf((await mintAccount()).secretKey)
  spaceId = (await must('POST', '/spaces', { name: 'Space' })).id
})

describe('a run of a job', () => {
  it('stops, and changes nothing any more, once another run has taken the job over', async () => {
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { Lease, Stopped } = await import('../../lib/jobs/lease.ts')
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
    // The first run gives no sign, so its lease runs out.
    expect(await second!.claim()).toBeDefined()
    await expect(first!.assertHeld()).rejects.toBeInstanceOf(Stopped)
    await expect(first!.move(() => ({ trigger: 'complete' }))).rejects.toBeInstanceOf(Stopped)
    expect(first!.lost).toBe(true)
    expect(await must('GET', `/jobs/${id}`)).toMatchObject({ status: 'executing' })
    await second!.move(() => ({ trigger: 'complete' }))
    expect(await must('GET', `/jobs/${id}`)).toMatchObject({ status: 'completed' })
  })
})
