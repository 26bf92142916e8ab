/** The permission `mutations:run`, for every kind of caller and every way to run a function. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiResponse, createCaller } from '../support/api.ts'
import { account, admin, type Caller, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { createGuestCaller, createSheet, createSpace, createUser, type TestSheet } from '../support/resources.ts'

let sheet: TestSheet
let openSheet: TestSheet
const callers: Record<string, { call: Caller; sheet: () => TestSheet }> = {}
const secret = () => createCaller(account.secretKey)

const mutateRecord = "record => record.set('name', 'x')"

async function newSheet(settings?: object): Promise<TestSheet> {
  return workbookIn((await createSpace({ settings })).id)
}

async function workbookIn(space: string): Promise<TestSheet> {
  const made = await createSheet([{ key: 'name', type: 'string' }], { space })
  await must('POST', `/sheets/${made.sheetId}/records`, [{ name: 'a' }])
  return made
}

const job = ({ workbookId, sheetId }: TestSheet, more: object = {}) => ({
  ...{ type: 'workbook', operation: 'mutate-records', source: workbookId, config: { sheetId, mutateRecord } },
  ...more,
})

beforeAll(async () => {
  await createFreshAccount()
  sheet = await newSheet()
  openSheet = await newSheet({ guestsRunMutations: true })
  const pat = (await admin('POST', '/auth/personal-access-tokens', { name: 'ci' })).body.data.token
  const memberWith = async (actorRoles: object[]) => (await createUser(actorRoles)).call
  const embedded = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'Embedded' })).body.data
  const embeddedSheet = await workbookIn(embedded.id)
  await must('PATCH', `/spaces/${embedded.id}`, { settings: { guestsRunMutations: true } })
  const getSheet = () => sheet
  const open = () => openSheet
  Object.assign(callers, {
    'a secret key': { call: secret(), sheet: getSheet },
    'an administrator': { call: admin, sheet: getSheet },
    'a personal access token': { call: createCaller(pat), sheet: getSheet },
    'an administrator of the environment': {
      call: await memberWith([{ roleId: 'us_rol_administrator', resourceId: environmentId }]),
      sheet: getSheet,
    },
    'an administrator of the space': {
      call: await memberWith([{ roleId: 'us_rol_administrator', resourceId: sheet.spaceId }]),
      sheet: getSheet,
    },
    'a reader': { call: await memberWith([{ roleId: 'us_rol_reader', resourceId: environmentId }]), sheet: getSheet },
    'a guest': { call: await createGuestCaller({ id: sheet.spaceId }), sheet: getSheet },
    'a guest of a workbook': {
      call: await createGuestCaller({ id: sheet.spaceId, workbooks: [{ id: sheet.workbookId }] }),
      sheet: getSheet,
    },
    'a guest who may in another space': {
      call: await createGuestCaller({ id: sheet.spaceId }, { id: openSheet.spaceId }),
      sheet: getSheet,
    },
    'a guest whose space lets guests': { call: await createGuestCaller({ id: openSheet.spaceId }), sheet: open },
    'a guest of a workbook whose space lets guests': {
      call: await createGuestCaller({ id: openSheet.spaceId, workbooks: [{ id: openSheet.workbookId }] }),
      sheet: open,
    },
    'an embedded token, even where guests may': {
      call: createCaller(embedded.accessToken),
      sheet: () => embeddedSheet,
    },
    'a publishable key': { call: createCaller(account.publishableKey), sheet: getSheet },
  })
}, 60_000)

const MAY = [
  'a secret key',
  'an administrator',
  'a personal access token',
  'an administrator of the environment',
  'an administrator of the space',
  'a guest whose space lets guests',
  'a guest of a workbook whose space lets guests',
]
const MAY_NOT = [
  'a reader',
  'a guest',
  'a guest of a workbook',
  'a guest who may in another space',
  'an embedded token, even where guests may',
  'a publishable key',
]
const LACKING = MAY_NOT.filter((name) => !/reader|publishable/.test(name))

const WAYS: Record<string, (call: Caller, at: TestSheet, jobId: string) => Promise<ApiResponse>> = {
  'POST /jobs/preview-mutation': (call, { sheetId }) =>
    call('POST', '/jobs/preview-mutation', { sheetId, mutateRecord }),
  'POST /jobs of a workbook': (call, at) => call('POST', '/jobs', job(at)),
  'POST /jobs of a sheet': (call, at) => call('POST', '/jobs', job(at, { type: 'sheet', source: at.sheetId })),
  'POST /jobs at once': (call, at) => call('POST', '/jobs', job(at, { trigger: 'immediate' })),
  'POST /jobs for later': (call, at) => call('POST', '/jobs', job(at, { schedule: 'daily' })),
  'POST /jobs without its configuration': (call, at) => call('POST', '/jobs', job(at, { config: undefined })),
  'PATCH /jobs/{id} with another function': (call, { sheetId }, jobId) =>
    call('PATCH', `/jobs/${jobId}`, { config: { sheetId, mutateRecord: "r => r.set('name', 'y')" } }),
  'PATCH /jobs/{id} to ready': (call, _, jobId) => call('PATCH', `/jobs/${jobId}`, { status: 'ready' }),
  'POST /jobs/{id}/execute': (call, _, jobId) => call('POST', `/jobs/${jobId}/execute`),
}
const REFUSED: typeof WAYS = {
  'POST /jobs/{id}/split': (call, _, jobId) => call('POST', `/jobs/${jobId}/split`, { parts: 2 }),
  'POST /jobs/{id}/retry': (call, _, jobId) => call('POST', `/jobs/${jobId}/retry`),
  'PUT /jobs/{id}/plan': (call, _, jobId) =>
    call('PUT', `/jobs/${jobId}/plan`, { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] }),
  'PATCH /jobs/{id}/plan': (call, _, jobId) => call('PATCH', `/jobs/${jobId}/plan`, { fieldMapping: [] }),
}

const jobs = new Map<string, Promise<string>>()

function getJobFor(name: string): Promise<string> {
  const jobId = jobs.get(name) ?? createJobFor(name)
  jobs.set(name, jobId)
  return jobId
}

async function createJobFor(name: string): Promise<string> {
  const { call, sheet } = callers[name]!
  if (!name.startsWith('a guest')) return (await must('POST', '/jobs', job(sheet()))).id
  const allowGuests = (guestsRunMutations: boolean) =>
    must('PATCH', `/spaces/${sheet().spaceId}`, { settings: { guestsRunMutations } })
  await allowGuests(true)
  const { status, body } = await call('POST', '/jobs', job(sheet()))
  expect(status, JSON.stringify(body)).toBe(200)
  await allowGuests(false)
  return body.data.id
}

describe.each(Object.entries(WAYS))('%s', (where, way) => {
  it.each(MAY)('is allowed for %s', async (name) => {
    const { call, sheet } = callers[name]!
    const mine = where.includes('{id}') ? (await call('POST', '/jobs', job(sheet()))).body.data.id : ''
    const answer = await way(call, sheet(), mine)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  })
})

describe.each(Object.entries({ ...WAYS, ...REFUSED }))('%s', (_, way) => {
  it.each(MAY_NOT)('is rejected for %s', async (name) => {
    const { call, sheet } = callers[name]!
    const jobId = await getJobFor(name)
    const { status, body } = (await way(call, sheet(), jobId)) as ApiResponse<{ errors: { message: string }[] }>
    expect(name === 'a publishable key' ? [403, 404] : [403]).toContain(status)
    if (LACKING.includes(name))
      expect(body.errors[0]!.message).toMatch(/does not have the mutations:run permission.*guestsRunMutations/)
    expect((await must('GET', `/jobs/${jobId}`)).status).toBe('created')
  })
})

describe('jobs of actions', () => {
  it('are rejected like any other, whatever offers the action', async () => {
    const action = { operation: 'mutate-records', label: 'Tidy up', mode: 'foreground' }
    await must('PATCH', `/workbooks/${sheet.workbookId}`, { actions: [action] })
    const { call } = callers['a guest']!
    expect((await call('POST', '/jobs', job(sheet))).status).toBe(403)
    expect(
      (await call('POST', '/jobs', job(sheet, { config: undefined, trigger: 'immediate', managed: true }))).status,
    ).toBe(403)
    const bulk = { actions: [{ ...action, targetId: sheet.spaceId, schedule: 'hourly' }] }
    expect((await call('POST', '/actions/bulk', bulk)).status).not.toBe(200)
  })

  it('are not rejected for listener operations with other names', async () => {
    const { call } = callers['a guest']!
    const other = { type: 'workbook', operation: 'submit', source: sheet.workbookId }
    expect((await call('POST', '/jobs', other)).status).toBe(200)
    expect(
      (
        await call('POST', '/jobs', {
          ...other,
          operation: 'find-replace',
          config: { sheetId: sheet.sheetId, fieldKey: 'name', find: 'q' },
        })
      ).status,
    ).toBe(200)
  })
})

describe('settings.guestsRunMutations', () => {
  const settings = { guestsRunMutations: true }

  it('can be set by callers with mutations:run, and not by a publishable key', async () => {
    const page = createCaller(account.publishableKey)
    const created = await page('POST', '/spaces', { name: 'Open', settings })
    expect([created.status, created.body.errors?.[0].message]).toEqual([
      403,
      expect.stringContaining('guestsRunMutations'),
    ])
    expect((await page('POST', '/internal/spaces/init', { space: { name: 'Open', settings } })).status).toBe(403)
    expect(
      (await page('POST', '/spaces', { name: 'Closed', settings: { theme: 'x', guestsRunMutations: false } })).status,
    ).toBe(200)
    for (const name of LACKING)
      expect((await callers[name]!.call('PATCH', `/spaces/${sheet.spaceId}`, { settings })).status).not.toBe(200)
    const { call } = callers['an administrator of the space']!
    expect((await call('PATCH', `/spaces/${sheet.spaceId}`, { settings: {} })).status).toBe(200)
  })

  it('must be true or false', async () => {
    const { status, body } = await secret()('POST', '/spaces', { name: 'S', settings: { guestsRunMutations: 'yes' } })
    expect([status, body.errors?.[0].key]).toEqual([400, 'settings.guestsRunMutations'])
  })

  it('takes effect with the next request', async () => {
    const at = await newSheet()
    const call = await createGuestCaller({ id: at.spaceId })
    const status = async () =>
      (await call('POST', '/jobs/preview-mutation', { sheetId: at.sheetId, mutateRecord })).status
    expect(await status()).toBe(403)
    await must('PATCH', `/spaces/${at.spaceId}`, { settings })
    expect(await status()).toBe(200)
    await must('PATCH', `/spaces/${at.spaceId}`, { settings: { guestsRunMutations: false } })
    expect(await status()).toBe(403)
  })
})
