/** Well-formed requests that are rejected: resources from elsewhere, and invalid combinations. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ApiResponse, createCaller, getServer } from '../support/api.ts'
import { account, admin, call, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { uploadFile } from '../support/upload.ts'

let production: string
let ids: Record<string, string>

beforeAll(async () => {
  await createFreshAccount()
  production = account.environments[1]!.environment.id
  const { environmentId } = account
  const newWorkbook = async (name: string) => {
    const space = await must('POST', '/spaces', { environmentId, name })
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
    const workbook = await must('POST', '/workbooks', { spaceId: space.id, name, sheets })
    return { spaceId: space.id, workbookId: workbook.id, sheetId: workbook.sheets[0].id }
  }
  const [here, there] = [await newWorkbook('Here'), await newWorkbook('There')]
  const createAndGetId = async (path: string, body: object) => (await must('POST', path, body)).id as string
  const threadOf = () => createAndGetId('/threads', { resourceId: here.sheetId, status: 'ready' })
  const threadId = await threadOf()
  const canvasId = await createAndGetId('/canvases', { spaceId: here.spaceId })
  const areaOn = (id: string) => createAndGetId('/canvas-areas', { canvasId: id, type: 'sheet', position: 'middle' })
  const config = (email: string, spaces: object[]) => ({ environmentId, email, name: 'Guest', spaces })
  const [guest, nobody] = await must('POST', '/guests', [
    config('guest@example.com', [{ id: here.spaceId }]),
    config('nobody@example.com', []),
  ])
  ids = {
    ...here,
    otherSpaceId: there.spaceId,
    otherWorkbookId: there.workbookId,
    otherSheetId: there.sheetId,
    threadId,
    messageId: await createAndGetId(`/threads/${threadId}/messages`, { role: 'user', content: {} }),
    canvasId,
    areaId: await areaOn(canvasId),
    appId: await createAndGetId('/apps', { name: 'App', namespace: 'refusals', type: 'CUSTOM' }),
    viewId: await createAndGetId('/views', { sheetId: here.sheetId, name: 'V', config: {} }),
    fileId: await uploadFile(account, here.spaceId, 'a.bin', 'abc'),
    guestId: guest.id,
    nobodyId: nobody.id,
    jobId: await createAndGetId('/jobs', { type: 'space', operation: 'x', source: here.spaceId }),
    environmentId,
    production,
    accountId: account.accountId,
  }
})

const fillIds = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value ?? null).replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole))
const expectRefused = ({ status, body }: ApiResponse<{ errors?: object[] }>, wanted: number, key?: string) => {
  expect(status, JSON.stringify(body)).toBe(wanted)
  expect(body.errors, JSON.stringify(body)).toMatchObject([{ message: expect.any(String), ...(key ? { key } : {}) }])
}

describe('resources from elsewhere', () => {
  it.each([
    [
      'a workbook in its environment',
      'POST /workbooks',
      { spaceId: '{spaceId}', name: 'w', environmentId: '{production}' },
      'environmentId',
    ],
    [
      'a changed workbook in its environment',
      'PATCH /workbooks/{workbookId}',
      { environmentId: '{production}' },
      'environmentId',
    ],
    [
      'a sheet in its workbook',
      'PATCH /workbooks/{workbookId}',
      { sheets: [{ id: '{sheetId}', workbookId: '{otherWorkbookId}' }] },
      'sheets.0.workbookId',
    ],
    ['a file beside its workbook', 'PATCH /files/{fileId}', { workbookId: '{otherWorkbookId}' }, 'workbookId'],
    ['a guest in its environment', 'PATCH /guests/{guestId}', { environmentId: '{production}' }, 'environmentId'],
    [
      'a guest within the spaces it has',
      'PATCH /guests/{guestId}',
      { spaces: [{ id: '{spaceId}', workbooks: [{ id: '{otherWorkbookId}' }] }] },
      'spaces',
    ],
    ['a constraint in its app', 'POST /apps/{appId}/constraints', { validator: 'v', appId: 'us_app_other' }, 'appId'],
    [
      'a mapping in one space',
      'POST /mapping?environmentId={environmentId}',
      { sourceSheetId: '{sheetId}', destinationSheetId: '{otherSheetId}' },
      'destinationSheetId',
    ],
    [
      'an event in one space',
      'POST /events',
      {
        topic: 'a:b',
        domain: 'a',
        context: { environmentId: '{environmentId}', sheetId: '{sheetId}', workbookId: '{otherWorkbookId}' },
        payload: {},
      },
      'context.sheetId',
    ],
  ] as const)('%s', async (_name, request, body, key) => {
    const [method, path] = fillIds(request).split(' ')
    expectRefused(await admin(method!, path!, fillIds(body)), 400, key)
  })

  it('rejects a sheet of another workbook, and a file in another environment', async () => {
    const update = { sheets: [{ id: ids.otherSheetId, name: 'Taken' }] }
    expectRefused(await admin('PATCH', `/workbooks/${ids.workbookId}`, update), 404)
    const form = new FormData()
    form.append('spaceId', ids.spaceId!)
    form.append('environmentId', production)
    form.append('file', new Blob(['a']), 'a.csv')
    const headers = { authorization: `Bearer ${account.secretKey}` }
    const answer = await fetch(`${getServer().baseUrl}/v1/files`, { method: 'POST', headers, body: form })
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ key: 'environmentId' }] }])
  })
})

describe('invalid combinations', () => {
  const job = { type: 'space', operation: 'x', source: '{spaceId}' }
  const map = { sourceSheetId: '{sheetId}', destinationSheetId: '{copyId}' }
  it.each([
    ['an administrator’s list of workbooks and no space', 'GET /workbooks', undefined, 400, 'spaceId'],
    ['an administrator’s list of files and no space', 'GET /files', undefined, 400, 'spaceId'],
    [
      'an id that is no text',
      'POST /events',
      { topic: 'a:b', domain: 'a', context: { environmentId: '{environmentId}', documentId: 7 }, payload: {} },
      400,
      'context.documentId',
    ],
    ['deleting records and none named', 'DELETE /sheets/{sheetId}/records', undefined, 400, undefined],
    ['at once and again and again', 'POST /jobs', { ...job, immediate: true, schedule: 'daily' }, 400, 'schedule'],
    ['a status no job is set to', 'PATCH /jobs/{jobId}', { status: 'waiting' }, 400, 'status'],
    [
      'a plan and again and again',
      'POST /jobs',
      { type: 'workbook', operation: 'map', source: '{workbookId}', managed: true, config: map, schedule: 'daily' },
      400,
      'schedule',
    ],
    ['a token and a guest of nothing', 'GET /guests/{nobodyId}/token', undefined, 409, undefined],
    [
      'a token for a space the guest has not',
      'GET /guests/{guestId}/token?spaceId={otherSpaceId}',
      undefined,
      404,
      undefined,
    ],
    [
      'a space and a guest who has it not',
      'DELETE /guests/{guestId}?spaceId={otherSpaceId}',
      undefined,
      404,
      undefined,
    ],
  ] as const)('%s', async (_name, request, body, status, key) => {
    ids.copyId ??= (await must('POST', `/sheets/${ids.sheetId}/duplicate`)).id
    const [method, path] = fillIds(request).split(' ')
    expectRefused(await admin(method!, path!, fillIds(body) ?? undefined), status, key)
  })

  it('rejects a duplicate field and one field too many', async () => {
    const fields = Array.from({ length: 500 }, (_, i) => ({ key: `f${i}`, type: 'string' }))
    const { id } = await must('POST', '/workbooks', {
      spaceId: ids.spaceId,
      name: 'w',
      sheets: [{ name: 'S', fields }],
    })
    const [sheet] = await must('GET', `/sheets?workbookId=${id}`)
    expectRefused(await call('POST', `/sheets/${sheet.id}/fields`, { key: 'f0', type: 'string' }), 409)
    expectRefused(await call('POST', `/sheets/${sheet.id}/fields`, { key: 'more', type: 'string' }), 400, 'key')
    expect((await must('GET', `/sheets/${sheet.id}`)).config.fields).toHaveLength(500)
  })
})

describe('a locked sheet', () => {
  it('rejects writes by every endpoint and still returns its records', async () => {
    const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
    const { sheets: made } = await must('POST', '/workbooks', { spaceId: ids.spaceId, name: 'Locked', sheets })
    const path = `/sheets/${made[0].id}`
    const { records, commitId } = await must('POST', `${path}/records`, [{ a: 'one' }])
    const snapshot = await must('POST', '/snapshots', { sheetId: made[0].id })
    await must('POST', `${path}/lock`)
    const line = Buffer.from('{"a":"two"}')
    for (const write of [
      () => call('POST', `${path}/records`, [{ a: 'two' }]),
      () => call('PUT', `${path}/records`, [{ id: records[0].id, values: { a: 'two' } }]),
      () => call('DELETE', `${path}/records?ids=${records[0].id}`),
      () => call('PATCH', `${path}/records/bulk-update?filter=all`, { fieldUpdates: { a: 'two' } }),
      () => call('PUT', `${path}/find-replace`, { fieldKey: 'a', find: 'one', replace: 'two' }),
      () => call('POST', `/v2-alpha/records.jsonl?sheetId=${made[0].id}&truncate=true`, line),
      () => call('POST', `/snapshots/${snapshot.id}/restore`),
    ])
      expectRefused(await write(), 409)
    const read = await must('GET', `${path}/records`)
    expect([
      read.commitId,
      read.records.map(({ values }: { values: { a: { value: string } } }) => values.a.value),
    ]).toEqual([commitId, ['one']])
  })
})

describe('oversized input', () => {
  const text = (bytes: number) => randomBytes(bytes / 2).toString('hex')
  it.each([
    ['a changed job', 'PATCH /jobs/{jobId}', () => ({ metadata: { text: text(210_000) } }), 413],
    [
      'a plan',
      'PUT /jobs/{jobId}/plan',
      () => ({
        fieldMapping: [{ sourceField: { key: 'a', label: text(600_000) }, destinationField: { key: 'b' } }],
        unmappedSourceFields: [],
        unmappedDestinationFields: [],
      }),
      413,
    ],
    ['a canvas', 'POST /canvases', () => ({ spaceId: '{spaceId}', config: { text: text(70_000) } }), 413],
    ['a changed canvas', 'PATCH /canvases/{canvasId}', () => ({ metadata: { text: text(70_000) } }), 413],
    ['a changed area', 'PATCH /canvas-areas/{areaId}', () => ({ config: { text: text(70_000) } }), 413],
    ['a changed thread', 'PUT /threads/{threadId}', () => ({ metadata: { text: text(70_000) } }), 413],
    [
      'a changed message',
      'PUT /threads/{threadId}/messages/{messageId}',
      () => ({ content: { text: text(310_000) } }),
      413,
    ],
    ['a changed app', 'PATCH /apps/{appId}', () => ({ blueprint: { text: text(310_000) } }), 400],
    ['a constraint', 'POST /apps/{appId}/constraints', () => ({ validator: 'large', function: text(70_000) }), 400],
  ] as const)('%s', async (_name, request, body, status) => {
    const [method, path] = fillIds(request).split(' ')
    expectRefused(await admin(method!, path!, fillIds(body())), status)
  })
})

describe('a guest', () => {
  it('cannot change what others saved, and cannot take snapshots', async () => {
    const { token } = await must('GET', `/guests/${ids.guestId}/token`)
    const guest = createCaller(token)
    expectRefused(await guest('PATCH', `/views/${ids.viewId}`, { name: 'Mine' }), 403)
    expectRefused(await guest('DELETE', `/views/${ids.viewId}`), 403)
    const line = Buffer.from('{"a":"x"}')
    expectRefused(await guest('POST', `/v2-alpha/records.jsonl?sheetId=${ids.sheetId}&snapshot=true`, line), 403)
    expect((await must('GET', `/views/${ids.viewId}`)).name).toBe('V')
  })
})

describe('a sheet too large to copy in one request', () => {
  it('is not copied at all, and the response says what to do', async () => {
    const { id, sheets } = await must('POST', '/workbooks', {
      spaceId: ids.otherSpaceId,
      name: 'Large',
      sheets: [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }],
    })
    await must('POST', `/sheets/${sheets[0].id}/records`, [{ a: 'x' }])
    const countEvents = async () => (await must('GET', `/events?spaceId=${ids.otherSpaceId}&pageSize=100`)).length
    const before = await countEvents()
    const { Sheets } = await import('../../lib/entities/sheets.ts')
    const { begin } = await import('../../lib/tx.ts')
    const { duplicateSheet } = await import('../../lib/workbooks/duplicate.ts')
    const sheet = (await Sheets.get(sheets[0].id))!
    const tx = begin({ accountId: account.accountId, actorId: account.userId })
    await expect(duplicateSheet(tx, sheet, {}, Date.now() - 21_000)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('workbook:map'),
    })
    expect(await must('GET', `/sheets?workbookId=${id}`)).toHaveLength(1)
    expect(await countEvents()).toBe(before)
    const copy = await must('POST', `/sheets/${sheets[0].id}/duplicate`, { name: 'Copy' })
    expect((await must('GET', `/sheets/${copy.id}/counts`)).counts.total).toBe(1)
  })
})
