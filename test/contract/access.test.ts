/** Access to every endpoint, based on its example: hidden and missing resources look the same. */
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import type { Contract } from '../../schemas/kit/endpoint.ts'
import { ErrorBody } from '../../schemas/kit/error-codes.ts'
import { type ApiResponse, createCaller, createTestAccount, getAccessToken, type TestAccount } from '../support/api.ts'
import { callExample } from '../support/call-example.ts'
import { createFixture, type Fixture } from '../support/fixture.ts'
import { createUnknownId } from '../support/foreign.ts'

let mine: Fixture
let stranger: TestAccount
let strangerSession: string
let guestElsewhere: string
let guestBeside: string

beforeAll(async () => {
  mine = await createFixture()
  stranger = await createTestAccount()
  strangerSession = await getAccessToken(stranger)
  const { environmentId, spaceId } = mine.ids
  const call = createCaller(mine.token)
  const space = (await call('POST', '/spaces', { environmentId, name: 'Another' })).body.data
  const workbook = (await call('POST', '/workbooks', { spaceId, name: 'Another' })).body.data
  const tokenOf = async (email: string, grant: object) => {
    const config = { environmentId, email, name: 'Guest', spaces: [grant] }
    const [guest] = (await call('POST', '/guests', config)).body.data
    return (await call('GET', `/guests/${guest.id}/token`)).body.data.token as string
  }
  guestElsewhere = await tokenOf('elsewhere@example.com', { id: space.id })
  guestBeside = await tokenOf('beside@example.com', { id: spaceId, workbooks: [{ id: workbook.id }] })
})

const guarded = endpoints.filter((endpoint) => 'on' in endpoint.policy)
const byToken = endpoints.filter((endpoint) => 'subscription' in endpoint.policy)
const scopeOf = (endpoint: Contract): string => ('on' in endpoint.policy ? endpoint.policy.on : 'public')

const idsOfNothing = (): Record<string, string> =>
  Object.fromEntries(Object.entries(mine.ids).map(([name, id]) => [name, createUnknownId(id)]))

async function expectHidden(endpoint: Contract, token: string): Promise<void> {
  const nothing = idsOfNothing()
  const hidden = await callExample(endpoint, token, mine.ids)
  const missing = await callExample(endpoint, token, nothing)
  expectErrors(hidden, 404)
  expectErrors(missing, 404)
  const neutralize = (answer: ApiResponse, ids: Record<string, string>) =>
    Object.values(ids).reduce((text, id) => text.replaceAll(id, '<id>'), JSON.stringify(answer.body))
  expect(neutralize(hidden, mine.ids)).toBe(neutralize(missing, nothing))
}

async function expectNothingOf(endpoint: Contract, token: string, names: string[]): Promise<void> {
  const answer = await callExample(endpoint, token, mine.ids)
  if (answer.status !== 200) return expectErrors(answer, answer.status === 404 ? 404 : 403)
  for (const name of names) expect(JSON.stringify(answer.body)).not.toContain(mine.ids[name])
}

const expectErrors = (answer: ApiResponse, status: number) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect(ErrorBody.safeParse(answer.body).success, JSON.stringify(answer.body)).toBe(true)
}

describe.each(guarded.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_id, endpoint) => {
  it('rejects a caller without a token, with an unknown one, and with a forged one', async () => {
    expectErrors(await callExample(endpoint, undefined, mine.ids), 401)
    expectErrors(await callExample(endpoint, `sk_${'a'.repeat(22)}_${'b'.repeat(47)}`, mine.ids), 401)
    expectErrors(await callExample(endpoint, `${mine.token.slice(0, -6)}AAAAAA`, mine.ids), 401)
  })

  const named = scopeOf(endpoint) !== 'account' && !(scopeOf(endpoint) === 'environments' && !('at' in endpoint.policy))
  it.runIf(named && endpoint.bodyType !== 'multipart')(
    'returns the same 404 to a key and an administrator of another account for existing and missing resources',
    async () => {
      await expectHidden(endpoint, stranger.secretKey)
      await expectHidden(endpoint, strangerSession)
    },
  )

  const sent = endpoint.bodyType !== 'multipart'
  const wide = ['account', 'environment', 'environments'].includes(scopeOf(endpoint))
  it.runIf(sent)('hides resources of another space from a guest', () =>
    wide
      ? expectNothingOf(endpoint, guestElsewhere, ['spaceId', 'workbookId', 'sheetId', 'guestId'])
      : expectHidden(endpoint, guestElsewhere),
  )
  it.runIf(sent)('hides resources outside its workbook from a guest of a workbook', () =>
    wide || scopeOf(endpoint) === 'space'
      ? expectNothingOf(endpoint, guestBeside, ['workbookId', 'sheetId', 'fileId', 'documentId', 'guestId'])
      : expectHidden(endpoint, guestBeside),
  )

  const creates = 'on' in endpoint.policy && endpoint.policy.can === 'spaces:create'
  it.runIf(!creates && endpoint.bodyType !== 'multipart')('rejects a publishable key', async () => {
    const answer = await callExample(endpoint, mine.account.publishableKey, mine.ids)
    expect([403, 404]).toContain(answer.status)
  })
})

describe.each(byToken.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_id, endpoint) => {
  it('rejects a caller without a subscription token, and a forged token, another kind, or one for another channel', async () => {
    const { subscriptionToken, environmentId } = mine.ids
    const strangers = await createCaller(stranger.secretKey)('GET', '/subscription')
    for (const [subscription, channel] of [
      ['', environmentId],
      [`${subscriptionToken!.slice(0, -6)}AAAAAA`, environmentId],
      [mine.token, environmentId],
      [mine.account.secretKey, environmentId],
      [strangers.body.data.token, environmentId],
      [subscriptionToken, stranger.environmentId],
    ] as const)
      expectErrors(
        await callExample(endpoint, undefined, {
          ...mine.ids,
          subscriptionToken: subscription!,
          environmentId: channel!,
        }),
        403,
      )
  })
})

it('no endpoint accepts a subscription token as a bearer', async () => {
  expectErrors(await createCaller(mine.ids.subscriptionToken)('GET', '/spaces'), 401)
})

describe('every example', () => {
  const PARENTS = [
    'programs.remove',
    'apps.remove',
    'threads.remove',
    'users.remove',
    'guests.remove',
    'agents.remove',
    'canvases.remove',
    'sheets.remove',
    'workbooks.remove',
    'spaces.remove',
    'environments.remove',
  ]
  // Deletions last, children before their parents.
  const REPEATABLE = ['programs.forget', 'jobs.undoImport']
  const order = ({ method, id }: Contract) =>
    method !== 'DELETE' || REPEATABLE.includes(id) ? 0 : 2 + PARENTS.indexOf(id)
  const sorted = endpoints
    .filter((endpoint) => endpoint.bodyType !== 'multipart')
    .toSorted((a, b) => order(a) - order(b))

  it.each(sorted.filter((endpoint) => order(endpoint) === 0).map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s works for an administrator or explains why not',
    async (_id, endpoint) => {
      const outsideBrowsers = 'on' in endpoint.policy && endpoint.policy.outsideBrowsers
      const token = outsideBrowsers ? mine.account.secretKey : mine.token
      const answer = await callExample(endpoint, token, mine.ids)
      expect([200, 302, 307, 409], JSON.stringify(answer.body)).toContain(answer.status)
      if (answer.status === 409) expect(ErrorBody.safeParse(answer.body).success).toBe(true)
    },
  )

  it.each(sorted.filter((endpoint) => order(endpoint) > 0).map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s removes once, then returns 404',
    async (_id, endpoint) => {
      const own = endpoint.id === 'spaces.removeMany' ? await createFixture() : mine
      const first = await callExample(endpoint, own.token, own.ids)
      expect(first.status, JSON.stringify(first.body)).toBe(200)
      const second = await callExample(endpoint, own.token, own.ids)
      expectErrors(second, 404)
    },
  )
})
