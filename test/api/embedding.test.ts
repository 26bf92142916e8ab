/** Embedding: a space with its contents, created with a publishable key in the URL. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, pluck } from '../support/api.ts'
import { account, call, createFreshAccount, must, signIn } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

/** As published importers send it: JSON with a text content type, which avoids a CORS preflight. */
const init = (key: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  createCaller(undefined)(
    'POST',
    `/internal/spaces/init${key === undefined ? '' : `?publishableKey=${key}`}`,
    Buffer.from(JSON.stringify(body)),
    { 'content-type': 'text/plain', ...headers },
  )
const topicsIn = async (spaceId: string): Promise<string[]> =>
  pluck(await must('GET', `/events?spaceId=${spaceId}&pageSize=100`), 'topic')
const sheets = [{ name: 'People', slug: 'people', fields: [{ key: 'email', type: 'string' }] }]

describe('a page that embeds a space', () => {
  it('gets it with its workbook and document in one request, with a token that works in it', async () => {
    const { status, body } = await init(account.publishableKey, {
      space: { name: 'Embedded', namespace: 'portal', metadata: { theme: 'dark' } },
      workbook: { name: 'Contacts', sheets },
      document: { title: 'Welcome', body: '# Hello' },
      externalActorId: 'customer-42',
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const { space, workbook, document } = body.data
    expect(space).toMatchObject({
      name: 'Embedded',
      environmentId: account.environmentId,
      primaryWorkbookId: workbook.id,
      externalActorId: 'customer-42',
      accessToken: expect.stringMatching(/^eyJ/),
      guestLink: expect.stringContaining(space.id),
    })
    expect(workbook).toMatchObject({ name: 'Contacts', spaceId: space.id, sheets: [{ slug: 'people' }] })
    expect(document).toMatchObject({ title: 'Welcome', spaceId: space.id })
    expect(await topicsIn(space.id)).toEqual(['space:created', 'workbook:created', 'sheet:created', 'document:created'])
    const page = createCaller(space.accessToken)
    const { accessToken: _, guestLink: __, ...kept } = space
    expect((await page('GET', `/spaces/${space.id}`)).body.data).toEqual({ ...kept, branding: {} })
    expect((await page('POST', `/sheets/${workbook.sheets[0].id}/records`, [{ email: 'a@b.c' }])).status).toBe(200)
    expect((await page('GET', `/spaces/${space.id}/documents`)).body.data).toEqual([document])
  })

  it('needs only the key', async () => {
    const { body } = await init(account.publishableKey, {})
    expect(Object.keys(body.data)).toEqual(['space'])
    expect(await topicsIn(body.data.space.id)).toEqual(['space:created'])
    const configured = await init(account.publishableKey, { space: { autoConfigure: true } })
    expect(await topicsIn(configured.body.data.space.id)).toEqual(['space:created', 'job:created', 'job:ready'])
  })

  it('accepts no other kind of key, and none of another environment', async () => {
    const stranger = await createTestAccount()
    const { environmentId } = account
    for (const key of [undefined, '', account.secretKey, `${account.publishableKey.slice(0, -3)}abc`])
      expect((await init(key, {})).body, key).toEqual({
        errors: [expect.objectContaining({ message: expect.any(String) })],
      })
    expect((await init(account.secretKey, {})).status).toBe(401)
    expect((await init(stranger.publishableKey, { space: { environmentId } })).status).toBe(404)
    expect((await call('GET', `/spaces?publishableKey=${account.publishableKey}`)).status).toBe(200)
    expect((await createCaller(undefined)('GET', `/spaces?publishableKey=${account.publishableKey}`)).status).toBe(401)
  })

  it('is rejected from an origin the environment does not allow', async () => {
    const admin = await signIn(account)
    const path = `/environments/${account.environmentId}`
    expect((await admin('PATCH', path, { allowedOrigins: ['https://app.example/path'] })).status).toBe(400)
    await admin('PATCH', path, { allowedOrigins: ['https://App.example.com'] })
    const initFrom = (origin: string) => init(account.publishableKey, {}, { origin })
    expect((await initFrom('https://evil.example.com')).status).toBe(403)
    expect((await initFrom('https://app.example.com')).status).toBe(200)
    // A frame of the platform does not send the origin of the page around it; it names that page itself.
    const { accessToken, id } = (await init(account.publishableKey, {})).body.data.space
    const openEmbeddedIn = (embedder: string) =>
      createCaller(accessToken)('GET', `/spaces/${id}`, undefined, { 'x-embedded-in': embedder })
    expect((await openEmbeddedIn('https://evil.example.com')).status).toBe(403)
    expect((await openEmbeddedIn('null')).status).toBe(403)
    expect((await openEmbeddedIn('https://app.example.com')).status).toBe(200)
  })

  it('creates everything or nothing', async () => {
    const own = await createTestAccount()
    const { status, body } = await init(own.publishableKey, {
      space: { name: 1 },
      workbook: { name: 'w', sheets: [{ name: 's', fields: [{ key: 'a', type: 'text' }] }] },
      document: { body: 'no title' },
    })
    expect(status).toBe(400)
    expect(pluck(body.errors, 'key')).toEqual(
      expect.arrayContaining(['space.name', 'workbook.sheets.0.fields.0.type', 'document.title']),
    )
    const large = { title: 'Large', body: 'x'.repeat(400_000) }
    expect((await init(own.publishableKey, { workbook: { name: 'w', sheets }, document: large })).status).toBe(413)
    expect((await createCaller(own.secretKey)('GET', '/spaces')).body.data).toEqual([])
  })
})
