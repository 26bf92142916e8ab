/** Environments over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, type TestAccount, until } from '../support/api.ts'

let account: TestAccount
let admin: ReturnType<typeof callerOf>

beforeAll(async () => {
  account = await mintAccount()
  const { body } = await callerOf(undefined)('POST', '/auth', { email: account.email, password: account.password })
  admin = callerOf(body.accessToken)
})

const create = async (body: object) => (await admin('POST', '/environments', body)).body.data
const secretOf = async (environmentId: string): Promise<string> => {
  const { body } = await admin('GET', `/auth/api-keys?environmentId=${environmentId}`)
  return body.data.find(({ type }: { type: string }) => type === 'SECRET').rawKey
}

describe('an environment', () => {
  it('is created with its keys, changed, and tells of both', async () => {
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
    expect(
      (await callerOf(await secretOf(made.id))('GET', '/environments')).body.data.map(({ id }: { id: string }) => id),
    ).toEqual([made.id])
  })

  it('has a slug of its own in the account', async () => {
    await create({ name: 'Twice', isProd: false })
    const again = await admin('POST', '/environments', { name: 'Twice', isProd: false })
    expect(again).toMatchObject({ status: 409, body: { errors: [{ key: 'conflict' }] } })
  })

  it('ends with its keys at once, and with everything in it soon', async () => {
    const made = await create({ name: 'Short lived', isProd: false })
    const key = callerOf(await secretOf(made.id))
    const space = (await key('POST', '/spaces', { name: 'inside' })).body.data
    expect((await admin('DELETE', `/environments/${made.id}`)).body).toEqual({ data: { success: true } })
    expect((await key('GET', '/spaces')).status).toBe(401)
    expect((await admin('GET', `/environments/${made.id}`)).status).toBe(404)
    await until(async () => (await admin('GET', `/spaces/${space.id}`)).status === 404)
  })

  it('is made by administrators only', async () => {
    expect((await callerOf(account.secretKey)('POST', '/environments', { name: 'x', isProd: false })).status).toBe(403)
  })
})
