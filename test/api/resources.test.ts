import { beforeAll, describe, expect, it } from 'vitest'
import { statusOf } from '../support/api.ts'
import { account, admin, anybody, call, createFreshAccount, must } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'
import { createUniqueName } from '../support/unique-name.ts'

beforeAll(createFreshAccount)

describe('a request', () => {
  it('for a page beyond the limits is rejected', async () => {
    for (const query of ['pageSize=1001', 'pageSize=0', 'pageNumber=0', 'pageSize=1e9', 'pageSize=abc'])
      expect((await call('GET', `/spaces?${query}`)).status, query).toBe(400)
    expect((await admin('GET', '/audit?pageSize=100000')).status).toBe(400)
    const search = call('GET', `/spaces?search=${'x'.repeat(200_000)}`).catch(() => ({ status: 431 }))
    expect((await search).status).not.toBe(500)
  })

  it('with a pathological query ends', async () => {
    const { sheetId } = await createSheet()
    await must('POST', `/sheets/${sheetId}/records`, [{ a: `${'a'.repeat(5000)}!` }])
    const nested = `${'('.repeat(5000)}a eq "a"${')'.repeat(5000)}`
    for (const q of [`a like "${'%a'.repeat(60)}%b"`, `${'not '.repeat(2000)}a eq "a"`, nested]) {
      const status = await statusOf(call('GET', `/sheets/${sheetId}/records?q=${encodeURIComponent(q)}`))
      expect([200, 400, 414, 431], q.slice(0, 30)).toContain(status)
    }
  }, 60_000)

  it('deletes a bounded number of records', async () => {
    const { sheetId } = await createSheet()
    const ids = Array.from({ length: 101 }, (_, i) => `ids=us_rc_${i}`).join('&')
    expect((await call('DELETE', `/sheets/${sheetId}/records?${ids}`)).status).toBe(400)
  })

  it('creates a bounded number of resources', async () => {
    const { environmentId } = account
    const guests = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        environmentId,
        email: `many-${i}@example.com`,
        name: 'G',
        spaces: [],
      }))
    expect((await call('POST', '/guests', guests(21))).status).toBe(400)
    const role = { roleId: 'us_rol_reader', resourceId: environmentId }
    const actorRoles = Array.from({ length: 51 }, () => role)
    expect((await admin('POST', '/users/invite', { email: 'x@example.com', name: 'x', actorRoles })).status).toBe(400)
    const allowedOrigins = Array.from({ length: 51 }, (_, i) => `https://${i}.example`)
    expect((await admin('PATCH', `/environments/${environmentId}`, { allowedOrigins })).status).toBe(400)
    const long = { token: 'x'.repeat(1001), password: 'a password of some length' }
    expect((await anybody('POST', '/users/accept-invite', long)).status).toBe(400)
    const password = 'x'.repeat(1001)
    expect((await anybody('POST', '/users/accept-invite', { token: 'x', password })).status).toBe(400)
  })
})

describe('an unauthenticated caller', () => {
  it('is sent one mail after repeated requests for a link', async () => {
    const { environmentId } = account
    const { data: space } = (
      await call('POST', '/spaces', { environmentId, name: 'S', guestAuthentication: 'magic_link' })
    ).body
    const email = `${createUniqueName('flooded')}@example.com`
    await call('POST', '/guests', { environmentId, email, name: 'G', spaces: [{ id: space.id }] })
    const ask = () => anybody('POST', '/invitations/exchange', { email, spaceId: space.id })
    await ask()
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const mails = (await must('GET', '/invitations?pageSize=1000')) as { to: string }[]
    expect(mails.filter(({ to }) => to === email)).toHaveLength(1)
  }, 30_000)
})
