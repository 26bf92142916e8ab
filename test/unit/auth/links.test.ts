/** Links in mails, and the tokens in links. */
import { beforeEach, describe, expect, it, vi } from 'vitest'

const VARIABLES = {
  TABLE_NAME: 't',
  BUCKET_NAME: 'b',
  BUS_NAME: 'b',
  WHARF_SECRET: 'a secret of thirty-two characters or more',
}
type Links = typeof import('../../../lib/auth/links.ts') & typeof import('../../../lib/auth/guest-links.ts')

/** The modules, in an environment of their own. */
async function links(more: Record<string, string>): Promise<Links> {
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

describe('a link', () => {
  it('leads to the origin of the API unless pages are told', async () => {
    const { linkTo, pageLink, signInLink, callbackUrl } = await links({})
    expect(linkTo('us_sp_1')).toBe('https://api.example/s/us_sp_1')
    expect(linkTo('us_sp_1', 'secret')).toBe('https://api.example/s/us_sp_1#token=secret')
    expect(pageLink('accept-invite')).toBe('https://api.example/accept-invite')
    expect(pageLink('accept-invite', 'secret')).toBe('https://api.example/accept-invite#token=secret')
    expect(signInLink('us_acc_1')).toBe('https://api.example/dev/api/v1/auth/sso/start?accountId=us_acc_1')
    expect(callbackUrl()).toBe('https://api.example/dev/api/v1/auth/sso/callback')
  })

  it('leads to the pages that are told, however many slashes end them', async () => {
    const { linkTo, pageLink } = await links({
      GUEST_URL: 'https://guests.example/in//',
      CONSOLE_URL: 'https://console.example/',
    })
    expect(linkTo('us_sp_1', 'secret')).toBe('https://guests.example/in/s/us_sp_1#token=secret')
    expect(pageLink('signed-in', 'secret')).toBe('https://console.example/signed-in#token=secret')
  })
})

describe("a guest's link", () => {
  const space = { id: 'us_sp_1' }
  const environment = (guestAuthentication: string) => ({ guestAuthentication }) as never
  let made: Links
  beforeEach(async () => {
    made = await links({})
  })

  it('of a space has the token that everybody shares, or none where links are magic', () => {
    const shared = `https://api.example/s/us_sp_1#token=${made.sharedToken({ id: 'us_sp_1' })}`
    expect(made.guestLinkOf(space as never, environment('shared_link'))).toBe(shared)
    expect(made.guestLinkOf(space as never, environment('magic_link'))).toBe('https://api.example/s/us_sp_1')
    const own = { ...space, guestAuthentication: 'magic_link' } as never
    expect(made.guestLinkOf(own, environment('shared_link'))).toBe('https://api.example/s/us_sp_1')
  })

  it('names its owner by a token that nobody else can make', async () => {
    const token = made.sharedToken({ id: 'us_sp_1' })
    // HMAC-SHA256 by a key of HKDF for `wharf shared link key 1`: links sent before stay good.
    expect(token).toBe('us_sp_1.C-RJ-vavM4vf88aXiLKnWOTPX9F6k2A4ptrahgJ4VDU')
    const linked = { id: 'us_sp_1' }
    expect(made.ownerOfSharedToken(token)).toBe('us_sp_1')
    expect(made.isSharedToken(token, linked)).toBe(true)
    for (const none of ['', '.', 'us_sp_1', 'us_sp_1.', `${token}x`, token.slice(0, -1), `.${token}`, 'us_wb_1.x'])
      expect(made.ownerOfSharedToken(none), none).toBeUndefined()
    for (const forged of [`us_sp_2${token.slice(7)}`, `${token.slice(0, -1)}_`, ''])
      expect(made.isSharedToken(forged, linked), forged).toBe(false)
    const other = await links({ WHARF_SECRET: 'another secret of thirty-two characters' })
    expect(other.isSharedToken(token, linked)).toBe(false)
  })

  it('is another one for each version, none of which fits another', () => {
    const tokens = [undefined, 0, 1, 2, 10].map((linkVersion) => made.sharedToken({ id: 'us_sp_1', linkVersion }))
    expect(new Set(tokens).size).toBe(4)
    expect(tokens[1]).toBe(tokens[0])
    expect(made.isSharedToken(tokens[2]!, { id: 'us_sp_1', linkVersion: 1 })).toBe(true)
    expect(made.isSharedToken(tokens[2]!, { id: 'us_sp_1', linkVersion: 2 })).toBe(false)
    // The second version of one is not the first of another whose id ends so.
    expect(made.sharedToken({ id: 'us_sp_1.1' }).split('.').at(-1)).toBe(tokens[2]!.split('.').at(-1))
    expect(made.ownerOfSharedToken(made.sharedToken({ id: 'us_sp_1.1' }))).toBeUndefined()
  })

  it('is magic by a token that names its invitation', () => {
    const id = 'us_inv_01J00000000000000000000000'
    const token = made.magicToken(id)
    expect(token).toMatch(/^us_inv_01J00000000000000000000000_[A-Za-z0-9]{43}$/)
    expect(made.magicToken(id)).not.toBe(token)
    expect(made.invitationOfToken(token)).toBe(id)
    for (const none of [
      '',
      id,
      `x${token}`,
      `${token}x`,
      token.slice(0, -1),
      token.replace('_inv_', '_usr_'),
      token.toLowerCase(),
    ])
      expect(made.invitationOfToken(none), none).toBeUndefined()
  })
})

describe('the link of a data clip', () => {
  it('has a token where the clip is public, and leads to its space otherwise', async () => {
    const { clipLinkOf, sharedToken } = await links({})
    const clip = { id: 'us_clip_1', spaceId: 'us_sp_1', sharedLinkAccess: 'public' }
    expect(clipLinkOf(clip as never)).toBe(`https://api.example/s/us_sp_1#token=${sharedToken({ id: 'us_clip_1' })}`)
    expect(clipLinkOf({ ...clip, sharedLinkAccess: 'restricted' } as never)).toBe('https://api.example/s/us_sp_1')
  })
})
