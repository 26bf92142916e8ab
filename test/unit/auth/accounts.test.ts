/** New accounts, keys of environments, and secrets. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import { AT, type Place, place, put, tail } from '../../support/auth-items.ts'

let cloud: AuthCloud
let begin: typeof import('../../../lib/tx.ts')['begin']
let accounts: typeof import('../../../lib/auth/new-account.ts')
let environmentKeys: typeof import('../../../lib/auth/environment-keys.ts')
let secrets: typeof import('../../../lib/auth/stored-secrets.ts')
let Keys: typeof import('../../../lib/entities/keys.ts')['Keys']
let here: Place

beforeAll(async () => {
  cloud = await authCloud()
  begin = (await import('../../../lib/tx.ts')).begin
  accounts = await import('../../../lib/auth/new-account.ts')
  environmentKeys = await import('../../../lib/auth/environment-keys.ts')
  secrets = await import('../../../lib/auth/stored-secrets.ts')
  Keys = (await import('../../../lib/entities/keys.ts')).Keys
  here = await place()
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

describe('a new account', () => {
  it('has an administrator, and two environments with their keys, and tells of these', async () => {
    const email = `${tail()}@Example.com`
    const made = await accounts.createAccount({ name: 'Account', email, userName: 'Ada', password: 'a password' })
    const { Accounts } = await import('../../../lib/entities/accounts.ts')
    const { Users } = await import('../../../lib/entities/users.ts')
    const { Environments } = await import('../../../lib/entities/environments.ts')
    const { passwordFits, passwordKey } = await import('../../../lib/auth/secrets.ts')
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
    expect(passwordFits(await passwordKey(email, 'a password'), user.passwordHash)).toBe(true)
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

describe('a key of an environment', () => {
  it('is kept hashed and sealed, and shown with its value', async () => {
    const { accountId, environmentId } = here
    const { keyIdOf, keyMatches } = await import('../../../lib/auth/keys.ts')
    for (const [type, prefix, operations] of [
      ['SECRET', 'sk', []],
      ['PUBLISHABLE', 'pk', [{ path: '/v1/spaces', method: 'POST' }]],
    ] as const) {
      const tx = begin({ accountId, actorId: 'us_usr_x' }, AT)
      const made = environmentKeys.addKey(tx, environmentId, type)
      await tx.commit()
      const owner = { accountId, environmentId, createdBy: 'us_usr_x', createdAt: AT }
      expect(made).toEqual({ id: expect.any(String), rawKey: expect.any(String), type, ...owner, operations })
      expect(keyIdOf(made.rawKey!)).toEqual({ id: made.id, prefix })
      const kept = (await Keys.get(made.id))!
      expect(kept).toMatchObject({ ...owner, type })
      expect(keyMatches(made.rawKey!, kept.hash)).toBe(true)
      expect(JSON.stringify(kept)).not.toContain(made.rawKey!.slice(30))
      const { createdBy: _, ...shown } = made as typeof made & { createdBy: string }
      expect(environmentKeys.shownKey(kept)).toEqual(shown)
      const { sealed: __, ...bare } = kept
      expect(environmentKeys.shownKey(bare)).not.toHaveProperty('rawKey')
      expect(environmentKeys.shownKey({ ...bare, type: 'AGENT' })).toMatchObject({ type: 'SECRET', operations: [] })
    }
  })
})

describe('a secret', () => {
  const actor = () => ({ accountId: here.accountId, actorId: 'us_usr_x' })
  const write = (where: object, name: string, value: string) =>
    secrets.writeSecret(actor(), where as never, name, value)
  const told = () => cloud.events.map(({ topic, context, payload }) => [topic, context.spaceId, payload])

  it('is new, overwritten, left as it is, and removed, and tells so', async () => {
    const { environmentId } = await place({ accountId: here.accountId })
    const made = await write({ environmentId }, 'NAME', 'one')
    expect(made).toEqual({ environmentId, id: expect.stringMatching(/^us_sec_/), name: 'NAME', value: 'one' })
    expect(cloud.events.map(({ topic }) => topic)).toEqual(['secret:created'])
    expect(JSON.stringify(cloud.events)).not.toMatch(/NAME|"one"/)
    const [kept] = await secrets.secretsIn({ environmentId })
    expect(kept).toMatchObject({ accountId: here.accountId, createdBy: 'us_usr_x', createdAt: kept!.updatedAt })
    expect(await secrets.shownSecret(kept!)).toMatchObject({ ...made })
    expect(await secrets.shownSecret(kept!)).not.toHaveProperty('sealed')
    cloud.reset()
    expect(await write({ environmentId }, 'NAME', 'two')).toMatchObject({ id: made.id, value: 'two' })
    expect(cloud.events.map(({ topic }) => topic)).toEqual(['secret:updated'])
    const [after] = await secrets.secretsIn({ environmentId })
    expect(after!.updatedAt > kept!.updatedAt).toBe(true)
    expect((await secrets.shownSecret(after!)).value).toBe('two')
    cloud.reset()
    await write({ environmentId }, 'NAME', 'two')
    expect(cloud.events).toEqual([])
    expect((await secrets.secretsIn({ environmentId }))[0]!.rev).toBe(after!.rev)
    const tx = begin(actor())
    secrets.removeSecret(tx, after!)
    await tx.commit()
    expect(cloud.events.map(({ topic }) => topic)).toEqual(['secret:deleted'])
    expect(await secrets.secretsIn({ environmentId })).toEqual([])
    expect((await write({ environmentId }, 'NAME', 'three')).id).not.toBe(made.id)
  })

  it('that is nearest holds: of the environment, the space, the actor, or the actor in the space', async () => {
    const { environmentId, spaceId } = await place({ accountId: here.accountId })
    const actorId = 'us_ag_x'
    await write({ environmentId }, 'B', 'environment')
    await write({ environmentId }, 'A', 'environment')
    await write({ environmentId, spaceId }, 'B', 'space')
    await write({ environmentId, actorId }, 'B', 'actor')
    await write({ environmentId, spaceId, actorId }, 'B', 'both')
    await write({ environmentId, spaceId: 'us_sp_other' }, 'C', 'other')
    const holds = async (where: object) =>
      (await secrets.secretsFor({ environmentId, ...where })).map(({ name, value }) => `${name} ${value}`)
    expect(await holds({})).toEqual(['A environment', 'B environment'])
    expect(await holds({ spaceId })).toEqual(['A environment', 'B space'])
    expect(await holds({ actorId })).toEqual(['A environment', 'B actor'])
    expect(await holds({ spaceId, actorId })).toEqual(['A environment', 'B both'])
    expect(await holds({ spaceId: 'us_sp_other' })).toEqual(['A environment', 'B environment', 'C other'])
    expect((await secrets.secretsIn({ environmentId, spaceId })).map(({ name }) => name)).toEqual(['B'])
    expect((await secrets.secretsIn({ environmentId })).map(({ name }) => name)).toEqual(['A', 'B'])
    expect((await secrets.secretValuesIn(environmentId)).toSorted()).toEqual([
      'actor',
      'both',
      'environment',
      'environment',
      'other',
      'space',
    ])
    expect(told().filter(([topic]) => topic === 'secret:created')).toHaveLength(6)
  })

  it('is one of 200 in its place', async () => {
    const { environmentId } = await place({ accountId: here.accountId })
    const { seal } = await import('../../../lib/auth/secrets.ts')
    const item = (i: number) => ({
      id: `us_sec_${tail()}`,
      accountId: here.accountId,
      environmentId,
      name: `N${i}`,
      sealed: seal('x', 'y'),
      createdBy: 'us_usr_x',
      createdAt: AT,
      updatedAt: AT,
    })
    const all = Array.from({ length: 199 }, (_, i) => item(i))
    await Promise.all(all.map((each) => put('secret', each, { gsi1: environmentId })))
    await write({ environmentId }, 'LAST', 'x')
    expect(await problem(() => write({ environmentId }, 'MORE', 'x'))).toBe(
      '409 conflict: There may be 200 secrets in one place, and there are: delete one first.',
    )
    await write({ environmentId }, 'LAST', 'y')
    await write({ environmentId, spaceId: 'us_sp_x' }, 'MORE', 'x')
  })

  it('written by several at once is one with one of their values', async () => {
    const { environmentId } = await place({ accountId: here.accountId })
    const values = ['1', '2', '3']
    const made = await Promise.all(values.map((value) => write({ environmentId }, 'RACE', value)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    const kept = await secrets.secretsFor({ environmentId })
    expect(kept).toHaveLength(1)
    expect(values).toContain(kept[0]!.value)
  })

  it('that others write all the time is tried five times, and other errors are not', async () => {
    const { environmentId } = await place({ accountId: here.accountId })
    const { documents } = await import('../../../lib/table/client.ts')
    const send = documents.send.bind(documents)
    const failing = (error: Error) => {
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
    const contended = failing(lost)
    expect(await problem(() => write({ environmentId }, 'RACE', 'x'))).toMatch(
      /^409 conflict: Somebody else changed this/,
    )
    expect(contended.tries()).toBe(5)
    contended.spy.mockRestore()
    const broken = failing(new Error('no table'))
    await expect(write({ environmentId }, 'RACE', 'x')).rejects.toThrow('no table')
    expect(broken.tries()).toBe(1)
    broken.spy.mockRestore()
  })
})
