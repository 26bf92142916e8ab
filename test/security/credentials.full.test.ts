import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCaller, getData, waitUntil } from '../support/api.ts'
import {
  createWorld,
  getStatus,
  KINDS,
  type Kind,
  listen,
  type OpenListeners,
  PROBE,
  type World,
} from '../support/credentials.ts'
import { startOwnPlatform } from '../support/own-platform.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'
import { IS_LONG_RUN } from '../support/runs.ts'
import { type IdentityProvider, startProvider } from '../support/single-sign-on.ts'

const anybody = createCaller(undefined)
let endPlatform: () => Promise<void>
let provider: IdentityProvider
let other: IdentityProvider

// Dropping the signing keys ends the tokens of every account.
beforeAll(async () => {
  endPlatform = await startOwnPlatform()
  ;[provider, other] = await Promise.all([startProvider(), startProvider()])
}, 120_000)
afterAll(async () => {
  provider.stop()
  other.stop()
  await endPlatform()
})

const GUESTS = ['guest by magic link', 'guest by shared link', 'guest by a key'] as const
const BY_USER = ['guest by a token of a user', 'guest by a session of a user'] as const
const OF_MAGIC_SPACE = ['guest by magic link', 'guest by a key', ...BY_USER] as const
const OF_PASSWORD = ['session by password', 'refreshed session', 'guest by a session of a user'] as const
const OF_USER = [
  'personal access token',
  'token of a clientId and secret',
  'session by password',
  'refreshed session',
  ...BY_USER,
] as const
const OF_KEYS = ['secret key', 'publishable key', 'agent key', 'personal access token'] as const

interface Way {
  ends: readonly Kind[]
  silences?: readonly Kind[]
  /** Tokens can be exchanged for the remaining access: none for a user without a role, the other space for a guest. */
  leavesSession?: true
  carryOut(world: World): Promise<unknown>
}

const patchSpace = ({ admin, sharedSpaceId }: World, body: object) =>
  getData(admin('PATCH', `/spaces/${sharedSpaceId}`, body))

const deleteToken = ({ credentials }: World, id: string) =>
  getData(createCaller(credentials['session by password'].bearer)('DELETE', `/auth/personal-access-tokens/${id}`))

const WAYS: Record<string, Way> = {
  'deleting the secret key': {
    ends: ['secret key', 'guest by a key'],
    carryOut: ({ admin, keyId, account }) =>
      getData(admin('DELETE', `/auth/api-key?key=${keyId}&environmentId=${account.environmentId}`)),
  },
  'deleting the publishable key': {
    ends: ['publishable key', 'embedded token'],
    carryOut: ({ admin, publishableKeyId, account }) =>
      getData(admin('DELETE', `/auth/api-key?key=${publishableKeyId}&environmentId=${account.environmentId}`)),
  },
  'deleting the personal access token': {
    ends: ['personal access token', 'guest by a token of a user'],
    carryOut: (world) => deleteToken(world, world.tokenId),
  },
  'deleting the pair of clientId and secret': {
    ends: ['token of a clientId and secret'],
    carryOut: (world) => deleteToken(world, world.pairId),
  },
  'deleting the user': {
    ends: [...OF_USER, 'session by single sign-on'],
    carryOut: async ({ admin, signOnAdmin, userId, signOnUserId }) => {
      await getData(admin('DELETE', `/users/${userId}`))
      await getData(signOnAdmin('DELETE', `/users/${signOnUserId}`))
    },
  },
  'taking the role of the user': {
    leavesSession: true,
    ends: [...OF_USER, 'session by single sign-on'],
    carryOut: async ({ admin, signOnAdmin, userId, signOnUserId }) => {
      for (const [call, id] of [
        [admin, userId],
        [signOnAdmin, signOnUserId],
      ] as const) {
        const [role] = await getData(call('GET', `/users/${id}/roles`))
        await getData(call('DELETE', `/users/${id}/roles/${role.id}`))
      }
    },
  },
  'switching single sign-on on': {
    ends: OF_PASSWORD,
    carryOut: ({ admin }) =>
      getData(admin('PUT', '/auth/sso', { issuer: provider.issuer, clientId: 'x', clientSecret: 'y' })),
  },
  'switching single sign-on off': {
    ends: ['session by single sign-on'],
    carryOut: ({ signOnAdmin }) => getData(signOnAdmin('DELETE', '/auth/sso')),
  },
  'changing the provider of single sign-on': {
    ends: ['session by single sign-on'],
    carryOut: ({ signOnAdmin }) =>
      getData(signOnAdmin('PUT', '/auth/sso', { issuer: other.issuer, clientId: 'wharf', clientSecret: 'y' })),
  },
  'deleting the agent': {
    ends: ['agent key'],
    carryOut: ({ admin, agentId, account }) =>
      getData(admin('DELETE', `/agents/${agentId}?environmentId=${account.environmentId}`)),
  },
  'deleting the guest': {
    ends: [...GUESTS, ...BY_USER],
    carryOut: ({ admin, guestId }) => getData(admin('DELETE', `/guests/${guestId}`)),
  },
  'taking the spaces of the guest': {
    ends: [...GUESTS, ...BY_USER],
    carryOut: ({ admin, guestId }) => getData(admin('PATCH', `/guests/${guestId}`, { spaces: [] })),
  },
  'taking one of the spaces of the guest': {
    leavesSession: true,
    ends: OF_MAGIC_SPACE,
    carryOut: ({ admin, guestId, sharedSpaceId }) =>
      getData(admin('PATCH', `/guests/${guestId}`, { spaces: [{ id: sharedSpaceId }] })),
  },
  'deleting the guest of the data clip': {
    ends: ['guest by clip link'],
    carryOut: ({ admin, credentials }) =>
      getData(admin('DELETE', `/guests/${decodeJwt(credentials['guest by clip link'].bearer).sub}`)),
  },
  'switching the shared link off': {
    ends: ['guest by shared link'],
    carryOut: (world) => patchSpace(world, { guestAuthentication: 'magic_link' }),
  },
  'replacing the shared link': {
    ends: ['guest by shared link'],
    carryOut: ({ admin, sharedSpaceId }) => getData(admin('POST', `/spaces/${sharedSpaceId}/guest-link/rotate`)),
  },
  'switching shared links off in the environment': {
    ends: ['guest by shared link'],
    carryOut: ({ admin, account }) =>
      getData(admin('PATCH', `/environments/${account.environmentId}`, { guestAuthentication: 'magic_link' })),
  },
  'restricting the data clip': {
    ends: ['guest by clip link'],
    carryOut: ({ admin, clipId }) =>
      getData(admin('PATCH', `/data-clips/${clipId}`, { sharedLinkAccess: 'restricted' })),
  },
  'deleting the data clip': {
    ends: ['guest by clip link'],
    carryOut: ({ admin, clipId }) => getData(admin('DELETE', `/data-clips/${clipId}`)),
  },
  'deleting the space': {
    ends: ['guest by shared link', 'guest by clip link'],
    carryOut: ({ admin, sharedSpaceId }) => getData(admin('DELETE', `/spaces/${sharedSpaceId}`)),
  },
  'deleting the space of the embedded token': {
    ends: ['embedded token'],
    carryOut: ({ admin, credentials }) => getData(admin('DELETE', `/spaces/${credentials['embedded token'].channel}`)),
  },
  'deleting the space of the magic link': {
    leavesSession: true,
    ends: OF_MAGIC_SPACE,
    carryOut: ({ admin, credentials }) =>
      getData(admin('DELETE', `/spaces/${credentials['guest by magic link'].channel}`)),
  },
  'deleting the environment': {
    ends: ['secret key', 'publishable key', 'embedded token', 'agent key', ...GUESTS, 'guest by clip link', ...BY_USER],
    silences: ['personal access token', 'token of a clientId and secret', 'session by password', 'refreshed session'],
    carryOut: ({ admin, account }) => getData(admin('DELETE', `/environments/${account.environmentId}`)),
  },
}

/**
 * Same as `npm run admin -- rotate-keys --revoke`. It ends the tokens of all accounts, so no other case may run meanwhile.
 */
const DROPPED_SIGNING_KEYS: Way = {
  ends: KINDS.filter((kind) => !OF_KEYS.includes(kind as (typeof OF_KEYS)[number])),
  silences: ['secret key', 'agent key', 'personal access token'],
  carryOut: () => invokePlatformFunction('publish-pending', { rotateKeys: { revoke: true } }),
}

const isSigned = (bearer: string): boolean => bearer.startsWith('eyJ')
const refreshOf = (bearer: string) => anybody('POST', '/auth/refresh-token', bearer)

async function sendProbe({ admin, signOnAdmin, account, sharedSpaceId, credentials }: World): Promise<void> {
  const send = (call: World['admin'], environmentId: string, spaceId?: string) =>
    call('POST', '/events', { topic: PROBE, domain: 'probe', context: { environmentId, spaceId }, payload: {} })
  const spaces = [sharedSpaceId, credentials['embedded token'].channel, credentials['guest by magic link'].channel]
  await send(admin, account.environmentId)
  for (const spaceId of spaces) await send(admin, account.environmentId, spaceId)
  await send(signOnAdmin, credentials['session by single sign-on'].channel!)
}

async function expectSilent(heard: OpenListeners, kind: Kind): Promise<void> {
  await waitUntil(async () => heard.isClosed(), 20).catch(() =>
    expect(heard.isClosed(), `${kind}: its WebSocket`).toBe(true),
  )
  expect(heard.pushed(), `${kind}: its WebSocket`).not.toContain(PROBE)
  const { status, topics } = await heard.polled
  expect([status, topics.includes(PROBE)], `${kind}: its long poll`).toEqual([403, false])
  expect(await heard.pollAgain(), `${kind}: another long poll`).toBe(403)
  expect(await heard.connectAgain(), `${kind}: another WebSocket`).toContain('403')
}

async function expectHeard(heard: OpenListeners, kind: Kind): Promise<void> {
  await waitUntil(async () => heard.pushed().includes(PROBE), 20).catch(() =>
    expect(heard.pushed(), kind).toContain(PROBE),
  )
  expect((await heard.polled).topics, `${kind}: its long poll`).toContain(PROBE)
  expect(heard.isClosed(), kind).toBe(false)
  expect(await heard.connectAgain(), `${kind}: another WebSocket`).toBe('open')
}

async function expectPair(world: World, kind: Kind, way: Way, heard: OpenListeners | undefined): Promise<void> {
  const credential = world.credentials[kind]
  const isEnded = way.ends.includes(kind)
  const expectUseless = async (token: string | undefined, what: string) => {
    if (way.leavesSession && token !== undefined) expect(await getStatus(credential, token), what).not.toBe(200)
    else expect(token, what).toBeUndefined()
  }
  const status = await getStatus(credential)
  if (isEnded) expect([401, 403, 404], kind).toContain(status)
  else expect(status, kind).toBe(200)
  if (isSigned(credential.bearer)) {
    const refreshed = (await refreshOf(credential.bearer)).body.accessToken
    if (isEnded) await expectUseless(refreshed, `${kind}: refreshed`)
    else expect(await getStatus(credential, refreshed), `${kind}: refreshed`).toBe(200)
  }
  if (isEnded && kind.startsWith('guest by')) {
    const minted = await createCaller(credential.bearer)('GET', `/guests/${world.guestId}/token`)
    await expectUseless(minted.body.data?.token, `${kind}: another token`)
  }
  if (!heard) return
  if (isEnded || way.silences?.includes(kind)) await expectSilent(heard, kind)
  else await expectHeard(heard, kind)
}

/** Carries out ways after each other, each with the credentials that the earlier ones left. */
async function expectWays(ways: readonly Way[]): Promise<void> {
  const world = await createWorld(provider.issuer)
  let valid: readonly Kind[] = KINDS
  for (const kind of valid) expect(await getStatus(world.credentials[kind]), kind).toBe(200)
  for (const way of ways) {
    expect(valid).toEqual(expect.arrayContaining([...way.ends]))
    await expectWay(world, way, valid)
    valid = valid.filter((kind) => !way.ends.includes(kind))
  }
}

async function expectWay(world: World, way: Way, valid: readonly Kind[]): Promise<void> {
  const heard = new Map<Kind, OpenListeners | undefined>()
  try {
    await Promise.all(valid.map(async (kind) => heard.set(kind, await listen(world.credentials[kind]))))
    await way.carryOut(world)
    await sendProbe(world)
    await Promise.all(valid.map((kind) => expectPair(world, kind, way, heard.get(kind))))
  } finally {
    for (const each of heard.values()) each?.end()
  }
}

/** Ways that end different credentials share a world. At night each has all credentials, so all pairs are tested. */
const SEQUENCES = IS_LONG_RUN
  ? Object.keys(WAYS).map((name) => [name])
  : [
      [
        'deleting the secret key',
        'deleting the publishable key',
        'deleting the personal access token',
        'deleting the pair of clientId and secret',
        'deleting the agent',
        'deleting the guest of the data clip',
        'replacing the shared link',
        'switching single sign-on off',
      ],
      [
        'taking one of the spaces of the guest',
        'switching the shared link off',
        'restricting the data clip',
        'changing the provider of single sign-on',
        'deleting the space of the embedded token',
      ],
      ['taking the role of the user', 'deleting the data clip', 'switching shared links off in the environment'],
      ['switching single sign-on on', 'deleting the space'],
      ['deleting the user'],
      ['deleting the guest'],
      ['taking the spaces of the guest'],
      ['deleting the space of the magic link'],
      ['deleting the environment'],
    ]

describe('a credential', () => {
  it.concurrent.each(SEQUENCES.map((names) => [names.join(', then '), names] as const))(
    'is ended by %s if it derives from it, and no other is',
    (_, names) => expectWays(names.map((name) => WAYS[name]!)),
    240_000,
  )

  it('has a test for each way to end it', () =>
    expect(SEQUENCES.flat().toSorted()).toEqual(Object.keys(WAYS).toSorted()))

  it(
    'is ended by dropping the signing keys if it was signed with one',
    () => expectWays([DROPPED_SIGNING_KEYS]),
    120_000,
  )

  it('can be ended by some way, whatever its kind', () => {
    const ended = new Set([...Object.values(WAYS), DROPPED_SIGNING_KEYS].flatMap(({ ends }) => ends))
    expect([...ended].toSorted()).toEqual(KINDS.toSorted())
  })

  it('cannot be extended by an exchange beyond 7 days after it was issued', async () => {
    const { credentials } = await createWorld(provider.issuer)
    const { signToken } = await import('../../lib/auth/signing.ts')
    const now = Math.floor(Date.now() / 1000)
    const tokens = KINDS.filter((kind) => isSigned(credentials[kind].bearer))
    expect(tokens.length).toBe(KINDS.length - OF_KEYS.length)
    for (const kind of tokens) {
      const { iat: _, exp: __, ...claims } = decodeJwt(credentials[kind].bearer)
      const newTokenIssuedAt = async (auth_time: number) =>
        (await signToken({ ...(claims as never as { sub: string; acc: string; kind: 'user' }), auth_time }, 600)).token
      const young = await refreshOf(await newTokenIssuedAt(now - 7 * 86_400 + 100))
      expect(decodeJwt(young.body.accessToken).exp! - now, kind).toBeLessThanOrEqual(110)
      const refused = await refreshOf(await newTokenIssuedAt(now - 7 * 86_400 - 1))
      expect(refused.status, kind).toBe(401)
    }
  }, 60_000)
})
