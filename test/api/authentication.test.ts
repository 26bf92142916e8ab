/** The specification's chapter on authentication, point by point, over HTTP. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getData } from '../support/api.ts'
import { account, anybody, type Caller, createFreshAccount } from '../support/fresh-account.ts'

let admin: Caller
let adminToken: string
let count = 0

const signIn = (email: string, password: string) => anybody('POST', '/auth', { email, password })

beforeAll(async () => {
  await createFreshAccount()
  adminToken = (await signIn(account.email, account.password)).body.accessToken
  admin = createCaller(adminToken)
})

const newToken = (by = admin) => getData(by('POST', '/auth/personal-access-tokens', { name: 'script' }))
const secondsOf = (token: string): number => {
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  return exp - iat
}
const newSpace = (more: object = {}) =>
  getData(admin('POST', '/spaces', { environmentId: account.environmentId, name: 'Import', ...more }))
const newGuest = async (...spaceIds: string[]) => {
  const email = `point-${process.pid}-${Date.now()}-${count++}@example.com`
  const spaces = spaceIds.map((id) => ({ id }))
  return (
    await getData(admin('POST', '/guests', { environmentId: account.environmentId, email, name: 'G', spaces }))
  )[0]
}
const linkMailedTo = async (email: string) => {
  const mail = (await getData(admin('GET', '/invitations?pageSize=1000'))).find(
    ({ to }: { to: string }) => to === email,
  )
  return new URL(/^https?:.*$/m.exec(mail.text)![0]).hash.replace('#token=', '')
}

describe('authentication', () => {
  it('1: a bearer is an access token from credentials, one from a publishable key, or a personal access token', async () => {
    const { accessToken } = await getData(createCaller(account.publishableKey)('POST', '/spaces', { name: 'embedded' }))
    const { token } = await newToken()
    for (const bearer of [adminToken, accessToken, token])
      expect((await createCaller(bearer)('GET', '/spaces')).status).toBe(200)
    for (const header of ['', adminToken, `Basic ${adminToken}`, 'Bearer', `Bearer ${adminToken}x`])
      expect((await anybody('GET', '/spaces', undefined, { authorization: header })).status).toBe(401)
  })

  it('2: a personal access token is used directly instead of a JWT', async () => {
    const { token } = await newToken()
    expect(token).toMatch(/^pat_/)
    expect((await getData(createCaller(token)('GET', '/accounts/current'))).id).toBe(account.accountId)
  })

  it('3: a personal access token has the current permissions of its user', async () => {
    const email = `inherits-${Date.now()}@example.com`
    const user = await getData(admin('POST', '/users/invite', { email, name: 'Grace' }))
    const password = 'a password of some length'
    await getData(anybody('POST', '/users/accept-invite', { token: await linkMailedTo(email), password }))
    const { token } = await newToken(createCaller((await signIn(email, password)).body.accessToken))
    const script = createCaller(token)
    expect((await script('GET', '/users')).status).toBe(200)
    const [role] = await getData(admin('GET', `/users/${user.id}/roles`))
    await getData(admin('DELETE', `/users/${user.id}/roles/${role.id}`))
    expect((await script('GET', '/users')).status).toBe(403)
  })

  it('4: a personal access token is named by its creator and shown once', async () => {
    const { token, personalAccessToken } = await newToken()
    expect(personalAccessToken.name).toBe('script')
    expect(JSON.stringify((await admin('GET', '/auth/personal-access-tokens')).body)).not.toContain(token)
    expect((await admin('POST', '/auth/personal-access-tokens', { name: ' ' })).status).toBe(400)
  })

  it('5: deleting a personal access token ends it immediately for everything that uses it', async () => {
    const { token, personalAccessToken } = await newToken()
    const sendFiveRequests = () => Promise.all(Array.from({ length: 5 }, () => createCaller(token)('GET', '/spaces')))
    expect((await sendFiveRequests()).every(({ status }) => status === 200)).toBe(true)
    await getData(admin('DELETE', `/auth/personal-access-tokens/${personalAccessToken.id}`))
    expect((await sendFiveRequests()).every(({ status }) => status === 401)).toBe(true)
  })

  it('6: the legacy pair of clientId and secret is exchanged for an access token and used instead of a secret key', async () => {
    const path = `/users/${account.userId}/api-token?tenantId=${account.accountId}`
    const { clientId, secret } = await getData(admin('POST', path))
    const { body } = await anybody('POST', '/auth', { clientId, secret })
    expect((await createCaller(body.accessToken)('GET', '/spaces')).status).toBe(200)
    expect((await anybody('POST', '/auth', { clientId, secret: `${secret}x` })).status).toBe(401)
  })

  it('7: email and password are exchanged too, except in accounts with single sign-on, which use a personal access token', async () => {
    const other = await createTestAccount()
    const { accessToken } = (await signIn(other.email, other.password)).body
    const call = createCaller(accessToken)
    const { token } = await newToken(call)
    let issuer = ''
    const provider = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }))
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    await getData(call('PUT', '/auth/sso', { issuer, clientId: 'wharf' }))
    provider.close()
    const refused = await signIn(other.email, other.password)
    expect(refused.status).toBe(401)
    expect(refused.body.errors[0].message).toMatch(/single sign-on/)
    expect((await createCaller(token)('GET', '/users')).status).toBe(200)
  })

  it('8: keys belong to one environment; a publishable key gets an access token that is valid for 24 hours', async () => {
    const [development, production] = account.environments
    const space = await newSpace()
    expect((await createCaller(development!.secret.rawKey)('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect((await createCaller(production!.secret.rawKey)('GET', `/spaces/${space.id}`)).status).toBe(404)
    const made = await getData(createCaller(production!.publishable.rawKey)('POST', '/spaces', { name: 'embedded' }))
    expect(made.environmentId).toBe(production!.environment.id)
    expect(secondsOf(made.accessToken)).toBe(24 * 3600)
  })

  it("9: an administrator's access token is valid for 24 hours, a guest's for one", async () => {
    expect(secondsOf(adminToken)).toBe(24 * 3600)
    const space = await newSpace()
    const guest = await newGuest(space.id)
    expect(secondsOf((await getData(admin('GET', `/guests/${guest.id}/token`))).token)).toBe(3600)
    const { signToken } = await import('../../lib/auth/signing.ts')
    const { decodeJwt } = await import('jose')
    const { exp: _, iat: __, ...claims } = decodeJwt(adminToken)
    const statusOf = async (seconds: number) =>
      (await createCaller((await signToken(claims as never, seconds)).token)('GET', '/spaces')).status
    expect([await statusOf(60), await statusOf(-60)]).toEqual([200, 401])
  })

  it('10: guests sign in by a magic link or a shared link, as their environment says', async () => {
    for (const guestAuthentication of ['magic_link', 'shared_link']) {
      await getData(
        admin('PATCH', `/environments/${account.environmentId}`, { guestAuthentication }).then((answer) => ({
          ...answer,
          body: { data: answer.body },
        })),
      )
      const space = await newSpace()
      expect(space.guestAuthentication).toBe(guestAuthentication)
      const guest = await newGuest(space.id)
      await getData(admin('POST', '/invitations', [{ guestId: guest.id, spaceId: space.id }]))
      const token = await linkMailedTo(guest.email)
      const exchanged = await getData(anybody('POST', '/invitations/exchange', { token, email: guest.email }))
      expect((await createCaller(exchanged.token)('GET', `/spaces/${space.id}`)).status).toBe(200)
      const again = await getData(anybody('POST', '/invitations/exchange', { token, email: guest.email }))
      expect(again.valid).toBe(guestAuthentication === 'shared_link')
    }
  })

  it('11: guests invite others, unless that is disabled in the sidebar of the space', async () => {
    const space = await newSpace()
    const [one, two] = [await newGuest(space.id), await newGuest(space.id)]
    const guest = createCaller((await getData(admin('GET', `/guests/${one.id}/token`))).token)
    const invite = async () => (await guest('POST', '/invitations', { guestId: two.id, spaceId: space.id })).status
    expect(await invite()).toBe(200)
    await getData(admin('PATCH', `/spaces/${space.id}`, { metadata: { sidebarConfig: { showGuestInvite: false } } }))
    expect(await invite()).toBe(403)
  })

  it('13: a secret key is rotated by a personal access token, with one valid at all times', async () => {
    const script = createCaller((await newToken()).token)
    const { environmentId } = account
    const [old] = await getData(script('POST', `/auth/api-key?type=SECRET&environmentId=${environmentId}`))
    const [fresh] = await getData(script('POST', `/auth/api-key?type=SECRET&environmentId=${environmentId}`))
    const statusWithKey = async (key: { rawKey: string }) => (await createCaller(key.rawKey)('GET', '/spaces')).status
    expect([await statusWithKey(old), await statusWithKey(fresh)]).toEqual([200, 200])
    await getData(script('DELETE', `/auth/api-key?key=${old.id}&environmentId=${environmentId}`))
    expect([await statusWithKey(old), await statusWithKey(fresh)]).toEqual([401, 200])
  })

  it('14: administrators see secret keys and logs, and add administrators', async () => {
    const keys = await getData(admin('GET', `/auth/api-keys?environmentId=${account.environmentId}`))
    const secret = keys.find(({ id }: { id: string }) => account.secretKey.startsWith(id))
    expect(secret.rawKey).toBe(account.secretKey)
    expect((await admin('GET', `/agents/logs?environmentId=${account.environmentId}`)).status).toBe(200)
    const email = `administrator-${Date.now()}@example.com`
    const made = await getData(admin('POST', '/users/invite', { email, name: 'New' }))
    expect(made.actorRoles).toMatchObject([{ roleId: 'us_rol_administrator', resourceId: account.accountId }])
    const space = await newSpace()
    const guest = createCaller((await getData(admin('GET', `/guests/${(await newGuest(space.id)).id}/token`))).token)
    expect((await guest('GET', `/auth/api-keys?environmentId=${account.environmentId}`)).status).toBe(403)
  })
})
