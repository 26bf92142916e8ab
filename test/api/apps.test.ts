import { FlatfileClient } from '@flatfile/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getAccessToken, getServer } from '../support/api.ts'
import { account, type Caller, createFreshAccount } from '../support/fresh-account.ts'

let admin: Caller
let key: Caller
let api: FlatfileClient

beforeAll(async () => {
  await createFreshAccount()
  const { email, password } = account
  const accessToken = await getAccessToken({ email, password })
  admin = createCaller(accessToken)
  key = createCaller(account.secretKey)
  api = new FlatfileClient({ token: accessToken, environment: `${getServer().baseUrl}/v1` })
})

let count = 0
const newApp = () => api.apps.create({ name: 'Onboarding', namespace: `onboarding-${++count}`, type: 'PROJECTS' })

describe('an app', () => {
  it('works through the unmodified public SDK', async () => {
    const { data: app } = await newApp()
    expect(app).toMatchObject({ name: 'Onboarding', type: 'PROJECTS', entity: 'Space', entityPlural: 'Spaces' })
    expect((await api.apps.list()).data.map(({ id }) => id)).toContain(app.id)
    const { data: changed } = await api.apps.update(app.id, { entity: 'Customer', metadata: { any: 'thing' } })
    expect((await api.apps.get(app.id)).data).toEqual(changed)
    expect(changed).toMatchObject({ entity: 'Customer', metadata: { any: 'thing' } })
    expect(await api.apps.delete(app.id)).toEqual({ success: true })
    await expect(api.apps.get(app.id)).rejects.toMatchObject({ statusCode: 404 })
  })

  it('has its own namespace, which can be reused once it is deleted', async () => {
    const { data: app } = await newApp()
    const body = { name: 'Twin', namespace: app.namespace, type: 'CUSTOM' }
    expect((await admin('POST', '/apps', body)).status).toBe(409)
    await api.apps.delete(app.id)
    expect((await admin('POST', '/apps', body)).status).toBe(200)
  })

  it('is read by a secret key, and changed only by administrators', async () => {
    const { data: app } = await newApp()
    expect((await key('GET', `/apps/${app.id}`)).body.data.id).toBe(app.id)
    expect((await key('PATCH', `/apps/${app.id}`, { name: 'x' })).status).toBe(403)
    expect((await key('POST', '/apps', { name: 'x', namespace: 'x', type: 'CUSTOM' })).status).toBe(403)
  })

  it("becomes the account's default when it asks to", async () => {
    const { data: app } = await newApp()
    const { data } = await api.accounts.updateCurrent({ name: 'Engines', defaultAppId: app.id })
    expect(data).toMatchObject({ name: 'Engines', defaultAppId: app.id })
    expect((await api.accounts.getCurrent()).data).toEqual(data)
    expect((await admin('PATCH', '/accounts/current', { defaultAppId: 'us_app_0' })).status).toBe(404)
    expect((await key('PATCH', '/accounts/current', { name: 'x' })).status).toBe(403)
  })
})

describe('a stored constraint', () => {
  const positive = 'function constraint(value, key, { record }) { if (value < 0) record.addError(key, "negative") }'

  it('works through the unmodified public SDK and keeps every version', async () => {
    const { data: app } = await newApp()
    const { data: made } = await api.apps.createConstraint(app.id, { validator: 'positive', function: positive })
    const function2 = positive.replace('< 0', '<= 0')
    const { data: changed } = await api.apps.updateConstraint(app.id, made.id, { function: function2 })
    expect((await api.apps.getConstraintById(app.id, made.id)).data).toEqual(changed)
    expect((await api.apps.getConstraints(app.id, { includeBuiltins: true })).data).toEqual([changed])
    const { data: versions } = await api.apps.getConstraintVersions(app.id, made.id)
    expect(versions.map((one) => [one.version, one.function])).toEqual([
      [2, function2],
      [1, positive],
    ])
    const { data: first } = await api.apps.getConstraintVersion(app.id, made.id, 1)
    expect(first).toMatchObject({ id: made.id, version: 1, function: positive })
    expect(await api.apps.deleteConstraint(app.id, made.id)).toEqual({ success: true })
    await expect(api.apps.getConstraintVersions(app.id, made.id)).rejects.toMatchObject({ statusCode: 404 })
  })

  it('has a validator unique in its app, and does not belong to another app', async () => {
    const [{ data: one }, { data: two }] = [await newApp(), await newApp()]
    const { data: made } = await api.apps.createConstraint(one!.id, { validator: 'same' })
    expect((await admin('POST', `/apps/${one!.id}/constraints`, { validator: 'same' })).status).toBe(409)
    expect((await admin('POST', `/apps/${two!.id}/constraints`, { validator: 'same' })).status).toBe(200)
    expect((await admin('GET', `/apps/${two!.id}/constraints/${made.id}`)).status).toBe(404)
  })

  it('is found by listeners: events of an app space name the app', async () => {
    const { data: app } = await newApp()
    const space = (await key('POST', '/spaces', { name: 'Of an app', appId: app.id })).body.data
    const sheets = [
      {
        name: 'N',
        slug: 'n',
        fields: [{ key: 'n', type: 'number', constraints: [{ type: 'stored', validator: 'p' }] }],
      },
    ]
    const workbook = (await key('POST', '/workbooks', { spaceId: space.id, name: 'W', sheets })).body.data
    await key('POST', `/sheets/${workbook.sheets[0].id}/records`, [{ n: { value: 1 } }])
    const events = (await key('GET', `/events?spaceId=${space.id}&topic=commit:created`)).body.data
    expect(events.map(({ context }: { context: { appId: string } }) => context.appId)).toEqual([app.id])
  })
})
