/** Data retention: what a policy makes due expires, is told of once, is hidden, and is removed or comes back. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../schemas/events.ts'
import { callerOf, mintAccount, mustOf, type TestAccount, until } from '../support/api.ts'
import { dyingProcess } from '../support/dying-process.ts'
import { expireLater } from '../support/retention.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let environmentId: string

beforeEach(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  environmentId = account.environmentId
})

const must = mustOf(() => call)
const policy = (type: string, period: number) =>
  must<{ id: string }>('POST', '/data-retention-policies', { type, period, environmentId })
const later = (days: number) => expireLater(environmentId, days)
const told = async (topic: string): Promise<Event[]> => must('GET', `/events?topic=${topic}&pageSize=100`)
/** A moment clearly after what was done before and before what is done next. */
const aMoment = async (): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, 400))
  return Date.now()
}
/** In days from now: a day after the moment. */
const dayAfter = (moment: number): number => 1 + (moment - Date.now()) / 86_400_000
const statusOf = async (path: string) => (await call('GET', path)).status

/** A space with a workbook of one sheet and a file. */
async function things() {
  const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Old' })
  const { id: workbookId, sheets } = await must('POST', '/workbooks', {
    spaceId,
    name: 'Old',
    sheets: [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }],
  })
  const { file, upload } = await must('POST', '/files/uploads', { spaceId, name: 'old.pdf', size: 3 })
  await fetch(upload.url, { method: 'PUT', body: 'old' })
  await must('POST', `/files/${file.id}/complete`)
  return { spaceId, workbookId, sheetId: sheets[0].id as string, fileId: file.id as string }
}
const listed = async () => ({
  spaces: (await must('GET', '/spaces')).length,
  workbooks: (await must('GET', '/workbooks')).length,
  files: (await must('GET', '/files')).length,
})

describe('data retention policies', () => {
  it('are created, listed, read, changed and deleted', async () => {
    const { id } = await policy('lastActivity', 30)
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

  it('are refused with every problem, beyond their number, and in another environment', async () => {
    const bad = await call('POST', '/data-retention-policies', { type: 'sometimes', period: 0, environmentId })
    expect(bad.status).toBe(400)
    expect(bad.body.errors.map(({ key }: { key: string }) => key)).toEqual(['type', 'period'])
    const [, production] = account.environments
    const elsewhere = { environmentId: production!.environment.id }
    const foreign = await call('POST', '/data-retention-policies', { type: 'sinceCreated', period: 1, ...elsewhere })
    expect(foreign.status).toBe(404)
    const { id } = await policy('sinceCreated', 1)
    const moved = await call('PATCH', `/data-retention-policies/${id}`, elsewhere)
    expect([moved.status, moved.body.errors[0].key]).toEqual([400, 'environmentId'])
    for (let count = 1; count < 10; count++) await policy('sinceCreated', 1)
    const more = await call('POST', '/data-retention-policies', { type: 'sinceCreated', period: 1, environmentId })
    expect(more.status).toBe(409)
  })

  it('are seen by the keys of their own environment alone', async () => {
    const { id } = await policy('sinceCreated', 1)
    const [, production] = account.environments
    const other = callerOf(production!.secret.rawKey!)
    expect((await other('GET', `/data-retention-policies/${id}`)).status).toBe(404)
    expect((await other('DELETE', `/data-retention-policies/${id}`)).status).toBe(404)
    expect((await other('GET', '/data-retention-policies')).body.data).toEqual([])
  })
})

describe('what is due', () => {
  it('expires once, is told of as specified, left out of lists and still read', async () => {
    const { spaceId, workbookId, fileId } = await things()
    await policy('sinceCreated', 30)
    expect(await later(29.9)).toEqual({ expired: 0, restored: 0, removed: 0, failed: 0, uploads: 0 })
    expect(await listed()).toEqual({ spaces: 1, workbooks: 1, files: 1 })
    const runs = await Promise.all([later(30.1), later(30.1), later(30.1)])
    expect(runs.reduce((sum, { expired }) => sum + expired!, 0)).toBe(3)
    expect((await later(30.2)).expired).toBe(0)
    const place = { accountId: account.accountId, environmentId, spaceId }
    const [space, workbook, file] = await Promise.all(['space', 'workbook', 'file'].map((of) => told(`${of}:expired`)))
    expect(space).toMatchObject([{ payload: {}, context: { ...place, workbookId } }])
    expect(workbook).toMatchObject([{ payload: { workbookId, spaceId }, context: { ...place, workbookId } }])
    expect(file).toMatchObject([{ payload: {}, context: { ...place, fileId } }])
    // Nobody asked for it: neither a user nor the account is named as the actor.
    for (const event of [space, workbook, file].flat()) expect(event?.context.actorId).toBe('system')
    expect(await listed()).toEqual({ spaces: 0, workbooks: 0, files: 0 })
    for (const path of [`/spaces/${spaceId}`, `/workbooks/${workbookId}`, `/files/${fileId}`])
      expect((await must('GET', path)).expiredAt).toBeDefined()
  })

  it('is removed a week later with everything below it', async () => {
    const { spaceId, workbookId, sheetId, fileId } = await things()
    await policy('sinceCreated', 30)
    await later(31)
    const document = await must('POST', `/spaces/${spaceId}/documents`, { title: 'Late', body: '' })
    expect((await later(37.9)).removed).toBe(0)
    expect(await statusOf(`/spaces/${spaceId}`)).toBe(200)
    expect((await later(38.1)).removed).toBeGreaterThan(0)
    const gone = [`/spaces/${spaceId}`, `/workbooks/${workbookId}`, `/sheets/${sheetId}`, `/files/${fileId}`]
    for (const path of [...gone, `/spaces/${spaceId}/documents/${document.id}`])
      await until(async () => (await statusOf(path)) === 404)
    for (const of of ['space', 'workbook', 'sheet', 'file'])
      expect(await until(async () => (await told(`${of}:deleted`))[0]), of).toBeDefined()
    expect(await later(39)).toEqual({ expired: 0, restored: 0, removed: 0, failed: 0, uploads: 0 })
  })

  it('since the last activity, not while records are written or a file comes: the space neither', async () => {
    const { spaceId, workbookId, sheetId, fileId } = await things()
    const split = await aMoment()
    await must('POST', `/sheets/${sheetId}/records`, [{ email: { value: 'ada@example.com' } }])
    await policy('lastActivity', 1)
    await later(dayAfter(split))
    expect(await told('file:expired')).toMatchObject([{ context: { fileId } }])
    expect(await told('workbook:expired')).toEqual([])
    expect(await told('space:expired')).toEqual([])
    await later(1.1)
    expect(await told('workbook:expired')).toMatchObject([{ context: { workbookId } }])
    expect(await told('space:expired')).toMatchObject([{ context: { spaceId } }])
  })

  it('leaves a space alone in which a file alone has changed', async () => {
    const { workbookId, fileId } = await things()
    const split = await aMoment()
    await must('PATCH', `/files/${fileId}`, { name: 'new.pdf' })
    await policy('lastActivity', 1)
    await later(dayAfter(split))
    expect(await told('workbook:expired')).toMatchObject([{ context: { workbookId } }])
    expect([await told('space:expired'), await told('file:expired')]).toEqual([[], []])
    await later(1.1)
    expect([(await told('space:expired')).length, (await told('file:expired')).length]).toEqual([1, 1])
  })

  it('that expired for want of activity is back when it is used again', async () => {
    const { spaceId, workbookId } = await things()
    await policy('lastActivity', 1)
    await later(1.1)
    expect((await must('GET', `/spaces/${spaceId}`)).expiredAt).toBeDefined()
    const split = await aMoment()
    await must('PATCH', `/spaces/${spaceId}`, { name: 'Used' })
    expect((await later(dayAfter(split))).restored).toBe(1)
    const space = await must('GET', `/spaces/${spaceId}`)
    expect([space.name, space.expiredAt]).toEqual(['Used', undefined])
    expect((await must('GET', `/workbooks/${workbookId}`)).expiredAt).toBeDefined()
    const changes = (await told('space:updated')).flatMap(({ payload }) => (payload as { changes: object[] }).changes)
    expect(changes).toContainEqual({ field: 'expiredAt', previousValue: expect.any(String), newValue: null })
  })

  it('changes with the policy: a longer period brings back, a shorter one expires', async () => {
    await things()
    const { id } = await policy('sinceCreated', 30)
    expect((await later(31)).expired).toBe(3)
    await must('PATCH', `/data-retention-policies/${id}`, { period: 60 })
    expect(await later(31)).toEqual({ expired: 0, restored: 3, removed: 0, failed: 0, uploads: 0 })
    expect(await listed()).toEqual({ spaces: 1, workbooks: 1, files: 1 })
    await must('PATCH', `/data-retention-policies/${id}`, { period: 20 })
    expect((await later(31)).expired).toBe(3)
    expect(await told('space:expired')).toHaveLength(2)
  })

  it('is back when the policy is deleted, though its time to be removed had come', async () => {
    await things()
    const { id } = await policy('sinceCreated', 30)
    await later(31)
    await must('DELETE', `/data-retention-policies/${id}`)
    expect(await later(60)).toEqual({ expired: 0, restored: 3, removed: 0, failed: 0, uploads: 0 })
    expect(await later(60)).toEqual({ expired: 0, restored: 0, removed: 0, failed: 0, uploads: 0 })
    expect(await listed()).toEqual({ spaces: 1, workbooks: 1, files: 1 })
  })

  it('by several policies expires by the first, whatever else is young', async () => {
    await things()
    await policy('sinceCreated', 300)
    await policy('lastActivity', 10)
    expect((await later(11)).expired).toBe(3)
  })

  it('that a crash interrupted is completed by the next run, and told once', async () => {
    await things()
    await policy('sinceCreated', 30)
    const time = new Date(Date.now() + 31 * 86_400_000).toISOString()
    let transactions = 0
    const death = await dyingProcess('run-expire.ts', [time, environmentId], ({ headers }) =>
      headers['x-amz-target'] === 'DynamoDB_20120810.TransactWriteItems' && ++transactions === 2 ? 'after' : undefined,
    )
    expect(death.killed).toBe(true)
    expect((await later(31)).expired).toBe(1)
    expect((await later(31)).expired).toBe(0)
    for (const of of ['space', 'workbook', 'file']) expect(await told(`${of}:expired`), of).toHaveLength(1)
    expect(await listed()).toEqual({ spaces: 0, workbooks: 0, files: 0 })
  })

  it('of more things than one page holds, each once', async () => {
    const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Many' })
    for (let first = 0; first < 120; first += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          must('POST', '/files/uploads', { spaceId, name: `${first + i}.csv`, size: 3 }),
        ),
      )
    await policy('sinceCreated', 1)
    expect((await later(2)).expired).toBe(121)
    const ids = [
      ...(await told('file:expired')),
      ...(await must('GET', '/events?topic=file:expired&pageSize=100&pageNumber=2')),
    ]
    expect(new Set(ids.map(({ context }) => context.fileId)).size).toBe(120)
  })
})
