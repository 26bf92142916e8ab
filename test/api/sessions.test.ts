import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getAccessToken, type TestAccount } from '../support/api.ts'
import { account, anybody, type Caller, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { acceptInvitation, createGuest, createSheet, createSpace, createUser, newEmail } from '../support/resources.ts'
import { createUniqueName } from '../support/unique-name.ts'

let admin: Caller
const signIn = async (email: string, password: string, more: object = {}) =>
  anybody('POST', '/auth', { email, password, ...more })
const adminOf = async ({ email, password }: TestAccount) =>
  createCaller((await signIn(email, password)).body.accessToken as string)

beforeAll(async () => {
  await createFreshAccount()
  admin = await adminOf(account)
})

const newSpace = (guestAuthentication = 'shared_link') => createSpace({ guestAuthentication })
const newGuest = (...spaceIds: string[]): Promise<{ id: string; email: string }> =>
  createGuest(spaceIds.map((id) => ({ id })))
const linkTokenOf = (link: string) => new URL(link).hash.replace('#token=', '')
const guestLink = async (spaceId: string) => linkTokenOf((await must('GET', `/spaces/${spaceId}`)).guestLink)
const exchange = async (token: string, email?: string) =>
  (await anybody('POST', '/invitations/exchange', { token, email })).body.data as { valid: boolean; token?: string }
const statusOf = async (token: string, path = '/spaces') => (await createCaller(token)('GET', path)).status

describe('POST /auth with the legacy pair', () => {
  it('updates the last use of the personal access token, and so does the token it returned', async () => {
    const made = await must('POST', '/auth/personal-access-tokens', { name: 'used' })
    const { id: clientId, lastUsedAt } = made.personalAccessToken
    expect(lastUsedAt).toBeUndefined()
    const getLastUse = async () =>
      (await must<{ id: string; lastUsedAt?: string }[]>('GET', '/auth/personal-access-tokens')).find(
        ({ id }) => id === clientId,
      )!.lastUsedAt
    expect(await getLastUse()).toBeUndefined()
    const accessToken = await getAccessToken({ clientId, secret: made.token })
    expect(await getLastUse()).toEqual(expect.any(String))
    const { documents, getTableName } = await import('../../lib/table/client.ts')
    const { UpdateCommand } = await import('@aws-sdk/lib-dynamodb')
    const old = '2026-01-01T00:00:00.000Z'
    await documents.send(
      new UpdateCommand({
        TableName: getTableName(),
        Key: { pk: `token#${clientId}`, sk: '-' },
        UpdateExpression: 'SET lastUsedAt = :old',
        ExpressionAttributeValues: { ':old': old },
      }),
    )
    expect(await statusOf(accessToken)).toBe(200)
    expect((await getLastUse())! > old).toBe(true)
  })
})

describe('GET /guests/{guestId}/token', () => {
  it('called by the guest continues its session: the sign-in time stays the same', async () => {
    const space = await newSpace()
    const guest = await newGuest(space.id)
    const first = (await must('GET', `/guests/${guest.id}/token`)).token as string
    const { iat } = decodeJwt(first)
    await sleep(1100)
    const own = (await createCaller(first)('GET', `/guests/${guest.id}/token`)).body.data.token as string
    const again = (await createCaller(own)('GET', `/guests/${guest.id}/token?spaceId=${space.id}`)).body.data
      .token as string
    const refreshed = (await anybody('POST', '/auth/refresh-token', again)).body.accessToken as string
    for (const token of [own, again, refreshed]) {
      expect(decodeJwt(token).iat).toBeGreaterThan(iat!)
      expect(decodeJwt(token).auth_time).toBe(iat)
    }
  })

  it('is rejected once the session is over, 7 days after the guest signed in', async () => {
    const space = await newSpace()
    const guest = await newGuest(space.id)
    const { signToken } = await import('../../lib/auth/signing.ts')
    const now = Math.floor(Date.now() / 1000)
    const claims = (since: number) => ({
      sub: guest.id,
      acc: account.accountId,
      kind: 'guest' as const,
      env: account.environmentId,
      auth_time: since,
    })
    const newTokenSince = async (since: number) => (await signToken(claims(since), 600)).token
    const ask = async (token: string) => createCaller(token)('GET', `/guests/${guest.id}/token`)
    const young = await ask(await newTokenSince(now - 7 * 86_400 + 100))
    expect(young.status).toBe(200)
    expect(decodeJwt(young.body.data.token).exp! - now).toBeLessThanOrEqual(100)
    expect((await ask(await newTokenSince(now - 7 * 86_400 - 1))).status).toBe(401)
  })
})

describe('a shared link', () => {
  const signInBy = async (spaceId: string, email: string) => (await exchange(await guestLink(spaceId), email)).token!

  it('that is disabled ends its sessions permanently and starts no more', async () => {
    const space = await newSpace()
    const guest = await newGuest(space.id)
    const link = await guestLink(space.id)
    const token = await signInBy(space.id, guest.email)
    const minted = (await createCaller(token)('GET', `/guests/${guest.id}/token?spaceId=${space.id}`)).body.data.token
    expect([await statusOf(token), await statusOf(minted)]).toEqual([200, 200])
    const switchTo = (guestAuthentication: string) => must('PATCH', `/spaces/${space.id}`, { guestAuthentication })
    await switchTo('magic_link')
    for (const each of [token, minted]) {
      expect(await statusOf(each)).toBe(401)
      expect((await createCaller(each)('GET', `/guests/${guest.id}/token?spaceId=${space.id}`)).status).toBe(401)
      expect((await anybody('POST', '/auth/refresh-token', each)).status).toBe(401)
    }
    expect(await exchange(link, guest.email)).toEqual({ valid: false })
    await switchTo('shared_link')
    expect([await statusOf(token), await statusOf(minted)]).toEqual([401, 401])
    expect(await exchange(link, guest.email)).toEqual({ valid: false })
    expect(await statusOf(await signInBy(space.id, guest.email))).toBe(200)
  })

  it('ends when the environment that its space follows disables it', async () => {
    const { id: environmentId } = await must('POST', '/environments', { name: newEmail(), isProd: false })
    const setEnvironment = (guestAuthentication: string) =>
      must('PATCH', `/environments/${environmentId}`, { guestAuthentication })
    const newIn = (more: object) => must('POST', '/spaces', { environmentId, name: 'S', ...more })
    const [follows, own] = [await newIn({}), await newIn({ guestAuthentication: 'shared_link' })]
    const spaces = [{ id: follows.id }, { id: own.id }]
    const [guest] = await must('POST', '/guests', [{ environmentId, email: newEmail(), name: 'G', spaces }])
    const tokens = [await signInBy(follows.id, guest.email), await signInBy(own.id, guest.email)]
    const statuses = () => Promise.all(tokens.map((token) => statusOf(token)))
    expect(await statuses()).toEqual([200, 200])
    await setEnvironment('magic_link')
    expect(await statuses()).toEqual([401, 200])
    await setEnvironment('shared_link')
    expect(await statuses()).toEqual([401, 200])
    tokens[0] = await signInBy(follows.id, guest.email)
    for (const guestAuthentication of ['shared_link', null])
      await must('PATCH', `/spaces/${follows.id}`, { guestAuthentication })
    expect(await statuses()).toEqual([200, 200])
  })

  it('is replaced by POST /spaces/{spaceId}/guest-link/rotate, which ends the sessions from the old link', async () => {
    const [space, other] = [await newSpace(), await newSpace()]
    const guest = await newGuest(space.id, other.id)
    const [before, elsewhere] = [await signInBy(space.id, guest.email), await signInBy(other.id, guest.email)]
    const made = (await must('GET', `/guests/${guest.id}/token`)).token
    const old = await guestLink(space.id)
    const { guestLink: link } = await must('POST', `/spaces/${space.id}/guest-link/rotate`)
    expect(linkTokenOf(link)).not.toBe(old)
    expect(linkTokenOf(link)).toBe(await guestLink(space.id))
    expect(await exchange(old, guest.email)).toEqual({ valid: false })
    expect(await statusOf(before)).toBe(401)
    expect([await statusOf(elsewhere), await statusOf(made)]).toEqual([200, 200])
    const after = await exchange(linkTokenOf(link), guest.email)
    expect(await statusOf(after.token!)).toBe(200)
    expect(await statusOf(before)).toBe(401)
    const { body } = await admin('GET', `/audit?action=spaces.rotateGuestLink&resourceId=${space.id}`)
    expect(body.data).toHaveLength(1)
    expect(JSON.stringify(body.data)).not.toContain(linkTokenOf(link))
  })

  it('cannot be rotated where there is none, nor by guests or outsiders', async () => {
    const magic = await newSpace('magic_link')
    const path = `/spaces/${magic.id}/guest-link/rotate`
    expect((await admin('POST', path)).status).toBe(409)
    const stranger = await createTestAccount()
    expect((await createCaller(stranger.secretKey)('POST', path)).status).toBe(404)
    const guest = await newGuest(magic.id)
    const token = (await must('GET', `/guests/${guest.id}/token`)).token
    expect((await createCaller(token)('POST', path)).status).toBe(403)
  })

  it('does not let its guests invite others: the address is unverified', async () => {
    const space = await newSpace()
    const [guest, other] = [await newGuest(space.id), await newGuest(space.id)]
    const by = createCaller(await signInBy(space.id, guest.email))
    const config = { environmentId: account.environmentId, email: newEmail(), name: 'Mine', spaces: [{ id: space.id }] }
    const invited = await by('POST', '/guests', [config])
    expect(invited.status).toBe(403)
    expect(invited.body.errors[0].message).toMatch(/shared link/)
    expect((await by('POST', '/invitations', [{ guestId: other.id, spaceId: space.id }])).status).toBe(403)
    const proven = createCaller((await must('GET', `/guests/${guest.id}/token`)).token)
    expect((await proven('POST', '/guests', [config])).status).toBe(200)
  })
})

describe('the link of a public clip', () => {
  it('is replaced after the clip was restricted, and sessions from the old link stay rejected', async () => {
    const space = await newSpace()
    const { sheetId } = await createSheet(undefined, { space: space.id, by: admin })
    const clip = await must('POST', '/data-clips', { name: 'C', sourceSheetId: sheetId })
    const setLinkAccess = (sharedLinkAccess: string) => must('PATCH', `/data-clips/${clip.id}`, { sharedLinkAccess })
    const link = linkTokenOf((await setLinkAccess('public')).guestLinkUrl)
    const { token } = await exchange(link, newEmail())
    const path = `/sheets/${clip.clipSheetId}/records`
    expect(await statusOf(token!, path)).toBe(200)
    await setLinkAccess('restricted')
    expect(await statusOf(token!, path)).toBe(401)
    const next = linkTokenOf((await setLinkAccess('public')).guestLinkUrl)
    expect(next).not.toBe(link)
    expect(await statusOf(token!, path)).toBe(401)
    expect(await exchange(link, newEmail())).toEqual({ valid: false })
    expect((await exchange(next, newEmail())).valid).toBe(true)
  })

  it('can be read only by callers who may write clips there', async () => {
    const [, second] = account.environments
    const space = await newSpace()
    const { sheetId } = await createSheet(undefined, { space: space.id, by: admin })
    const clip = await must('POST', '/data-clips', { name: 'C', sourceSheetId: sheetId })
    await must('PATCH', `/data-clips/${clip.id}`, { sharedLinkAccess: 'public' })
    const roles = [
      { roleId: 'us_rol_reader', resourceId: account.environmentId },
      { roleId: 'us_rol_administrator', resourceId: second!.environment.id },
    ]
    const reader = (await createUser(roles)).call
    const shown = (await reader('GET', `/data-clips/${clip.id}`)).body.data
    expect(shown.id).toBe(clip.id)
    expect(shown).not.toHaveProperty('guestLinkUrl')
    const listed = (await reader('GET', `/data-clips?sheetId=${sheetId}`)).body.data
    expect(listed).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toContain('guestLinkUrl')
    expect((await must('GET', `/data-clips/${clip.id}`)).guestLinkUrl).toContain('#token=')
  })
})

describe('POST /guests by a guest', () => {
  it('returns what was sent, and nothing else known about the address', async () => {
    const [mine, theirs] = [await newSpace('magic_link'), await newSpace('magic_link')]
    const [guest, known] = [await newGuest(mine.id), await newGuest(theirs.id)]
    const by = createCaller((await must('GET', `/guests/${guest.id}/token`)).token)
    const before = await must('GET', `/guests/${known.id}`)
    await sleep(5)
    const config = { environmentId: account.environmentId, email: known.email, name: 'Sent', spaces: [{ id: mine.id }] }
    const [answered] = (await by('POST', '/guests', [config])).body.data
    expect(answered).toMatchObject({ email: known.email, name: 'Sent', spaces: [{ id: mine.id }] })
    expect(answered.createdAt > before.createdAt).toBe(true)
    expect(JSON.stringify(answered)).not.toContain(theirs.id)
    expect((await must('GET', `/guests/${known.id}`)).name).toBe(before.name)
  })
})

describe('an email address', () => {
  it('belongs to one user per account, and can belong to users in other accounts, which do not learn of each other', async () => {
    const [one, two] = [account, await createTestAccount()]
    const other = await adminOf(two)
    const free = await other('POST', '/users/invite', { email: newEmail(), name: 'Free' })
    const taken = await other('POST', '/users/invite', { email: one.email, name: 'Taken' })
    expect([taken.status, free.status]).toEqual([200, 200])
    expect(Object.keys(taken.body.data).toSorted()).toEqual(Object.keys(free.body.data).toSorted())
    expect((await other('POST', '/users/invite', { email: one.email, name: 'Again' })).status).toBe(409)
    const email = newEmail()
    expect((await other('POST', '/users/invite', { email, name: 'First' })).status).toBe(200)
    expect((await admin('POST', '/users/invite', { email, name: 'Second' })).status).toBe(200)
  })

  it('signs in to the account whose password is given, or which is named', async () => {
    const two = await createTestAccount()
    const other = await adminOf(two)
    const { email, password } = account
    await other('POST', '/users/invite', { email, name: 'Same address' })
    expect((await signIn(email, password)).body.accountId).toBe(account.accountId)
    await acceptInvitation(email, other, 'another password of theirs')
    expect((await signIn(email, password)).body.accountId).toBe(account.accountId)
    expect((await signIn(email, 'another password of theirs')).body.accountId).toBe(two.accountId)
    expect((await signIn(email, 'another password of theirs', { accountId: account.accountId })).status).toBe(401)
    const three = await createTestAccount()
    const third = await adminOf(three)
    await third('POST', '/users/invite', { email, name: 'Same password' })
    await acceptInvitation(email, third, password)
    const asked = await signIn(email, password)
    expect(asked.status).toBe(409)
    for (const id of [account.accountId, three.accountId]) expect(asked.body.errors[0].message).toContain(id)
    expect(asked.body.errors[0].message).not.toContain(two.accountId)
    expect((await signIn(email, password, { accountId: three.accountId })).body.accountId).toBe(three.accountId)
  })
})

describe('an Idempotency-Key', () => {
  it('belongs to one credential: not to another key, token, clip or link of the same actor', async () => {
    const [key, next] = [
      account.secretKey,
      (await must('POST', `/auth/api-key?type=SECRET&environmentId=${account.environmentId}`))[0].rawKey,
    ]
    const repeat = { 'idempotency-key': createUniqueName('credential') }
    const create = (bearer: string) => createCaller(bearer)('POST', '/spaces', { name: 'Mine' }, repeat)
    const [first, again, other] = [await create(key), await create(key), await create(next)]
    expect(again.body.data.id).toBe(first.body.data.id)
    expect(other.headers.get('idempotent-replayed')).toBeNull()
    expect(other.body.data.id).not.toBe(first.body.data.id)
  })

  it('is ignored with a publishable key: no visitor gets the space and token of another', async () => {
    const repeat = { 'idempotency-key': 'order-42' }
    const create = () =>
      createCaller(account.publishableKey)('POST', '/internal/spaces/init', { space: { name: 'x' } }, repeat)
    const [mine, theirs] = [await create(), await create()]
    expect([mine.status, theirs.status]).toEqual([200, 200])
    expect(theirs.body.data.space.id).not.toBe(mine.body.data.space.id)
    expect(theirs.body.data.space.accessToken).not.toBe(mine.body.data.space.accessToken)
  })
})
