/** From which pages tokens of browsers are used. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../../schemas/access.ts'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'
import { environmentItem, idsOfPlace, put } from '../../support/auth-items.ts'

let cloud: AuthCloud
let refuse: typeof import('../../../lib/auth/origins.ts')['refuseForeignOrigin']

beforeAll(async () => {
  cloud = await authCloud()
  refuse = (await import('../../../lib/auth/origins.ts')).refuseForeignOrigin
})
afterAll(() => cloud.close())

async function environmentWith(allowedOrigins?: string[]): Promise<string> {
  const ids = idsOfPlace()
  await put('environment', environmentItem(ids, allowedOrigins ? { allowedOrigins } : {}))
  return ids.environmentId
}
const from = (environmentId: string | undefined, origin: string, role: Role = 'embedded') =>
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

describe('a page', () => {
  it('that the environment does not name is refused to tokens that live in browsers, and to no others', async () => {
    const environmentId = await environmentWith(['https://app.example'])
    for (const role of Object.keys(ROLES) as Role[])
      expect([role, await from(environmentId, 'https://evil.example', role)]).toEqual([
        role,
        IN_BROWSERS.includes(role) ? 403 : 'passes',
      ])
    await expect(
      refuse({ accountId: 'a', actorId: 'x', role: 'embedded', environmentId }, 'https://evil.example'),
    ).rejects.toThrow(
      'This token may not be used from pages of https://evil.example: the environment does not allow it.',
    )
  })

  it('passes where it is named, in whatever case, where every page is, or none', async () => {
    const one = await environmentWith(['https://other.example', 'https://app.example'])
    expect(await from(one, 'https://APP.example')).toBe('passes')
    expect(await from(one, 'https://app.example.evil')).toBe(403)
    expect(await from(one, 'null')).toBe(403)
    expect(await from(await environmentWith(['*']), 'https://evil.example')).toBe('passes')
    expect(await from(await environmentWith(), 'https://evil.example')).toBe('passes')
    expect(await from(await environmentWith([]), 'https://evil.example')).toBe(403)
    expect(await from('us_env_none', 'https://evil.example')).toBe('passes')
  })

  it('costs a read for those tokens alone', async () => {
    const environmentId = await environmentWith(['*'])
    cloud.reset()
    await from(environmentId, 'https://x.example', 'environment')
    await from(undefined, 'https://x.example')
    expect(cloud.requests).toEqual([])
    await from(environmentId, 'https://x.example')
    expect(cloud.requests).toEqual(['GetItem'])
  })
})
