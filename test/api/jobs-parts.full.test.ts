import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { runWithKill } from '../support/killed-process.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'

interface Job {
  id: string
  status: string
  part: number
  partData?: object
  info?: string
}
interface Seen {
  topic: string
  payload: { status: string; isPart: boolean; input?: object; parts?: { partId: string; status: string }[] }
  context: { jobId: string; parentId?: string; parts?: number }
}

beforeAll(() => createFreshSpace({ name: 'Space' }))

const newJob = (body: object = {}): Promise<Job> =>
  must('POST', '/jobs', { type: 'space', operation: 'build', source: spaceId, trigger: 'immediate', ...body })
const post = (jobId: string, verb: string, body?: object): Promise<Job> => must('POST', `/jobs/${jobId}/${verb}`, body)
const get = (jobId: string): Promise<Job> => must('GET', `/jobs/${jobId}`)
const waitForStatus = (jobId: string, status: string) => waitUntil(async () => (await get(jobId)).status === status, 30)
const listParts = async (jobId: string): Promise<Job[]> =>
  (await must('GET', `/jobs?parentId=${jobId}&pageSize=100`)).toSorted((a: Job, b: Job) => a.part - b.part)
const split = async (body: object, of: object = {}) => {
  const { id } = await newJob(of)
  expect(await post(id, 'split', body)).toMatchObject({ id, status: 'waiting' })
  return { id, parts: await listParts(id) }
}
const allEvents = () => findEvents<Seen>('domain=job')
const eventsOf = (jobId: string) => findEvents<Seen>('domain=job', { jobId })
const topicsOf = async (jobId: string) => (await eventsOf(jobId)).map(({ topic }) => topic)
const waitForTopic = (jobId: string, topic: string) => waitUntil(async () => (await topicsOf(jobId)).includes(topic))

describe('GET /jobs/{id}', () => {
  it('shows whether a job is a part, like the list of jobs and the events', async () => {
    const { id, parts } = await split({ parts: 2 })
    expect(await get(id)).toMatchObject({ isPart: false })
    expect(await get(parts[0]!.id)).toMatchObject({ isPart: true })
    const listed: (Job & { isPart: boolean })[] = await must('GET', `/jobs?spaceId=${spaceId}&pageSize=100`)
    for (const { id: own, isPart } of listed) expect(isPart, own).toBe(parts.some((part) => part.id === own))
    expect((await eventsOf(parts[0]!.id))[0]!.payload.isPart).toBe(true)
    for (const verb of ['ack', 'complete']) expect(await post(parts[0]!.id, verb)).toMatchObject({ isPart: true })
    expect((await must('GET', `/jobs/${id}/plan`)).job).toMatchObject({ isPart: false })
  })
})

describe('sequential parts', () => {
  it('become ready one after the other, and their parent continues when all have ended', async () => {
    const { id, parts } = await split({ parts: [{ from: 1 }, { from: 2 }, { from: 3 }] }, { input: { note: 'June' } })
    expect(parts).toMatchObject(
      [1, 2, 3].map((from, part) => ({
        type: 'space',
        operation: 'build',
        source: spaceId,
        parentId: id,
        part,
        partData: { from },
        partExecution: 'sequential',
        input: { note: 'June' },
      })),
    )
    const [first, second, third] = parts.map((part) => part.id) as [string, string, string]
    await waitForStatus(first, 'ready')
    expect((await listParts(id)).map(({ status }) => status)).toEqual(['ready', 'created', 'created'])
    await post(first, 'ack')
    await post(first, 'complete')
    await waitForStatus(second, 'ready')
    expect((await get(third)).status).toBe('created')
    await post(second, 'fail', { info: 'No' })
    await waitForStatus(third, 'ready')
    expect((await get(id)).status).toBe('waiting')
    await post(third, 'complete')
    await waitForStatus(id, 'parts-completed')
    await post(id, 'ack')
    expect(await post(id, 'complete')).toMatchObject({ status: 'completed', progress: 100 })

    expect(await topicsOf(id)).toEqual([
      'job:created',
      'job:ready',
      'job:updated',
      'job:parts-completed',
      'job:updated',
      'job:completed',
    ])
    const end = (await eventsOf(id)).find(({ topic }) => topic === 'job:parts-completed')!
    expect(end.payload).toMatchObject({ status: 'parts-completed', isPart: false, job: 'space:build' })
    expect(end.payload.parts).toEqual([
      { partId: first, status: 'completed', completedAt: expect.any(String) },
      { partId: second, status: 'failed', completedAt: expect.any(String) },
      { partId: third, status: 'completed', completedAt: expect.any(String) },
    ])
    expect(await topicsOf(first)).toEqual(['job:created', 'job:ready', 'job:updated', 'job:completed'])
    expect(await topicsOf(second)).toEqual(['job:created', 'job:ready', 'job:failed'])
    const ofParts = (await allEvents()).filter(({ context }) => context.parentId === id)
    expect(ofParts.every(({ payload }) => payload.isPart)).toBe(true)
    expect(ofParts.filter(({ topic }) => topic === 'job:ready').map(({ context }) => context.jobId)).toEqual(
      parts.map((part) => part.id),
    )
  })
})

describe('a client that splits a job', () => {
  const statusesOf = async (jobId: string) => (await listParts(jobId)).map(({ status }) => status)

  it('sees ready parts in the response, and the updated parent in the response that ends the last one', async () => {
    const { id, parts } = await split({ parts: 2, runInParallel: true })
    expect(await statusesOf(id)).toEqual(['ready', 'ready'])
    await post(parts[1]!.id, 'complete')
    expect((await get(id)).status).toBe('waiting')
    await post(parts[0]!.id, 'fail')
    expect((await get(id)).status).toBe('parts-completed')
    expect((await topicsOf(id)).filter((topic) => topic === 'job:parts-completed')).toHaveLength(1)
  })

  it('sees the next part ready in the response that ends the one before', async () => {
    const { id, parts } = await split({ parts: 2 })
    expect(await statusesOf(id)).toEqual(['ready', 'created'])
    await post(parts[0]!.id, 'complete')
    expect(await statusesOf(id)).toEqual(['completed', 'ready'])
    await post(id, 'cancel')
    expect(await statusesOf(id)).toEqual(['completed', 'canceled'])
  })
})

describe('parallel parts', () => {
  it('are ready immediately, and notify their parent once, though all end at the same moment', async () => {
    const { id, parts } = await split({ parts: 48, runInParallel: true })
    expect(parts).toHaveLength(48)
    for (const part of parts) expect(part).not.toHaveProperty('partData')
    await Promise.all(parts.map((part) => waitForStatus(part.id, 'ready')))
    await Promise.all(parts.map((part, index) => post(part.id, index % 2 ? 'complete' : 'cancel')))
    await waitForStatus(id, 'parts-completed')
    const { handler } = await import('../../functions/system/advance-job-parts.ts')
    const about = ({ context }: Seen) => context.jobId === id || context.jobId === parts[0]!.id
    const repeated = (await allEvents()).filter(about)
    await Promise.all(repeated.map((detail) => handler({ detail })))
    const ends = (await eventsOf(id)).filter(({ topic }) => topic === 'job:parts-completed')
    expect(ends).toHaveLength(1)
    expect(ends[0]!.payload.parts!.map(({ partId, status }) => [partId, status])).toEqual(
      parts.map((part, index) => [part.id, index % 2 ? 'completed' : 'canceled']),
    )
    for (const part of parts.slice(0, 3))
      expect((await topicsOf(part.id)).filter((topic) => topic === 'job:ready')).toHaveLength(1)
  }, 60_000)

  it('are canceled with their parent, down to nested parts', async () => {
    const { id, parts } = await split({ parts: 3, runInParallel: true })
    await Promise.all(parts.map((part) => waitForStatus(part.id, 'ready')))
    await post(parts[0]!.id, 'complete')
    await post(parts[1]!.id, 'split', { parts: 2 })
    const [below] = await listParts(parts[1]!.id)
    await post(id, 'cancel', { info: 'Enough' })
    await waitForStatus(below!.id, 'canceled')
    await waitForStatus(parts[2]!.id, 'canceled')
    expect((await listParts(id)).map(({ status }) => status)).toEqual(['completed', 'canceled', 'canceled'])
    expect((await get(parts[2]!.id)).info).toBe('Its parent job is canceled.')
    expect(await topicsOf(id)).toEqual(['job:created', 'job:ready', 'job:updated', 'job:updated'])
  })

  it('are deleted with their parent, and the parent does not wait for a part deleted separately', async () => {
    const { id, parts } = await split({ parts: 2, runInParallel: true })
    await waitForStatus(parts[0]!.id, 'ready')
    await must('DELETE', `/jobs/${parts[1]!.id}`)
    await post(parts[0]!.id, 'complete')
    await waitForStatus(id, 'parts-completed')
    const end = (await eventsOf(id)).find(({ topic }) => topic === 'job:parts-completed')!
    expect(end.payload.parts).toMatchObject([{ partId: parts[0]!.id, status: 'completed' }])
    await must('DELETE', `/jobs/${id}`)
    await waitUntil(async () => (await call('GET', `/jobs/${parts[0]!.id}`)).status === 404)
    await waitForTopic(parts[0]!.id, 'job:deleted')
  })
})

describe('the end of the last part', () => {
  it('notifies the parent once, even if the process that wrote it dies before publishing', async () => {
    const { id, parts } = await split({ parts: 2, runInParallel: true })
    await Promise.all(parts.map((part) => waitForStatus(part.id, 'ready')))
    await post(parts[0]!.id, 'complete')
    const last = parts[1]!.id
    const { output, killed } = await runWithKill(
      'complete-job.ts',
      [account.accountId, account.userId, last],
      ({ headers }) => (headers['x-amz-target'] === 'AWSEvents.PutEvents' ? 'before' : undefined),
    )
    expect([killed, output]).toEqual([true, ''])
    expect([(await get(last)).status, (await get(id)).status]).toEqual(['completed', 'waiting'])
    await waitUntil(async () => {
      await invokePlatformFunction('publish-pending', { time: new Date().toISOString() })
      return (await get(id)).status === 'parts-completed'
    }, 30)
    expect((await topicsOf(id)).filter((topic) => topic === 'job:parts-completed')).toHaveLength(1)
  }, 60_000)
})

describe('a split', () => {
  it('lists its parts only under their parent when asked, or leaves them out', async () => {
    const { id, parts } = await split({ parts: 2 })
    const all = await must('GET', `/jobs?spaceId=${spaceId}&pageSize=1000`)
    const without = await must('GET', `/jobs?spaceId=${spaceId}&pageSize=1000&excludeChildJobs=true`)
    expect(all.map((job: Job) => job.id)).toEqual(expect.arrayContaining([id, ...parts.map((part) => part.id)]))
    expect(without.map((job: Job) => job.id)).toContain(id)
    expect(without.map((job: Job) => job.id)).not.toContain(parts[0]!.id)
  })

  it('can have a predecessor, and waits for its own parts', async () => {
    const { id, parts } = await split({ parts: 1 })
    await waitForStatus(parts[0]!.id, 'ready')
    await post(parts[0]!.id, 'complete')
    await waitForStatus(id, 'parts-completed')
    await post(id, 'ack')
    await post(id, 'split', { parts: [{ phase: 2 }] })
    const second = (await listParts(id)).find(({ partData }) => partData !== undefined)!
    await waitForStatus(second.id, 'ready')
    await post(second.id, 'complete')
    await waitForStatus(id, 'parts-completed')
    const ends = (await eventsOf(id)).filter(({ topic }) => topic === 'job:parts-completed')
    expect(ends.map(({ payload }) => payload.parts!.map(({ partId }) => partId))).toEqual([[parts[0]!.id], [second.id]])
  })

  it.each([0, 49, 1.5, [], Array.from({ length: 49 }, () => ({}))])('is rejected for %j', async (parts) => {
    const { id } = await newJob()
    const { status, body } = await call('POST', `/jobs/${id}/split`, { parts })
    expect(status).toBe(400)
    expect(body.errors[0].key).toMatch(/^parts/)
    expect((await get(id)).status).toBe('ready')
  })

  it('is rejected in the wrong state, for platform operations, and for parts too large together', async () => {
    const { id } = await newJob()
    const large = await call('POST', `/jobs/${id}/split`, {
      parts: Array.from({ length: 20 }, () => ({ text: 'x'.repeat(100 * 1024) })),
    })
    expect(large.status).toBe(413)
    expect(large.body.errors[0].message).toContain('limited to 1,572,864 bytes')
    expect(await listParts(id)).toEqual([])
    await post(id, 'complete')
    const ended = await call('POST', `/jobs/${id}/split`, { parts: 2 })
    expect(ended.status).toBe(409)
    expect(ended.body.errors[0].message).toMatch(/is completed. "split" is only allowed in/)
    const fields = [{ key: 'a', type: 'string' }]
    const workbook = await must('POST', '/workbooks', {
      spaceId,
      name: 'W',
      sheets: [{ name: 'S', slug: 's', fields }],
    })
    const own = await must('POST', '/jobs', {
      type: 'workbook',
      operation: 'delete-records',
      source: workbook.id,
      config: { sheet: workbook.sheets[0].id },
    })
    expect((await call('POST', `/jobs/${own.id}/split`, { parts: 2 })).status).toBe(409)
  })

  it('loses no progress reported at the same moment', async () => {
    const { id } = await newJob()
    await post(id, 'ack')
    const answers = await Promise.all([
      call('POST', `/jobs/${id}/split`, { parts: 2 }),
      ...[10, 20].map((progress) => call('PATCH', `/jobs/${id}`, { progress })),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await listParts(id)).toHaveLength(2)
  })
})
