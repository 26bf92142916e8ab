/** Every job operation of the public SDK. Replies are parsed again strictly: the client lets unknown shapes pass. */
import { type Flatfile, FlatfileClient } from '@flatfile/api'
import * as serialization from '@flatfile/api/serialization/index.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestAccount, getServer, waitUntil } from '../support/api.ts'

type Name = 'JobResponse' | 'ListJobsResponse' | 'JobPlanResponse' | 'Success' | 'DiffRecordsResponse'
interface Serializer {
  parse(raw: unknown, options: object): Promise<Parsed> | Parsed
}
type Parsed = { ok: true } | { ok: false; errors: unknown[] }
const serializers = serialization as unknown as Record<Name, Serializer>

let api: FlatfileClient
let environmentId: string
let spaceId: string
let workbook: Flatfile.Workbook
let last: unknown
const native = globalThis.fetch

beforeAll(async () => {
  const account = await createTestAccount()
  environmentId = account.environmentId
  process.env.FLATFILE_API_URL = getServer().baseUrl
  api = new FlatfileClient({ token: account.secretKey })
  globalThis.fetch = async (...args) => {
    const response = await native(...args)
    last = await response
      .clone()
      .json()
      .catch(() => undefined)
    return response
  }
  spaceId = (await api.spaces.create({ name: 'SDK', environmentId })).data.id
  const fields: Flatfile.Property[] = [{ key: 'email', type: 'string' }]
  const sheets = ['one', 'two'].map((slug) => ({ name: slug, slug, fields }))
  workbook = (await api.workbooks.create({ name: 'Book', spaceId, sheets })).data
  await api.records.insert(workbook.sheets![0]!.id, [{ email: { value: 'ADA@EXAMPLE.COM' } }])
})
afterAll(() => {
  globalThis.fetch = native
})

const STRICT = {
  unrecognizedObjectKeys: 'passthrough',
  allowUnrecognizedUnionMembers: false,
  allowUnrecognizedEnumValues: false,
}
const called = new Set<string>()

async function parseStrictly<T>(operation: string, name: Name, call: PromiseLike<T>): Promise<T> {
  const reply = await call
  called.add(operation)
  const parsed = await serializers[name].parse(last, STRICT)
  expect(parsed.ok ? [] : parsed.errors, `${operation}: ${JSON.stringify(last)}`).toEqual([])
  return reply
}
const newJob = async (more: Partial<Flatfile.JobConfig> = {}) => {
  const config: Flatfile.JobConfig = { type: 'space', operation: 'sdk', source: spaceId, ...more }
  return (await parseStrictly('create', 'JobResponse', api.jobs.create(config))).data
}

it('create, get, list and update carry every field of a job', async () => {
  const job = await newJob({
    input: { note: 'June' },
    subject: { type: 'collection', resource: 'records', query: { filter: 'valid' } },
    metadata: { a: [1] },
    mode: 'toolbarBlocking',
    destination: workbook.id,
    info: 'Waiting',
  })
  const got = await parseStrictly('get', 'JobResponse', api.jobs.get(job.id))
  expect(got.data).toEqual(job)
  expect(job).toMatchObject({
    status: 'created',
    createdAt: expect.any(Date),
    input: { note: 'June' },
    subject: { type: 'collection', resource: 'records', query: { filter: 'valid' } },
    metadata: { a: [1] },
    mode: 'toolbarBlocking',
    destination: workbook.id,
  })
  const filters = { environmentId, spaceId, source: spaceId, excludeChildJobs: true, sortDirection: 'asc' } as const
  const listed = await parseStrictly(
    'list',
    'ListJobsResponse',
    api.jobs.list({ ...filters, pageSize: 5, pageNumber: 1 }),
  )
  expect(listed.data.map(({ id }) => id)).toEqual([job.id])
  expect(listed.pagination).toEqual({ currentPage: 1, pageCount: 1, totalCount: 1 })
  const update = { progress: 40, info: 'Soon', metadata: { b: 2 } }
  expect((await parseStrictly('update', 'JobResponse', api.jobs.update(job.id, update))).data).toMatchObject(update)
})

it('execute, ack, complete and ackOutcome go through the life cycle', async () => {
  const { id } = await newJob()
  await parseStrictly('execute', 'Success', api.jobs.execute(id))
  const estimatedCompletionAt = new Date(Date.now() + 60_000)
  const acked = await parseStrictly(
    'ack',
    'JobResponse',
    api.jobs.ack(id, { info: 'On it', progress: 5, estimatedCompletionAt }),
  )
  expect(acked.data).toMatchObject({ status: 'executing', progress: 5, startedAt: expect.any(Date) })
  const outcome: Flatfile.JobOutcome = {
    acknowledge: true,
    trigger: { type: 'automatic', audience: 'all' },
    heading: 'Done',
    message: 'All in',
    buttonText: 'Fine',
    hideDefaultButton: true,
    next: { type: 'view', sheetId: workbook.sheets![0]!.id, hiddenColumns: ['email'] },
  }
  const done = await parseStrictly('complete', 'JobResponse', api.jobs.complete(id, { outcome, info: 'Finished' }))
  expect(done.data).toMatchObject({ status: 'complete', progress: 100, outcome, finishedAt: expect.any(Date) })
  const seen = await parseStrictly('ackOutcome', 'JobResponse', api.jobs.ackOutcome(id))
  expect(seen.data.outcomeAcknowledgedAt).toBeInstanceOf(Date)
})

it('fail, retry, cancel and delete end a job', async () => {
  const { id } = await newJob({ trigger: 'immediate' })
  expect((await parseStrictly('fail', 'JobResponse', api.jobs.fail(id, { info: 'No' }))).data.status).toBe('failed')
  expect((await parseStrictly('retry', 'JobResponse', api.jobs.retry(id))).data.status).toBe('ready')
  expect((await parseStrictly('cancel', 'JobResponse', api.jobs.cancel(id, { info: 'Enough' }))).data.status).toBe(
    'canceled',
  )
  await parseStrictly('delete', 'Success', api.jobs.delete(id))
  await expect(api.jobs.get(id)).rejects.toMatchObject({ statusCode: 404 })
})

it('split creates parts, which the list shows', async () => {
  const { id } = await newJob({ trigger: 'immediate' })
  const details = { parts: [{ from: 1 }, { from: 2 }], runInParallel: true }
  expect((await parseStrictly('split', 'JobResponse', api.jobs.split(id, details))).data.status).toBe('waiting')
  const parts = await parseStrictly('list', 'ListJobsResponse', api.jobs.list({ parentId: id, sortDirection: 'asc' }))
  expect(parts.data.map(({ part, partData, partExecution }) => [part, partData, partExecution])).toEqual([
    [0, { from: 1 }, 'parallel'],
    [1, { from: 2 }, 'parallel'],
  ])
})

it('getExecutionPlan, updateExecutionPlan and updateExecutionPlanFields read and change a plan', async () => {
  const [source, destination] = workbook.sheets!
  const { id } = await newJob({
    type: 'workbook',
    operation: 'map',
    source: workbook.id,
    managed: true,
    config: { sourceSheetId: source!.id, destinationSheetId: destination!.id },
  })
  const { data } = await parseStrictly('getExecutionPlan', 'JobPlanResponse', api.jobs.getExecutionPlan(id))
  expect(data.plan.fieldMapping.map(({ sourceField }) => sourceField.key)).toEqual(['email'])
  const addressed = { fileId: 'us_fl_none', jobId: id }
  await parseStrictly(
    'updateExecutionPlan',
    'JobPlanResponse',
    api.jobs.updateExecutionPlan(id, { ...data.plan, ...addressed }),
  )
  const emptied = await parseStrictly(
    'updateExecutionPlanFields',
    'JobPlanResponse',
    api.jobs.updateExecutionPlanFields(id, { fieldMapping: [], ...addressed }),
  )
  expect(emptied.data.plan.fieldMapping).toEqual([])
})

it('previewMutation shows what a mutation would do, and a job does it', async () => {
  const sheetId = workbook.sheets![0]!.id
  const mutation = { sheetId, mutateRecord: "(record) => record.set('email', record.get('email').toLowerCase())" }
  const preview = await parseStrictly('previewMutation', 'DiffRecordsResponse', api.jobs.previewMutation(mutation))
  expect(preview.data.map(({ values }) => [values.email!.value, values.email!.snapshotValue])).toEqual([
    ['ada@example.com', 'ADA@EXAMPLE.COM'],
  ])
  const config = { ...mutation, snapshotLabel: 'Before' }
  const job = await newJob({
    type: 'workbook',
    operation: 'mutate-records',
    source: workbook.id,
    trigger: 'immediate',
    config,
  })
  await waitUntil(async () => (await api.jobs.get(job.id)).data.status === 'complete', 30)
  await parseStrictly('get', 'JobResponse', api.jobs.get(job.id))
  expect((await api.records.get(sheetId)).data.records[0]!.values.email!.value).toBe('ada@example.com')
})

it('covers every job operation of the SDK', () => {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(api.jobs))
  const operations = methods.filter((name) => name !== 'constructor' && !name.startsWith('_'))
  expect([...called].toSorted()).toEqual(operations.toSorted())
})
