/** The audit log: every change of what somebody may do or reach, and every look of a user at secrets. */
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { type Answer, callerOf, dataOf, mintAccount, type TestAccount } from '../support/api.ts'

const anybody = callerOf(undefined)
let account: TestAccount
let admin: ReturnType<typeof callerOf>
let token: string
let count = 0

beforeAll(async () => {
  account = await mintAccount()
  const { email, password } = account
  token = (await anybody('POST', '/auth', { email, password })).body.accessToken
  admin = callerOf(token, { 'user-agent': 'audited/1.0' })
})

const entries = async (query = '') => dataOf(admin('GET', `/audit?${query}`))
const address = () => `audit-${process.pid}-${Date.now()}-${count++}@example.com`

describe('the audit log', () => {
  it('tells who changed what, from where and with what, before and after', async () => {
    const user = await dataOf(admin('POST', '/users/invite', { email: address(), name: 'Grace' }))
    const role = { roleId: 'us_rol_reader', resourceId: account.environmentId }
    const given = await dataOf(admin('POST', `/users/${user.id}/roles`, role))
    await dataOf(admin('PATCH', `/users/${user.id}`, { name: 'Grace Hopper' }))
    await dataOf(admin('DELETE', `/users/${user.id}/roles/${given.id}`))
    await dataOf(admin('DELETE', `/users/${user.id}`))
    const found = await entries(`resourceId=${user.id}`)
    expect(found.map(({ action }: { action: string }) => action)).toEqual([
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

  it('tells of reads of secrets by users, and not by keys', async () => {
    const { environmentId } = account
    await dataOf(admin('GET', `/auth/api-keys?environmentId=${environmentId}`))
    await dataOf(callerOf(account.secretKey)('GET', '/auth/api-keys'))
    await dataOf(admin('POST', '/secrets', { environmentId, name: 'DEEP', value: 'deep secret' }))
    await dataOf(admin('GET', `/secrets?environmentId=${environmentId}`))
    expect(await entries('action=auth.listKeys')).toHaveLength(1)
    const [read] = await entries('action=secrets.list')
    expect(read.resources).toEqual([environmentId])
    expect(JSON.stringify(await entries('pageSize=1000'))).not.toContain('deep secret')
  })

  it('tells of reads of secrets by users with roles on single environments', async () => {
    const { environmentId } = account
    const actorRoles = [{ roleId: 'us_rol_administrator', resourceId: environmentId }]
    const email = address()
    const user = await dataOf(admin('POST', '/users/invite', { email, name: 'Grace', actorRoles }))
    const mail = (await dataOf(admin('GET', '/invitations'))).find(({ to }: { to: string }) => to === email)
    const password = 'a password of some length'
    await dataOf(anybody('POST', '/users/accept-invite', { token: /#token=(\S+)/.exec(mail.text)![1], password }))
    const member = callerOf((await anybody('POST', '/auth', { email, password })).body.accessToken)
    await dataOf(member('GET', `/secrets?environmentId=${environmentId}`))
    const [read, ...more] = await entries(`action=secrets.list&actorId=${user.id}`)
    expect(read).toMatchObject({ actorId: user.id, role: 'member', resources: [environmentId] })
    expect(more).toEqual([])
  })

  it('tells of an accepted invitation, of the key something was done with, and of no change that failed', async () => {
    const email = address()
    const user = await dataOf(admin('POST', '/users/invite', { email, name: 'Grace' }))
    const mail = (await dataOf(admin('GET', '/invitations'))).find(({ to }: { to: string }) => to === email)
    const link = { token: /#token=(\S+)/.exec(mail.text)![1], password: 'a password of some length' }
    await dataOf(anybody('POST', '/users/accept-invite', link))
    const [accepted] = await entries('action=users.acceptInvite')
    expect(accepted).toMatchObject({ actorId: user.id, resources: [user.id], address: '127.0.0.1' })
    const config = { environmentId: account.environmentId, email: address(), name: 'G', spaces: [] }
    const [guest] = await dataOf(callerOf(account.secretKey)('POST', '/guests', config))
    const [created] = await entries(`action=guests.create&resourceId=${guest.id}`)
    expect(created).toMatchObject({ role: 'environment', credentialId: expect.stringMatching(/^sk_[A-Za-z0-9]{22}$/) })
    const before = (await entries('pageSize=1000')).length
    expect((await admin('POST', '/users/invite', { email, name: 'Twin' })).status).toBe(409)
    expect((await admin('DELETE', `/users/${account.userId}x`)).status).toBe(404)
    expect(await entries('pageSize=1000')).toHaveLength(before)
  })

  it('names a key by its id, however it was named', async () => {
    const { environmentId } = account
    const [key] = await dataOf(admin('POST', `/auth/api-key?environmentId=${environmentId}&type=SECRET`))
    await dataOf(admin('DELETE', `/auth/api-key?environmentId=${environmentId}&key=${key.rawKey}`))
    const found = await entries(`resourceId=${key.id}`)
    expect(found.map(({ action }: { action: string }) => action)).toEqual(['auth.removeKey', 'auth.createKey'])
    expect(JSON.stringify(found)).not.toContain(key.rawKey)
  })

  it('tells of a space when its way in is changed, and not when its name is', async () => {
    const { environmentId } = account
    const own = { guestAuthentication: 'shared_link' }
    const space = await dataOf(admin('POST', '/spaces', { environmentId, name: 'S', ...own }))
    await dataOf(admin('PATCH', `/spaces/${space.id}`, { name: 'T' }))
    await dataOf(admin('PATCH', `/spaces/${space.id}`, { guestAuthentication: 'magic_link' }))
    const [only, ...more] = await entries(`resourceId=${space.id}`)
    expect(more).toEqual([])
    expect([only.before.guestAuthentication, only.after.guestAuthentication]).toEqual(['shared_link', 'magic_link'])
  })

  it('is read by administrators of the account alone, page by page, by actor and time', async () => {
    expect((await callerOf(account.secretKey)('GET', '/audit')).status).toBe(403)
    const other = await mintAccount()
    const { email, password } = other
    const stranger = callerOf((await anybody('POST', '/auth', { email, password })).body.accessToken)
    expect(await dataOf(stranger('GET', '/audit'))).toEqual([])
    const all = await entries('pageSize=1000')
    const paged: { id: string }[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { body }: Answer<{ data: { id: string }[]; next?: string }> = await admin(
        'GET',
        `/audit?pageSize=2${next ? `&before=${next}` : ''}`,
      )
      paged.push(...body.data)
      next = body.next
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }: { id: string }) => id))
    expect(await entries(`actorId=${other.userId}`)).toEqual([])
    const middle = all[Math.floor(all.length / 2)]
    const ids = (found: { id: string }[]) => found.map(({ id }) => id)
    const since = ids(await entries(`pageSize=1000&since=${encodeURIComponent(middle.createdAt)}`))
    const until = ids(await entries(`pageSize=1000&until=${encodeURIComponent(middle.createdAt)}`))
    expect(since).toContain(middle.id)
    expect(until).toContain(middle.id)
    expect(new Set([...since, ...until])).toEqual(new Set(ids(all)))
  })

  it('is kept by every endpoint that changes who may do what', () => {
    const unnoted = endpoints
      .filter(({ policy, method }) => 'on' in policy && method !== 'GET')
      .filter(
        ({ policy }) =>
          'on' in policy &&
          /^(users|roles|guests|keys|tokens|account|environments|webhooks|invitations):/.test(policy.can),
      )
      .filter(({ audit }) => audit === undefined)
      .map(({ id }) => id)
    // What spaces begin with, and deliveries, are nobody's rights.
    expect(unnoted).toEqual([
      'environments.createAutobuild',
      'environments.removeAutobuild',
      'webhooks.ping',
      'webhooks.replay',
    ])
  })
})
