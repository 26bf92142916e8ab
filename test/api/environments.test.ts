import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, pluck, statusOf } from '../support/api.ts'
import { account, type Caller, call, createFreshAccount, signIn } from '../support/fresh-account.ts'

let admin: Caller

beforeAll(async () => {
  await createFreshAccount()
  const { body } = await createCaller(undefined)('POST', '/auth', { email: account.email, password: account.password })
  admin = createCaller(body.accessToken)
})

const create = async (body: object) => (await admin('POST', '/environments', body)).body.data
const secretOf = async (environmentId: string): Promise<string> => {
  const { body } = await admin('GET', `/auth/api-keys?environmentId=${environmentId}`)
  return body.data.find(({ type }: { type: string }) => type === 'SECRET').rawKey
}

describe('an environment', () => {
  it('is created with its keys and changed, with an event for each', async () => {
    const made = await create({ name: 'Staging West', isProd: false, guestAuthentication: ['magic_link'] })
    expect(made).toMatchObject({
      name: 'Staging West',
      slug: 'staging-west',
      isProd: false,
      guestAuthentication: 'magic_link',
    })
    const changed = await admin('PATCH', `/environments/${made.id}`, { name: 'Staging East' })
    expect(changed.body).toMatchObject({ id: made.id, name: 'Staging East', slug: 'staging-west' })
    const { body } = await admin('GET', `/events?environmentId=${made.id}`)
    expect(body.data.map(({ topic, payload }: { topic: string; payload: object }) => [topic, payload])).toEqual([
      ['environment:created', { environmentId: made.id, name: 'Staging West', slug: 'staging-west', isProd: false }],
      [
        'environment:updated',
        {
          environmentId: made.id,
          changes: [{ field: 'name', previousValue: 'Staging West', newValue: 'Staging East' }],
        },
      ],
    ])
    expect(pluck((await createCaller(await secretOf(made.id))('GET', '/environments')).body.data, 'id')).toEqual([
      made.id,
    ])
  })

  it('has a slug unique in the account', async () => {
    await create({ name: 'Twice', isProd: false })
    const again = await admin('POST', '/environments', { name: 'Twice', isProd: false })
    expect(again).toMatchObject({ status: 409, body: { errors: [{ key: 'conflict' }] } })
  })

  it('that was deleted is reported to administrators and their tokens by environment:deleted and in the audit log', async () => {
    const made = await create({ name: 'Remembered', isProd: false })
    const key = createCaller(await secretOf(made.id))
    const { token } = (await admin('POST', '/auth/personal-access-tokens', { name: 'reader' })).body.data
    const stranger = await createTestAccount()
    const other = await signIn(stranger)
    const before = new Date().toISOString()
    expect((await admin('DELETE', `/environments/${made.id}`)).status).toBe(200)
    const path = `/events?topic=environment:deleted&since=${before}`
    for (const caller of [admin, createCaller(token)]) {
      const { data } = (await caller('GET', path)).body
      expect(data).toMatchObject([
        {
          topic: 'environment:deleted',
          context: { accountId: account.accountId, environmentId: made.id, actorId: account.userId },
          payload: { environmentId: made.id, deletedBy: account.userId, deletedAt: expect.any(String) },
        },
      ])
      expect((await caller('GET', `/events/${data[0].id}`)).body.data.id).toBe(data[0].id)
    }
    expect((await key('GET', path)).status).toBe(401)
    for (const caller of [other, createCaller(account.secretKey), createCaller(stranger.secretKey)])
      expect((await caller('GET', path)).body.data).toEqual([])
    expect((await admin('GET', `${path}&environmentId=${account.environmentId}`)).body.data).toEqual([])
    const audited = (await admin('GET', `/audit?resourceId=${made.id}&action=environments.remove`)).body.data
    expect(audited).toMatchObject([{ actorId: account.userId, before: { id: made.id, name: 'Remembered' } }])
  })

  it('for production cannot be deleted when it is the last one, even under concurrent requests', async () => {
    const fresh = await createTestAccount()
    const own = await signIn(fresh)
    const [development, production] = fresh.environments.map(({ environment }) => environment.id)
    const last = {
      status: 409,
      body: { errors: [{ message: expect.stringContaining('last production environment') }] },
    }
    expect(await own('DELETE', `/environments/${production}`)).toMatchObject(last)
    expect(await own('PATCH', `/environments/${production}`, { isProd: false })).toMatchObject(last)
    expect((await own('PATCH', `/environments/${production}`, { name: 'Live' })).status).toBe(200)
    const other = (await own('POST', '/environments', { name: 'Other', isProd: true })).body.data.id
    const answers = await Promise.all([production, other].map((id) => own('DELETE', `/environments/${id}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await own('DELETE', `/environments/${development}`)).status).toBe(200)
    const left: { isProd: boolean }[] = (await own('GET', '/environments')).body.data
    expect(left.map(({ isProd }) => isProd)).toEqual([true])
  })

  it('cannot be created with a secret key', async () => {
    expect(await statusOf(call('POST', '/environments', { name: 'x', isProd: false }))).toBe(403)
  })
})
