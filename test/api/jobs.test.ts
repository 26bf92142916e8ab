import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents } from '../support/activity.ts'
import { createCaller, pluck } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'

beforeAll(() => createFreshSpace())

const newSpace = async (body: object = {}): Promise<string> =>
  (await must('POST', '/spaces', { name: 'Space', ...body })).id

const newJob = async (body: object = {}) =>
  await must('POST', '/jobs', { type: 'space', operation: 'build', source: spaceId, ...body })

const eventsOf = (jobId: string) => findEvents('domain=job', { jobId })
const topicsOf = async (jobId: string): Promise<string[]> => pluck(await eventsOf(jobId), 'topic')

const post = (jobId: string, verb: string, body?: object) => call('POST', `/jobs/${jobId}/${verb}`, body)

describe('a new job', () => {
  it('is created as `created`, and names its creator and its subject', async () => {
    const job = await newJob({ input: { note: 'June' }, info: 'waiting' })
    expect(job).toMatchObject({
      type: 'space',
      operation: 'build',
      source: spaceId,
      spaceId,
      environmentId: account.environmentId,
      status: 'created',
      progress: 0,
      mode: 'foreground',
      trigger: 'manual',
      createdBy: account.userId,
      input: { note: 'June' },
    })
    const [created, ...more] = await eventsOf(job.id)
    expect(more).toEqual([])
    expect(created).toMatchObject({
      topic: 'job:created',
      payload: {
        domain: 'space',
        operation: 'build',
        job: 'space:build',
        status: 'created',
        isPart: false,
        info: 'waiting',
        input: { note: 'June' },
      },
      context: {
        accountId: account.accountId,
        environmentId: account.environmentId,
        spaceId,
        jobId: job.id,
        actorId: account.userId,
      },
    })
  })

  it('emits no job:ready for the status a client sends', async () => {
    const job = await newJob({ trigger: 'manual', status: 'ready' })
    expect(await topicsOf(job.id)).toEqual(['job:created'])
    await post(job.id, 'execute')
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:ready'])
  })

  it('carries the ids and namespaces of its resources', async () => {
    const space = await newSpace({ namespace: 'red' })
    const workbook = await must('POST', '/workbooks', {
      spaceId: space,
      name: 'Book',
      namespace: 'contacts',
      sheets: [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }],
    })
    const onWorkbook = await newJob({ type: 'workbook', operation: 'submit', source: workbook.id })
    const [event] = await eventsOf(onWorkbook.id)
    expect(event).toMatchObject({
      context: { spaceId: space, workbookId: workbook.id },
      namespaces: ['space:red', 'workbook:contacts'],
    })
    const onSheet = await newJob({ type: 'sheet', operation: 'check', source: workbook.sheets[0].id })
    const [about] = await eventsOf(onSheet.id)
    expect(about!.context).toMatchObject({ spaceId: space, workbookId: workbook.id, sheetId: workbook.sheets[0].id })
    expect(about!.namespaces).toContain('workbook:contacts')
    const document = await must('POST', `/spaces/${space}/documents`, { title: 'Read me', body: '' })
    const onDocument = await newJob({ type: 'document', operation: 'print', source: document.id })
    expect((await eventsOf(onDocument.id))[0]).toMatchObject({ context: { spaceId: space }, namespaces: ['space:red'] })
  })

  it('is a part when it has a parent', async () => {
    const parent = await newJob()
    const child = await newJob({ parentId: parent.id })
    expect((await eventsOf(child.id))[0]!.payload.isPart).toBe(true)
  })

  it('cannot name resources from elsewhere', async () => {
    const other = await newSpace()
    const workbook = await must('POST', '/workbooks', { spaceId: other, name: 'Book' })
    const parent = await newJob({ source: other })
    const wanted = { type: 'space', operation: 'build', source: spaceId }
    expect((await call('POST', '/jobs', { ...wanted, destination: workbook.id })).status).toBe(404)
    expect((await call('POST', '/jobs', { ...wanted, parentId: parent.id })).status).toBe(404)
    expect((await call('POST', '/jobs', { ...wanted, fileId: 'us_fl_missing' })).status).toBe(404)
    expect((await call('POST', '/jobs', { ...wanted, environmentId: 'us_env_other' })).body.errors[0].key).toBe(
      'environmentId',
    )
  })

  it('reports every problem together and rejects what is too large', async () => {
    const { status, body } = await call('POST', '/jobs', { type: 'planet', source: spaceId, progress: 101 })
    expect(status).toBe(400)
    expect(pluck(body.errors, 'key').sort()).toEqual(['operation', 'progress', 'type'])
    const large = await call('POST', '/jobs', {
      type: 'space',
      operation: 'build',
      source: spaceId,
      input: { text: 'x'.repeat(210 * 1024) },
    })
    expect(large.status).toBe(413)
    expect(large.body.errors[0].message).toMatch(/limited to 204,800 bytes/)
  })
})

describe('the life cycle of a job', () => {
  it('goes from created through executing to completed and acknowledged', async () => {
    const job = await newJob()
    expect((await post(job.id, 'execute')).body).toEqual({ data: { success: true } })
    const first = (await post(job.id, 'ack', { info: 'Starting', progress: 0 })).body.data
    expect(first).toMatchObject({ status: 'executing', info: 'Starting' })
    expect(first.startedAt).toBeDefined()
    const half = (
      await post(job.id, 'ack', { info: 'Half', progress: 50, estimatedCompletionAt: '2030-01-01T00:00:00.000Z' })
    ).body.data
    expect(half).toMatchObject({ status: 'executing', progress: 50, startedAt: first.startedAt })
    const outcome = { heading: 'Done', message: 'All in', next: { type: 'id', id: spaceId } }
    const done = (await post(job.id, 'complete', { outcome, info: 'Finished' })).body.data
    expect(done).toMatchObject({ status: 'completed', progress: 100, info: 'Finished', outcome })
    expect(done.finishedAt).toBeDefined()
    const seen = (await post(job.id, 'outcome/ack')).body.data
    expect(seen.outcomeAcknowledgedAt).toBeDefined()
    await post(job.id, 'outcome/ack')
    const events = await eventsOf(job.id)
    expect(events.map(({ topic, payload }) => [topic, payload.status, payload.info])).toEqual([
      ['job:created', 'created', undefined],
      ['job:ready', 'ready', undefined],
      ['job:updated', 'executing', 'Starting'],
      ['job:updated', 'executing', 'Half'],
      ['job:completed', 'completed', 'Finished'],
      ['job:outcome-acknowledged', 'completed', 'Finished'],
    ])
  })

  it('fails, is retried without its old outcome, and can be canceled', async () => {
    const job = await newJob({ trigger: 'immediate' })
    expect((await post(job.id, 'fail', { info: 'No answer', outcome: { message: 'Sorry' } })).body.data).toMatchObject({
      status: 'failed',
      info: 'No answer',
    })
    const again = (await post(job.id, 'retry')).body.data
    expect(again).toMatchObject({ status: 'ready', progress: 0 })
    expect(again).not.toHaveProperty('outcome')
    expect(again).not.toHaveProperty('finishedAt')
    expect((await post(job.id, 'cancel', { info: 'Enough' })).body.data).toMatchObject({
      status: 'canceled',
      info: 'Enough',
    })
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:ready', 'job:failed', 'job:ready', 'job:updated'])
  })

  it('is deleted with an event, and is gone', async () => {
    const job = await newJob()
    expect((await call('DELETE', `/jobs/${job.id}`)).body).toEqual({ data: { success: true } })
    expect((await call('GET', `/jobs/${job.id}`)).status).toBe(404)
    expect((await post(job.id, 'execute')).status).toBe(404)
    const events = await eventsOf(job.id)
    expect(events.map(({ topic }) => topic)).toEqual(['job:created', 'job:deleted'])
    expect(events[1]).toMatchObject({ payload: {}, context: { jobId: job.id, spaceId } })
  })
})

describe('an updated job', () => {
  const patch = (jobId: string, body: object) => call('PATCH', `/jobs/${jobId}`, body)

  it('emits new info, metadata and progress', async () => {
    const job = await newJob({ metadata: { a: 1 } })
    expect((await patch(job.id, { info: 'Soon', metadata: { b: 2 } })).body.data).toMatchObject({
      info: 'Soon',
      metadata: { b: 2 },
      status: 'created',
    })
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:updated'])
  })

  it('can change status by PATCH the same way as by the verb', async () => {
    const job = await newJob()
    for (const status of ['ready', 'executing', 'complete']) expect((await patch(job.id, { status })).status).toBe(200)
    expect((await must('GET', `/jobs/${job.id}`)).status).toBe('completed')
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:ready', 'job:updated', 'job:completed'])
    expect((await patch(job.id, { status: 'executing' })).status).toBe(409)
    expect((await patch(job.id, { progress: 10 })).status).toBe(409)
    expect(
      (await patch(job.id, { outcomeAcknowledgedAt: '2030-01-01T00:00:00.000Z' })).body.data.outcomeAcknowledgedAt,
    ).toBe('2030-01-01T00:00:00.000Z')
    expect((await topicsOf(job.id)).at(-1)).toBe('job:outcome-acknowledged')
  })

  it('is scheduled by its status, then executed', async () => {
    const job = await newJob()
    await patch(job.id, { status: 'scheduled' })
    await post(job.id, 'execute')
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:scheduled', 'job:ready'])
  })

  it('cannot be set to a status that no transition leads to', async () => {
    const job = await newJob()
    expect((await patch(job.id, { status: 'parts-completed' })).body.errors[0].key).toBe('status')
    expect((await patch(job.id, { status: 'finished' })).status).toBe(400)
  })

  it('is formatted for the SDK the way the SDK expects', async () => {
    const sdk = createCaller(account.secretKey, { 'x-fern-sdk-name': '@flatfile/api' })
    const job = await newJob({ trigger: 'immediate' })
    expect((await sdk('POST', `/jobs/${job.id}/complete`)).body.data.status).toBe('complete')
    expect((await must('GET', `/jobs/${job.id}`)).status).toBe('completed')
  })
})

describe('the list of jobs', () => {
  it('is paged, newest first by default', async () => {
    const own = await newSpace()
    const ids: string[] = []
    for (let index = 0; index < 22; index++) ids.push((await newJob({ source: own })).id)
    const first = (await call('GET', `/jobs?spaceId=${own}`)).body
    expect(first.pagination).toEqual({ currentPage: 1, pageCount: 2, totalCount: 22 })
    expect(pluck(first.data, 'id')).toEqual(ids.toReversed().slice(0, 20))
    const last = await must('GET', `/jobs?spaceId=${own}&sortDirection=asc&pageSize=5&pageNumber=5`)
    expect(pluck(last, 'id')).toEqual(ids.slice(20))
  })

  it('is filtered by the resources of jobs', async () => {
    const own = await newSpace()
    const workbook = await must('POST', '/workbooks', { spaceId: own, name: 'Book' })
    const parent = await newJob({ type: 'workbook', source: workbook.id })
    const child = await newJob({ source: own, parentId: parent.id })
    const idsOf = async (query: string) => pluck(await must('GET', `/jobs?${query}`), 'id')
    expect(await idsOf(`workbookId=${workbook.id}`)).toEqual([parent.id])
    expect(await idsOf(`source=${workbook.id}`)).toEqual([parent.id])
    expect(await idsOf(`parentId=${parent.id}`)).toEqual([child.id])
    expect(await idsOf(`spaceId=${own}&excludeChildJobs=true`)).toEqual([parent.id])
    expect(await idsOf(`environmentId=${account.environmentId}&spaceId=${own}`)).toEqual([child.id, parent.id])
    expect(await idsOf(`spaceId=${own}&fileId=us_fl_none`)).toEqual([])
  })
})

describe('the plan of a job', () => {
  const edge = (from: string, to: string) => ({
    sourceField: { key: from, type: 'string' },
    destinationField: { key: to, type: 'string' },
    metadata: { certainty: 'strong' },
  })

  it('is empty, then replaced, then changed in parts, and remains when the job has ended', async () => {
    const job = await newJob()
    expect(await must('GET', `/jobs/${job.id}/plan`)).toMatchObject({
      job: { id: job.id },
      plan: { fieldMapping: [] },
    })
    const plan = { fieldMapping: [edge('a', 'b')], unmappedSourceFields: [], unmappedDestinationFields: [] }
    const put = await call('PUT', `/jobs/${job.id}/plan`, { ...plan, fileId: 'us_fl_any', jobId: job.id })
    expect(put.body.data).toMatchObject({ job: { id: job.id, status: 'planning' }, plan })
    const changed = await call('PATCH', `/jobs/${job.id}/plan`, {
      unmappedSourceFields: [{ sourceField: { key: 'c' } }],
    })
    expect(changed.body.data.plan).toMatchObject({
      fieldMapping: [edge('a', 'b')],
      unmappedSourceFields: [{ sourceField: { key: 'c' } }],
    })
    await post(job.id, 'execute')
    await post(job.id, 'complete')
    expect((await must('GET', `/jobs/${job.id}/plan`)).plan.fieldMapping).toMatchObject([edge('a', 'b')])
    expect((await call('PATCH', `/jobs/${job.id}/plan`, { fieldMapping: [] })).status).toBe(409)
    expect(await topicsOf(job.id)).toEqual(['job:created', 'job:updated', 'job:updated', 'job:ready', 'job:completed'])
  })

  it('can fill a field only once', async () => {
    const job = await newJob()
    const { status, body } = await call('PUT', `/jobs/${job.id}/plan`, {
      fieldMapping: [edge('a', 'x'), edge('b', 'x')],
      unmappedSourceFields: [],
      unmappedDestinationFields: [],
    })
    expect(status).toBe(400)
    expect(body.errors[0]).toMatchObject({ key: 'fieldMapping.1.destinationField' })
  })
})
