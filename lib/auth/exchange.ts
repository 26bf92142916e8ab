/** Exchanges credentials for access tokens. Wrong password, unknown address and revoked pair get one and the same answer. */
import { SESSION_SECONDS, TOKEN_SECONDS } from '../../schemas/token.ts'
import { forbidden, unauthenticated } from '../core/errors.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { SignOns } from '../entities/sso.ts'
import { Tokens } from '../entities/tokens.ts'
import { type NewUser, type StoredUser, Users } from '../entities/users.ts'
import { guarded } from './guesses.ts'
import { keyIdOf, keyMatches } from './keys.ts'
import { authenticate, type Principal } from './principal.ts'
import { passwordMatches } from './secrets.ts'
import { type Claims, sign, signedToken } from './signing.ts'

type Credentials = { email: string; password: string } | { clientId: string; secret: string }

/**
 * A 24-hour token of a user.
 * @param address where the request came from
 * @throws 401 that does not say which part was wrong, 429 for one who guesses
 */
export async function administratorToken(credentials: Credentials, address: string) {
  const user =
    'email' in credentials
      ? await guarded(credentials.email, address, () => byPassword(credentials))
      : await byPair(credentials)
  if (!user) throw unauthenticated('These credentials are not valid.')
  return userToken(user)
}

/** A token of the user, for `seconds`. */
export async function userToken(user: NewUser, seconds: number = TOKEN_SECONDS.administrator, since?: number) {
  const claims = { sub: user.id, acc: user.accountId, kind: 'user' as const, ...sinceOf(since) }
  return {
    ...answerOf(await sign(claims, seconds), seconds),
    email: user.email,
    userId: user.id,
    accountId: user.accountId,
  }
}

const sinceOf = (since: number | undefined) => (since === undefined ? {} : { auth_time: since })

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
    if (!user) throw unauthenticated()
    return userToken(user, seconds, since)
  }
  const { exp: _, iat: __, nbf: ___, ...same } = claims
  return answerOf(await sign({ ...(same as Claims), auth_time: since }, seconds), seconds)
}

/** @throws 403 where the user's account has single sign-on: whether the password is right makes no difference then */
async function byPassword({ email, password }: { email: string; password: string }): Promise<StoredUser | undefined> {
  const user = await Users.byEmail(email)
  if (user && (await SignOns.get(user.accountId)))
    throw forbidden('This account uses single sign-on: sign in there, or use a personal access token.')
  return (await passwordMatches(password, user?.passwordHash)) ? user : undefined
}

/** The legacy pair is a personal access token in two parts: `clientId` is its id, `secret` its value. */
async function byPair({ clientId, secret }: { clientId: string; secret: string }): Promise<StoredUser | undefined> {
  if (keyIdOf(secret)?.id !== clientId) return undefined
  const token = await Tokens.get(clientId)
  return token && keyMatches(secret, token.hash) ? Users.get(token.userId) : undefined
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
