import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { pluck, waitUntil } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

interface Job {
  id: string
  status: string
  scheduledFor: string
  schedule?: string
  info?: string
  parentId?: string
}

beforeAll(() => createFreshSpace())

const WORK = { type: 'space', operation: 'build' }
const newJob = (body: object): Promise<Job> => must('POST', '/jobs', { ...WORK, source: spaceId, ...body })
const get = (jobId: string): Promise<Job> => must('GET', `/jobs/${jobId}`)
const topicsOf = async (jobId: string): Promise<string[]> => pluck(await findEvents('domain=job', { jobId }), 'topic')
const listSeries = (operation: string): Promise<Job[]> =>
  must('GET', `/jobs?spaceId=${spaceId}&pageSize=1000&sortDirection=asc`).then((jobs: (Job & typeof WORK)[]) =>
    jobs.filter((job) => job.operation === operation),
  )

const HOUR = 3_600_000
const timeAfter = (ms: number, from: number | string = Date.now()) => new Date(new Date(from).getTime() + ms)

const sweep = () => invokePlatformFunction('jobs-due', { time: new Date().toISOString() })

async function checkJobAt(jobId: string, time: Date): Promise<void> {
  const { checkJob } = await import('../../lib/jobs/scheduling/timeouts.ts')
  const { Jobs } = await import('../../lib/entities/jobs.ts')
  const found = []
  for await (const jobs of Jobs.listDue(time)) found.push(...jobs.filter(({ id }) => id === jobId))
  await Promise.all(found.flatMap((job) => [checkJob(job, time), checkJob(job, time)]))
}

describe('a scheduled job', () => {
  it('becomes ready at its time, once, and not before', async () => {
    const job = await newJob({ scheduledFor: timeAfter(1500).toISOString() })
    expect(job.status).toBe('scheduled')
    await sweep()
    expect((await get(job.id)).status).toBe('scheduled')
    await waitUntil(async () => {
      await Promise.all([sweep(), sweep()])
      return (await get(job.id)).status === 'ready'
    })
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(job.scheduledFor))
    await Promise.all([sweep(), sweep()])
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:scheduled', 'job:ready'])
  })

  it('emits its time in UTC, and again when it is rescheduled', async () => {
    const job = await newJob({ scheduledFor: '2030-01-01T01:00:00+01:00' })
    expect(job.scheduledFor).toBe('2030-01-01T00:00:00.000Z')
    await must('PATCH', `/jobs/${job.id}`, { scheduledFor: '2031-01-01T00:00:00Z', info: 'Later' })
    await checkJobAt(job.id, new Date('2030-06-01'))
    expect(await get(job.id)).toMatchObject({
      status: 'scheduled',
      scheduledFor: '2031-01-01T00:00:00.000Z',
      info: 'Later',
    })
    await checkJobAt(job.id, new Date('2031-06-01'))
    expect((await get(job.id)).status).toBe('ready')
    expect((await topicsOf(job.id)).toSorted()).toEqual(['job:created', 'job:ready', 'job:scheduled', 'job:scheduled'])
  })

  it('can be scheduled after creation by setting only its time', async () => {
    const job = await newJob({})
    await must('PATCH', `/jobs/${job.id}`, { scheduledFor: timeAfter(-1000).toISOString() })
    await sweep()
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:scheduled', 'job:ready'])
  })

  it.each(['cancel', 'execute'])('is no longer triggered by the clock after %s', async (verb) => {
    const job = await newJob({ scheduledFor: timeAfter(HOUR).toISOString() })
    await call('POST', `/jobs/${job.id}/${verb}`)
    const before = await topicsOf(job.id)
    await checkJobAt(job.id, timeAfter(2 * HOUR))
    expect(await topicsOf(job.id)).toEqual(before)
  })

  it('cannot start immediately or have another status', async () => {
    const scheduledFor = timeAfter(HOUR).toISOString()
    const wanted = { ...WORK, source: spaceId, scheduledFor }
    const both = await call('POST', '/jobs', { ...wanted, trigger: 'immediate' })
    expect([both.status, both.body.errors[0].key]).toEqual([400, 'scheduledFor'])
    expect((await call('POST', '/jobs', { ...wanted, scheduledFor: 'tomorrow' })).status).toBe(400)
    expect((await call('POST', '/jobs', { ...wanted, schedule: 'yearly' })).status).toBe(400)
    const job = await newJob({})
    const other = await call('PATCH', `/jobs/${job.id}`, { scheduledFor, status: 'ready' })
    expect([other.status, other.body.errors[0].key]).toEqual([400, 'status'])
  })

  it('that was already started is reset and starts again at its time', async () => {
    const job = await newJob({ trigger: 'immediate' })
    await must('POST', `/jobs/${job.id}/ack`, { progress: 40 })
    const scheduledFor = timeAfter(HOUR).toISOString()
    const put = await must('PATCH', `/jobs/${job.id}`, { scheduledFor })
    expect(put).toMatchObject({ status: 'scheduled', progress: 0, scheduledFor })
    expect((await call('POST', `/jobs/${job.id}/complete`)).status, 'who worked on it is told').toBe(409)
    await checkJobAt(job.id, timeAfter(2 * HOUR))
    expect((await get(job.id)).status).toBe('ready')
  })
})

describe('a recurring job', () => {
  it('creates the next of its series each time it becomes ready, once, and ends when one is canceled', async () => {
    const operation = 'hourly'
    const first = await newJob({ operation, schedule: 'hourly', input: { note: 'June' } })
    expect(first).toMatchObject({ status: 'scheduled', schedule: 'hourly' })
    expect(Math.abs(Date.parse(first.scheduledFor) - Date.now() - HOUR)).toBeLessThan(60_000)
    const time = timeAfter(2.5 * HOUR, first.scheduledFor)
    await checkJobAt(first.id, time)
    await checkJobAt(first.id, time)
    const [, second, ...more] = await listSeries(operation)
    expect(more).toEqual([])
    expect(second).toMatchObject({
      status: 'scheduled',
      schedule: 'hourly',
      scheduledFor: timeAfter(3 * HOUR, first.scheduledFor).toISOString(),
      input: { note: 'June' },
    })
    expect((await get(first.id)).status).toBe('ready')
    expect(await topicsOf(second!.id)).toEqual(['job:created', 'job:scheduled'])
    await must('POST', `/jobs/${second!.id}/execute`)
    const third = (await listSeries(operation))[2]!
    await must('POST', `/jobs/${third.id}/cancel`)
    await checkJobAt(third.id, timeAfter(24 * HOUR, third.scheduledFor))
    expect((await listSeries(operation)).map(({ status }) => status)).toEqual(['ready', 'ready', 'canceled'])
  })

  it('does not start a second series when a started one is rescheduled', async () => {
    const first = await newJob({ operation: 'put off', schedule: 'daily' })
    await checkJobAt(first.id, timeAfter(1000, first.scheduledFor))
    expect(await listSeries('put off')).toHaveLength(2)
    const put = await must('PATCH', `/jobs/${first.id}`, { scheduledFor: timeAfter(HOUR).toISOString() })
    expect(put).not.toHaveProperty('schedule')
    await checkJobAt(first.id, timeAfter(48 * HOUR))
    expect((await listSeries('put off')).map(({ status }) => status)).toEqual(['ready', 'scheduled'])
  })

  it('has no plan, since each run would need its own', async () => {
    const plan = { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] }
    const planned = await newJob({})
    await must('PUT', `/jobs/${planned.id}/plan`, plan)
    const repeated = await call('PATCH', `/jobs/${planned.id}`, { schedule: 'daily' })
    expect([repeated.status, repeated.body.errors[0].key]).toEqual([400, 'schedule'])
    const job = await newJob({ operation: 'plain' })
    expect(await must('PATCH', `/jobs/${job.id}`, { schedule: 'daily' })).toMatchObject({ status: 'scheduled' })
    expect((await call('PUT', `/jobs/${job.id}/plan`, plan)).status).toBe(400)
  })

  it.each([
    ['daily', 24],
    ['weekly', 168],
  ] as const)('recurs %s', async (schedule, hours) => {
    const scheduledFor = timeAfter(HOUR).toISOString()
    const job = await newJob({ operation: schedule, schedule, scheduledFor })
    expect(job.scheduledFor).toBe(scheduledFor)
    await checkJobAt(job.id, new Date(scheduledFor))
    const [, next] = await listSeries(schedule)
    expect(next!.scheduledFor).toBe(timeAfter(hours * HOUR, scheduledFor).toISOString())
    await must('POST', `/jobs/${job.id}/complete`)
    await must('POST', `/jobs/${job.id}/retry`)
    expect(await listSeries(schedule), 'a retry belongs to no series').toHaveLength(2)
  })
})

describe('a job whose listener vanished', () => {
  it('fails when no listener starts it in time', async () => {
    const job = await newJob({ trigger: 'immediate' })
    await checkJobAt(job.id, timeAfter(23 * HOUR))
    expect((await get(job.id)).status).toBe('ready')
    await checkJobAt(job.id, timeAfter(25 * HOUR))
    const failed = await get(job.id)
    expect(failed).toMatchObject({ status: 'failed', outcome: { next: { type: 'retry' } } })
    expect(failed.info).toBe(
      'No listener picked up the job within 24 hours. Start a listener that handles space:build.',
    )
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:ready', 'job:failed'])
    expect((await must('POST', `/jobs/${job.id}/retry`)).status).toBe('ready')
  })

  it('fails when it is executing without updates, and continues with one', async () => {
    const job = await newJob({ trigger: 'immediate' })
    await must('POST', `/jobs/${job.id}/ack`)
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const lookAt = (await Jobs.get(job.id))!.checkAt!
    await waitUntil(async () => Date.now() > Date.parse(lookAt) - 2 * HOUR)
    await must('POST', `/jobs/${job.id}/ack`, { progress: 10 })
    await checkJobAt(job.id, new Date(lookAt))
    expect((await get(job.id)).status).toBe('executing')
    expect((await Jobs.get(job.id))!.checkAt! > lookAt).toBe(true)
    await checkJobAt(job.id, timeAfter(3 * HOUR))
    expect((await get(job.id)).info).toMatch(/^The job showed no sign of life for 2 hours/)
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:ready', 'job:updated', 'job:updated', 'job:failed'])
  })

  it('is reported to its parent when it is a part', async () => {
    const { id } = await newJob({ trigger: 'immediate' })
    await must('POST', `/jobs/${id}/split`, { parts: 1 })
    const [part] = await must('GET', `/jobs?parentId=${id}`)
    await waitUntil(async () => (await get(part.id)).status === 'ready')
    await checkJobAt(part.id, timeAfter(25 * HOUR))
    await waitUntil(async () => (await get(id)).status === 'parts-completed')
  })
})
