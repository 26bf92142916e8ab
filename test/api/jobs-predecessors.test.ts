/** Jobs that wait for others, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, jobEventsIn, mintAccount, mustOf, type TestAccount, until } from '../support/api.ts'

interface Job {
  id: string
  status: string
  info?: string
  predecessorIds?: string[]
}

let account: TestAccount
let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  spaceId = (await must('POST', '/spaces', { name: 'Space' })).id
})

const must = mustOf(() => call)
const bodyOf = (more: object = {}) => ({ type: 'space', operation: 'build', source: spaceId, ...more })
const newJob = (more: object = {}): Promise<Job> => must('POST', '/jobs', bodyOf({ trigger: 'immediate', ...more }))
const following = (...predecessors: Job[]) => ({ predecessorIds: predecessors.map(({ id }) => id) })
const post = (job: Job, verb: string, body?: object): Promise<Job> => must('POST', `/jobs/${job.id}/${verb}`, body)
const get = ({ id }: Job): Promise<Job> => must('GET', `/jobs/${id}`)
const is = (job: Job, status: string) => until(async () => (await get(job)).status === status, 30)
const end = async (job: Job, verb: 'complete' | 'fail' | 'cancel' = 'complete') => {
  if (verb === 'complete') await post(job, 'ack')
  await post(job, verb)
}
const topicsOf = async ({ id }: Job): Promise<string[]> => {
  const events = await jobEventsIn(call, account.environmentId)
  return events.filter(({ context }) => context.jobId === id).map(({ topic }) => topic)
}

describe('a job with predecessors', () => {
  it('becomes ready, once, when the last of them has completed', async () => {
    const [one, two] = [await newJob(), await newJob()]
    const job = await newJob(following(one, two))
    expect(job).toMatchObject({ status: 'waiting', ...following(one, two) })
    await end(two)
    expect(await get(job)).toMatchObject({ status: 'waiting' })
    await end(one)
    expect(await get(job)).toMatchObject({ status: 'ready' })
    // The events of both ends come once more to the same.
    await until(async () => (await topicsOf(one)).includes('job:completed'))
    expect(await topicsOf(job)).toEqual(['job:created', 'job:ready'])
    await end(job)
  })

  it('is ready at once after those that have completed', async () => {
    const one = await newJob()
    await end(one)
    expect(await newJob(following(one))).toMatchObject({ status: 'ready' })
  })

  it('waits when it is executed, also by its status, and is ready when nothing is left to wait for', async () => {
    const one = await newJob()
    const [early, told, late] = await Promise.all(
      [1, 2, 3].map(() => must('POST', '/jobs', bodyOf(following(one))) as Promise<Job>),
    )
    expect(early).toMatchObject({ status: 'created' })
    await post(early!, 'execute')
    await post(early!, 'execute')
    expect(await get(early!)).toMatchObject({ status: 'waiting' })
    expect(await must('PATCH', `/jobs/${told!.id}`, { status: 'ready' })).toMatchObject({ status: 'waiting' })
    await end(one)
    await is(early!, 'ready')
    await is(told!, 'ready')
    expect(await get(late!)).toMatchObject({ status: 'created' })
    await post(late!, 'execute')
    expect(await get(late!)).toMatchObject({ status: 'ready' })
  })

  it('that nobody has executed yet stays planned or scheduled after the last of them, and waits for nothing then', async () => {
    const one = await newJob()
    const sheets = ['from', 'to'].map((slug) => ({ name: slug, slug, fields: [{ key: 'name', type: 'string' }] }))
    const workbook = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
    const [sourceSheetId, destinationSheetId] = workbook.sheets.map(({ id }: { id: string }) => id)
    const planned: Job = await must('POST', '/jobs', {
      type: 'workbook',
      operation: 'map',
      source: workbook.id,
      config: { sourceSheetId, destinationSheetId },
      ...following(one),
    })
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString()
    const scheduled: Job = await must('POST', '/jobs', bodyOf({ scheduledFor, ...following(one) }))
    expect([planned.status, scheduled.status]).toEqual(['planning', 'scheduled'])
    await end(one)
    // The end is followed up by the time of its answer, and once more by its event.
    await until(async () => (await topicsOf(one)).includes('job:completed'))
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
    'is canceled after %s, with all that waits for it, and can be tried again',
    async (verb) => {
      const one = await newJob()
      const two = await newJob(following(one))
      const three = await newJob(following(two))
      await end(one, verb)
      await is(two, 'canceled')
      await is(three, 'canceled')
      expect((await get(two)).info).toBe(`Its predecessor ${one.id} is ${verb === 'fail' ? 'failed' : 'canceled'}.`)
      expect(await post(two, 'retry')).toMatchObject({ status: 'ready' })
    },
  )

  it('is canceled when one of them is removed', async () => {
    const one = await newJob()
    const two = await newJob(following(one))
    await must('DELETE', `/jobs/${one.id}`)
    await is(two, 'canceled')
    expect((await get(two)).info).toBe(`Its predecessor ${one.id} is removed.`)
  })

  it('is not split before it is ready', async () => {
    const job = await must('POST', '/jobs', bodyOf(following(await newJob())))
    expect(await call('POST', `/jobs/${job.id}/split`, { parts: 2 })).toMatchObject({ status: 409 })
  })
})

describe('refused', () => {
  it('is a predecessor that is not there, that is of another space, or that has failed', async () => {
    const { id: elsewhere } = await must('POST', '/spaces', { name: 'Elsewhere' })
    const other = await newJob({ source: elsewhere })
    const hidden = await call('POST', '/jobs', bodyOf(following(other)))
    expect(hidden).toMatchObject({ status: 404 })
    const missing = await call('POST', '/jobs', bodyOf({ predecessorIds: ['us_jb_missing'] }))
    expect(missing).toMatchObject({ status: 404 })
    const failed = await newJob()
    await end(failed, 'fail')
    const answer = await call('POST', '/jobs', bodyOf(following(failed)))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ key: 'predecessorIds' }] } })
  })

  it('is a job with too many', async () => {
    const predecessorIds = Array.from({ length: 21 }, (_, i) => `us_jb_${i}`)
    const answer = await call('POST', '/jobs', bodyOf({ predecessorIds }))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ key: 'predecessorIds' }] } })
  })
})
