/**
 * Foreign ids anywhere in a request (OWASP API1:2023), several at a time. Single ids are covered by
 * test/contract/access.test.ts.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createDataCaller, createTestAccount, type TestAccount } from '../support/api.ts'

type Call = ReturnType<typeof createCaller>
let mine: TestAccount
let stranger: TestAccount
let own: Call
let attacker: Call
let ids: Record<'spaceId' | 'workbookId' | 'sheetId' | 'recordId' | 'jobId' | 'guestId', string>
let attackers: Record<'spaceId' | 'sheetId', string>

const fillAccount = async (call: Call) => {
  const must = createDataCaller(() => call)
  const space = await must('POST', '/spaces', { name: 'S' })
  const sheets = [{ name: 'A', slug: 'a', fields: [{ key: 'k', type: 'string' }] }]
  const workbook = await must('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets })
  const sheetId = workbook.sheets[0].id as string
  const inserted = await must('POST', `/sheets/${sheetId}/records`, [{ k: { value: 'confidential zebra' } }])
  const job = await must('POST', '/jobs', { type: 'space', operation: 'x', source: space.id })
  const { environmentId } = space
  const config = { environmentId, email: 'victim@example.com', name: 'Victim', spaces: [{ id: space.id }] }
  const [guest] = await must('POST', '/guests', config)
  const found = { spaceId: space.id, workbookId: workbook.id, sheetId, jobId: job.id, guestId: guest.id }
  return { ...found, recordId: inserted.records[0].id as string }
}

beforeAll(async () => {
  mine = await createTestAccount()
  stranger = await createTestAccount()
  own = createCaller(mine.secretKey)
  attacker = createCaller(stranger.secretKey)
  ids = await fillAccount(own)
  attackers = await fillAccount(attacker)
}, 60_000)

const expectUnchanged = async () => {
  const { records } = (await own('GET', `/sheets/${ids.sheetId}/records`)).body.data
  expect(records.map(({ values }: { values: { k: { value: string } } }) => values.k.value)).toEqual([
    'confidential zebra',
  ])
  for (const path of [
    `/spaces/${ids.spaceId}`,
    `/workbooks/${ids.workbookId}`,
    `/jobs/${ids.jobId}`,
    `/guests/${ids.guestId}`,
  ])
    expect((await own('GET', path)).status).toBe(200)
}

describe('resources of another account', () => {
  it('cannot be read, changed or deleted by id in a path', async () => {
    const paths = [
      `/spaces/${ids.spaceId}`,
      `/workbooks/${ids.workbookId}`,
      `/sheets/${ids.sheetId}`,
      `/sheets/${ids.sheetId}/records`,
      `/sheets/${ids.sheetId}/download`,
      `/jobs/${ids.jobId}`,
      `/guests/${ids.guestId}`,
      `/guests/${ids.guestId}/token`,
      `/environments/${mine.environmentId}`,
    ]
    for (const path of paths)
      for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
        const answer = await attacker(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
        expect([400, 403, 404, 405], `${method} ${path}`).toContain(answer.status)
        expect(JSON.stringify(answer.body)).not.toMatch(/zebra|victim@/)
      }
    await expectUnchanged()
  })

  it("cannot be reached through the caller's resources by id in a query or a body", async () => {
    const { spaceId, sheetId } = attackers
    const attempts: [string, string, unknown?][] = [
      ['GET', `/workbooks?spaceId=${ids.spaceId}`],
      ['GET', `/jobs?spaceId=${ids.spaceId}`],
      ['GET', `/guests?spaceId=${ids.spaceId}`],
      ['GET', `/events?spaceId=${ids.spaceId}`],
      ['POST', '/workbooks', { spaceId: ids.spaceId, name: 'W' }],
      ['PATCH', `/spaces/${spaceId}`, { primaryWorkbookId: ids.workbookId }],
      ['POST', '/jobs', { type: 'workbook', operation: 'x', source: ids.workbookId }],
      ['POST', '/jobs', { type: 'sheet', operation: 'export', source: ids.sheetId }],
      ['POST', '/data-clips', { name: 'C', sourceSheetId: ids.sheetId }],
      ['POST', '/snapshots', { sheetId: ids.sheetId }],
      ['POST', '/mapping', { source: { name: 'S', fields: [] }, destinationSheetId: ids.sheetId }],
      ['POST', '/webhooks', { environmentId: mine.environmentId, url: 'http://127.0.0.1:9/', topics: ['**'] }],
      ['POST', '/secrets', { environmentId: mine.environmentId, name: 'N', value: 'v' }],
      ['POST', `/sheets/${sheetId}/records`, [{ id: ids.recordId, k: { value: 'x' } }]],
      [
        'POST',
        '/guests',
        { environmentId: stranger.environmentId, email: 'me@example.com', name: 'Me', spaces: [{ id: ids.spaceId }] },
      ],
      ['POST', '/invitations', { guestId: ids.guestId, spaceId: ids.spaceId }],
    ]
    for (const [method, path, body] of attempts) {
      const answer = await attacker(method, path, body)
      const told = `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`
      const isOwn = path.startsWith(`/sheets/${sheetId}`) || path === `/spaces/${spaceId}`
      if (answer.status === 200 && method === 'GET') expect(answer.body.data, told).toEqual([])
      else if (!isOwn) expect([400, 403, 404], told).toContain(answer.status)
      expect(told).not.toMatch(/zebra|victim@/)
    }
    await expectUnchanged()
  })

  it("reject a whole list that names them next to the caller's own", async () => {
    const doomed = (await attacker('POST', '/spaces', { name: 'Own' })).body.data.id
    const answer = await attacker('DELETE', `/spaces?spaceIds=${doomed}&spaceIds=${ids.spaceId}`)
    expect(answer.status).toBe(404)
    expect((await attacker('GET', `/spaces/${doomed}`)).status).toBe(200)
    const grants = [{ id: doomed }, { id: ids.spaceId }]
    const { environmentId } = stranger
    const email = `both-${Date.now()}@example.com`
    expect((await attacker('POST', '/guests', { environmentId, email, name: 'B', spaces: grants })).status).toBe(404)
    const { data } = (await attacker('GET', `/guests?environmentId=${environmentId}&email=${email}`)).body
    expect(data).toEqual([])
    await expectUnchanged()
  })
})
