import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { pluck, waitUntil } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

interface Job {
  id: string
  status: string
  info?: string
  predecessorIds?: string[]
}

beforeAll(() => createFreshSpace({ name: 'Space' }))

const jobBody = (more: object = {}) => ({ type: 'space', operation: 'build', source: spaceId, ...more })
const newJob = (more: object = {}): Promise<Job> => must('POST', '/jobs', jobBody({ trigger: 'immediate', ...more }))
const withPredecessors = (...predecessors: Job[]) => ({ predecessorIds: predecessors.map(({ id }) => id) })
const post = (job: Job, verb: string, body?: object): Promise<Job> => must('POST', `/jobs/${job.id}/${verb}`, body)
const get = ({ id }: Job): Promise<Job> => must('GET', `/jobs/${id}`)
const waitForStatus = (job: Job, status: string) => waitUntil(async () => (await get(job)).status === status, 30)
const finishJob = async (job: Job, verb: 'complete' | 'fail' | 'cancel' = 'complete') => {
  if (verb === 'complete') await post(job, 'ack')
  await post(job, verb)
}
const topicsOf = async ({ id }: Job): Promise<string[]> => pluck(await findEvents('domain=job', { jobId: id }), 'topic')

describe('a job with predecessors', () => {
  it('becomes ready, once, when the last of them has completed', async () => {
    const [one, two] = [await newJob(), await newJob()]
    const job = await newJob(withPredecessors(one, two))
    expect(job).toMatchObject({ status: 'waiting', ...withPredecessors(one, two) })
    await finishJob(two)
    expect(await get(job)).toMatchObject({ status: 'waiting' })
    await finishJob(one)
    expect(await get(job)).toMatchObject({ status: 'ready' })
    await waitUntil(async () => (await topicsOf(one)).includes('job:completed'))
    expect(await topicsOf(job)).toEqual(['job:created', 'job:ready'])
    await finishJob(job)
  })

  it('is ready immediately when they have all completed', async () => {
    const one = await newJob()
    await finishJob(one)
    expect(await newJob(withPredecessors(one))).toMatchObject({ status: 'ready' })
  })

  it('waits when it is executed, also by its status, and is ready when nothing is left to wait for', async () => {
    const one = await newJob()
    const [early, told, late] = await Promise.all(
      [1, 2, 3].map(() => must('POST', '/jobs', jobBody(withPredecessors(one))) as Promise<Job>),
    )
    expect(early).toMatchObject({ status: 'created' })
    await post(early!, 'execute')
    await post(early!, 'execute')
    expect(await get(early!)).toMatchObject({ status: 'waiting' })
    expect(await must('PATCH', `/jobs/${told!.id}`, { status: 'ready' })).toMatchObject({ status: 'waiting' })
    await finishJob(one)
    await waitForStatus(early!, 'ready')
    await waitForStatus(told!, 'ready')
    expect(await get(late!)).toMatchObject({ status: 'created' })
    await post(late!, 'execute')
    expect(await get(late!)).toMatchObject({ status: 'ready' })
  })

  it('that is not executed yet stays planned or scheduled after the last of them, and no longer waits', async () => {
    const one = await newJob()
    const sheets = ['from', 'to'].map((slug) => ({ name: slug, slug, fields: [{ key: 'name', type: 'string' }] }))
    const workbook = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
    const [sourceSheetId, destinationSheetId] = pluck(workbook.sheets, 'id')
    const planned: Job = await must('POST', '/jobs', {
      type: 'workbook',
      operation: 'map',
      source: workbook.id,
      config: { sourceSheetId, destinationSheetId },
      ...withPredecessors(one),
    })
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled: Job = await must('POST', '/jobs', jobBody({ scheduledFor, ...withPredecessors(one) }))
    expect([planned.status, scheduled.status]).toEqual(['planning', 'scheduled'])
    await finishJob(one)
    await waitUntil(async () => (await topicsOf(one)).includes('job:completed'))
    for (const [job, status] of [
      [planned, 'planning'],
      [scheduled, 'scheduled'],
    ] as const) {
      expect(await get(job)).toMatchObject({ status })
      expect(await topicsOf(job)).not.toContain('job:ready')
      await post(job, 'execute')
      expect(await topicsOf(job)).toContain('job:ready')
    }
  })

  it.each(['fail', 'cancel'] as const)(
    'is canceled after %s, with all jobs that wait for it, and can be retried',
    async (verb) => {
      const one = await newJob()
      const two = await newJob(withPredecessors(one))
      const three = await newJob(withPredecessors(two))
      await finishJob(one, verb)
      await waitForStatus(two, 'canceled')
      await waitForStatus(three, 'canceled')
      expect((await get(two)).info).toBe(`Its predecessor ${one.id} is ${verb === 'fail' ? 'failed' : 'canceled'}.`)
      expect(await post(two, 'retry')).toMatchObject({ status: 'ready' })
    },
  )

  it('is canceled when one of them is removed', async () => {
    const one = await newJob()
    const two = await newJob(withPredecessors(one))
    await must('DELETE', `/jobs/${one.id}`)
    await waitForStatus(two, 'canceled')
    expect((await get(two)).info).toBe(`Its predecessor ${one.id} was removed.`)
  })

  it('is not split before it is ready', async () => {
    const job = await must('POST', '/jobs', jobBody(withPredecessors(await newJob())))
    expect(await call('POST', `/jobs/${job.id}/split`, { parts: 2 })).toMatchObject({ status: 409 })
  })
})

describe('a rejected predecessor list', () => {
  it('names a job that is missing, in another space, or failed', async () => {
    const { id: elsewhere } = await must('POST', '/spaces', { name: 'Elsewhere' })
    const other = await newJob({ source: elsewhere })
    const hidden = await call('POST', '/jobs', jobBody(withPredecessors(other)))
    expect(hidden).toMatchObject({ status: 404 })
    const missing = await call('POST', '/jobs', jobBody({ predecessorIds: ['us_jb_missing'] }))
    expect(missing).toMatchObject({ status: 404 })
    const failed = await newJob()
    await finishJob(failed, 'fail')
    const answer = await call('POST', '/jobs', jobBody(withPredecessors(failed)))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ key: 'predecessorIds' }] } })
  })

  it('has too many jobs', async () => {
    const predecessorIds = Array.from({ length: 21 }, (_, i) => `us_jb_${i}`)
    const answer = await call('POST', '/jobs', jobBody({ predecessorIds }))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ key: 'predecessorIds' }] } })
  })
})
