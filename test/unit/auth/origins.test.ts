import { describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../../schemas/access/permissions.ts'
import { startAuthCloud } from '../../support/auth-cloud.ts'
import { buildEnvironmentItem, newScopeIds, putItem } from '../../support/auth-items.ts'

const cloud = await startAuthCloud()
const refuse = (await import('../../../lib/auth/origins.ts')).assertOriginAllowed

async function createEnvironmentWith(allowedOrigins?: string[]): Promise<string> {
  const ids = newScopeIds()
  await putItem('environment', buildEnvironmentItem(ids, allowedOrigins ? { allowedOrigins } : {}))
  return ids.environmentId
}
const checkOrigin = (environmentId: string | undefined, origin: string, role: Role = 'embedded') =>
  refuse({ accountId: 'us_acc_x', actorId: 'x', role, ...(environmentId ? { environmentId } : {}) }, origin).then(
    () => 'passes',
    (error) => error.status,
  )

const IN_BROWSERS: Role[] = [
  'publishable',
  'embedded',
  'singleSpaceGuest',
  'multiSpaceGuest',
  'singleWorkbookGuest',
  'multiWorkbookGuest',
]

describe('page origin', () => {
  it('is rejected for browser tokens when the environment does not list it, and for no others', async () => {
    const environmentId = await createEnvironmentWith(['https://app.example'])
    for (const role of Object.keys(ROLES) as Role[])
      expect([role, await checkOrigin(environmentId, 'https://evil.example', role)]).toEqual([
        role,
        IN_BROWSERS.includes(role) ? 403 : 'passes',
      ])
    await expect(
      refuse({ accountId: 'a', actorId: 'x', role: 'embedded', environmentId }, 'https://evil.example'),
    ).rejects.toThrow(
      'This token cannot be used by pages of https://evil.example: the environment does not allow this origin.',
    )
  })

  it('is accepted when listed, in any case, or when every or no origin is listed', async () => {
    const one = await createEnvironmentWith(['https://other.example', 'https://app.example'])
    expect(await checkOrigin(one, 'https://APP.example')).toBe('passes')
    expect(await checkOrigin(one, 'https://app.example.evil')).toBe(403)
    expect(await checkOrigin(one, 'null')).toBe(403)
    expect(await checkOrigin(await createEnvironmentWith(['*']), 'https://evil.example')).toBe('passes')
    expect(await checkOrigin(await createEnvironmentWith(), 'https://evil.example')).toBe('passes')
    expect(await checkOrigin(await createEnvironmentWith([]), 'https://evil.example')).toBe(403)
    expect(await checkOrigin('us_env_none', 'https://evil.example')).toBe('passes')
  })

  it('costs a read only for browser tokens', async () => {
    const environmentId = await createEnvironmentWith(['*'])
    cloud.reset()
    await checkOrigin(environmentId, 'https://x.example', 'environment')
    await checkOrigin(undefined, 'https://x.example')
    expect(cloud.requests).toEqual([])
    await checkOrigin(environmentId, 'https://x.example')
    expect(cloud.requests).toEqual(['GetItem'])
  })
})
