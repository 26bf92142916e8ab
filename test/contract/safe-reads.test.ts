/** A GET changes nothing: a browser sends one for whoever makes it follow an address. One exception, with its guard. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { FlatfileClient } from '@flatfile/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { callerOf, server } from '../support/api.ts'
import { callExample } from '../support/call-example.ts'
import { type Fixture, fixture } from '../support/fixture.ts'

let mine: Fixture
let token: string
/** Of a user who signed in by password. */
let session: string

beforeAll(async () => {
  mine = await fixture()
  const made = await callerOf(mine.token)('POST', '/auth/personal-access-tokens', { name: 'Script' })
  token = made.body.data.token
  const { email, password } = mine.account
  session = (await callerOf(undefined)('POST', '/auth', { email, password })).body.accessToken
}, 60_000)
afterAll(async () => {
  const { documents } = await import('../../lib/table/client.ts')
  documents.destroy()
})

/** The state of the account by the keys of its items, without the times at which a credential was last used. */
async function stateOf(accountId: string): Promise<Map<string, string>> {
  const { documents, tableName } = await import('../../lib/table/client.ts')
  const state = new Map<string, string>()
  for (let start: Record<string, unknown> | undefined; ; ) {
    const page = await documents.send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey: start }),
    )
    for (const { lastUsedAt, lastSeenAt, ...item } of page.Items ?? []) {
      const text = JSON.stringify(item)
      if (text.includes(accountId) && !NOTED.test(String(item.pk))) state.set(`${item.pk} ${item.sk}`, text)
    }
    start = page.LastEvaluatedKey
    if (!start) return state
  }
}

/** The audit log notes what users read; usage is counted in the background. */
const NOTED = /^(audit|usage|meter)/

const GETS = endpoints.filter(({ method }) => method === 'GET')

/** What differs, by key. */
function changed(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key))
}

/** Until the work that the fixture caused in the background has ended. */
async function quietState(): Promise<Map<string, string>> {
  for (let before = await stateOf(mine.account.accountId); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const after = await stateOf(mine.account.accountId)
    if (changed(before, after).length === 0) return after
    before = after
  }
}

describe('the GET endpoints', () => {
  it('have one exception, which published clients change state by', () => {
    const guarded = endpoints.filter(({ policy }) => 'on' in policy && policy.outsideBrowsers)
    expect(guarded.map(({ id }) => id)).toEqual(['agents.revert'])
  })

  it('leave the state of the account as it is', async () => {
    const before = await quietState()
    for (const endpoint of GETS) {
      if (endpoint.id === 'agents.revert' || endpoint.waits) continue
      for (const bearer of [mine.account.secretKey, mine.token]) await callExample(endpoint, bearer, mine.ids)
    }
    expect(changed(before, await stateOf(mine.account.accountId))).toEqual([])
    await callerOf(mine.token)('PATCH', `/spaces/${mine.ids.spaceId}`, { name: 'A change is seen' })
    expect(changed(before, await stateOf(mine.account.accountId))).toContain(`space#${mine.ids.spaceId} -`)
  }, 120_000)
})

describe('GET /agents/{agentId}/versions/{agentVersionId}/revert', () => {
  const path = () => `/agents/${mine.ids.agentId}/versions/${mine.ids.agentVersionId}/revert`
  const statusOf = async (bearer: string, headers: Record<string, string> = {}) =>
    (await callerOf(bearer)('GET', path(), undefined, headers)).status

  it('works for published clients with a secret key or a personal access token', async () => {
    process.env.FLATFILE_API_URL = server().baseUrl
    for (const bearer of [mine.account.secretKey, token]) {
      const { data } = await new FlatfileClient({ token: bearer }).agents.revert(
        mine.ids.agentId!,
        mine.ids.agentVersionId!,
      )
      expect(data?.id).toBe(mine.ids.agentVersionId)
    }
  })

  it('is refused to the session of a user', async () => expect(await statusOf(session)).toBe(403))

  it.each([
    { origin: 'http://evil.example' },
    { referer: 'http://evil.example/' },
    { cookie: 'a=b' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-dest': 'document' },
  ])('is refused to a browser: %o', async (headers) => {
    const { request } = await import('node:http')
    const url = `${server().baseUrl}/v1${path()}`
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

  it('is a POST for everybody else', async () => {
    const answer = await callerOf(mine.token)('POST', path())
    expect([answer.status, answer.body.data?.id]).toEqual([200, mine.ids.agentVersionId])
  })
})
