/** Improper inventory management (OWASP API9:2023). */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const FORGOTTEN = [
  '/',
  '/.env',
  '/.git/config',
  '/admin',
  '/api',
  '/api/v0/spaces',
  '/api/v2/spaces',
  '/api/beta/spaces',
  '/api/v1/admin',
  '/api/v1/debug',
  '/api/v1/health/env',
  '/api/v1/internal',
  '/api/v1/metrics',
  '/api/v1/swagger',
  '/api/v1/spaces/../../admin',
  '/actuator/env',
  '/graphql',
  '/wp-login.php',
]

describe('a path', () => {
  it('that is not published serves nothing, with or without a key', async () => {
    const origin = new URL(getServer().baseUrl).origin
    for (const path of FORGOTTEN)
      for (const headers of [{}, { authorization: `Bearer ${account.secretKey}` }] as Record<string, string>[]) {
        const response = await fetch(`${origin}${path}`, { headers })
        expect([401, 403, 404, 405], path).toContain(response.status)
        expect(await response.text()).not.toMatch(/WHARF_SECRET|AWS_|root:|BEGIN/)
      }
  })
})

describe('the published description', () => {
  it('has every deployed route', () => {
    const routes = JSON.stringify(parse(readFileSync('functions/http.yml', 'utf8')))
    const paths = new Set([...routes.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path))
    expect(paths.size).toBeGreaterThan(50)
    const described = Object.keys(JSON.parse(readFileSync('schemas/generated/openapi.json', 'utf8')).paths)
    for (const path of paths) expect(described).toContain(path)
  })
})
