/**
 * Sessions of users. An access token names the password or the provider that its user signed in with, and is refused once the
 * password is another one, the account has switched to single sign-on, or to another provider.
 */
import type { StoredSignOn } from '../entities/sso.ts'
import type { NewUser } from '../entities/users.ts'
import { sha256 } from './secrets.ts'

/** The key, personal access token or session of the user who made an access token for a guest. */
export type MadeBy = { keyId: string } | { userId: string; tokenId?: string | undefined; session?: string | undefined }

const fingerprint = (...texts: string[]): string => sha256(JSON.stringify(texts)).slice(0, 16)

export const passwordSession = ({ id, passwordHash = '' }: Pick<NewUser, 'id' | 'passwordHash'>): string =>
  `pwd:${fingerprint(id, passwordHash)}`

export const signOnSession = (
  { id, idpRef = '' }: Pick<NewUser, 'id' | 'idpRef'>,
  { issuer, clientId }: Pick<StoredSignOn, 'issuer' | 'clientId'>,
): string => `sso:${fingerprint(id, idpRef, issuer, clientId)}`

/** @param signOn the single sign-on of the user's account, where it has one */
export const isOpenSession = (session: string, user: NewUser, signOn: StoredSignOn | undefined): boolean =>
  session === (signOn ? signOnSession(user, signOn) : passwordSession(user))
