import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FlatfileClient } from '@flatfile/api'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestAccount, getServer, type TestAccount, waitUntil } from '../support/api.ts'

let account: TestAccount
let api: FlatfileClient

beforeAll(async () => {
  account = await createTestAccount()
  process.env.FLATFILE_API_URL = getServer().baseUrl
  api = new FlatfileClient({ token: account.secretKey })
})

describe('@flatfile/api', () => {
  it('lists the environment of its key', async () => {
    const { data } = await api.environments.list()
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id: account.environmentId,
      name: 'development',
      isProd: false,
      guestAuthentication: ['shared_link'],
    })
  })

  it('takes records through a workbook: insert, get, update, delete', async () => {
    const { data: space } = await api.spaces.create({ name: 'SDK', environmentId: account.environmentId })
    expect(space.createdAt).toBeInstanceOf(Date)
    const { data: workbook } = await api.workbooks.create({
      name: 'People',
      spaceId: space.id,
      environmentId: account.environmentId,
      sheets: [
        {
          name: 'People',
          slug: 'people',
          fields: [
            { key: 'email', type: 'string', constraints: [{ type: 'required' }, { type: 'unique' }] },
            { key: 'age', type: 'number' },
          ],
        },
      ],
    })
    const sheetId = workbook.sheets![0]!.id
    const inserted = await api.records.insert(sheetId, [
      { email: { value: 'ada@example.com' }, age: { value: 36 } },
      { email: { value: 'ada@example.com' } },
      { email: { value: '' } },
    ])
    expect(inserted.data).toMatchObject({ success: true, counts: { total: 3, valid: 0, error: 3 } })
    const { data: page } = await api.records.get(sheetId, { includeMessages: true })
    expect(page.records.map(({ values }) => values.email!.messages!.map(({ source }) => source))).toEqual([
      ['unique-constraint'],
      ['unique-constraint'],
      ['required-constraint'],
    ])
    const [first, second, third] = page.records
    const version = await api.records.update(sheetId, [
      { id: second!.id, values: { email: { value: 'bob@example.com' } } },
    ])
    expect(version.data).toMatchObject({ commitId: expect.stringMatching(/^us_vr_/) })
    const { data: counted } = await api.sheets.getRecordCounts(sheetId)
    expect(counted.counts).toMatchObject({ total: 3, valid: 2, error: 1 })
    await api.records.delete(sheetId, { ids: [third!.id] })
    const { data: rest } = await api.records.get(sheetId)
    expect(rest.records.map(({ id }) => id)).toEqual([first!.id, second!.id])
  })

  it('uploads a file', async () => {
    const { data: space } = await api.spaces.create({ name: 'Files' })
    const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'people.txt')
    writeFileSync(path, 'name\nAda\n')
    const { data: file } = await api.files.upload(createReadStream(path), {
      spaceId: space.id,
      environmentId: account.environmentId,
    })
    expect(file).toMatchObject({ name: 'people.txt', ext: 'txt', size: 9, spaceId: space.id })
    expect((await api.files.get(file.id)).data.id).toBe(file.id)
  })

  it('runs a job from creation to completion, in its own format', async () => {
    const { data: space } = await api.spaces.create({ name: 'Jobs' })
    const { data: job } = await api.jobs.create({ type: 'space', operation: 'tidy', source: space.id })
    expect(job.status).toBe('created')
    await api.jobs.execute(job.id)
    const acknowledged = await api.jobs.ack(job.id, { info: 'on it', progress: 10 })
    expect(acknowledged.data).toMatchObject({ status: 'executing', progress: 10, info: 'on it' })
    const completed = await api.jobs.complete(job.id, { info: 'tidy', outcome: { message: 'all tidy' } })
    expect(completed.data.status).toBe('complete')
    const { data: events } = await api.events.list({ spaceId: space.id, pageSize: 50 })
    expect(events.map(({ topic }) => topic)).toEqual([
      'space:created',
      'job:created',
      'job:ready',
      'job:updated',
      'job:completed',
    ])
  })

  it('deploys, lists and deletes an agent', async () => {
    const { data: agent } = await api.agents.create({
      environmentId: account.environmentId,
      body: {
        topics: ['space:created'],
        compiler: 'js',
        slug: 'sdk',
        source: 'exports.routeEvent = async (event) => console.log(event.topic)',
      },
    })
    expect((await api.agents.list({ environmentId: account.environmentId })).data!.map(({ id }) => id)).toEqual([
      agent!.id,
    ])
    await api.spaces.create({ name: 'Seen by the agent' })
    const logs = await waitUntil(async () => {
      const { data } = await api.agents.getAgentLogs(agent!.id, { environmentId: account.environmentId })
      return data && data.length > 0 && data
    })
    expect(logs[0]).toMatchObject({ agentId: agent!.id, success: true, topic: 'space:created' })
    await api.agents.delete(agent!.id)
    expect((await api.agents.list({ environmentId: account.environmentId })).data).toEqual([])
  })

  it('gets a typed error for a missing resource', async () => {
    await expect(api.spaces.get('us_sp_nothing')).rejects.toMatchObject({
      statusCode: 404,
      body: { errors: [{ message: expect.any(String) }] },
    })
  })
})
