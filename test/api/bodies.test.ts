/** Body limits: each endpoint limits the decompressed bytes, and nothing is parsed for an unknown caller. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../schemas/index.ts'
import { BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES, PUBLIC_BODY_BYTES } from '../../schemas/kit/byte-limits.ts'
import { buildPath, type Contract, getMaxBodyBytes } from '../../schemas/kit/endpoint.ts'
import { getServer } from '../support/api.ts'
import { anybody, call, createFreshSpace, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let sheetId: string

const JSON_TYPE = { 'content-type': 'application/json' }
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const jsonStringOfSize = (bytes: number) => Buffer.from(`"${'x'.repeat(bytes - 2)}"`)

beforeAll(async () => {
  await createFreshSpace()
  sheetId = (await createSheet()).sheetId
})

const tooLargeError = (limit: number) => ({
  status: 413,
  body: {
    errors: [
      {
        key: 'too-large',
        message: `The body of this request can have at most ${limit.toLocaleString('en')} bytes after any Content-Encoding.`,
      },
    ],
  },
})

describe('the body limit', () => {
  it('is 64 KB on every public endpoint', () => {
    const open = (endpoints as readonly Contract[]).filter(({ policy }) => 'public' in policy)
    expect(open.length).toBeGreaterThan(5)
    for (const endpoint of open) expect(getMaxBodyBytes(endpoint), endpoint.id).toBeLessThanOrEqual(PUBLIC_BODY_BYTES)
  })

  it('counts every byte: accepts the last one that fits and rejects one more, naming the limit', async () => {
    expect((await anybody('POST', '/auth/refresh-token', jsonStringOfSize(PUBLIC_BODY_BYTES), JSON_TYPE)).status).toBe(
      400,
    )
    const over = jsonStringOfSize(PUBLIC_BODY_BYTES + 1)
    expect(await anybody('POST', '/auth/refresh-token', over, JSON_TYPE)).toMatchObject(
      tooLargeError(PUBLIC_BODY_BYTES),
    )
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('counts the decompressed size of %s', async (encoding, pack) => {
    const send = (bytes: number) =>
      anybody('POST', '/auth/refresh-token', pack(jsonStringOfSize(bytes)), {
        ...JSON_TYPE,
        'content-encoding': encoding,
      })
    expect((await send(PUBLIC_BODY_BYTES)).status).toBe(400)
    expect(await send(PUBLIC_BODY_BYTES + 1)).toMatchObject(tooLargeError(PUBLIC_BODY_BYTES))
    expect(await send(20 * 1024 * 1024)).toMatchObject(tooLargeError(PUBLIC_BODY_BYTES))
  })

  it('uses the error body of the platform however large the body is', async () => {
    const limit = getMaxBodyBytes((endpoints as readonly Contract[]).find(({ id }) => id === 'spaces.create')!)
    for (const megabytes of [2, 7, 11, 135]) {
      const body = jsonStringOfSize(megabytes * 1024 * 1024)
      expect(await call('POST', '/spaces', body, JSON_TYPE), `${megabytes} MB`).toMatchObject(tooLargeError(limit))
    }
    const update = jsonStringOfSize(BODY_BYTES + 1)
    expect(await call('PATCH', `/spaces/${spaceId}`, update, JSON_TYPE)).toMatchObject(tooLargeError(BODY_BYTES))
  }, 60_000)

  it('is larger for records, uncompressed and compressed', async () => {
    const row = { a: { value: 'x'.repeat(10_000) } }
    const body = Buffer.from(JSON.stringify(Array.from({ length: 1_200 }, () => row)))
    expect(body.length).toBeGreaterThan(11 * 1024 * 1024)
    for (const [bytes, headers] of [
      [body, JSON_TYPE],
      [gzipSync(body), GZIP],
    ] as const)
      expect((await call('POST', `/sheets/${sheetId}/records`, bytes, headers)).status).toBe(200)
  }, 60_000)
})

describe('a JSON body', () => {
  const records = (text: string) => call('POST', `/sheets/${sheetId}/records`, gzipSync(text), GZIP)

  it('may nest 100 levels', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const { body } = await records(nested(MAX_JSON_DEPTH + 1))
    expect(body.errors).toEqual([{ key: 'body', message: `exceeds the limit of ${MAX_JSON_DEPTH} nesting levels` }])
    expect(JSON.stringify((await records(nested(MAX_JSON_DEPTH))).body)).not.toContain('nesting levels')
    expect((await records('['.repeat(5_000_000))).body.errors[0].message).toContain('nesting levels')
  })

  it('ignores brackets inside strings', async () => {
    const value = `${'['.repeat(MAX_JSON_DEPTH + 1)}\\"${'{,'.repeat(100)}`
    const answer = await call('POST', `/sheets/${sheetId}/records`, [{ a: value }])
    expect(answer.status).toBe(200)
    expect(answer.body.data.records[0].values.a.value).toBe(value)
  })

  it('may have 8 million values', async () => {
    const answer = await records(`[${'[],'.repeat(MAX_JSON_VALUES / 2)}[]]`)
    expect(answer.status).toBe(413)
    expect(answer.body.errors[0].message).toContain(
      `at most ${MAX_JSON_VALUES.toLocaleString('en')} objects, lists and members`,
    )
  }, 60_000)

  it('reports at most a thousand of its problems and their total', async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, { value: {} }]))
    const { status, body: answer } = await call('POST', `/sheets/${sheetId}/records`, [body])
    expect(status).toBe(400)
    expect(answer.errors).toHaveLength(1_001)
    expect(answer.errors.at(-1)).toEqual({ key: 'body', message: 'has 4,000 more problems' })
  })
})

describe('an unauthenticated body', () => {
  const guarded = (endpoints as readonly Contract[]).filter(({ body, policy }) => body && 'on' in policy)

  it('is never decompressed: every endpoint rejects a broken one with 401', async () => {
    expect(guarded.length).toBeGreaterThan(80)
    const { origin } = new URL(getServer().baseUrl)
    for (const endpoint of guarded) {
      const path = buildPath(endpoint).replaceAll(/\{[^}]+\}/g, 'us_sp_none')
      const answer = await fetch(`${origin}${path}?publishableKey=pk_none`, {
        method: endpoint.method,
        headers: GZIP,
        body: 'not gzip',
      })
      expect([endpoint.id, answer.status]).toEqual([endpoint.id, 401])
    }
  })
})
