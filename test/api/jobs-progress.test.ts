import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Space' }))

const newJob = (body: object = {}) =>
  must('POST', '/jobs', { type: 'space', operation: 'build', source: spaceId, trigger: 'immediate', ...body })
const ack = (jobId: string, body: object) => must('POST', `/jobs/${jobId}/ack`, body)

interface Seen {
  topic: string
  createdAt: string
  payload: { status: string; info?: string }
  context: { jobId: string }
  attributes: { progress: { current: number; total: number; percent: number } }
}
async function updatesOf(jobId: string): Promise<Seen[]> {
  const path = `/events?environmentId=${account.environmentId}&topic=job:updated&includeAcknowledged=true&pageSize=1000`
  const events: Seen[] = await must('GET', path)
  return events.filter(({ context }) => context.jobId === jobId)
}
const progressOf = async (jobId: string) =>
  (await updatesOf(jobId)).map(({ attributes }) => attributes.progress.current)

describe('job progress', () => {
  it('reported in a burst is emitted at most once a second, and the last value always', async () => {
    const { id } = await newJob()
    await ack(id, { progress: 0 })
    for (let progress = 1; progress <= 60; progress++) {
      const job = await ack(id, { progress, info: `${progress} done` })
      expect(job, 'the job itself is never behind').toMatchObject({ progress, info: `${progress} done` })
    }
    await waitUntil(async () => (await progressOf(id)).at(-1) === 60)
    const updates = await updatesOf(id)
    expect(updates.at(-1)).toMatchObject({ payload: { status: 'executing', info: '60 done' } })
    const times = updates.map(({ createdAt }) => Date.parse(createdAt))
    for (const [i, time] of times.slice(2).entries()) expect(time - times[i + 1]!).toBeGreaterThanOrEqual(1000)
    const values = updates.map(({ attributes }) => attributes.progress.current)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  }, 60_000)

  it('reported concurrently is never lost', async () => {
    const { id } = await newJob()
    const answers = await Promise.all([10, 20, 30, 40].map((progress) => call('POST', `/jobs/${id}/ack`, { progress })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { progress } = await must('GET', `/jobs/${id}`)
    await waitUntil(async () => (await progressOf(id)).at(-1) === progress)
    expect((await updatesOf(id)).length).toBeLessThanOrEqual(3)
  })

  it('that is held back is emitted before the next transition, and not again after it', async () => {
    const { id } = await newJob()
    await ack(id, { progress: 10 })
    await ack(id, { progress: 20 })
    await ack(id, { progress: 30 })
    await must('POST', `/jobs/${id}/cancel`)
    await sleep(1500)
    const heard = (await updatesOf(id)).map(({ payload, attributes }) => [payload.status, attributes.progress.current])
    expect(heard).toEqual([
      ['executing', 10],
      ['executing', 20],
      ['executing', 30],
      ['canceled', 30],
    ])
  })

  it('whose scheduled emit was lost is emitted by the sweep', async () => {
    const { id } = await newJob()
    await ack(id, { progress: 10 })
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { checkJob } = await import('../../lib/jobs/scheduling/timeouts.ts')
    const { applyTransition } = await import('../../lib/jobs/lifecycle/transition.ts')
    const owner = { accountId: account.accountId, actorId: account.userId }
    // A clock an hour ahead, so the delayed emit waits longer than this test.
    const ahead = new Date(Date.now() + 3_600_000)
    await applyTransition(owner, id, () => ({ trigger: 'progress', changes: { progress: 20 } }), ahead)
    await applyTransition(owner, id, () => ({ trigger: 'progress', changes: { progress: 30 } }), ahead)
    expect(await progressOf(id)).toEqual([10, 20])
    const later = new Date(ahead.getTime() + 2000)
    const due: string[] = []
    for await (const jobs of Jobs.listDue(later)) due.push(...jobs.map((job) => job.id))
    expect(due).toContain(id)
    const job = (await Jobs.get(id))!
    await Promise.all([checkJob(job, later), checkJob(job, later)])
    expect(await progressOf(id)).toEqual([10, 20, 30])
    expect((await Jobs.get(id))!.pendingUpdate).toBeUndefined()
  })

  it('with an estimate extends the idle timeout until then', async () => {
    const { id } = await newJob()
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
    const estimatedCompletionAt = hours(5).toISOString()
    expect(await ack(id, { estimatedCompletionAt })).toMatchObject({ estimatedCompletionAt })
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const { getDueTransition } = await import('../../lib/jobs/scheduling/timeouts.ts')
    const job = (await Jobs.get(id))!
    expect(getDueTransition(job, hours(6.9).toISOString())).toBeUndefined()
    expect(getDueTransition(job, hours(7.1).toISOString())).toMatchObject({
      trigger: 'fail',
      changes: {
        info: expect.stringMatching(/^The job showed no sign of life for 2 hours past its estimated completion/),
      },
    })
    const far = await newJob()
    await ack(far.id, { estimatedCompletionAt: '2100-01-01T00:00:00.000Z' })
    const forever = (await Jobs.get(far.id))!
    expect(getDueTransition(forever, hours(24 * 7 + 1.9).toISOString())).toBeUndefined()
    expect(getDueTransition(forever, hours(24 * 7 + 2.1).toISOString())).toMatchObject({ trigger: 'fail' })
  })
})

describe('a job outcome', () => {
  const NEXT = [
    { type: 'id', id: 'us_wb_1', label: 'Open', path: 'sheet', query: 'sheet=1' },
    { type: 'url', url: 'https://example.com', label: 'Go', replace: true },
    { type: 'download', url: 'https://example.com/a.csv', label: 'Get', fileName: 'a.csv' },
    { type: 'files', files: [{ fileId: 'us_fl_1', label: 'One' }], label: 'All' },
    { type: 'wait', fade: true, confetti: true },
    { type: 'snapshot', snapshotId: 'us_ss_1', sheetId: 'us_sh_1' },
    { type: 'retry', label: 'Again' },
    { type: 'view', sheetId: 'us_sh_1', hiddenColumns: ['a'], label: 'See' },
    { type: 'clearFilters', label: 'Clear', sheetIds: ['us_sh_1'] },
  ]

  it.each(NEXT)('can continue with $type, and is returned as it was given', async (next) => {
    const outcome = {
      acknowledge: true,
      trigger: { type: 'automatic', audience: 'originator' },
      buttonText: 'Fine',
      heading: 'Done',
      message: 'All is in.',
      hideDefaultButton: true,
      next,
    }
    const { id } = await newJob()
    expect((await must('POST', `/jobs/${id}/complete`, { outcome })).outcome).toEqual(outcome)
    expect((await must('GET', `/jobs/${id}`)).outcome).toEqual(outcome)
  })

  it.each(['manual', 'automatic', 'automatic_silent'])('can have the trigger %s', async (trigger) => {
    const { id } = await newJob()
    expect((await must('POST', `/jobs/${id}/fail`, { outcome: { trigger } })).outcome).toEqual({ trigger })
  })

  it('that is invalid is rejected with every problem, and the job continues', async () => {
    const { id } = await newJob()
    const bad = { trigger: 'sometime', acknowledge: 'yes', next: { type: 'view', hiddenColumns: 'a' } }
    const { status, body } = await call('POST', `/jobs/${id}/complete`, { outcome: bad })
    expect(status).toBe(400)
    expect(pluck(body.errors, 'key').toSorted()).toEqual([
      'outcome.acknowledge',
      'outcome.next.hiddenColumns',
      'outcome.next.sheetId',
      'outcome.trigger',
    ])
    const unknown = await call('POST', `/jobs/${id}/complete`, { outcome: { next: { type: 'teleport' } } })
    expect([unknown.status, unknown.body.errors[0].key]).toEqual([400, 'outcome.next.type'])
    expect((await must('GET', `/jobs/${id}`)).status).toBe('ready')
  })
})

describe('the subject of a job', () => {
  it('is one resource or a query', async () => {
    const subjects = [
      { type: 'resource', id: spaceId },
      { type: 'collection', resource: 'records', params: { columnKey: 'a' }, query: { filter: 'valid', ids: ['x'] } },
    ]
    for (const subject of subjects) expect((await newJob({ subject })).subject).toEqual(subject)
  })

  it('must have a valid shape and be in the same space as the job', async () => {
    const wanted = { type: 'space', operation: 'build', source: spaceId }
    for (const subject of [{ type: 'planet', id: 'x' }, { type: 'resource' }, { type: 'collection' }, 'all'])
      expect((await call('POST', '/jobs', { ...wanted, subject })).status, JSON.stringify(subject)).toBe(400)
    const other = (await must('POST', '/spaces', { name: 'Other' })).id
    const { workbookId, sheetId } = await createSheet(undefined, { space: other })
    const elsewhere = [
      { type: 'resource', id: workbookId },
      { type: 'collection', resource: 'records', params: { sheetId } },
    ]
    for (const subject of elsewhere) expect((await call('POST', '/jobs', { ...wanted, subject })).status).toBe(404)
    expect((await call('POST', '/jobs', { ...wanted, input: 'text' })).status).toBe(400)
  })
})

describe('the list of jobs', () => {
  it('can be filtered by every field of a job, and sorted by time', async () => {
    const own = (await must('POST', '/spaces', { name: 'Listed' })).id
    const workbook = await must('POST', '/workbooks', { spaceId: own, name: 'Book' })
    const job = (body: object) => must('POST', '/jobs', { type: 'space', operation: 'a', source: own, ...body })
    const first = await job({ destination: workbook.id })
    const second = await job({ operation: 'b', trigger: 'immediate' })
    const third = await job({ type: 'workbook', source: workbook.id, trigger: 'immediate' })
    await must('POST', `/jobs/${third.id}/complete`)
    await must('PATCH', `/jobs/${first.id}`, { info: 'Touched' })
    const listed = async (query: string) => pluck(await must('GET', `/jobs?spaceId=${own}&${query}`), 'id')
    expect(await listed('type=workbook')).toEqual([third.id])
    expect(await listed('operation=b')).toEqual([second.id])
    expect(await listed(`destination=${workbook.id}`)).toEqual([first.id])
    expect(await listed('status=complete')).toEqual([third.id])
    expect(await listed('status=created&status=ready')).toEqual([second.id, first.id])
    expect(await listed('sortDirection=asc')).toEqual([first.id, second.id, third.id])
    expect((await listed('sortField=updatedAt'))[0]).toBe(first.id)
    expect((await listed('sortField=updatedAt&sortDirection=asc')).at(-1)).toBe(first.id)
    expect((await call('GET', '/jobs?status=finished')).status).toBe(400)
  })
})
