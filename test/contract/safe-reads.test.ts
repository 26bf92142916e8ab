/** A GET changes nothing, because a browser sends one for any link. There is one exception, with its own guard. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { FlatfileClient } from '@flatfile/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { createCaller, getAccessToken, getServer } from '../support/api.ts'
import { callExample } from '../support/call-example.ts'
import { createFixture, type Fixture } from '../support/fixture.ts'

let mine: Fixture
let token: string
let session: string

beforeAll(async () => {
  mine = await createFixture()
  const made = await createCaller(mine.token)('POST', '/auth/personal-access-tokens', { name: 'Script' })
  token = made.body.data.token
  const { email, password } = mine.account
  session = await getAccessToken({ email, password })
}, 60_000)
afterAll(async () => {
  const { documents } = await import('../../lib/table/client.ts')
  documents.destroy()
})

async function stateOf(accountId: string): Promise<Map<string, string>> {
  const { documents, getTableName } = await import('../../lib/table/client.ts')
  const state = new Map<string, string>()
  for (let start: Record<string, unknown> | undefined; ; ) {
    const page = await documents.send(
      new ScanCommand({ TableName: getTableName(), ConsistentRead: true, ExclusiveStartKey: start }),
    )
    for (const { lastUsedAt, lastSeenAt, ...item } of page.Items ?? []) {
      const text = JSON.stringify(item)
      if (text.includes(accountId) && !NOTED.test(String(item.pk))) state.set(`${item.pk} ${item.sk}`, text)
    }
    start = page.LastEvaluatedKey
    if (!start) return state
  }
}

/** Webhook deliveries are retried on their own schedule. */
const NOTED = /^(audit|usage|meter|webhook-delivery)/

const GETS = endpoints.filter(({ method }) => method === 'GET')

function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key))
}

async function quietState(): Promise<Map<string, string>> {
  for (let before = await stateOf(mine.account.accountId); ; ) {
    await sleep(1500)
    const after = await stateOf(mine.account.accountId)
    if (changed(before, after).length === 0) return after
    before = after
  }
}

describe('the GET endpoints', () => {
  it('have one exception, which published clients use to change state', () => {
    const guarded = endpoints.filter(({ policy }) => 'on' in policy && policy.outsideBrowsers)
    expect(guarded.map(({ id }) => id)).toEqual(['agents.revert'])
  })

  it('leave the state of the account unchanged', async () => {
    const before = await quietState()
    for (const endpoint of GETS) {
      if (endpoint.id === 'agents.revert' || endpoint.waits) continue
      for (const bearer of [mine.account.secretKey, mine.token]) await callExample(endpoint, bearer, mine.ids)
    }
    expect(changed(before, await stateOf(mine.account.accountId))).toEqual([])
    await createCaller(mine.token)('PATCH', `/spaces/${mine.ids.spaceId}`, { name: 'A change is seen' })
    expect(changed(before, await stateOf(mine.account.accountId))).toContain(`space#${mine.ids.spaceId} -`)
  }, 120_000)
})

describe('GET /agents/{agentId}/versions/{agentVersionId}/revert', () => {
  const path = () => `/agents/${mine.ids.agentId}/versions/${mine.ids.agentVersionId}/revert`
  const statusOf = async (bearer: string, headers: Record<string, string> = {}) =>
    (await createCaller(bearer)('GET', path(), undefined, headers)).status

  it('works for published clients with a secret key or a personal access token', async () => {
    process.env.FLATFILE_API_URL = getServer().baseUrl
    for (const bearer of [mine.account.secretKey, token]) {
      const { data } = await new FlatfileClient({ token: bearer }).agents.revert(
        mine.ids.agentId!,
        mine.ids.agentVersionId!,
      )
      expect(data?.id).toBe(mine.ids.agentVersionId)
    }
  })

  it("is rejected for a user's session", async () => expect(await statusOf(session)).toBe(403))

  it.each([
    { origin: 'http://evil.example' },
    { referer: 'http://evil.example/' },
    { cookie: 'a=b' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-dest': 'document' },
  ])('is rejected for a browser: %o', async (headers) => {
    const { request } = await import('node:http')
    const url = `${getServer().baseUrl}/v1${path()}`
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        url,
        { headers: { authorization: `Bearer ${mine.account.secretKey}`, ...headers } as never },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        },
      )
      sent.on('error', reject)
      sent.end()
    })
    expect(status).toBe(403)
  })

  it('is a POST for all other callers', async () => {
    const answer = await createCaller(mine.token)('POST', path())
    expect([answer.status, answer.body.data?.id]).toEqual([200, mine.ids.agentVersionId])
  })
})
