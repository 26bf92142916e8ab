import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { type ApiResponse, createCaller, createTestAccount, getAccessToken, getData, pluck } from '../support/api.ts'
import { account, type Caller, createFreshAccount, signIn } from '../support/fresh-account.ts'
import { createUser, newEmail } from '../support/resources.ts'

let admin: Caller
let token: string

beforeAll(async () => {
  await createFreshAccount()
  const { email, password } = account
  token = await getAccessToken({ email, password })
  admin = createCaller(token, { 'user-agent': 'audited/1.0' })
})

const entries = async (query = '') => getData(admin('GET', `/audit?${query}`))

describe('the audit log', () => {
  it('records who changed what, from which address and with which credential, before and after', async () => {
    const user = await getData(admin('POST', '/users/invite', { email: newEmail(), name: 'Grace' }))
    const role = { roleId: 'us_rol_reader', resourceId: account.environmentId }
    const given = await getData(admin('POST', `/users/${user.id}/roles`, role))
    await getData(admin('PATCH', `/users/${user.id}`, { name: 'Grace Hopper' }))
    await getData(admin('DELETE', `/users/${user.id}/roles/${given.id}`))
    await getData(admin('DELETE', `/users/${user.id}`))
    const found = await entries(`resourceId=${user.id}`)
    expect(pluck(found, 'action')).toEqual([
      'users.remove',
      'users.removeRole',
      'users.update',
      'users.assignRole',
      'users.invite',
    ])
    for (const entry of found)
      expect(entry).toMatchObject({
        accountId: account.accountId,
        actorId: account.userId,
        role: 'administrator',
        address: '127.0.0.1',
        userAgent: 'audited/1.0',
      })
    const [removed, roleRemoved, updated, assigned, invited] = found
    expect(removed.before).toMatchObject({ id: user.id, name: 'Grace Hopper' })
    expect(removed.after).toBeUndefined()
    expect(roleRemoved.before.actorRoles).toHaveLength(2)
    expect([updated.before.name, updated.after.name]).toEqual(['Grace', 'Grace Hopper'])
    expect(assigned.before.actorRoles).toHaveLength(1)
    expect(assigned.after).toMatchObject(role)
    expect(invited.after).toMatchObject({ id: user.id, actorRoles: [{ resourceId: account.accountId }] })
    expect(JSON.stringify(found)).not.toMatch(/[hH]ash|"invite":|sealed/)
  })

  it('records reads of secrets by users, but not by keys', async () => {
    const { environmentId } = account
    await getData(admin('GET', `/auth/api-keys?environmentId=${environmentId}`))
    await getData(createCaller(account.secretKey)('GET', '/auth/api-keys'))
    await getData(admin('POST', '/secrets', { environmentId, name: 'DEEP', value: 'deep secret' }))
    await getData(admin('GET', `/secrets?environmentId=${environmentId}`))
    expect(await entries('action=auth.listKeys')).toHaveLength(1)
    const [read] = await entries('action=secrets.list')
    expect(read.resources).toEqual([environmentId])
    expect(JSON.stringify(await entries('pageSize=1000'))).not.toContain('deep secret')
  })

  it('records reads of secrets by users with roles on single environments', async () => {
    const { environmentId } = account
    const actorRoles = [{ roleId: 'us_rol_administrator', resourceId: environmentId }]
    const { user, call: member } = await createUser(actorRoles, admin)
    await getData(member('GET', `/secrets?environmentId=${environmentId}`))
    const [read, ...more] = await entries(`action=secrets.list&actorId=${user.id}`)
    expect(read).toMatchObject({ actorId: user.id, role: 'member', resources: [environmentId] })
    expect(more).toEqual([])
  })

  it('records an accepted invitation and the key used, and no failed change', async () => {
    const { user, email } = await createUser(undefined, admin)
    const [accepted] = await entries('action=users.acceptInvite')
    expect(accepted).toMatchObject({ actorId: user.id, resources: [user.id], address: '127.0.0.1' })
    const config = { environmentId: account.environmentId, email: newEmail(), name: 'G', spaces: [] }
    const [guest] = await getData(createCaller(account.secretKey)('POST', '/guests', config))
    const [created] = await entries(`action=guests.create&resourceId=${guest.id}`)
    expect(created).toMatchObject({ role: 'environment', credentialId: expect.stringMatching(/^sk_[A-Za-z0-9]{22}$/) })
    const before = (await entries('pageSize=1000')).length
    expect((await admin('POST', '/users/invite', { email, name: 'Twin' })).status).toBe(409)
    expect((await admin('DELETE', `/users/${account.userId}x`)).status).toBe(404)
    expect(await entries('pageSize=1000')).toHaveLength(before)
  })

  it('identifies a key by its id, however the request named it', async () => {
    const { environmentId } = account
    const [key] = await getData(admin('POST', `/auth/api-key?environmentId=${environmentId}&type=SECRET`))
    await getData(admin('DELETE', `/auth/api-key?environmentId=${environmentId}&key=${key.rawKey}`))
    const found = await entries(`resourceId=${key.id}`)
    expect(pluck(found, 'action')).toEqual(['auth.removeKey', 'auth.createKey'])
    expect(JSON.stringify(found)).not.toContain(key.rawKey)
  })

  it('records a space when its guest authentication changes, but not when its name does', async () => {
    const { environmentId } = account
    const own = { guestAuthentication: 'shared_link' }
    const space = await getData(admin('POST', '/spaces', { environmentId, name: 'S', ...own }))
    await getData(admin('PATCH', `/spaces/${space.id}`, { name: 'T' }))
    await getData(admin('PATCH', `/spaces/${space.id}`, { guestAuthentication: 'magic_link' }))
    const [only, ...more] = await entries(`resourceId=${space.id}`)
    expect(more).toEqual([])
    expect([only.before.guestAuthentication, only.after.guestAuthentication]).toEqual(['shared_link', 'magic_link'])
  })

  it('can be read only by administrators of the account, in pages, by actor and time', async () => {
    expect((await createCaller(account.secretKey)('GET', '/audit')).status).toBe(403)
    const other = await createTestAccount()
    const stranger = await signIn(other)
    expect(await getData(stranger('GET', '/audit'))).toEqual([])
    const all = await entries('pageSize=1000')
    const paged: { id: string }[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { body }: ApiResponse<{ data: { id: string }[]; next?: string }> = await admin(
        'GET',
        `/audit?pageSize=2${next ? `&before=${next}` : ''}`,
      )
      paged.push(...body.data)
      next = body.next
    }
    expect(paged.map(({ id }) => id)).toEqual(pluck(all, 'id'))
    expect(await entries(`actorId=${other.userId}`)).toEqual([])
    const middle = all[Math.floor(all.length / 2)]
    const ids = (found: { id: string }[]) => found.map(({ id }) => id)
    const since = ids(await entries(`pageSize=1000&since=${encodeURIComponent(middle.createdAt)}`))
    const until = ids(await entries(`pageSize=1000&until=${encodeURIComponent(middle.createdAt)}`))
    expect(since).toContain(middle.id)
    expect(until).toContain(middle.id)
    expect(new Set([...since, ...until])).toEqual(new Set(ids(all)))
  })

  it('is written by every endpoint that changes permissions', () => {
    const unnoted = endpoints
      .filter(({ policy, method }) => 'on' in policy && method !== 'GET')
      .filter(
        ({ policy }) =>
          'on' in policy &&
          /^(users|roles|guests|keys|tokens|account|environments|webhooks|invitations):/.test(policy.can),
      )
      .filter(({ audit }) => audit === undefined)
      .map(({ id }) => id)
    expect(unnoted).toEqual([
      'environments.createAutobuild',
      'environments.removeAutobuild',
      'environments.replaceAutobuild',
      'webhooks.ping',
      'webhooks.replay',
    ])
  })
})
