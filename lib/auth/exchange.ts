/** Exchanges credentials for tokens. Wrong passwords, unknown addresses and revoked pairs get the same error. */

import { SESSION_SECONDS, TOKEN_SECONDS } from '../../schemas/auth/token.ts'
import { message } from '../../schemas/messages/index.ts'
import { derivePasswordKey, matchesPasswordHash } from '../core/crypto.ts'
import { conflict, unauthenticated } from '../core/errors.ts'
import { Accounts } from '../entities/accounts.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { SignOns } from '../entities/sso.ts'
import { Tokens } from '../entities/tokens.ts'
import { type NewUser, type StoredUser, Users } from '../entities/users.ts'
import { updateLastUsed } from '../table/last-used.ts'
import { matchesKeyHash, parseKey } from './keys.ts'
import { withLoginThrottle } from './login-throttle.ts'
import { loadPrincipal, type Principal, verifyBearer } from './principal.ts'
import { derivePasswordSession } from './session.ts'
import { type Claims, signToken } from './signing.ts'

type PasswordCredentials = { email: string; password: string; accountId?: string | undefined }
type Credentials = PasswordCredentials | { clientId: string; secret: string }

interface Matches {
  users: StoredUser[]
  isSharedAddress: boolean
}

/** @throws 401 without naming the wrong part, 409 if users of several accounts match, 429 after many failures */
export async function issueAdministratorToken(credentials: Credentials, address: string) {
  if ('clientId' in credentials) return exchangeTokenPair(credentials)
  const { users } = await withLoginThrottle(
    credentials.email,
    address,
    () => matchPassword(credentials),
    Date.now(),
    classifyMatches,
  )
  const [user, other] = users
  if (!user) throw invalidCredentials()
  if (other) throw await createAmbiguityError(users)
  return issueUserToken(user, { ses: derivePasswordSession(user) })
}

/** A correct password in one account must not clear the failures counted for the address in others. */
const classifyMatches = ({ users, isSharedAddress }: Matches) =>
  users.length === 0 ? 'wrong' : isSharedAddress ? 'right of one' : 'right'

const invalidCredentials = () => unauthenticated(message('access.credentialsNotValid'))

type TokenSource = { ses: string } | { pat: string }

export async function issueUserToken(
  user: NewUser,
  source: TokenSource,
  seconds: number = TOKEN_SECONDS.administrator,
  signedInAt?: number,
) {
  const auth_time = signedInAt === undefined ? {} : { auth_time: signedInAt }
  const claims = { sub: user.id, acc: user.accountId, kind: 'user' as const, ...source, ...auth_time }
  return {
    ...toTokenResponse(await signToken(claims, seconds), seconds),
    email: user.email,
    userId: user.id,
    accountId: user.accountId,
  }
}

const toTokenResponse = ({ token, expires }: { token: string; expires: Date }, seconds: number) => ({
  accessToken: token,
  expiresIn: String(seconds),
  expires: expires.toISOString(),
})

const SECONDS_BY_KIND = {
  user: TOKEN_SECONDS.administrator,
  embedded: TOKEN_SECONDS.publishable,
  guest: TOKEN_SECONDS.guest,
}

/** Reissues the token with the same claims, never beyond the session that started at sign-in. */
export async function refreshToken(currentToken: string) {
  const bearer = await verifyBearer(currentToken)
  if (!bearer || !('signed' in bearer)) throw unauthenticated()
  const principal = await loadPrincipal(bearer)
  if (!principal || principal.agentAccess) throw unauthenticated()
  const { claims } = bearer.signed
  if (claims.kind === 'subscription') throw unauthenticated()
  const now = Math.floor(Date.now() / 1000)
  const signedInAt = claims.auth_time ?? claims.iat ?? now
  const seconds = Math.min(SECONDS_BY_KIND[claims.kind], signedInAt + SESSION_SECONDS - now)
  if (seconds <= 0) throw unauthenticated(message('access.sessionExpiredSignIn'))
  if (claims.kind === 'user') {
    const user = await Users.get(claims.sub)
    const source = claims.pat === undefined ? { ses: claims.ses ?? '' } : { pat: claims.pat }
    if (!user) throw unauthenticated()
    return issueUserToken(user, source, seconds, signedInAt)
  }
  const { exp: _, iat: __, nbf: ___, ...unchanged } = claims
  return toTokenResponse(await signToken({ ...(unchanged as Claims), auth_time: signedInAt }, seconds), seconds)
}

/** Read for unknown addresses, so that every attempt costs the same reads. */
const PLACEHOLDER_USER = { id: 'us_usr_00000000000000000000000000', accountId: 'us_acc_00000000000000000000000000' }

/** Passwords do not work in accounts with single sign-on. */
async function matchPassword({ email, password, accountId }: PasswordCredentials): Promise<Matches> {
  const [key, candidates] = await Promise.all([derivePasswordKey(email, password), Users.listByEmail(email)])
  const lookups = (candidates.length > 0 ? candidates : [PLACEHOLDER_USER]).map((candidate) =>
    Promise.all([Users.get(candidate.id), SignOns.get(candidate.accountId)]),
  )
  const loaded = await Promise.all(lookups)
  const matching = loaded.flatMap(([user, signOn]) =>
    matchesPasswordHash(key, user?.passwordHash) && user && !signOn ? [user] : [],
  )
  const users = matching.filter((user) => accountId === undefined || user.accountId === accountId)
  return { users, isSharedAddress: candidates.length > 1 }
}

async function createAmbiguityError(users: StoredUser[]) {
  const accounts = await Promise.all(users.map(({ accountId }) => Accounts.get(accountId)))
  const names = accounts.flatMap((account) => (account ? [`${account.id} (${account.name})`] : []))
  return conflict(message('access.credentialsAmbiguous', { accounts: names.join(', ') }))
}

/** The legacy pair is a personal access token in two parts: `clientId` is its id, `secret` its value. */
async function exchangeTokenPair({ clientId, secret }: { clientId: string; secret: string }) {
  const token = parseKey(secret)?.id === clientId ? await Tokens.get(clientId) : undefined
  const user =
    token && !token.connection && matchesKeyHash(secret, token.hash) ? await Users.get(token.userId) : undefined
  if (!token || !user) throw invalidCredentials()
  await updateLastUsed('token', token.id, 'lastUsedAt', token.lastUsedAt)
  return issueUserToken(user, { pat: token.id })
}

export async function issueEmbeddedToken(caller: Principal, space: StoredSpace): Promise<string> {
  const claims = {
    sub: caller.actorId,
    acc: caller.accountId,
    kind: 'embedded' as const,
    env: space.environmentId,
    space: space.id,
    key: caller.keyId ?? '',
  }
  return (await signToken(claims, TOKEN_SECONDS.publishable)).token
}
