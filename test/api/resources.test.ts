import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { account, admin, anybody, call, createFreshAccount } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const json = { 'content-type': 'application/json' }

describe('a request', () => {
  it('that decompresses without end, nests without end or asks for too much is rejected, and the next one works', async () => {
    const bomb = gzipSync(Buffer.alloc(129 * 1024 * 1024))
    const zipped = await call('POST', '/spaces', bomb, { ...json, 'content-encoding': 'gzip' })
    expect(zipped.status).toBe(413)
    const nested = Buffer.from(`{"name":"x","metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`)
    expect((await call('POST', '/spaces', nested, json)).status).toBe(400)
    for (const query of ['pageSize=1001', 'pageSize=0', 'pageNumber=0', 'pageSize=1e9', 'pageSize=abc'])
      expect((await call('GET', `/spaces?${query}`)).status, query).toBe(400)
    expect((await admin('GET', '/audit?pageSize=100000')).status).toBe(400)
    expect((await call('GET', `/spaces?search=${'x'.repeat(200_000)}`).catch(() => ({ status: 431 }))).status).not.toBe(
      500,
    )
    expect((await call('GET', '/spaces')).status).toBe(200)
  }, 60_000)

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
    const email = `flooded-${process.pid}-${Date.now()}@example.com`
    await call('POST', '/guests', { environmentId, email, name: 'G', spaces: [{ id: space.id }] })
    const ask = () => anybody('POST', '/invitations/exchange', { email, spaceId: space.id })
    await ask()
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const mails = (await call('GET', '/invitations?pageSize=1000')).body.data as { to: string }[]
    expect(mails.filter(({ to }) => to === email)).toHaveLength(1)
  }, 30_000)
})
