/** One credential of every kind in a fresh account, with an open WebSocket and an open long poll where it may listen. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Answer, callerOf, mintAccount, mustOf, type TestAccount, until } from './api.ts'
import { CLIENT, tokenBySignOn } from './single-sign-on.ts'

type Call = ReturnType<typeof callerOf>

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
  /** A request that it may make: a GET of this path, or a POST to it where there is a body. */
  path: string
  body?: object
  /** The environment or space it listens to; publishable keys and guests of a clip may not listen. */
  channel?: string
}

export interface World {
  account: TestAccount
  /** By a personal access token of an administrator, which no way to end the credentials touches. */
  admin: Call
  /** The same of the account with single sign-on. */
  signOnAdmin: Call
  userId: string
  signOnUserId: string
  guestId: string
  agentId: string
  clipId: string
  /** The personal access token, and the one behind the pair. */
  tokenId: string
  pairId: string
  keyId: string
  publishableKeyId: string
  sharedSpaceId: string
  credentials: Record<Kind, Credential>
}

const anybody = callerOf(undefined)
let count = 0
const fresh = () => `credentials-${process.pid}-${Date.now()}-${count++}`
const PASSWORD = 'a password of some length'
type Must = ReturnType<typeof mustOf>
const mustBy = (call: Call): Must => mustOf(() => call)

async function adminOf({ email, password }: TestAccount): Promise<Call> {
  const { accessToken } = (await anybody('POST', '/auth', { email, password })).body
  return callerOf(
    (await mustBy(callerOf(accessToken))('POST', '/auth/personal-access-tokens', { name: 'Admin' })).token,
  )
}

/** The link in the newest mail to an address. */
async function linkTo(must: Must, address: string): Promise<string> {
  const mails = await must<{ to: string; text: string }[]>('GET', '/invitations?pageSize=1000')
  return /#token=(\S+)/.exec(mails.find(({ to }) => to === address)!.text)![1]!
}
const exchanged = async (token: string, email?: string) =>
  (await mustBy(anybody)('POST', '/invitations/exchange', { token, email })).token as string
const tokenIn = (link: string) => new URL(link).hash.replace('#token=', '')

async function users(must: Must) {
  const email = `${fresh()}@example.com`
  const { id: userId } = await must('POST', '/users/invite', { email, name: 'Grace' })
  await mustBy(anybody)('POST', '/users/accept-invite', { token: await linkTo(must, email), password: PASSWORD })
  const { accessToken: session } = (await anybody('POST', '/auth', { email, password: PASSWORD })).body
  const mine = mustBy(callerOf(session))
  const token = await mine('POST', '/auth/personal-access-tokens', { name: 'Script' })
  const pair = await mine('POST', '/auth/personal-access-tokens', { name: 'Pair' })
  const { id: pairId } = pair.personalAccessToken
  const byPair = (await anybody('POST', '/auth', { clientId: pairId, secret: pair.token })).body.accessToken as string
  const refreshed = (await anybody('POST', '/auth/refresh-token', session)).body.accessToken as string
  return { userId, session, refreshed, token: token.token, tokenId: token.personalAccessToken.id, byPair, pairId }
}

async function signOn(issuer: string) {
  const account = await mintAccount()
  const admin = await adminOf(account)
  await mustBy(admin)('PUT', '/auth/sso', { issuer, ...CLIENT })
  const name = fresh()
  const user = await mustBy(admin)('POST', '/users/invite', { email: `${name}@example.com`, name })
  return { account, admin, userId: user.id, bearer: await tokenBySignOn(account.accountId, name) }
}

async function guests(must: Must, environmentId: string) {
  const sharedSpace = await must('POST', '/spaces', { environmentId, name: 'Shared' })
  const magicSpace = await must('POST', '/spaces', { environmentId, name: 'M', guestAuthentication: 'magic_link' })
  const email = `${fresh()}@example.com`
  const spaces = [{ id: sharedSpace.id }, { id: magicSpace.id }]
  const [guest] = await must('POST', '/guests', [{ environmentId, email, name: 'G', spaces }])
  await must('POST', '/invitations', [{ guestId: guest.id, spaceId: magicSpace.id }])
  const magic = await exchanged(await linkTo(must, email))
  const { guestLink } = await must('GET', `/spaces/${sharedSpace.id}`)
  const shared = await exchanged(tokenIn(guestLink), email)
  return { guestId: guest.id, sharedSpaceId: sharedSpace.id, magicSpaceId: magicSpace.id, magic, shared }
}

async function clip(must: Must, spaceId: string) {
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'a', type: 'string' }] }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'W', sheets })
  await must('POST', `/sheets/${workbook.sheets[0].id}/records`, [{ a: 'x' }])
  const { id } = await must('POST', '/data-clips', { name: 'Clip', sourceSheetId: workbook.sheets[0].id })
  await must('PATCH', `/data-clips/${id}`, { sharedLinkAccess: 'public' })
  const { guestLinkUrl, clipSheetId } = await must('GET', `/data-clips/${id}`)
  return {
    clipId: id,
    bearer: await exchanged(tokenIn(guestLinkUrl), `${fresh()}@example.com`),
    path: `/sheets/${clipSheetId}/records`,
  }
}

let lastDeployment: Promise<unknown> = Promise.resolve()
/** A deployment starts a process: many at the same time take longer than a request may. */
function oneAfterTheOther<T>(deploy: () => Promise<T>): Promise<T> {
  const deployment = lastDeployment.then(deploy)
  lastDeployment = deployment.catch(() => {})
  return deployment
}

/** An agent's key is in its function's variables; here it gets a second one. */
async function agent(must: Must, { accountId, environmentId }: TestAccount) {
  const source = 'module.exports = { routeEvent: async () => {} }'
  const config = { topics: ['a:b'], compiler: 'js', slug: fresh(), source }
  const { id: agentId, createdAt } = await oneAfterTheOther(() =>
    must('POST', `/agents?environmentId=${environmentId}`, config),
  )
  const { Keys } = await import('../../lib/entities/keys.ts')
  const { newKey } = await import('../../lib/auth/keys.ts')
  const { transact } = await import('../../lib/table/transact.ts')
  const key = newKey('agk')
  const owner = { accountId, environmentId, agentId, createdBy: agentId, createdAt }
  await transact([Keys.create({ id: key.id, type: 'AGENT', hash: key.hash, ...owner })])
  return { agentId, bearer: key.value }
}

/** @param issuer of the provider for single sign-on */
export async function createWorld(issuer: string): Promise<World> {
  const account = await mintAccount()
  const { environmentId } = account
  const admin = await adminOf(account)
  const must = mustBy(admin)
  const keyOf = async (type: string) =>
    (await must('POST', `/auth/api-key?type=${type}&environmentId=${environmentId}`))[0]
  const [key, publishable, person, signedOn, guest, deployed] = await Promise.all([
    keyOf('SECRET'),
    keyOf('PUBLISHABLE'),
    users(must),
    signOn(issuer),
    guests(must, environmentId),
    agent(must, account),
  ])
  const embedded = await mustBy(callerOf(publishable.rawKey))('POST', '/spaces', { name: 'Embedded' })
  const { clipId, bearer, path } = await clip(must, guest.sharedSpaceId)
  const minted = async (by: string) => (await mustBy(callerOf(by))('GET', `/guests/${guest.guestId}/token`)).token
  const ofUser = (value: string) => ({ bearer: value, path: '/users', channel: environmentId })
  const ofGuest = (value: string) => ({
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
      'personal access token': ofUser(person.token),
      'token of a clientId and secret': ofUser(person.byPair),
      'session by password': ofUser(person.session),
      'refreshed session': ofUser(person.refreshed),
      'session by single sign-on': {
        bearer: signedOn.bearer,
        path: '/users',
        channel: signedOn.account.environmentId,
      },
      'guest by magic link': ofGuest(guest.magic),
      'guest by shared link': {
        bearer: guest.shared,
        path: `/spaces/${guest.sharedSpaceId}`,
        channel: guest.sharedSpaceId,
      },
      'guest by clip link': { bearer, path },
      'guest by a key': ofGuest(await minted(key.rawKey)),
      'guest by a token of a user': ofGuest(await minted(person.token)),
      'guest by a session of a user': ofGuest(await minted(person.session)),
    },
  }
}

/** The status of the request that the credential may make, with another bearer where one is given. */
export const statusOf = async ({ bearer, path, body }: Credential, by = bearer): Promise<number> =>
  (await callerOf(by)(body ? 'POST' : 'GET', path, body)).status

/** An open WebSocket and an open long poll of a channel. */
export interface Listening {
  /** Topics that came over the WebSocket. */
  pushed: () => string[]
  isClosed: () => boolean
  /** The answer to the poll that was open, once it comes: its status and topics. */
  polled: Promise<{ status: number; topics: string[] }>
  /** The status of another poll. */
  pollAgain: () => Promise<number>
  /** Whether another WebSocket opens: `open`, or the message of the error. */
  connectAgain: () => Promise<string>
  end: () => void
}

export async function listen({ bearer, channel }: Credential): Promise<Listening | undefined> {
  if (channel === undefined) return undefined
  const { token, webSocketUrl, subscribeKey } = await mustBy(callerOf(bearer))('GET', `/subscription?scope=${channel}`)
  const socket = new WebSocket(`${webSocketUrl}?auth=${token}`)
  const messages: { type: string; event?: { topic: string } }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())))
  await once(socket, 'open')
  socket.send(JSON.stringify({ action: 'sync' }))
  await until(async () => messages.some(({ type }) => type === 'position'))
  const name = `${channel.includes('_env_') ? 'environment' : 'space'}.${channel}`
  const poll = (tt: string) => anybody<Polled>('GET', `/v2/subscribe/${subscribeKey}/${name}/0?tt=${tt}&auth=${token}`)
  const first = await poll('0')
  return {
    pushed: () => messages.flatMap(({ event }) => (event ? [event.topic] : [])),
    isClosed: () => socket.readyState === WebSocket.CLOSED,
    polled: pollFrom(poll, first.body.t.t),
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

interface Polled {
  t: { t: string }
  m: { d: { topic: string } }[]
}

/** Polls on until the event of the test comes or the poll is refused. */
async function pollFrom(
  poll: (tt: string) => Promise<Answer<Polled>>,
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

/** The topic of the event that tells who still listens. */
export const PROBE = 'probe:sent'
