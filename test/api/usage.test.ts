import { beforeAll, describe, expect, it } from 'vitest'
import type { MeterTotals } from '../../schemas/accounts/usage.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { findEvents } from '../support/activity.ts'
import { createCaller, createTestAccount, waitUntil } from '../support/api.ts'
import { account, admin, createFreshAccount, mustAsAdmin as must, signIn } from '../support/fresh-account.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'
import { createSheet } from '../support/resources.ts'

beforeAll(createFreshAccount)

const NOTHING: MeterTotals = {
  spaces: 0,
  workbooks: 0,
  files: 0,
  fileBytes: 0,
  recordsCreated: 0,
  recordsUpdated: 0,
  recordsDeleted: 0,
  agentRuns: 0,
  agentMilliseconds: 0,
}
const usage = (environmentId: string, query = '') =>
  must<{ month: string; used: MeterTotals; billable: MeterTotals; records: number; countsTowardCredits: boolean }>(
    'GET',
    `/environments/${environmentId}/usage${query}`,
  )
const waitForUsage = (environmentId: string, wanted: Partial<MeterTotals>): Promise<MeterTotals> =>
  waitUntil(async () => {
    const { used } = await usage(environmentId)
    return Object.entries(wanted).every(([meter, amount]) => used[meter as keyof MeterTotals] >= amount) && used
  }, 20)

async function newEnvironmentWithSheet(isProd: boolean) {
  const { id: environmentId } = await must('POST', '/environments', { name: `Used ${Math.random()}`, isProd })
  const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'S' })
  const { workbookId, sheetId } = await createSheet([{ key: 'n', type: 'number' }], { space: spaceId, by: admin })
  return {
    environmentId,
    spaceId,
    workbookId,
    records: `/sheets/${sheetId}/records`,
  }
}
const rows = (count: number) => Array.from({ length: count }, (_, value) => ({ n: { value } }))
const upload = async (environmentId: string, spaceId: string, text: string): Promise<string> => {
  const { file, upload } = await must('POST', '/files/uploads', { spaceId, name: 'a.bin', size: text.length })
  await fetch(upload.url, { method: 'PUT', body: text })
  expect(file.environmentId).toBe(environmentId)
  return (await must('POST', `/files/${file.id}/complete`)).id
}
const eventsOf = (environment: string, topic: string) =>
  findEvents<Event>(`environmentId=${environment}&topic=${topic}`, {}, admin)

describe('usage', () => {
  it('remains when the counted resources are deleted', async () => {
    const { environmentId, spaceId, records } = await newEnvironmentWithSheet(true)
    const [first, second] = (await must('POST', records, rows(7))).records
    await must('PUT', records, [{ id: first.id, values: { n: { value: 70 } } }])
    await must('DELETE', `${records}?ids=${second.id}`)
    const fileId = await upload(environmentId, spaceId, '12345')
    const wanted = { ...NOTHING, spaces: 1, workbooks: 1, files: 1, fileBytes: 5 }
    const used = { ...wanted, recordsCreated: 7, recordsUpdated: 1, recordsDeleted: 1 }
    expect(await waitForUsage(environmentId, used)).toEqual(used)
    await must('DELETE', `/files/${fileId}`)
    await must('DELETE', `/spaces/${spaceId}`)
    const after = await waitUntil(async () => {
      const found = await usage(environmentId)
      return found.records === 0 && found
    })
    expect(after).toMatchObject({ used, billable: used, countsTowardCredits: true })
  })

  it('is counted once, however often its events arrive', async () => {
    const { environmentId, records } = await newEnvironmentWithSheet(true)
    await must('POST', records, rows(3))
    await waitForUsage(environmentId, { recordsCreated: 3, spaces: 1, workbooks: 1 })
    const since = new Date(Date.now() - 60_000).toISOString()
    await must('POST', '/events/replay', { environmentId, since })
    const detail = (await eventsOf(environmentId, 'sheet:counts-updated'))[0]!
    const event = { source: 'wharf', 'detail-type': detail.topic, detail }
    await Promise.all(Array.from({ length: 5 }, () => invokePlatformFunction('meter', event)))
    expect((await usage(environmentId)).used).toMatchObject({ recordsCreated: 3, spaces: 1, workbooks: 1 })
  })

  it('is exact under concurrent writes', async () => {
    const { environmentId, records } = await newEnvironmentWithSheet(false)
    await Promise.all(Array.from({ length: 30 }, (_, i) => must('POST', records, rows(i + 1))))
    expect(await waitForUsage(environmentId, { recordsCreated: 465 })).toMatchObject({ recordsCreated: 465 })
  })

  it('is not changed by forged events', async () => {
    const { environmentId, spaceId, workbookId, records } = await newEnvironmentWithSheet(true)
    const { commitId } = await must('POST', records, rows(2))
    await waitForUsage(environmentId, { recordsCreated: 2, spaces: 1, workbooks: 1 })
    const sheetId = records.split('/')[2]!
    const context = { environmentId, spaceId, workbookId, sheetId, commitId }
    const attributes = { created: 1000, updated: 1000, deleted: -1000 }
    for (const topic of ['sheet:counts-updated', 'space:created', 'workbook:created'])
      await must('POST', '/events', { topic, domain: 'any', context, payload: {}, attributes })
    await must('POST', records, rows(1))
    const { used } = await waitUntil(async () => {
      const found = await usage(environmentId)
      return found.used.recordsCreated === 3 && found
    }, 20)
    expect(used).toEqual({ ...NOTHING, spaces: 1, workbooks: 1, recordsCreated: 3 })
  })

  it('counts silent writes', async () => {
    const { environmentId, records } = await newEnvironmentWithSheet(true)
    const [first] = (await must('POST', `${records}?silent=true`, rows(4))).records
    await must('PUT', `${records}?silent=true`, [{ id: first.id, values: { n: { value: 9 } } }])
    await must('DELETE', `${records}?silent=true&ids=${first.id}`)
    const wanted = { recordsCreated: 4, recordsUpdated: 1, recordsDeleted: 1 }
    expect((await usage(environmentId)).used).toMatchObject(wanted)
    expect(await eventsOf(environmentId, 'records:created')).toEqual([])
  })

  it('in development is reported as not billable, even when it becomes production later', async () => {
    const { environmentId, records } = await newEnvironmentWithSheet(false)
    await must('POST', records, rows(2))
    const before = await waitForUsage(environmentId, { recordsCreated: 2, spaces: 1, workbooks: 1 })
    expect((await usage(environmentId)).billable).toEqual(NOTHING)
    expect((await admin('PATCH', `/environments/${environmentId}`, { isProd: true })).status).toBe(200)
    await must('POST', records, rows(3))
    const { used, billable } = await waitUntil(async () => {
      const found = await usage(environmentId)
      return found.used.recordsCreated === 5 && found
    }, 20)
    expect(used).toEqual({ ...before, recordsCreated: 5 })
    expect(billable).toEqual({ ...NOTHING, recordsCreated: 3 })
  })

  it('counts agent runs, a replay as one more', async () => {
    const { environmentId } = await newEnvironmentWithSheet(true)
    const source = 'module.exports = { routeEvent: async () => {} }'
    const agent = { topics: ['used:once'], compiler: 'js', slug: 'used', source }
    const { id } = await must('POST', `/agents?environmentId=${environmentId}`, agent)
    const event = { topic: 'used:once', domain: 'used', context: { environmentId }, payload: {} }
    const { id: eventId } = await must('POST', '/events', event)
    await waitForUsage(environmentId, { agentRuns: 1 })
    await must('POST', `/agents/${id}/replay`, { eventIds: [eventId] })
    expect(await waitForUsage(environmentId, { agentRuns: 2 })).toMatchObject({ agentRuns: 2 })
  })

  it('is reported by month', async () => {
    const { environmentId } = await newEnvironmentWithSheet(true)
    await waitForUsage(environmentId, { spaces: 1 })
    const month = new Date().toISOString().slice(0, 7)
    expect((await usage(environmentId)).month).toBe(month)
    expect(await usage(environmentId, '?month=2001-01')).toMatchObject({ month: '2001-01', used: NOTHING })
    const bad = await admin('GET', `/environments/${environmentId}/usage?month=2026-13`)
    expect([bad.status, bad.body.errors[0].key]).toEqual([400, 'month'])
  })

  it('stays with the account after its environment is deleted, for its administrators', async () => {
    const { environmentId, records } = await newEnvironmentWithSheet(true)
    await must('POST', records, rows(6))
    await waitForUsage(environmentId, { recordsCreated: 6, spaces: 1, workbooks: 1 })
    await must('DELETE', `/environments/${environmentId}`)
    const listed = await must<{ environmentId: string }[]>('GET', '/accounts/current/usage')
    const wanted = { ...NOTHING, spaces: 1, workbooks: 1, recordsCreated: 6 }
    expect(listed.find((one) => one.environmentId === environmentId)).toMatchObject({ used: wanted, billable: wanted })
    expect((await createCaller(account.secretKey)('GET', '/accounts/current/usage')).status).toBe(403)
    const stranger = await createTestAccount()
    const other = await signIn(stranger)
    expect((await other('GET', '/accounts/current/usage')).body.data).toEqual([])
  })
})
