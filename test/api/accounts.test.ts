import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { account, admin, type Caller, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

let key: Caller

beforeAll(async () => {
  await createFreshAccount()
  key = createCaller(account.secretKey)
})

const newSpace = async (more: object = {}) =>
  must('POST', '/spaces', { environmentId: account.environmentId, name: 'Space', ...more })

describe('entitlements', () => {
  it('are empty by default, also through the public SDK', async () => {
    const { id } = await newSpace()
    expect((await api.entitlements.list({ resourceId: id })).data).toEqual([])
  })

  it('apply from the nearest level down to the contents of a space', async () => {
    const { id: spaceId } = await newSpace()
    const workbook = await must('POST', '/workbooks', { spaceId, name: 'W' })
    const { environmentId, accountId } = account
    const set = (resourceId: string, ...entitlements: object[]) =>
      must('PUT', '/entitlements', { resourceId, entitlements })
    await set(accountId, { key: 'a', metadata: { of: 'account' } }, { key: 'b', metadata: { of: 'account' } })
    await set(environmentId, { key: 'b', metadata: { of: 'environment' } })
    await set(spaceId, { key: 'c' })
    const listEntitlements = async (resourceId: string) => (await api.entitlements.list({ resourceId })).data
    expect(await listEntitlements(workbook.id)).toEqual([
      { key: 'c' },
      { key: 'b', metadata: { of: 'environment' } },
      { key: 'a', metadata: { of: 'account' } },
    ])
    await set(environmentId)
    await set(accountId)
    expect(await listEntitlements(spaceId)).toEqual([{ key: 'c' }])
  })

  it('can be read by guests and embedded pages where public clients ask for them', async () => {
    const { environmentId, accountId, publishableKey } = account
    const space = { environmentId, name: 'Embedded' }
    const made = (await createCaller(publishableKey)('POST', '/internal/spaces/init', { space })).body.data.space
    const given = [{ key: 'contract', metadata: { price: 12 } }, { key: 'sourceEditor' }]
    await must('PUT', '/entitlements', { resourceId: accountId, entitlements: given })
    const paged = { key: 'customRecordsPageSize', metadata: { pageSize: 500 } }
    await must('PUT', '/entitlements', { resourceId: made.id, entitlements: [paged, { key: 'internal' }] })
    const [guest] = await must('POST', '/guests', [
      { environmentId, email: 'entitled@example.com', name: 'Guest', spaces: [{ id: made.id }] },
    ])
    const { token } = await must('GET', `/guests/${guest.id}/token`)
    for (const caller of [createCaller(token), createCaller(made.accessToken)])
      for (const resourceId of [made.id, environmentId, accountId]) {
        const { status, body } = await caller('GET', `/entitlements?resourceId=${resourceId}`)
        expect(status).toBe(200)
        expect(body.data).toEqual([...(resourceId === made.id ? [paged] : []), { key: 'sourceEditor' }])
      }
    await must('PUT', '/entitlements', { resourceId: accountId, entitlements: [] })
  })

  it('can be set by administrators on resources of their account', async () => {
    const { id: resourceId } = await newSpace()
    const entitlements = [{ key: 'x' }]
    expect((await key('PUT', '/entitlements', { resourceId, entitlements })).status).toBe(403)
    const stranger = await createTestAccount()
    const hidden = await createCaller(stranger.secretKey)('GET', `/entitlements?resourceId=${resourceId}`)
    expect(hidden.status).toBe(404)
    expect((await admin('PUT', '/entitlements', { resourceId: stranger.accountId, entitlements })).status).toBe(404)
    const twice = await admin('PUT', '/entitlements', { resourceId, entitlements: [{ key: 'x' }, { key: 'x' }] })
    expect(twice.body.errors[0].key).toBe('entitlements')
  })
})

describe('autobuild', () => {
  const people = { name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }
  const path = () => `/environments/${account.environmentId}/autobuilds`

  it('creates the configured workbooks in spaces that ask for it, and emits their events', async () => {
    const app = await must('POST', '/apps', { name: 'App', namespace: 'built', type: 'PROJECTS' })
    const plain = await must('POST', path(), { workbooks: [{ name: 'First', sheets: [people] }, { name: 'Second' }] })
    const ofApp = await must('POST', path(), { appId: app.id, workbooks: [{ name: 'Of the app' }] })
    expect((await admin('POST', path(), { workbooks: [{ name: 'Again' }] })).status).toBe(409)
    const namesOf = async (more: object) => {
      const { id, primaryWorkbookId } = await newSpace(more)
      const workbooks = await must('GET', `/workbooks?spaceId=${id}`)
      const primary = workbooks.find((workbook: { id: string }) => workbook.id === primaryWorkbookId)
      const jobs = (await must('GET', `/jobs?spaceId=${id}`)).length
      return [pluck(workbooks, 'name').sort(), primary?.name, jobs]
    }
    expect(await namesOf({ autoConfigure: true })).toEqual([['First', 'Second'], 'First', 0])
    expect(await namesOf({ autoConfigure: true, appId: app.id })).toEqual([['Of the app'], 'Of the app', 0])
    expect(await namesOf({})).toEqual([[], undefined, 0])
    const told = (await must('GET', `/events?environmentId=${account.environmentId}&pageSize=1000`)).filter(
      ({ topic }: { topic: string }) => topic === 'environment:autobuild-created',
    )
    expect(
      told.map(({ context, payload }: { context: { appId?: string }; payload: object }) => [context.appId, payload]),
    ).toEqual([
      [undefined, {}],
      [app.id, {}],
    ])
    expect(pluck(await must('GET', path()), 'id')).toEqual([plain.id, ofApp.id])
    for (const { id } of [plain, ofApp]) await must('DELETE', `${path()}/${id}`)
    expect(await namesOf({ autoConfigure: true })).toEqual([[], undefined, 1])
  })

  it('is created or replaced in one request, of its app or of all other spaces, under the same id', async () => {
    const app = await must('POST', '/apps', { name: 'Replaced', namespace: 'replaced', type: 'PROJECTS' })
    const put = (name: string, more: object = {}) => must('PUT', path(), { workbooks: [{ name }], ...more })
    const first = await put('First')
    const ofApp = await put('Of the app', { appId: app.id })
    const second = await put('Second')
    expect(second).toEqual({ ...first, workbooks: [{ ...first.workbooks[0], name: 'Second' }] })
    expect(ofApp.id).not.toBe(first.id)
    const listed = await must('GET', path())
    expect(listed.map(({ workbooks }: { workbooks: { name: string }[] }) => workbooks[0]!.name)).toEqual([
      'Second',
      'Of the app',
    ])
    const { id } = await newSpace({ autoConfigure: true })
    expect(pluck(await must('GET', `/workbooks?spaceId=${id}`), 'name')).toEqual(['Second'])
    for (const one of [first, ofApp]) await must('DELETE', `${path()}/${one.id}`)
  })

  it('is rejected for keys and when it exceeds the size of one write', async () => {
    const sheets = Array.from({ length: 21 }, (_, i) => ({ ...people, slug: `s${i}` }))
    expect((await admin('POST', path(), { workbooks: [{ name: 'Large', sheets }] })).body.errors[0].message).toMatch(
      /20 sheets/,
    )
    expect((await key('POST', path(), { workbooks: [{ name: 'W' }] })).status).toBe(403)
  })
})

it('usage reports what an environment holds and whether it is billable', async () => {
  const { id: environmentId } = await must('POST', '/environments', { name: 'Used', isProd: true })
  const usage = () => must('GET', `/environments/${environmentId}/usage`)
  expect(await usage()).toMatchObject({ countsTowardCredits: true, spaces: 0, records: 0, files: 0, agentRuns: 0 })
  const source = 'module.exports = { routeEvent: async () => {} }'
  const agent = { topics: ['space:created'], compiler: 'js', slug: 'counted', source }
  await must('POST', `/agents?environmentId=${environmentId}`, agent)
  const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'S' })
  const sheets = ['a', 'b'].map((slug) => ({ name: slug, slug, fields: [{ key: 'n', type: 'number' }] }))
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'W', sheets })
  for (const [i, { id }] of workbook.sheets.entries())
    await must(
      'POST',
      `/sheets/${id}/records`,
      Array.from({ length: i + 2 }, (_, value) => ({ n: { value } })),
    )
  const counted = await waitUntil(async () => {
    const found = await usage()
    return found.agentRuns > 0 && found
  })
  expect(counted).toMatchObject({ spaces: 1, workbooks: 1, sheets: 2, records: 5, agentRuns: 1, failedAgentRuns: 0 })
  const later = await must('GET', `/environments/${environmentId}/usage?since=2999-01-01T00:00:00Z`)
  expect(later).toMatchObject({ records: 5, agentRuns: 0 })
  expect(await must('GET', `/environments/${account.environmentId}/usage`)).toMatchObject({
    countsTowardCredits: false,
  })
})

it('rebuilding a workbook revalidates its records by the current rules and changes no values', async () => {
  const { id: spaceId } = await newSpace()
  const field = { key: 'n', type: 'string' }
  const sheets = [{ name: 'S', slug: 's', fields: [field] }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'W', sheets })
  const sheetId = workbook.sheets[0].id
  await must('POST', `/sheets/${sheetId}/records`, [{ n: { value: 'a' } }, {}])
  const fields = [{ ...field, constraints: [{ type: 'required' }] }]
  await must('PATCH', `/workbooks/${workbook.id}`, { sheets: [{ slug: 's', name: 'S', fields }] })
  const before = await must('GET', `/sheets/${sheetId}/records`)
  expect((await api.workbooks.rebuildWorkbook(workbook.id)).data).toEqual({ success: true })
  expect(await must('GET', `/sheets/${sheetId}/records`)).toEqual(before)
  expect((await must('GET', `/sheets/${sheetId}/counts`)).counts).toMatchObject({ total: 2, error: 1 })
})
