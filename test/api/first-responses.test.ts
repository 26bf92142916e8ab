/** Requests without a valid token, and misleading file names. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

describe('a 401', () => {
  it.each([
    ['no header', {}, /is missing/],
    ['another scheme', { authorization: 'Basic eDp5' }, /no bearer token/],
    ['a scheme alone', { authorization: 'Bearer' }, /no bearer token/],
    ['a bare key', { authorization: 'sk_x' }, /no bearer token/],
    ['a wrong key', { authorization: 'Bearer sk_x' }, /missing, unknown, expired or revoked/],
  ])('for %s says what to send, and asks for a bearer', async (_, headers, message) => {
    const answer = await createCaller(undefined)('GET', '/spaces', undefined, headers as Record<string, string>)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(answer.body.errors).toEqual([{ key: 'unauthenticated', message: expect.stringMatching(message) }])
  })
})

describe('a file name', () => {
  it.each(['x\u202egnp.csv', 'a\u2066b.csv', '\u200fa.csv'])('%j is rejected by name', async (name) => {
    const call = createCaller(account.secretKey)
    const { data: space } = (await call('POST', '/spaces', { name: 'Names' })).body
    const begun = await call('POST', '/files/uploads', { spaceId: space.id, name, size: 10 })
    expect([begun.status, begun.body.errors[0]]).toEqual([
      400,
      { key: 'name', message: 'must not contain bidirectional control characters' },
    ])
    const form = new FormData()
    form.append('spaceId', space.id)
    form.append('file', new Blob(['a\n1\n']), name)
    const request = new Request('http://x', { method: 'POST', body: form })
    const type = { 'content-type': request.headers.get('content-type')! }
    const sent = await call('POST', '/files', new Uint8Array(await request.arrayBuffer()), type)
    expect([sent.status, sent.body.errors[0].message]).toEqual([
      400,
      expect.stringContaining('bidirectional control characters'),
    ])
  })
})
