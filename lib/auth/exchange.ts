/** Exchanges credentials for access tokens. Wrong password, unknown address and revoked pair get one and the same answer. */
import { SESSION_SECONDS, TOKEN_SECONDS } from '../../schemas/token.ts'
import { conflict, unauthenticated } from '../core/errors.ts'
import { Accounts } from '../entities/accounts.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { SignOns } from '../entities/sso.ts'
import { Tokens } from '../entities/tokens.ts'
import { type NewUser, type StoredUser, Users } from '../entities/users.ts'
import { touch } from '../table/touch.ts'
import { guarded } from './guesses.ts'
import { keyIdOf, keyMatches } from './keys.ts'
import { authenticate, type Principal } from './principal.ts'
import { passwordFits, passwordKey } from './secrets.ts'
import { passwordSession } from './session.ts'
import { type Claims, sign, signedToken } from './signing.ts'

type PasswordCredentials = { email: string; password: string; accountId?: string | undefined }
type Credentials = PasswordCredentials | { clientId: string; secret: string }

interface Matches {
  users: StoredUser[]
  /** Users of other accounts have the address too. */
  shared: boolean
}

/**
 * A 24-hour token of a user.
 * @param address where the request came from
 * @throws 401 that does not say which part was wrong, 409 where users of several accounts fit, 429 for one who guesses
 */
export async function administratorToken(credentials: Credentials, address: string) {
  if ('clientId' in credentials) return byPair(credentials)
  const { users } = await guarded(credentials.email, address, () => byPassword(credentials), Date.now(), outcomeOf)
  const [user, other] = users
  if (!user) throw notValid()
  if (other) throw await severalAccounts(users)
  return userToken(user, { ses: passwordSession(user) })
}

/** The right password of one account says nothing of the users that others have of the address. */
const outcomeOf = ({ users, shared }: Matches) => (users.length === 0 ? 'wrong' : shared ? 'right of one' : 'right')

const notValid = () =>
  unauthenticated('These credentials are not valid. Where an account has single sign-on, its users sign in there.')

/** What a token of a user was exchanged from: a session, or a personal access token. */
type From = { ses: string } | { pat: string }

/** A token of the user, for `seconds`. */
export async function userToken(
  user: NewUser,
  from: From,
  seconds: number = TOKEN_SECONDS.administrator,
  since?: number,
) {
  const auth_time = since === undefined ? {} : { auth_time: since }
  const claims = { sub: user.id, acc: user.accountId, kind: 'user' as const, ...from, ...auth_time }
  return {
    ...answerOf(await sign(claims, seconds), seconds),
    email: user.email,
    userId: user.id,
    accountId: user.accountId,
  }
}

const answerOf = ({ token, expires }: { token: string; expires: Date }, seconds: number) => ({
  accessToken: token,
  expiresIn: String(seconds),
  expires: expires.toISOString(),
})

const SECONDS_OF = {
  user: TOKEN_SECONDS.administrator,
  embedded: TOKEN_SECONDS.publishable,
  guest: TOKEN_SECONDS.guest,
}

/**
 * A fresh token for one that is still valid and stands for somebody who is still let in: the same claims, so never more
 * than the old one opens, and never beyond the session that began when credentials were given.
 * @throws 401 for any other token
 */
export async function refreshedToken(old: string) {
  const [signed, principal] = await Promise.all([signedToken(old), authenticate(old)])
  if (!signed || !principal) throw unauthenticated()
  const { claims } = signed
  if (claims.kind === 'subscription') throw unauthenticated()
  const now = Math.floor(Date.now() / 1000)
  const since = claims.auth_time ?? claims.iat ?? now
  const seconds = Math.min(SECONDS_OF[claims.kind], since + SESSION_SECONDS - now)
  if (seconds <= 0) throw unauthenticated('The session is over: sign in again.')
  if (claims.kind === 'user') {
    const user = await Users.get(claims.sub)
    const from = claims.pat === undefined ? { ses: claims.ses ?? '' } : { pat: claims.pat }
    if (!user) throw unauthenticated()
    return userToken(user, from, seconds, since)
  }
  const { exp: _, iat: __, nbf: ___, ...same } = claims
  return answerOf(await sign({ ...(same as Claims), auth_time: since }, seconds), seconds)
}

/** Read in place of the users of an address that nobody has, so that the same is read for every address. */
const NOBODY = { id: 'us_usr_00000000000000000000000000', accountId: 'us_acc_00000000000000000000000000' }

/** The users whose password it is, and how many users the address has; no password fits in an account with single sign-on. */
async function byPassword({ email, password, accountId }: PasswordCredentials): Promise<Matches> {
  const [key, known] = await Promise.all([passwordKey(email, password), Users.ofAddress(email)])
  const read = (known.length > 0 ? known : [NOBODY]).map((one) =>
    Promise.all([Users.get(one.id), SignOns.get(one.accountId)]),
  )
  const found = await Promise.all(read)
  const fitting = found.flatMap(([user, signOn]) =>
    passwordFits(key, user?.passwordHash) && user && !signOn ? [user] : [],
  )
  const users = fitting.filter((user) => accountId === undefined || user.accountId === accountId)
  return { users, shared: known.length > 1 }
}

/** A password that fits users of several accounts: the caller names one of them. */
async function severalAccounts(users: StoredUser[]) {
  const accounts = await Promise.all(users.map(({ accountId }) => Accounts.get(accountId)))
  const names = accounts.flatMap((account) => (account ? [`${account.id} (${account.name})`] : []))
  return conflict(
    `Users of several accounts have this address and password. Name one by accountId: ${names.join(', ')}.`,
  )
}

/** The legacy pair is a personal access token in two parts: `clientId` is its id, `secret` its value. */
async function byPair({ clientId, secret }: { clientId: string; secret: string }) {
  const token = keyIdOf(secret)?.id === clientId ? await Tokens.get(clientId) : undefined
  const user = token && keyMatches(secret, token.hash) ? await Users.get(token.userId) : undefined
  if (!token || !user) throw notValid()
  await touch('token', token.id, 'lastUsedAt', token.lastUsedAt)
  return userToken(user, { pat: token.id })
}

/** The token a publishable key gets with the space it created: 24 hours, that one space. */
export async function embeddedToken(caller: Principal, space: StoredSpace): Promise<string> {
  const claims = {
    sub: caller.actorId,
    acc: caller.accountId,
    kind: 'embedded' as const,
    env: space.environmentId,
    space: space.id,
    key: caller.keyId ?? '',
  }
  return (await sign(claims, TOKEN_SECONDS.publishable)).token
}
