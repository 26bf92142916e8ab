import { once } from 'node:events'
import { WebSocket } from 'ws'
import {
  type ApiResponse,
  createCaller,
  createDataCaller,
  createTestAccount,
  getAccessToken,
  type TestAccount,
  waitUntil,
} from './api.ts'
import { CLIENT, getSignOnToken } from './single-sign-on.ts'
import { createUniqueName } from './unique-name.ts'

type Call = ReturnType<typeof createCaller>

export const KINDS = [
  'secret key',
  'publishable key',
  'embedded token',
  'agent key',
  'personal access token',
  'token of a clientId and secret',
  'session by password',
  'refreshed session',
  'session by single sign-on',
  'guest by magic link',
  'guest by shared link',
  'guest by clip link',
  'guest by a key',
  'guest by a token of a user',
  'guest by a session of a user',
] as const
export type Kind = (typeof KINDS)[number]

interface Credential {
  bearer: string
  path: string
  body?: object
  channel?: string
}

export interface World {
  account: TestAccount
  admin: Call
  signOnAdmin: Call
  userId: string
  signOnUserId: string
  guestId: string
  agentId: string
  clipId: string
  tokenId: string
  pairId: string
  keyId: string
  publishableKeyId: string
  sharedSpaceId: string
  credentials: Record<Kind, Credential>
}

const anonymousCall = createCaller(undefined)
const PASSWORD = 'a password of some length'
type Must = ReturnType<typeof createDataCaller>
const createMust = (call: Call): Must => createDataCaller(() => call)

async function signInAdmin({ email, password }: TestAccount): Promise<Call> {
  const accessToken = await getAccessToken({ email, password })
  return createCaller(
    (await createMust(createCaller(accessToken))('POST', '/auth/personal-access-tokens', { name: 'Admin' })).token,
  )
}

async function findMailLink(must: Must, address: string): Promise<string> {
  const mails = await must<{ to: string; text: string }[]>('GET', '/invitations?pageSize=1000')
  return /#token=(\S+)/.exec(mails.find(({ to }) => to === address)!.text)![1]!
}
const exchangeToken = async (token: string, email?: string) =>
  (await createMust(anonymousCall)('POST', '/invitations/exchange', { token, email })).token as string
const parseLinkToken = (link: string) => new URL(link).hash.replace('#token=', '')

async function createUserCredentials(must: Must) {
  const email = `${createUniqueName('credentials')}@example.com`
  const { id: userId } = await must('POST', '/users/invite', { email, name: 'Grace' })
  await createMust(anonymousCall)('POST', '/users/accept-invite', {
    token: await findMailLink(must, email),
    password: PASSWORD,
  })
  const session = await getAccessToken({ email, password: PASSWORD })
  const mine = createMust(createCaller(session))
  const token = await mine('POST', '/auth/personal-access-tokens', { name: 'Script' })
  const pair = await mine('POST', '/auth/personal-access-tokens', { name: 'Pair' })
  const { id: pairId } = pair.personalAccessToken
  const byPair = await getAccessToken({ clientId: pairId, secret: pair.token })
  const refreshed = (await anonymousCall('POST', '/auth/refresh-token', session)).body.accessToken as string
  return { userId, session, refreshed, token: token.token, tokenId: token.personalAccessToken.id, byPair, pairId }
}

async function createSignOnCredentials(issuer: string) {
  const account = await createTestAccount()
  const admin = await signInAdmin(account)
  await createMust(admin)('PUT', '/auth/sso', { issuer, ...CLIENT })
  const name = createUniqueName('credentials')
  const user = await createMust(admin)('POST', '/users/invite', { email: `${name}@example.com`, name })
  return { account, admin, userId: user.id, bearer: await getSignOnToken(account.accountId, name) }
}

async function createGuestCredentials(must: Must, environmentId: string) {
  const sharedSpace = await must('POST', '/spaces', { environmentId, name: 'Shared' })
  const magicSpace = await must('POST', '/spaces', { environmentId, name: 'M', guestAuthentication: 'magic_link' })
  const email = `${createUniqueName('credentials')}@example.com`
  const spaces = [{ id: sharedSpace.id }, { id: magicSpace.id }]
  const [guest] = await must('POST', '/guests', [{ environmentId, email, name: 'G', spaces }])
  await must('POST', '/invitations', [{ guestId: guest.id, spaceId: magicSpace.id }])
  const magic = await exchangeToken(await findMailLink(must, email))
  const { guestLink } = await must('GET', `/spaces/${sharedSpace.id}`)
  const shared = await exchangeToken(parseLinkToken(guestLink), email)
  return { guestId: guest.id, sharedSpaceId: sharedSpace.id, magicSpaceId: magicSpace.id, magic, shared }
}

async function createClip(must: Must, spaceId: string) {
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'W', sheets })
  await must('POST', `/sheets/${workbook.sheets[0].id}/records`, [{ a: 'x' }])
  const { id } = await must('POST', '/data-clips', { name: 'Clip', sourceSheetId: workbook.sheets[0].id })
  await must('PATCH', `/data-clips/${id}`, { sharedLinkAccess: 'public' })
  const { guestLinkUrl, clipSheetId } = await must('GET', `/data-clips/${id}`)
  return {
    clipId: id,
    bearer: await exchangeToken(parseLinkToken(guestLinkUrl), `${createUniqueName('credentials')}@example.com`),
    path: `/sheets/${clipSheetId}/records`,
  }
}

let lastDeployment: Promise<unknown> = Promise.resolve()
function deployInSequence<T>(deploy: () => Promise<T>): Promise<T> {
  const deployment = lastDeployment.then(deploy)
  lastDeployment = deployment.catch(() => {})
  return deployment
}

async function createAgentKey(must: Must, { accountId, environmentId }: TestAccount) {
  const source = 'module.exports = { routeEvent: async () => {} }'
  const config = { topics: ['a:b'], compiler: 'js', slug: createUniqueName('credentials'), source }
  const { id: agentId, createdAt } = await deployInSequence(() =>
    must('POST', `/agents?environmentId=${environmentId}`, config),
  )
  const { Keys } = await import('../../lib/entities/keys.ts')
  const { generateKey } = await import('../../lib/auth/keys.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  const key = generateKey('agk')
  const owner = { accountId, environmentId, agentId, createdBy: agentId, createdAt }
  await transact([Keys.create({ id: key.id, type: 'AGENT', hash: key.hash, ...owner })])
  return { agentId, bearer: key.value }
}

export async function createWorld(issuer: string): Promise<World> {
  const account = await createTestAccount()
  const { environmentId } = account
  const admin = await signInAdmin(account)
  const must = createMust(admin)
  const createKey = async (type: string) =>
    (await must('POST', `/auth/api-key?type=${type}&environmentId=${environmentId}`))[0]
  const [key, publishable, person, signedOn, guest, deployed] = await Promise.all([
    createKey('SECRET'),
    createKey('PUBLISHABLE'),
    createUserCredentials(must),
    createSignOnCredentials(issuer),
    createGuestCredentials(must, environmentId),
    createAgentKey(must, account),
  ])
  const embedded = await createMust(createCaller(publishable.rawKey))('POST', '/spaces', { name: 'Embedded' })
  const { clipId, bearer, path } = await createClip(must, guest.sharedSpaceId)
  const mintGuestToken = async (by: string) =>
    (await createMust(createCaller(by))('GET', `/guests/${guest.guestId}/token`)).token
  const toUserCredential = (value: string) => ({ bearer: value, path: '/users', channel: environmentId })
  const toGuestCredential = (value: string) => ({
    bearer: value,
    path: `/spaces/${guest.magicSpaceId}`,
    channel: guest.magicSpaceId,
  })
  return {
    account,
    admin,
    signOnAdmin: signedOn.admin,
    userId: person.userId,
    signOnUserId: signedOn.userId,
    guestId: guest.guestId,
    agentId: deployed.agentId,
    clipId,
    tokenId: person.tokenId,
    pairId: person.pairId,
    keyId: key.id,
    publishableKeyId: publishable.id,
    sharedSpaceId: guest.sharedSpaceId,
    credentials: {
      'secret key': { bearer: key.rawKey, path: '/spaces', channel: environmentId },
      'publishable key': { bearer: publishable.rawKey, path: '/spaces', body: { name: 'Another' } },
      'embedded token': { bearer: embedded.accessToken, path: `/spaces/${embedded.id}`, channel: embedded.id },
      'agent key': { bearer: deployed.bearer, path: '/spaces', channel: environmentId },
      'personal access token': toUserCredential(person.token),
      'token of a clientId and secret': toUserCredential(person.byPair),
      'session by password': toUserCredential(person.session),
      'refreshed session': toUserCredential(person.refreshed),
      'session by single sign-on': {
        bearer: signedOn.bearer,
        path: '/users',
        channel: signedOn.account.environmentId,
      },
      'guest by magic link': toGuestCredential(guest.magic),
      'guest by shared link': {
        bearer: guest.shared,
        path: `/spaces/${guest.sharedSpaceId}`,
        channel: guest.sharedSpaceId,
      },
      'guest by clip link': { bearer, path },
      'guest by a key': toGuestCredential(await mintGuestToken(key.rawKey)),
      'guest by a token of a user': toGuestCredential(await mintGuestToken(person.token)),
      'guest by a session of a user': toGuestCredential(await mintGuestToken(person.session)),
    },
  }
}

export const getStatus = async ({ bearer, path, body }: Credential, by = bearer): Promise<number> =>
  (await createCaller(by)(body ? 'POST' : 'GET', path, body)).status

export interface OpenListeners {
  pushed: () => string[]
  isClosed: () => boolean
  polled: Promise<{ status: number; topics: string[] }>
  pollAgain: () => Promise<number>
  connectAgain: () => Promise<string>
  end: () => void
}

export async function listen({ bearer, channel }: Credential): Promise<OpenListeners | undefined> {
  if (channel === undefined) return undefined
  const { token, webSocketUrl, subscribeKey } = await createMust(createCaller(bearer))(
    'GET',
    `/subscription?scope=${channel}`,
  )
  const socket = new WebSocket(`${webSocketUrl}?auth=${token}`)
  const messages: { type: string; event?: { topic: string } }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())))
  await once(socket, 'open')
  socket.send(JSON.stringify({ action: 'sync' }))
  await waitUntil(async () => messages.some(({ type }) => type === 'position'))
  const name = `${channel.includes('_env_') ? 'environment' : 'space'}.${channel}`
  const poll = (tt: string) =>
    anonymousCall<PollResult>('GET', `/v2/subscribe/${subscribeKey}/${name}/0?tt=${tt}&auth=${token}`)
  const first = await poll('0')
  return {
    pushed: () => messages.flatMap(({ event }) => (event ? [event.topic] : [])),
    isClosed: () => socket.readyState === WebSocket.CLOSED,
    polled: pollUntilProbe(poll, first.body.t.t),
    pollAgain: async () => (await poll('0')).status,
    connectAgain: () => tryToConnect(`${webSocketUrl}?auth=${token}`),
    end: () => socket.terminate(),
  }
}

async function tryToConnect(url: string): Promise<string> {
  const socket = new WebSocket(url)
  try {
    await once(socket, 'open')
    return 'open'
  } catch (error) {
    return (error as Error).message
  } finally {
    socket.terminate()
  }
}

interface PollResult {
  t: { t: string }
  m: { d: { topic: string } }[]
}

async function pollUntilProbe(
  poll: (tt: string) => Promise<ApiResponse<PollResult>>,
  from: string,
): Promise<{ status: number; topics: string[] }> {
  const topics: string[] = []
  for (let tt = from; ; ) {
    const { status, body } = await poll(tt)
    if (status !== 200) return { status, topics }
    for (const { d } of body.m) topics.push(d.topic)
    if (topics.includes(PROBE)) return { status, topics }
    tt = body.t.t
  }
}

export const PROBE = 'probe:sent'
