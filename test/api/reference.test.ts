import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { PAGES } from '../../lib/reference/files.ts'
import { getServer } from '../support/api.ts'

const origin = () => new URL(getServer().baseUrl).origin
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${origin()}${path}`, { headers })

const measureBody = (path: string, headers: Record<string, string>): Promise<{ bytes: number; encoding?: string }> =>
  new Promise((resolve, reject) => {
    request(`${origin()}${path}`, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve({ bytes, encoding: response.headers['content-encoding'] }))
    })
      .on('error', reject)
      .end()
  })

describe('GET /api/v1/openapi.json', () => {
  const path = '/api/v1/openapi.json'

  it('returns the generated document without authentication', async () => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual(JSON.parse(readFileSync('schemas/generated/openapi.json', 'utf8')))
  })

  it('is sent compressed where the caller accepts it, and uncompressed otherwise', async () => {
    const [zipped, plain] = await Promise.all([measureBody(path, { 'accept-encoding': 'gzip' }), measureBody(path, {})])
    expect(zipped.encoding).toBe('gzip')
    expect(plain.encoding).toBeUndefined()
    expect(plain.bytes / zipped.bytes).toBeGreaterThan(8)
  })

  it('can be cached, and is not sent again to a caller with a current copy', async () => {
    const first = await get(path)
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    const etag = first.headers.get('etag')!
    const second = await get(path, { 'if-none-match': `"other", ${etag}` })
    expect(second.status).toBe(304)
    expect(await second.text()).toBe('')
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })
})

function linksOf(html: string, at: string): string[] {
  const found = [...html.matchAll(/(?:src|href)="([^"#]+)[^"]*"/g)].map(([, link]) => link!)
  return found.filter((link) => !/^(data|https?):/.test(link)).map((link) => new URL(link, at).pathname)
}

describe('the reference pages', () => {
  it.each(['/docs', ...[...PAGES.keys()].map((name) => `/docs/${name}`)])(
    '%s is served with everything it references',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const html = await response.text()
      const links = linksOf(html, response.url)
      expect(links).toContain('/api/v1/openapi.json')
      for (const link of new Set(links)) expect((await get(link)).status, `${path} names ${link}`).toBe(200)
    },
  )

  it.each(['/docs', '/docs/events'])('%s has no inline script or style, and its policy allows none', async (path) => {
    const response = await get(path)
    const policy = response.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const html = await response.text()
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:/)
  })

  it('serve the viewer as published in its package, and the schemas of events', async () => {
    const script = await (await get('/docs/swagger-ui-bundle.js')).text()
    expect(script).toBe(readFileSync('node_modules/swagger-ui-dist/swagger-ui-bundle.js', 'utf8'))
    const events = (await (await get('/docs/events.json')).json()) as { topics: Record<string, { payload: object }> }
    expect(events.topics['records:created']!.payload).toMatchObject({ type: 'object' })
  })

  it.each(['package.json', '..%2fpackage.json', '%2e%2e%2fserverless.yml', 'constructor', '__proto__'])(
    'do not serve %s',
    async (name) => {
      const response = await get(`/docs/${name}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ errors: [{ key: 'not-found' }] })
    },
  )
})
