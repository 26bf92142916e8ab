/** New accounts, environment keys and secrets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import { AT, createScope, newIdSuffix, putItem, type SeedScope } from '../../support/auth-items.ts'

let cloud: AuthCloud
let begin: typeof import('../../../lib/tx.ts')['begin']
let accounts: typeof import('../../../lib/auth/new-account.ts')
let environmentKeys: typeof import('../../../lib/auth/environment-keys.ts')
let secrets: typeof import('../../../lib/auth/secret-store.ts')
let Keys: typeof import('../../../lib/entities/keys.ts')['Keys']
let here: SeedScope

beforeAll(async () => {
  cloud = await startAuthCloud()
  begin = (await import('../../../lib/tx.ts')).begin
  accounts = await import('../../../lib/auth/new-account.ts')
  environmentKeys = await import('../../../lib/auth/environment-keys.ts')
  secrets = await import('../../../lib/auth/secret-store.ts')
  Keys = (await import('../../../lib/entities/keys.ts')).Keys
  here = await createScope()
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

describe('new account', () => {
  it('has an administrator and two environments with keys, and emits their events', async () => {
    const email = `${newIdSuffix()}@Example.com`
    const made = await accounts.createAccount({ name: 'Account', email, userName: 'Ada', password: 'a password' })
    const { Accounts } = await import('../../../lib/entities/accounts.ts')
    const { Users } = await import('../../../lib/entities/users.ts')
    const { Environments } = await import('../../../lib/entities/environments.ts')
    const { matchesPasswordHash, derivePasswordKey } = await import('../../../lib/core/crypto.ts')
    const { accountId, userId } = made
    expect(accountId).toMatch(/^us_acc_/)
    expect(userId).toMatch(/^us_usr_/)
    const account = (await Accounts.get(accountId))!
    expect(account).toMatchObject({ id: accountId, name: 'Account', metadata: {}, createdAt: account.updatedAt })
    const user = (await Users.byEmail(accountId, email))!
    expect(user).toMatchObject({
      id: userId,
      accountId,
      email: email.toLowerCase(),
      name: 'Ada',
      idp: 'wharf',
      metadata: {},
    })
    expect(user.actorRoles).toEqual([
      { id: expect.stringMatching(/^us_acr_/), role: 'administrator', createdAt: account.createdAt },
    ])
    expect(matchesPasswordHash(await derivePasswordKey(email, 'a password'), user.passwordHash)).toBe(true)
    const environments = await Environments.inAccount(accountId)
    expect(environments.map(({ name, slug, isProd }) => [name, slug, isProd]).toSorted()).toEqual([
      ['development', 'development', false],
      ['production', 'production', true],
    ])
    expect(made.environments.map(({ environment }) => environment.name)).toEqual(['development', 'production'])
    for (const { environment, secret, publishable } of made.environments) {
      expect(environment).toMatchObject({ accountId, guestAuthentication: 'shared_link', features: {}, metadata: {} })
      expect(await Environments.get(environment.id)).toEqual({ ...environment, rev: 1 })
      expect([secret.type, publishable.type]).toEqual(['SECRET', 'PUBLISHABLE'])
      const kept = await Keys.inEnvironment(environment.id)
      expect(kept.map(({ id }) => id).toSorted()).toEqual([secret.id, publishable.id].toSorted())
    }
    expect(cloud.events.map(({ topic, context, payload }) => [topic, context, payload])).toEqual(
      made.environments.map(({ environment: { id, name, slug, isProd } }) => [
        'environment:created',
        { accountId, actorId: userId, environmentId: id },
        { environmentId: id, name, slug, isProd },
      ]),
    )
    const again = { name: 'Other', email: email.toUpperCase(), userName: 'Ada', password: 'x' }
    const other = await accounts.createAccount(again)
    expect((await Users.byEmail(other.accountId, email))!.id).toBe(other.userId)
    expect((await Users.byEmail(accountId, email))!.id).toBe(userId)
  })
})

describe('environment key', () => {
  it('is stored hashed and encrypted, and returned with its value', async () => {
    const { accountId, environmentId } = here
    const { parseKey, matchesKeyHash } = await import('../../../lib/auth/keys.ts')
    for (const [type, prefix, operations] of [
      ['SECRET', 'sk', []],
      ['PUBLISHABLE', 'pk', [{ path: '/v1/spaces', method: 'POST' }]],
    ] as const) {
      const tx = begin({ accountId, actorId: 'us_usr_x' }, AT)
      const made = environmentKeys.addEnvironmentKey(tx, environmentId, type)
      await tx.commit()
      const owner = { accountId, environmentId, createdBy: 'us_usr_x', createdAt: AT }
      expect(made).toEqual({ id: expect.any(String), rawKey: expect.any(String), type, ...owner, operations })
      expect(parseKey(made.rawKey!)).toEqual({ id: made.id, prefix })
      const kept = (await Keys.get(made.id))!
      expect(kept).toMatchObject({ ...owner, type })
      expect(matchesKeyHash(made.rawKey!, kept.hash)).toBe(true)
      expect(JSON.stringify(kept)).not.toContain(made.rawKey!.slice(30))
      const { createdBy: _, ...shown } = made as typeof made & { createdBy: string }
      expect(environmentKeys.serializeKey(kept)).toEqual(shown)
      const { sealed: __, ...bare } = kept
      expect(environmentKeys.serializeKey(bare)).not.toHaveProperty('rawKey')
      expect(environmentKeys.serializeKey({ ...bare, type: 'AGENT' })).toMatchObject({ type: 'SECRET', operations: [] })
    }
  })
})

describe('secret', () => {
  const createActor = () => ({ accountId: here.accountId, actorId: 'us_usr_x' })
  const writeSecret = (where: object, name: string, value: string) =>
    secrets.writeSecret(createActor(), where as never, name, value)
  const getEvents = () => cloud.events.map(({ topic, context, payload }) => [topic, context.spaceId, payload])

  it('is created, overwritten, left unchanged and deleted, with the matching events', async () => {
    const { environmentId } = await createScope({ accountId: here.accountId })
    const made = await writeSecret({ environmentId }, 'NAME', 'one')
    expect(made).toEqual({ environmentId, id: expect.stringMatching(/^us_sec_/), name: 'NAME', value: 'one' })
    expect(cloud.events.map(({ topic }) => topic)).toEqual(['secret:created'])
    expect(JSON.stringify(cloud.events)).not.toMatch(/NAME|"one"/)
    const [kept] = await secrets.listSecrets({ environmentId })
    expect(kept).toMatchObject({ accountId: here.accountId, createdBy: 'us_usr_x', createdAt: kept!.updatedAt })
    expect(await secrets.serializeSecret(kept!)).toMatchObject({ ...made })
    expect(await secrets.serializeSecret(kept!)).not.toHaveProperty('sealed')
    cloud.reset()
    expect(await writeSecret({ environmentId }, 'NAME', 'two')).toMatchObject({ id: made.id, value: 'two' })
    expect(cloud.events.map(({ topic }) => topic)).toEqual(['secret:updated'])
    const [after] = await secrets.listSecrets({ environmentId })
    expect(after!.updatedAt > kept!.updatedAt).toBe(true)
    expect((await secrets.serializeSecret(after!)).value).toBe('two')
    cloud.reset()
    await writeSecret({ environmentId }, 'NAME', 'two')
    expect(cloud.events).toEqual([])
    expect((await secrets.listSecrets({ environmentId }))[0]!.rev).toBe(after!.rev)
    const tx = begin(createActor())
    secrets.removeSecret(tx, after!)
    await tx.commit()
    expect(cloud.events.map(({ topic }) => topic)).toEqual(['secret:deleted'])
    expect(await secrets.listSecrets({ environmentId })).toEqual([])
    expect((await writeSecret({ environmentId }, 'NAME', 'three')).id).not.toBe(made.id)
  })

  it('resolves to the most specific scope: environment, space, actor, or actor in the space', async () => {
    const { environmentId, spaceId } = await createScope({ accountId: here.accountId })
    const actorId = 'us_ag_x'
    await writeSecret({ environmentId }, 'B', 'environment')
    await writeSecret({ environmentId }, 'A', 'environment')
    await writeSecret({ environmentId, spaceId }, 'B', 'space')
    await writeSecret({ environmentId, actorId }, 'B', 'actor')
    await writeSecret({ environmentId, spaceId, actorId }, 'B', 'both')
    await writeSecret({ environmentId, spaceId: 'us_sp_other' }, 'C', 'other')
    const resolveValue = async (where: object) =>
      (await secrets.resolveSecrets({ environmentId, ...where })).map(({ name, value }) => `${name} ${value}`)
    expect(await resolveValue({})).toEqual(['A environment', 'B environment'])
    expect(await resolveValue({ spaceId })).toEqual(['A environment', 'B space'])
    expect(await resolveValue({ actorId })).toEqual(['A environment', 'B actor'])
    expect(await resolveValue({ spaceId, actorId })).toEqual(['A environment', 'B both'])
    expect(await resolveValue({ spaceId: 'us_sp_other' })).toEqual(['A environment', 'B environment', 'C other'])
    expect((await secrets.listSecrets({ environmentId, spaceId })).map(({ name }) => name)).toEqual(['B'])
    expect((await secrets.listSecrets({ environmentId })).map(({ name }) => name)).toEqual(['A', 'B'])
    expect((await secrets.getSecretValues(environmentId)).toSorted()).toEqual([
      'actor',
      'both',
      'environment',
      'environment',
      'other',
      'space',
    ])
    expect(getEvents().filter(([topic]) => topic === 'secret:created')).toHaveLength(6)
  })

  it('is limited to 200 per scope', async () => {
    const { environmentId } = await createScope({ accountId: here.accountId })
    const { encrypt } = await import('../../../lib/core/crypto.ts')
    const buildItem = (i: number) => ({
      id: `us_sec_${newIdSuffix()}`,
      accountId: here.accountId,
      environmentId,
      name: `N${i}`,
      sealed: encrypt('x', 'y'),
      createdBy: 'us_usr_x',
      createdAt: AT,
      updatedAt: AT,
    })
    const all = Array.from({ length: 199 }, (_, i) => buildItem(i))
    await Promise.all(all.map((each) => putItem('secret', each, { gsi1: environmentId })))
    await writeSecret({ environmentId }, 'LAST', 'x')
    expect(await catchProblem(() => writeSecret({ environmentId }, 'MORE', 'x'))).toBe(
      '409 conflict: This scope already has 200 secrets, the maximum. Delete one first.',
    )
    await writeSecret({ environmentId }, 'LAST', 'y')
    await writeSecret({ environmentId, spaceId: 'us_sp_x' }, 'MORE', 'x')
  })

  it('is stored once with one of the values when written concurrently', async () => {
    const { environmentId } = await createScope({ accountId: here.accountId })
    const values = ['1', '2', '3']
    const made = await Promise.all(values.map((value) => writeSecret({ environmentId }, 'RACE', value)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    const kept = await secrets.resolveSecrets({ environmentId })
    expect(kept).toHaveLength(1)
    expect(values).toContain(kept[0]!.value)
  })

  it('is retried five times on conflicts, but not on other errors', async () => {
    const { environmentId } = await createScope({ accountId: here.accountId })
    const { documents } = await import('../../../lib/table/client.ts')
    const send = documents.send.bind(documents)
    const mockFailure = (error: Error) => {
      let tries = 0
      const spy = vi.spyOn(documents, 'send').mockImplementation(((command: { constructor: { name: string } }) => {
        if (command.constructor.name !== 'TransactWriteCommand') return send(command as never)
        tries++
        return Promise.reject(error)
      }) as never)
      return { spy, tries: () => tries }
    }
    const lost = Object.assign(new Error('lost'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    })
    const contended = mockFailure(lost)
    expect(await catchProblem(() => writeSecret({ environmentId }, 'RACE', 'x'))).toMatch(
      /^409 conflict: The resource was changed concurrently/,
    )
    expect(contended.tries()).toBe(5)
    contended.spy.mockRestore()
    const broken = mockFailure(new Error('no table'))
    await expect(writeSecret({ environmentId }, 'RACE', 'x')).rejects.toThrow('no table')
    expect(broken.tries()).toBe(1)
    broken.spy.mockRestore()
  })
})
