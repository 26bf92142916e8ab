/** Broken function level authorization (OWASP API5:2023), for each role over all endpoints. */
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { createCaller } from '../support/api.ts'
import { createFixture, type Fixture, fillExample } from '../support/fixture.ts'
import { createUser } from '../support/resources.ts'

let mine: Fixture
const tokens: Record<string, string> = {}

beforeAll(async () => {
  mine = await createFixture()
  const { environmentId, spaceId, guestId } = mine.ids
  const admin = createCaller(mine.token)
  const memberWith = async (actorRoles: object[]) => (await createUser(actorRoles, admin)).token
  tokens.reader = await memberWith([{ roleId: 'us_rol_reader', resourceId: environmentId }])
  tokens.nobody = await memberWith([])
  tokens.space = await memberWith([{ roleId: 'us_rol_administrator', resourceId: spaceId }])
  tokens.guest = (await admin('GET', `/guests/${guestId}/token`)).body.data.token
  const made = await createCaller(mine.account.publishableKey)('POST', '/spaces', { name: 'Embedded' })
  tokens.embedded = made.body.data.accessToken
})

async function statusOf(endpoint: Contract, token: string): Promise<number> {
  const { params = {}, query = {}, body } = fillExample(endpoint.example, mine.ids)
  const version = endpoint.version ? `/${endpoint.version}` : ''
  const path = `${version}${endpoint.path}`.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name]!),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one)
  const sent = endpoint.bodyType === 'jsonl' ? Buffer.from(String(body)) : body
  const answer = await createCaller(token)(endpoint.method, `${path}${search.size > 0 ? `?${search}` : ''}`, sent)
  return answer.status
}

const guarded = endpoints.filter(({ policy, bodyType }) => 'on' in policy && bodyType !== 'multipart')
const changes = guarded.filter(
  ({ method, policy }) => method !== 'GET' && 'on' in policy && !policy.can.endsWith(':read'),
)
const withNames = (list: Contract[]) => list.map((endpoint) => [endpoint.id, endpoint] as const)
const OF_ONESELF = [
  'accounts.current',
  'auth.listTokens',
  'auth.createToken',
  'oauth.describeRequest',
  'users.availableRoles',
]
/** A user connects an agent to an environment that the user can see. */
const FOR_READERS = [...OF_ONESELF, 'oauth.approve']
const SETTINGS = /^(account|users|roles|keys|tokens|environments|webhooks|retention|secrets|agents):/

describe.each(withNames(changes))('%s', (id, endpoint) => {
  it('is rejected for a reader', async () => {
    if (FOR_READERS.includes(id)) return expect(await statusOf(endpoint, tokens.reader!)).toBe(200)
    expect([400, 403, 404]).toContain(await statusOf(endpoint, tokens.reader!))
  })
})

describe.each(withNames(guarded))('%s', (id, endpoint) => {
  it('is rejected for a user without a role', async () => {
    const status = await statusOf(endpoint, tokens.nobody!)
    if (OF_ONESELF.includes(id)) expect(status).toBe(200)
    else expect([403, 404]).toContain(status)
  })

  const { policy } = endpoint
  const settings = 'on' in policy && SETTINGS.test(policy.can) && !FOR_READERS.includes(id)
  it.runIf(settings)('is rejected for guests, embedded spaces and users of a space', async () => {
    for (const token of [tokens.guest!, tokens.embedded!, tokens.space!])
      expect([403, 404]).toContain(await statusOf(endpoint, token))
  })
})
