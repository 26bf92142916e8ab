import { beforeEach, describe, expect, it, vi } from 'vitest'

const VARIABLES = {
  TABLE_NAME: 't',
  BUCKET_NAME: 'b',
  BUS_NAME: 'b',
  WHARF_SECRET: 'a secret of thirty-two characters or more',
}
type Links = typeof import('../../../lib/auth/links.ts') & typeof import('../../../lib/auth/guest-links.ts')

async function importLinks(more: Record<string, string>): Promise<Links> {
  vi.resetModules()
  for (const name of ['GUEST_URL', 'CONSOLE_URL']) delete process.env[name]
  Object.assign(
    process.env,
    VARIABLES,
    { BASE_URL: 'https://api.example/dev/api', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
    more,
  )
  return { ...(await import('../../../lib/auth/links.ts')), ...(await import('../../../lib/auth/guest-links.ts')) }
}

describe('link', () => {
  it('leads to the origin of the API by default', async () => {
    const { buildSpaceLink, buildPageLink, buildSsoStartLink, getCallbackUrl } = await importLinks({})
    expect(buildSpaceLink('us_sp_1')).toBe('https://api.example/s/us_sp_1')
    expect(buildSpaceLink('us_sp_1', 'secret')).toBe('https://api.example/s/us_sp_1#token=secret')
    expect(buildPageLink('accept-invite')).toBe('https://api.example/accept-invite')
    expect(buildPageLink('accept-invite', 'secret')).toBe('https://api.example/accept-invite#token=secret')
    expect(buildSsoStartLink('us_acc_1')).toBe('https://api.example/dev/api/v1/auth/sso/start?accountId=us_acc_1')
    expect(getCallbackUrl()).toBe('https://api.example/dev/api/v1/auth/sso/callback')
  })

  it('leads to the configured pages, whatever their trailing slashes', async () => {
    const { buildSpaceLink, buildPageLink } = await importLinks({
      GUEST_URL: 'https://guests.example/in//',
      CONSOLE_URL: 'https://console.example/',
    })
    expect(buildSpaceLink('us_sp_1', 'secret')).toBe('https://guests.example/in/s/us_sp_1#token=secret')
    expect(buildPageLink('signed-in', 'secret')).toBe('https://console.example/signed-in#token=secret')
  })

  it('names the account on the sign-in page, and has token and state on the page after it', async () => {
    const { buildSignInPageLink, buildSignedInPageLink } = await importLinks({ CONSOLE_URL: 'https://console.example' })
    expect(buildSignInPageLink('us_acc_1')).toBe('https://console.example/sign-in?accountId=us_acc_1')
    expect(buildSignedInPageLink('secret')).toBe('https://console.example/signed-in#token=secret&state=')
    expect(buildSignedInPageLink('secret', 'abc')).toBe('https://console.example/signed-in#token=secret&state=abc')
  })
})

describe('guest link', () => {
  const space = { id: 'us_sp_1' }
  const buildEnvironment = (guestAuthentication: string) => ({ guestAuthentication }) as never
  let made: Links
  beforeEach(async () => {
    made = await importLinks({})
  })

  it('has the shared token of its space, or none for magic links', () => {
    const shared = `https://api.example/s/us_sp_1#token=${made.buildSharedToken({ id: 'us_sp_1' })}`
    expect(made.buildGuestLink(space as never, buildEnvironment('shared_link'))).toBe(shared)
    expect(made.buildGuestLink(space as never, buildEnvironment('magic_link'))).toBe('https://api.example/s/us_sp_1')
    const own = { ...space, guestAuthentication: 'magic_link' } as never
    expect(made.buildGuestLink(own, buildEnvironment('shared_link'))).toBe('https://api.example/s/us_sp_1')
  })

  it('identifies its owner by a token that cannot be forged', async () => {
    const token = made.buildSharedToken({ id: 'us_sp_1' })
    // HMAC-SHA256 with an HKDF key for `wharf shared link key 1`. Pinned, so that links already sent stay valid.
    expect(token).toBe('us_sp_1.C-RJ-vavM4vf88aXiLKnWOTPX9F6k2A4ptrahgJ4VDU')
    const linked = { id: 'us_sp_1' }
    expect(made.parseSharedToken(token)).toBe('us_sp_1')
    expect(made.matchesSharedToken(token, linked)).toBe(true)
    for (const none of ['', '.', 'us_sp_1', 'us_sp_1.', `${token}x`, token.slice(0, -1), `.${token}`, 'us_wb_1.x'])
      expect(made.parseSharedToken(none), none).toBeUndefined()
    for (const forged of [`us_sp_2${token.slice(7)}`, `${token.slice(0, -1)}_`, ''])
      expect(made.matchesSharedToken(forged, linked), forged).toBe(false)
    const other = await importLinks({ WHARF_SECRET: 'another secret of thirty-two characters' })
    expect(other.matchesSharedToken(token, linked)).toBe(false)
  })

  it('is different for each version, and versions do not match each other', () => {
    const tokens = [undefined, 0, 1, 2, 10].map((linkVersion) => made.buildSharedToken({ id: 'us_sp_1', linkVersion }))
    expect(new Set(tokens).size).toBe(4)
    expect(tokens[1]).toBe(tokens[0])
    expect(made.matchesSharedToken(tokens[2]!, { id: 'us_sp_1', linkVersion: 1 })).toBe(true)
    expect(made.matchesSharedToken(tokens[2]!, { id: 'us_sp_1', linkVersion: 2 })).toBe(false)
    expect(made.buildSharedToken({ id: 'us_sp_1.1' }).split('.').at(-1)).toBe(tokens[2]!.split('.').at(-1))
    expect(made.parseSharedToken(made.buildSharedToken({ id: 'us_sp_1.1' }))).toBeUndefined()
  })

  it('has a magic token that identifies its invitation', () => {
    const id = 'us_inv_01J00000000000000000000000'
    const token = made.createMagicToken(id)
    expect(token).toMatch(/^us_inv_01J00000000000000000000000_[A-Za-z0-9]{43}$/)
    expect(made.createMagicToken(id)).not.toBe(token)
    expect(made.parseMagicToken(token)).toBe(id)
    for (const none of [
      '',
      id,
      `x${token}`,
      `${token}x`,
      token.slice(0, -1),
      token.replace('_inv_', '_usr_'),
      token.toLowerCase(),
    ])
      expect(made.parseMagicToken(none), none).toBeUndefined()
  })
})

describe('data clip link', () => {
  it('has a token for a public clip, and leads to its space otherwise', async () => {
    const { buildClipLink, buildSharedToken } = await importLinks({})
    const clip = { id: 'us_clip_1', spaceId: 'us_sp_1', sharedLinkAccess: 'public' }
    expect(buildClipLink(clip as never)).toBe(
      `https://api.example/s/us_sp_1#token=${buildSharedToken({ id: 'us_clip_1' })}`,
    )
    expect(buildClipLink({ ...clip, sharedLinkAccess: 'restricted' } as never)).toBe('https://api.example/s/us_sp_1')
  })
})
