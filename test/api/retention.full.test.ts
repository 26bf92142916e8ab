import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { createCaller, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { runWithKill } from '../support/killed-process.ts'
import { createSheet } from '../support/resources.ts'
import { runRetentionLater } from '../support/retention.ts'

beforeEach(createFreshAccount)

const newPolicy = (type: string, period: number) =>
  must<{ id: string }>('POST', '/data-retention-policies', { type, period, environmentId })
const expireIn = (days: number) => runRetentionLater(environmentId, days)
const listEvents = async (topic: string): Promise<Event[]> => must('GET', `/events?topic=${topic}&pageSize=100`)
const waitAMoment = async (): Promise<number> => {
  await sleep(400)
  return Date.now()
}
const dayAfter = (moment: number): number => 1 + (moment - Date.now()) / 86_400_000
const statusOf = async (path: string) => (await call('GET', path)).status

async function createResources() {
  const { spaceId, workbookId, sheetId } = await createSheet([{ key: 'email', type: 'string' }])
  const { file, upload } = await must('POST', '/files/uploads', { spaceId, name: 'old.pdf', size: 3 })
  await fetch(upload.url, { method: 'PUT', body: 'old' })
  await must('POST', `/files/${file.id}/complete`)
  return { spaceId, workbookId, sheetId, fileId: file.id as string }
}
const listed = async () => ({
  spaces: (await must('GET', '/spaces')).length,
  workbooks: (await must('GET', '/workbooks')).length,
  files: (await must('GET', '/files')).length,
})

describe('data retention policies', () => {
  it('are created, listed, read, changed and deleted', async () => {
    const { id } = await newPolicy('lastActivity', 30)
    expect(id).toMatch(/^us_drp_/)
    const wanted = { id, type: 'lastActivity', period: 30, environmentId }
    expect(await must('GET', `/data-retention-policies?environmentId=${environmentId}`)).toMatchObject([wanted])
    expect(await must('GET', `/data-retention-policies/${id}`)).toMatchObject(wanted)
    const changed = { type: 'sinceCreated', period: 0.5, environmentId }
    expect(await must('PATCH', `/data-retention-policies/${id}`, changed)).toMatchObject({ id, ...changed })
    expect(await must('GET', '/data-retention-policies')).toMatchObject([{ id, ...changed }])
    expect(await must('DELETE', `/data-retention-policies/${id}`)).toEqual({ success: true })
    expect(await statusOf(`/data-retention-policies/${id}`)).toBe(404)
    expect(await must('GET', '/data-retention-policies')).toEqual([])
  })

  it('are rejected with every problem, beyond their number, and in another environment', async () => {
    const bad = await call('POST', '/data-retention-policies', { type: 'sometimes', period: 0, environmentId })
    expect(bad.status).toBe(400)
    expect(pluck(bad.body.errors, 'key')).toEqual(['type', 'period'])
    const [, production] = account.environments
    const elsewhere = { environmentId: production!.environment.id }
    const foreign = await call('POST', '/data-retention-policies', { type: 'sinceCreated', period: 1, ...elsewhere })
    expect(foreign.status).toBe(404)
    const { id } = await newPolicy('sinceCreated', 1)
    const moved = await call('PATCH', `/data-retention-policies/${id}`, elsewhere)
    expect([moved.status, moved.body.errors[0].key]).toEqual([400, 'environmentId'])
    for (let count = 1; count < 10; count++) await newPolicy('sinceCreated', 1)
    const more = await call('POST', '/data-retention-policies', { type: 'sinceCreated', period: 1, environmentId })
    expect(more.status).toBe(409)
  })

  it('are visible only to keys of their own environment', async () => {
    const { id } = await newPolicy('sinceCreated', 1)
    const [, production] = account.environments
    const other = createCaller(production!.secret.rawKey!)
    expect((await other('GET', `/data-retention-policies/${id}`)).status).toBe(404)
    expect((await other('DELETE', `/data-retention-policies/${id}`)).status).toBe(404)
    expect((await other('GET', '/data-retention-policies')).body.data).toEqual([])
  })
})

describe('a resource that is due', () => {
  it('expires once with the specified event, disappears from lists and can still be read', async () => {
    const { spaceId, workbookId, fileId } = await createResources()
    await newPolicy('sinceCreated', 30)
    expect(await expireIn(29.9)).toEqual({ expired: 0, restored: 0, removed: 0, failed: 0, uploads: 0 })
    expect(await listed()).toEqual({ spaces: 1, workbooks: 1, files: 1 })
    const runs = await Promise.all([expireIn(30.1), expireIn(30.1), expireIn(30.1)])
    expect(runs.reduce((sum, { expired }) => sum + expired!, 0)).toBe(3)
    expect((await expireIn(30.2)).expired).toBe(0)
    const place = { accountId: account.accountId, environmentId, spaceId }
    const [space, workbook, file] = await Promise.all(
      ['space', 'workbook', 'file'].map((of) => listEvents(`${of}:expired`)),
    )
    expect(space).toMatchObject([{ payload: {}, context: { ...place, workbookId } }])
    expect(workbook).toMatchObject([{ payload: { workbookId, spaceId }, context: { ...place, workbookId } }])
    expect(file).toMatchObject([{ payload: {}, context: { ...place, fileId } }])
    for (const event of [space, workbook, file].flat()) expect(event?.context.actorId).toBe('system')
    expect(await listed()).toEqual({ spaces: 0, workbooks: 0, files: 0 })
    for (const path of [`/spaces/${spaceId}`, `/workbooks/${workbookId}`, `/files/${fileId}`])
      expect((await must('GET', path)).expiredAt).toBeDefined()
  })

  it('is removed a week later with everything below it', async () => {
    const { spaceId, workbookId, sheetId, fileId } = await createResources()
    await newPolicy('sinceCreated', 30)
    await expireIn(31)
    const document = await must('POST', `/spaces/${spaceId}/documents`, { title: 'Late', body: '' })
    expect((await expireIn(37.9)).removed).toBe(0)
    expect(await statusOf(`/spaces/${spaceId}`)).toBe(200)
    expect((await expireIn(38.1)).removed).toBeGreaterThan(0)
    const gone = [`/spaces/${spaceId}`, `/workbooks/${workbookId}`, `/sheets/${sheetId}`, `/files/${fileId}`]
    for (const path of [...gone, `/spaces/${spaceId}/documents/${document.id}`])
      await waitUntil(async () => (await statusOf(path)) === 404)
    for (const of of ['space', 'workbook', 'sheet', 'file'])
      expect(await waitUntil(async () => (await listEvents(`${of}:deleted`))[0]), of).toBeDefined()
    expect(await expireIn(39)).toEqual({ expired: 0, restored: 0, removed: 0, failed: 0, uploads: 0 })
  })

  it('is not expired while records are written or a file is uploaded, and neither is its space', async () => {
    const { spaceId, workbookId, sheetId, fileId } = await createResources()
    const split = await waitAMoment()
    await must('POST', `/sheets/${sheetId}/records`, [{ email: { value: 'ada@example.com' } }])
    await newPolicy('lastActivity', 1)
    await expireIn(dayAfter(split))
    expect(await listEvents('file:expired')).toMatchObject([{ context: { fileId } }])
    expect(await listEvents('workbook:expired')).toEqual([])
    expect(await listEvents('space:expired')).toEqual([])
    await expireIn(1.1)
    expect(await listEvents('workbook:expired')).toMatchObject([{ context: { workbookId } }])
    expect(await listEvents('space:expired')).toMatchObject([{ context: { spaceId } }])
  })

  it('is not expired in a space where only a file changed', async () => {
    const { workbookId, fileId } = await createResources()
    const split = await waitAMoment()
    await must('PATCH', `/files/${fileId}`, { name: 'new.pdf' })
    await newPolicy('lastActivity', 1)
    await expireIn(dayAfter(split))
    expect(await listEvents('workbook:expired')).toMatchObject([{ context: { workbookId } }])
    expect([await listEvents('space:expired'), await listEvents('file:expired')]).toEqual([[], []])
    await expireIn(1.1)
    expect([(await listEvents('space:expired')).length, (await listEvents('file:expired')).length]).toEqual([1, 1])
  })

  it('that expired from inactivity is restored when it is used again', async () => {
    const { spaceId, workbookId } = await createResources()
    await newPolicy('lastActivity', 1)
    await expireIn(1.1)
    expect((await must('GET', `/spaces/${spaceId}`)).expiredAt).toBeDefined()
    const split = await waitAMoment()
    await must('PATCH', `/spaces/${spaceId}`, { name: 'Used' })
    expect((await expireIn(dayAfter(split))).restored).toBe(1)
    const space = await must('GET', `/spaces/${spaceId}`)
    expect([space.name, space.expiredAt]).toEqual(['Used', undefined])
    expect((await must('GET', `/workbooks/${workbookId}`)).expiredAt).toBeDefined()
    const changes = (await listEvents('space:updated')).flatMap(
      ({ payload }) => (payload as { changes: object[] }).changes,
    )
    expect(changes).toContainEqual({ field: 'expiredAt', previousValue: expect.any(String), newValue: null })
  })

  it('follows the policy: a longer period restores it, a shorter one expires it', async () => {
    await createResources()
    const { id } = await newPolicy('sinceCreated', 30)
    expect((await expireIn(31)).expired).toBe(3)
    await must('PATCH', `/data-retention-policies/${id}`, { period: 60 })
    expect(await expireIn(31)).toEqual({ expired: 0, restored: 3, removed: 0, failed: 0, uploads: 0 })
    expect(await listed()).toEqual({ spaces: 1, workbooks: 1, files: 1 })
    await must('PATCH', `/data-retention-policies/${id}`, { period: 20 })
    expect((await expireIn(31)).expired).toBe(3)
    expect(await listEvents('space:expired')).toHaveLength(2)
  })

  it('is restored when the policy is deleted, even after its removal time', async () => {
    await createResources()
    const { id } = await newPolicy('sinceCreated', 30)
    await expireIn(31)
    await must('DELETE', `/data-retention-policies/${id}`)
    expect(await expireIn(60)).toEqual({ expired: 0, restored: 3, removed: 0, failed: 0, uploads: 0 })
    expect(await expireIn(60)).toEqual({ expired: 0, restored: 0, removed: 0, failed: 0, uploads: 0 })
    expect(await listed()).toEqual({ spaces: 1, workbooks: 1, files: 1 })
  })

  it('under several policies expires by the first, even with recent activity', async () => {
    await createResources()
    await newPolicy('sinceCreated', 300)
    await newPolicy('lastActivity', 10)
    expect((await expireIn(11)).expired).toBe(3)
  })

  it('whose expiry was interrupted by a crash is completed by the next run, with one event', async () => {
    await createResources()
    await newPolicy('sinceCreated', 30)
    const time = new Date(Date.now() + 31 * 86_400_000).toISOString()
    let transactions = 0
    const death = await runWithKill('run-expire.ts', [time, environmentId], ({ headers }) =>
      headers['x-amz-target'] === 'DynamoDB_20120810.TransactWriteItems' && ++transactions === 2 ? 'after' : undefined,
    )
    expect(death.killed).toBe(true)
    expect((await expireIn(31)).expired).toBe(1)
    expect((await expireIn(31)).expired).toBe(0)
    for (const of of ['space', 'workbook', 'file']) expect(await listEvents(`${of}:expired`), of).toHaveLength(1)
    expect(await listed()).toEqual({ spaces: 0, workbooks: 0, files: 0 })
  })

  it('expires once when there are more than one page of them', async () => {
    const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Many' })
    for (let first = 0; first < 120; first += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          must('POST', '/files/uploads', { spaceId, name: `${first + i}.csv`, size: 3 }),
        ),
      )
    await newPolicy('sinceCreated', 1)
    expect((await expireIn(2)).expired).toBe(121)
    const ids = [
      ...(await listEvents('file:expired')),
      ...(await must('GET', '/events?topic=file:expired&pageSize=100&pageNumber=2')),
    ]
    expect(new Set(ids.map(({ context }) => context.fileId)).size).toBe(120)
  }, 90_000)
})
