/** Exchanges credentials for access tokens. Wrong password, unknown address and revoked pair get one and the same answer. */
import { TOKEN_SECONDS } from '../../schemas/auth.ts'
import { unauthenticated } from '../core/errors.ts'
import type { StoredSpace } from '../entities/spaces.ts'
import { Tokens } from '../entities/tokens.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import { keyIdOf, keyMatches } from './keys.ts'
import type { Principal } from './principal.ts'
import { passwordMatches } from './secrets.ts'
import { sign } from './signing.ts'

type Credentials = { email: string; password: string } | { clientId: string; secret: string }

/** A 24-hour token of an administrator. Throws a 401 that does not say which part was wrong. */
export async function administratorToken(credentials: Credentials) {
  const user = 'email' in credentials ? await byPassword(credentials) : await byPair(credentials)
  if (!user) throw unauthenticated('These credentials are not valid.')
  const { token, expires } = await sign(
    { sub: user.id, acc: user.accountId, kind: 'user' },
    TOKEN_SECONDS.administrator,
  )
  return {
    accessToken: token,
    expiresIn: String(TOKEN_SECONDS.administrator),
    expires: expires.toISOString(),
    email: user.email,
    userId: user.id,
    accountId: user.accountId,
  }
}

async function byPassword({ email, password }: { email: string; password: string }): Promise<StoredUser | undefined> {
  const user = await Users.byEmail(email)
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
