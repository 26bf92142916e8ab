/** Unrestricted resource consumption (OWASP API4:2023); floods are in test/api/abuse.test.ts. */
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount } from '../support/api.ts'

let call: ReturnType<typeof createCaller>
let sheetId: string
let spaceId: string

beforeAll(async () => {
  call = createCaller((await createTestAccount()).secretKey)
  spaceId = (await call('POST', '/spaces', { name: 'S' })).body.data.id
  const sheets = [{ name: 'A', slug: 'a', fields: [{ key: 'k', type: 'string' }] }]
  sheetId = (await call('POST', '/workbooks', { spaceId, name: 'W', sheets })).body.data.sheets[0].id
})

const json = { 'content-type': 'application/json' }
const records = () => `/sheets/${sheetId}/records`
const count = async () => (await call('GET', records())).body.data.records.length

describe('a request', () => {
  it('for more than a page is rejected', async () => {
    for (const path of ['/spaces?pageSize=100000000', '/events?pageSize=100000000', `${records()}?pageSize=100000000`])
      expect((await call('GET', path)).status).toBe(400)
  })

  it('above the limit of a call is rejected and changes nothing', async () => {
    const rows = Array.from({ length: 10_001 }, () => ({ k: { value: 'x' } }))
    expect((await call('POST', records(), rows)).status).toBe(400)
    const ids = Array.from({ length: 101 }, (_, i) => `ids=us_rc_${i}`).join('&')
    expect((await call('DELETE', `${records()}?${ids}`)).status).toBe(400)
    const guests = Array.from({ length: 21 }, (_, i) => ({ email: `${i}@example.com`, name: 'G', spaces: [] }))
    expect((await call('POST', '/guests', guests)).status).toBe(400)
    expect((await call('POST', '/spaces', { name: 'S', metadata: { text: 'x'.repeat(7_000_000) } })).status).toBe(413)
    expect(await count()).toBe(0)
  })

  it('that decompresses to a huge body, or is nested very deep, is rejected quickly', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20))
    expect(bomb.length).toBeLessThan(250_000)
    const begun = Date.now()
    const answer = await call('POST', records(), bomb, { ...json, 'content-encoding': 'gzip' })
    expect([400, 413, 415]).toContain(answer.status)
    const deep = Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)
    expect((await call('POST', records(), deep, json)).status).toBe(400)
    expect(Date.now() - begun).toBeLessThan(20_000)
    expect(await count()).toBe(0)
  })

  it('with a pathological pattern ends', async () => {
    await call('POST', records(), [{ k: { value: `${'a'.repeat(5000)}!` } }])
    const queries = [
      `k like "${'%a'.repeat(60)}%b"`,
      `${'not '.repeat(2000)}k eq "a"`,
      `${'('.repeat(5000)}k eq "a"${')'.repeat(5000)}`,
    ]
    for (const q of queries) {
      const answer = await call('GET', `${records()}?q=${encodeURIComponent(q)}`)
      expect([200, 400, 414, 431], q.slice(0, 30)).toContain(answer.status)
    }
  }, 60_000)
})
