import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { createCaller, getData, waitUntil } from '../support/api.ts'
import { account, type Caller, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createGuest } from '../support/resources.ts'
import { uploadFile } from '../support/upload.ts'

let grace: Caller
let mallory: Caller
let space: { id: string }
let workbook: { id: string; sheets: { id: string }[] }

const guestOf = async (email: string): Promise<Caller> => {
  const { id } = await createGuest([{ id: space.id }], { email })
  return createCaller((await must('GET', `/guests/${id}/token`)).token)
}

beforeAll(async () => {
  await createFreshAccount()
  space = await must('POST', '/spaces', { environmentId: account.environmentId, name: 'S' })
  const sheets = [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }]
  workbook = await must('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets })
  grace = await guestOf('grace@example.com')
  mallory = await guestOf('mallory@example.com')
})

const newJob = (by: Caller, more: object = {}) =>
  getData(
    by('POST', '/jobs', { type: 'workbook', operation: 'submit', source: workbook.id, trigger: 'immediate', ...more }),
  )

const writes = endpoints.filter(
  ({ policy }) => 'on' in policy && policy.on === 'job' && policy.can === 'jobs:write',
) as Contract[]
const bodies: Record<string, unknown> = {
  'jobs.update': { status: 'completed' },
  'jobs.split': { parts: 2 },
  'jobs.replacePlan': { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] },
  'jobs.updatePlan': { fieldMapping: [] },
}
const send = (by: Caller, { id, method, path }: Contract, jobId: string) =>
  by(method, path.replace('{jobId}', jobId), method === 'DELETE' ? undefined : (bodies[id] ?? {}))

describe.each(writes.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_id, endpoint) => {
  it("rejects a guest for another user's job and leaves the job unchanged", async () => {
    for (const owner of [call, grace]) {
      const job = await newJob(owner)
      const { status, body } = await send(mallory, endpoint, job.id)
      expect([status, body.errors?.[0].message]).toEqual([
        403,
        'This was created by someone else. Guests can change only what they created themselves.',
      ])
      expect(await must('GET', `/jobs/${job.id}`)).toEqual(await getData(grace('GET', `/jobs/${job.id}`)))
      expect((await getData(mallory('GET', `/jobs/${job.id}`))).status).toBe('ready')
    }
  })

  it('lets a guest, a listener and an administrator act on the job the guest started', async () => {
    const states = []
    for (const by of [grace, call]) states.push((await send(by, endpoint, (await newJob(grace)).id)).status)
    for (const status of states) expect([200, 400, 409]).toContain(status)
  })
})

describe('the extraction job of a file a guest uploaded', () => {
  it('can be rerun or deleted by that guest and no other guest', async () => {
    const [{ id }] = await must('GET', '/guests?email=grace@example.com')
    const { token } = await must('GET', `/guests/${id}/token`)
    const fileId = await uploadFile({ secretKey: token }, space.id, 'people.csv', 'email\nada@example.com\n')
    const job = await waitUntil(async () => {
      const jobs = await must('GET', `/jobs?spaceId=${space.id}&operation=extract`)
      return jobs.find(
        (each: { source: string; status: string }) => each.source === fileId && each.status === 'completed',
      )
    })
    expect((await mallory('POST', `/jobs/${job.id}/retry`)).status).toBe(403)
    expect((await grace('POST', `/jobs/${job.id}/retry`)).status).toBe(200)
    expect((await mallory('DELETE', `/jobs/${job.id}`)).status).toBe(403)
  })
})

describe('a job outcome', () => {
  const completeWith = async (next: object) => {
    const { id } = await newJob(call)
    return call('POST', `/jobs/${id}/complete`, { outcome: { trigger: 'automatic', next } })
  }
  const complete = (url: string) => completeWith({ type: 'download', url, fileName: 'invoice.exe' })

  it.each([
    '/v1/files/us_fl_01J00000000000000000000000/download',
    '/v1/sheets/us_sh_01J00000000000000000000000/download?filter=valid',
    'https://files.example.com/report.csv',
  ])('can link to the download %s', async (url) => {
    expect((await getData(complete(url))).outcome.next.url).toBe(url)
  })

  it.each([
    '/v1/agents/us_ag_1/versions/us_agv_1/revert',
    '/v1/files/us_fl_1/../../agents/us_ag_1/versions/us_agv_1/revert',
    '/v1/files/us_fl_1/download/../../../users',
    '/v1/files/us_fl_1%2f..%2f..%2fusers/download',
    '/v1/files/us_fl_1/download/more',
    '/v2/files/us_fl_1/download',
    '//evil.example/v1/files/us_fl_1/download',
    '\\\\evil.example/v1/files/us_fl_1/download',
    'v1/users',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
  ])('cannot link to the download %j', async (url) => {
    const { status, body } = await complete(url)
    expect([status, body.errors?.[0].key]).toEqual([400, 'outcome.next.url'])
  })

  it.each(['https://example.com/a?b=c', 'http://intranet/report', '/space/us_sp_1?tab=files'])(
    'can link to the page %s',
    async (url) => expect((await getData(completeWith({ type: 'url', url }))).outcome.next.url).toBe(url),
  )

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'space/us_sp_1',
    '',
  ])('cannot link to the page %j', async (url) => {
    const { status, body } = await completeWith({ type: 'url', url })
    expect([status, body.errors?.[0].key]).toEqual([400, 'outcome.next.url'])
  })

  it('is also validated when a job is created with one', async () => {
    const outcome = { next: { type: 'download', url: '/v1/users' } }
    const config = { type: 'workbook', operation: 'submit', source: workbook.id, outcome }
    const { status, body } = await grace('POST', '/jobs', config)
    expect([status, body.errors?.[0].key]).toEqual([400, 'outcome.next.url'])
  })

  it('names the role of its author, and nothing when the platform set it', async () => {
    const mine = await newJob(grace)
    expect(
      (await getData(grace('POST', `/jobs/${mine.id}/complete`, { outcome: { message: 'Done' } }))).outcomeBy,
    ).toBe('singleSpaceGuest')
    const other = await newJob(grace)
    await must('POST', `/jobs/${other.id}/fail`, { outcome: { message: 'No' } })
    expect((await getData(grace('GET', `/jobs/${other.id}`))).outcomeBy).toBe('environment')
    expect((await newJob(grace, { outcome: { message: 'Soon' } })).outcomeBy).toBe('singleSpaceGuest')
    const exporting = { source: workbook.sheets[0]!.id, type: 'sheet', operation: 'export', config: { options: {} } }
    const { id } = await newJob(grace, { ...exporting, managed: true, outcome: { message: 'Mine' } })
    const ended = await waitUntil(async () => {
      const job = await must('GET', `/jobs/${id}`)
      return ['completed', 'failed'].includes(job.status) && job
    })
    expect(ended.outcome.message).not.toBe('Mine')
    expect(ended.outcomeBy).toBeUndefined()
  })
})
