import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, getData, pluck } from '../support/api.ts'
import { account, anybody, type Caller, createFreshAccount } from '../support/fresh-account.ts'
import { createUser, findMail, newEmail, PASSWORD, parseToken } from '../support/resources.ts'

let admin: Caller
let adminToken: string

const signIn = async (email: string, password: string) => (await anybody('POST', '/auth', { email, password })).body

beforeAll(async () => {
  await createFreshAccount()
  adminToken = (await signIn(account.email, account.password)).accessToken
  admin = createCaller(adminToken)
})

async function invited(actorRoles?: object[], by = admin) {
  const email = newEmail()
  const user = await getData(
    by('POST', '/users/invite', { email, name: 'Grace', ...(actorRoles ? { actorRoles } : {}) }),
  )
  return { user, email, token: parseToken((await findMail(email, by)).text) }
}
const adminRole = (resourceId: string) => ({ roleId: 'us_rol_administrator', resourceId })

describe('an invited user', () => {
  it('gets a mail that only administrators of the account see, and sets a password by its link', async () => {
    const { user, email, token } = await invited()
    expect(user).toMatchObject({ email, accountId: account.accountId, idp: 'wharf' })
    expect(user.actorRoles).toMatchObject([adminRole(account.accountId)])
    const seenByKey = await createCaller(account.secretKey)('GET', '/invitations?pageSize=1000')
    expect(JSON.stringify(seenByKey.body)).not.toContain(email)
    expect((await signIn(email, PASSWORD)).errors[0].key).toBe('unauthenticated')
    expect(await getData(anybody('POST', '/users/accept-invite', { token, password: PASSWORD }))).toEqual({
      userId: user.id,
      email,
    })
    const call = createCaller((await signIn(email, PASSWORD)).accessToken)
    expect((await getData(call('GET', '/accounts/current'))).id).toBe(account.accountId)
  })

  it('uses the link once, even under concurrent requests, and no other link', async () => {
    const { token } = await invited()
    const accept = (link: string) => anybody('POST', '/users/accept-invite', { token: link, password: PASSWORD })
    const all = await Promise.all(Array.from({ length: 6 }, () => accept(token)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const refusals = [...all.filter(({ status }) => status !== 200), await accept(token), await accept('nonsense')]
    refusals.push(await accept(`us_usr_00000000000000000000000000_${'a'.repeat(43)}`))
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 401, body: refusals[0]!.body })
  })

  it('gets a new link, which invalidates the old one; once signed up, it gets none', async () => {
    const { user, email, token } = await invited()
    await getData(admin('POST', `/users/${user.id}/resend-invite`))
    const accept = (link: string) => anybody('POST', '/users/accept-invite', { token: link, password: PASSWORD })
    expect((await accept(token)).status).toBe(401)
    const fresh = parseToken((await findMail(email)).text)
    for (const password of ['', ' ', 'short'])
      expect((await anybody('POST', '/users/accept-invite', { token: fresh, password })).status).toBe(400)
    expect((await accept(fresh)).status).toBe(200)
    expect((await admin('POST', `/users/${user.id}/resend-invite`)).status).toBe(409)
  })

  it('has an address no other user has', async () => {
    const { email } = await invited()
    expect((await admin('POST', '/users/invite', { email: email.toUpperCase(), name: 'Twin' })).status).toBe(409)
  })

  it('cannot sign up with an expired link', async () => {
    const { user, token } = await invited()
    const { Users } = await import('../../lib/entities/users.ts')
    const { UserChanges } = await import('../../lib/entities/user-changes.ts')
    const { begin } = await import('../../lib/tx.ts')
    const stored = (await Users.get(user.id))!
    const tx = begin({ accountId: account.accountId, actorId: user.id })
    const createdAt = new Date(Date.now() - 72 * 3_600_000 - 1000).toISOString()
    await UserChanges.change(tx, stored, { ...stored, invite: { ...stored.invite!, createdAt } })
    await tx.commit()
    expect((await anybody('POST', '/users/accept-invite', { token, password: PASSWORD })).status).toBe(401)
  })
})

describe('a user', () => {
  it('is changed, listed and sorted', async () => {
    const { user } = await invited()
    const changed = await getData(admin('PATCH', `/users/${user.id}`, { name: 'Zoe', dashboard: 2 }))
    expect(changed).toMatchObject({ name: 'Zoe', dashboard: 2 })
    for (const sortField of ['email', 'name', 'created_at', 'dashboard']) {
      const sorted = async (direction: string) =>
        pluck(
          await getData(admin('GET', `/users?sortField=${sortField}&sortDirection=${direction}&pageSize=1000`)),
          'id',
        )
      expect(await sorted('desc')).toEqual((await sorted('asc')).reverse())
    }
    const { lastSeenAt } = await getData(admin('GET', `/users/${account.userId}`))
    expect(Date.now() - Date.parse(lastSeenAt)).toBeLessThan(90_000)
    const [last] = await getData(admin('GET', '/users?sortField=name&sortDirection=desc'))
    expect(last.id).toBe(user.id)
  })

  it('is rejected from the next request on when it is deleted, with all its tokens, and its address can be reused', async () => {
    const { user, email, call } = await createUser()
    const { token: pat } = await getData(call('POST', '/auth/personal-access-tokens', { name: 'script' }))
    expect((await createCaller(pat)('GET', '/spaces')).status).toBe(200)
    await getData(admin('DELETE', `/users/${user.id}`))
    expect((await call('GET', '/spaces')).status).toBe(401)
    expect((await createCaller(pat)('GET', '/spaces')).status).toBe(401)
    expect((await signIn(email, PASSWORD)).errors[0].key).toBe('unauthenticated')
    expect((await admin('POST', '/users/invite', { email, name: 'Again' })).status).toBe(200)
  })

  it('stays as the last administrator; if two delete each other concurrently, one stays', async () => {
    const other = await createTestAccount()
    const first = createCaller((await signIn(other.email, other.password)).accessToken)
    expect((await first('DELETE', `/users/${other.userId}`)).status).toBe(409)
    const [role] = await getData(first('GET', `/users/${other.userId}/roles`))
    expect((await first('DELETE', `/users/${other.userId}/roles/${role.id}`)).status).toBe(409)
    await invited(undefined, first)
    expect((await first('DELETE', `/users/${other.userId}`)).status).toBe(409)
    const second = await createUser(undefined, first)
    const answers = await Promise.all([
      first('DELETE', `/users/${second.user.id}`),
      second.call('DELETE', `/users/${other.userId}`),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('the legacy pair', () => {
  it('is created by its user, shown once, listed without its secret, and exchanged for a token', async () => {
    const { user, call } = await createUser()
    const path = `/users/${user.id}/api-token?tenantId=${account.accountId}`
    const pair = await getData(call('POST', path))
    expect(pair).toMatchObject({ clientId: expect.stringMatching(/^pat_/), description: expect.any(String) })
    const { clientId, secret } = pair
    expect((await anybody('POST', '/auth', { clientId, secret })).body.userId).toBe(user.id)
    const listed = await call('GET', path)
    expect(listed.body.data).toMatchObject([{ clientId }])
    expect(JSON.stringify(listed.body)).not.toContain(secret)
    expect((await admin('POST', path)).status).toBe(403)
    expect((await call('POST', `/users/${user.id}/api-token?tenantId=us_acc_other`)).status).toBe(404)
    await getData(call('DELETE', `/auth/personal-access-tokens/${clientId}`))
    expect((await anybody('POST', '/auth', { clientId, secret })).status).toBe(401)
  })

  it('counts toward the limit of 50 tokens', async () => {
    const { call } = await createUser()
    const create = () => call('POST', '/auth/personal-access-tokens', { name: 'one of many' })
    for (let i = 0; i < 50; i++) expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(409)
  })
})

describe('a user of one environment', () => {
  it('administers it and sees nothing else', async () => {
    const [development, production] = account.environments
    const { call, user } = await createUser([adminRole(development!.environment.id)])
    const { environmentId } = account
    const space = await getData(call('POST', '/spaces', { environmentId, name: 'Mine' }))
    expect(pluck(await getData(call('GET', '/environments')), 'id')).toEqual([environmentId])
    expect((await call('GET', `/auth/api-keys?environmentId=${environmentId}`)).status).toBe(200)
    await getData(call('PATCH', `/environments/${environmentId}`, { metadata: { seen: true } }))
    const elsewhere = production!.environment.id
    const theirs = await getData(admin('POST', '/spaces', { environmentId: elsewhere, name: 'Theirs' }))
    const listed = await getData(call('GET', '/spaces?pageSize=1000'))
    expect(pluck(listed, 'id')).toContain(space.id)
    expect(pluck(listed, 'id')).not.toContain(theirs.id)
    for (const [method, path, body] of [
      ['GET', `/spaces/${theirs.id}`],
      ['GET', `/environments/${elsewhere}`],
      ['GET', `/auth/api-keys?environmentId=${elsewhere}`],
      ['POST', '/spaces', { environmentId: elsewhere, name: 'x' }],
      ['DELETE', `/spaces?spaceIds=${theirs.id}`],
      ['GET', `/users/${account.userId}`],
      ['GET', `/events?environmentId=${elsewhere}`],
      ['GET', `/subscription?scope=${elsewhere}`],
    ] as const)
      expect((await call(method, path, body)).status, `${method} ${path}`).toBe(404)
    for (const [method, path, body] of [
      ['POST', '/environments', { name: 'own', isProd: false }],
      ['GET', '/users'],
      ['POST', '/users/invite', { email: newEmail(), name: 'x' }],
      ['POST', `/users/${user.id}/roles`, adminRole(account.accountId)],
    ] as const)
      expect((await call(method, path, body)).status, `${method} ${path}`).toBe(403)
  })

  it('keeps a personal access token within the same bounds, and role changes apply to the next request', async () => {
    const { environmentId } = account
    const { call, user } = await createUser([adminRole(environmentId)])
    const { token } = await getData(call('POST', '/auth/personal-access-tokens', { name: 'script' }))
    const script = createCaller(token)
    const subscription = await getData(script('GET', `/subscription?scope=${environmentId}`))
    const [role] = await getData(admin('GET', `/users/${user.id}/roles`))
    await getData(admin('DELETE', `/users/${user.id}/roles/${role.id}`))
    expect((await script('GET', '/spaces')).status).toBe(403)
    expect((await script('GET', `/environments/${environmentId}`)).status).toBe(404)
    const { loadSubscription } = await import('../../lib/auth/subscription.ts')
    expect(await loadSubscription(subscription.token)).toBeUndefined()
    await getData(admin('POST', `/users/${user.id}/roles`, adminRole(account.accountId)))
    expect((await script('GET', '/users')).status).toBe(200)
  })
})

describe('a user of one space', () => {
  it('can do everything in it, and sees nothing outside it', async () => {
    const { environmentId } = account
    const space = await getData(admin('POST', '/spaces', { environmentId, name: 'Given' }))
    const other = await getData(admin('POST', '/spaces', { environmentId, name: 'Beside' }))
    const { call } = await createUser([adminRole(space.id)])
    const workbook = await getData(
      call('POST', '/workbooks', {
        spaceId: space.id,
        name: 'W',
        sheets: [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }],
      }),
    )
    await getData(call('POST', `/sheets/${workbook.sheets[0].id}/records`, [{ a: { value: 'x' } }]))
    await getData(call('PATCH', `/spaces/${space.id}`, { name: 'Renamed' }))
    const ids = (found: { id: string }[]) => found.map(({ id }) => id)
    expect(ids(await getData(call('GET', '/spaces')))).toEqual([space.id])
    await getData(admin('POST', '/threads', { resourceId: other.id, status: 'ready' }))
    await getData(call('POST', '/threads', { resourceId: space.id, status: 'ready' }))
    expect(await getData(call('GET', '/threads'))).toHaveLength(1)
    const topics = await getData(call('GET', '/events?pageSize=100&includeAcknowledged=true'))
    expect(new Set(topics.map(({ context }: { context: { spaceId: string } }) => context.spaceId))).toEqual(
      new Set([space.id]),
    )
    const config = (spaceId: string) => ({
      environmentId,
      email: newEmail(),
      name: 'Guest',
      spaces: [{ id: spaceId }],
    })
    const [guest] = await getData(call('POST', '/guests', config(space.id)))
    const beside = (await getData(admin('POST', '/guests', config(other.id))))[0]
    expect(ids(await getData(call('GET', '/guests?pageSize=1000')))).toEqual([guest.id])
    for (const [method, path, body] of [
      ['GET', `/spaces/${other.id}`],
      ['DELETE', `/spaces?spaceIds=${other.id}`],
      ['GET', `/guests/${beside.id}`],
      ['POST', '/guests', config(other.id)],
      ['POST', '/spaces', { environmentId, name: 'x' }],
      ['GET', `/environments/${environmentId}`],
      ['GET', `/secrets?environmentId=${environmentId}`],
      ['GET', `/subscription?scope=${environmentId}`],
    ] as const)
      expect([403, 404], `${method} ${path}`).toContain((await call(method, path, body)).status)
    expect((await call('GET', '/webhooks')).status).toBe(403)
    expect((await call('GET', '/agents')).status).toBe(403)
    expect((await call('GET', `/secrets?spaceId=${space.id}`)).status).toBe(403)
  })

  it('creates guest tokens only for it, and a reader creates none', async () => {
    const { environmentId } = account
    const [own, other] = [
      await getData(admin('POST', '/spaces', { environmentId, name: 'Own' })),
      await getData(admin('POST', '/spaces', { environmentId, name: 'Other' })),
    ]
    const spaces = [{ id: own.id }, { id: other.id }]
    const [guest] = await getData(admin('POST', '/guests', { environmentId, email: newEmail(), name: 'Both', spaces }))
    const { call } = await createUser([adminRole(own.id)])
    expect((await getData(call('GET', `/guests/${guest.id}`))).spaces).toEqual([{ id: own.id }])
    expect((await call('GET', `/guests/${guest.id}/token`)).status).toBe(403)
    expect((await call('GET', `/guests/${guest.id}/token?spaceId=${other.id}`)).status).toBe(404)
    const inside = createCaller((await getData(call('GET', `/guests/${guest.id}/token?spaceId=${own.id}`))).token)
    expect((await inside('GET', `/spaces/${other.id}`)).status).toBe(404)
    const reader = await createUser([{ roleId: 'us_rol_reader', resourceId: environmentId }])
    expect((await reader.call('GET', `/guests/${guest.id}`)).status).toBe(200)
    expect((await reader.call('GET', `/guests/${guest.id}/token`)).status).toBe(403)
  })

  it('and of an environment has in each what its role there allows', async () => {
    const [development, production] = account.environments.map(({ environment }) => environment.id)
    const space = await getData(admin('POST', '/spaces', { environmentId: production, name: 'One' }))
    const { call } = await createUser([{ roleId: 'us_rol_reader', resourceId: development }, adminRole(space.id)])
    const readable = await getData(admin('POST', '/spaces', { environmentId: development, name: 'Readable' }))
    expect((await call('GET', `/spaces/${readable.id}`)).body.data.guestLink).toBeUndefined()
    expect((await call('GET', `/spaces/${space.id}`)).body.data.guestLink).toBeDefined()
    expect((await call('PATCH', `/spaces/${readable.id}`, { name: 'x' })).status).toBe(403)
    expect((await call('PATCH', `/spaces/${space.id}`, { name: 'x' })).status).toBe(200)
    expect((await call('POST', '/spaces', { environmentId: development, name: 'x' })).status).toBe(403)
    expect((await call('GET', `/agents?environmentId=${development}`)).status).toBe(200)
    expect((await call('GET', `/agents?environmentId=${production}`)).status).toBe(403)
  })
})

describe('roles', () => {
  it('are listed, and assigned where they make sense', async () => {
    const roles = await getData(admin('GET', '/roles'))
    expect(pluck(roles, 'name')).toEqual(
      expect.arrayContaining([
        'Administrator',
        'Single-Space Guest',
        'Multi-Space Guest',
        'Single-Workbook Guest',
        'Multi-Workbook Guest',
      ]),
    )
    const { user } = await createUser([])
    const assignRole = (body: object) => admin('POST', `/users/${user.id}/roles`, body)
    const stranger = await createTestAccount()
    expect((await assignRole({ roleId: 'us_rol_none', resourceId: account.environmentId })).status).toBe(400)
    expect((await assignRole({ roleId: 'us_rol_agent', resourceId: account.environmentId })).status).toBe(400)
    expect((await assignRole({ roleId: 'us_rol_reader', resourceId: account.accountId })).status).toBe(400)
    expect((await assignRole({ roleId: 'us_rol_reader', resourceId: 'us_sh_x' })).status).toBe(400)
    expect((await assignRole(adminRole(stranger.environmentId))).status).toBe(404)
    expect((await assignRole(adminRole(stranger.accountId))).status).toBe(404)
    const once = await getData(assignRole(adminRole(account.environmentId)))
    expect(await getData(assignRole(adminRole(account.environmentId)))).toEqual(once)
    const problems = await admin('POST', '/users/invite', {
      email: newEmail(),
      name: 'x',
      actorRoles: [{ roleId: 'nothing', resourceId: account.accountId }],
    })
    expect(problems.body.errors[0].key).toBe('actorRoles.0.roleId')
  })

  it('are the grants, for guests', async () => {
    const { environmentId } = account
    const [one, two] = [
      await getData(admin('POST', '/spaces', { environmentId, name: 'One' })),
      await getData(admin('POST', '/spaces', { environmentId, name: 'Two' })),
    ]
    const config = { environmentId, email: newEmail(), name: 'Guest', spaces: [{ id: one.id }] }
    const [guest] = await getData(admin('POST', '/guests', config))
    const path = `/guests/${guest.id}/roles`
    expect(await getData(admin('GET', path))).toMatchObject([{ roleId: 'us_rol_singleSpaceGuest', resourceId: one.id }])
    const role = await getData(admin('POST', path, { roleId: 'us_rol_multiSpaceGuest', resourceId: two.id }))
    expect((await getData(admin('GET', `/guests/${guest.id}`))).spaces).toEqual([{ id: one.id }, { id: two.id }])
    const inside = createCaller((await getData(admin('GET', `/guests/${guest.id}/token`))).token)
    expect((await inside('GET', `/spaces/${two.id}`)).status).toBe(200)
    await getData(admin('DELETE', `${path}/${role.id}`))
    expect((await inside('GET', `/spaces/${two.id}`)).status).toBe(404)
    expect((await admin('DELETE', `${path}/${role.id}`)).status).toBe(404)
    expect((await admin('POST', path, { roleId: 'us_rol_singleWorkbookGuest', resourceId: two.id })).status).toBe(400)
    expect((await inside('POST', path, { roleId: 'us_rol_singleSpaceGuest', resourceId: two.id })).status).toBe(403)
  })

  it('restrict and extend the permissions of agents, from the next request on', async () => {
    const { environmentId } = account
    const source = 'module.exports = { routeEvent: async () => {} }'
    const config = { topics: ['space:created'], compiler: 'js', slug: 'roles', source }
    const agent = await getData(admin('POST', `/agents?environmentId=${environmentId}`, config))
    const { Keys } = await import('../../lib/entities/keys.ts')
    const { generateKey } = await import('../../lib/auth/keys.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    const key = generateKey('agk')
    const { accountId } = account
    const owner = { accountId, environmentId, agentId: agent.id, createdBy: agent.id, createdAt: agent.createdAt }
    await transact([Keys.create({ id: key.id, type: 'AGENT', hash: key.hash, ...owner })])
    const call = createCaller(key.value)
    const path = `/agents/${agent.id}/roles`
    const space = await getData(call('POST', '/spaces', { environmentId, name: 'By the agent' }))
    const other = await getData(call('POST', '/spaces', { environmentId, name: 'Beside' }))
    expect((await call('GET', '/auth/api-keys')).status).toBe(403)
    const [own] = await getData(admin('GET', path))
    expect(own).toMatchObject({ roleId: 'us_rol_agent', resourceId: environmentId, actorId: agent.id })
    expect((await call('POST', path, adminRole(environmentId))).status).toBe(403)
    expect((await createCaller(account.secretKey)('POST', path, adminRole(environmentId))).status).toBe(403)
    await getData(admin('POST', path, { roleId: 'us_rol_reader', resourceId: space.id }))
    await getData(admin('DELETE', `${path}/${own.id}`))
    expect((await call('GET', `/spaces/${space.id}`)).status).toBe(200)
    expect((await call('PATCH', `/spaces/${space.id}`, { name: 'x' })).status).toBe(403)
    expect((await call('GET', `/spaces/${other.id}`)).status).toBe(404)
    await getData(admin('POST', path, adminRole(environmentId)))
    expect((await call('GET', '/auth/api-keys')).status).toBe(200)
    const elsewhere = account.environments[1]!.environment.id
    expect((await admin('POST', path, adminRole(elsewhere))).status).toBe(400)
  })
})

describe('a refreshed token', () => {
  const refresh = (token: string) => anybody('POST', '/auth/refresh-token', token)
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

  it('has the access of the one before, bare, for users, guests and embedded spaces', async () => {
    const user = await refresh(adminToken)
    expect(user).toMatchObject({ status: 200, body: { expiresIn: '86400', userId: account.userId } })
    expect((await createCaller(user.body.accessToken)('GET', '/users')).status).toBe(200)
    const made = await getData(createCaller(account.publishableKey)('POST', '/spaces', { name: 'embedded' }))
    const embedded = createCaller((await refresh(made.accessToken)).body.accessToken)
    expect(pluck(await getData(embedded('GET', '/spaces')), 'id')).toEqual([made.id])
    const config = { environmentId: account.environmentId, email: newEmail(), name: 'G', spaces: [{ id: made.id }] }
    const [guest] = await getData(admin('POST', '/guests', config))
    const { token } = await getData(admin('GET', `/guests/${guest.id}/token?spaceId=${made.id}`))
    const fresh = await refresh(token)
    expect(fresh.body.expiresIn).toBe('3600')
    expect(claimsOf(fresh.body.accessToken)).toMatchObject({ space: made.id, sub: guest.id })
    await getData(admin('DELETE', `/guests/${guest.id}`))
    expect((await refresh(token)).status).toBe(401)
  })

  it('is not issued for anything else, nor beyond the session', async () => {
    const subscription = await getData(admin('GET', `/subscription?scope=${account.environmentId}`))
    for (const token of [account.secretKey, subscription.token, `${adminToken.slice(0, -4)}AAAA`, 'x'])
      expect((await refresh(token)).status).toBe(401)
    expect((await anybody('POST', '/auth/refresh-token', { token: adminToken })).status).toBe(400)
    const { signToken } = await import('../../lib/auth/signing.ts')
    const now = Math.floor(Date.now() / 1000)
    const { ses } = claimsOf(adminToken)
    const newTokenFrom = (ago: number) =>
      signToken({ sub: account.userId, acc: account.accountId, kind: 'user', ses, auth_time: now - ago }, 600)
    expect((await refresh((await newTokenFrom(7 * 86_400 + 5)).token)).status).toBe(401)
    const last = await refresh((await newTokenFrom(7 * 86_400 - 100)).token)
    expect(Number(last.body.expiresIn)).toBeLessThanOrEqual(100)
    expect(claimsOf(last.body.accessToken).auth_time).toBe(now - 7 * 86_400 + 100)
  })
})
