/** User sessions: a token names the password or provider it was issued for and ends when that changes. */

import { sha256 } from '../core/crypto.ts'
import type { StoredSignOn } from '../entities/sso.ts'
import type { NewUser } from '../entities/users.ts'

export type IssuerCredential =
  | { keyId: string }
  | { userId: string; tokenId?: string | undefined; session?: string | undefined }

const computeFingerprint = (...parts: string[]): string => sha256(JSON.stringify(parts)).slice(0, 16)

export const derivePasswordSession = ({ id, passwordHash = '' }: Pick<NewUser, 'id' | 'passwordHash'>): string =>
  `pwd:${computeFingerprint(id, passwordHash)}`

export const deriveSignOnSession = (
  { id, idpRef = '' }: Pick<NewUser, 'id' | 'idpRef'>,
  { issuer, clientId }: Pick<StoredSignOn, 'issuer' | 'clientId'>,
): string => `sso:${computeFingerprint(id, idpRef, issuer, clientId)}`

export const isOpenSession = (session: string, user: NewUser, signOn: StoredSignOn | undefined): boolean =>
  session === (signOn ? deriveSignOnSession(user, signOn) : derivePasswordSession(user))
