/** Exchanges codes and refresh tokens. A connection is a personal access token whose value is the refresh token. */
import { createHash } from 'node:crypto'
import { ACCESS_TOKEN_SECONDS } from '../../schemas/oauth/shape.ts'
import { generateKey, matchesKeyHash, parseKey, renewKey } from '../auth/keys.ts'
import { signToken } from '../auth/signing.ts'
import { assertTokensLeft } from '../auth/users.ts'
import { constantTimeEqual, sha256 } from '../core/crypto.ts'
import { ApiError } from '../core/errors.ts'
import { AuditLog } from '../entities/audit.ts'
import { OAuthCodes } from '../entities/oauth-codes.ts'
import { type StoredToken, Tokens } from '../entities/tokens.ts'
import { begin } from '../tx.ts'
import { getMcpAddress } from './addresses.ts'

/** Codes of RFC 6749. */
export class OAuthError extends Error {
  readonly code: 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type'

  constructor(code: OAuthError['code'], text: string) {
    super(text)
    this.code = code
  }
}

type TokenRequest = {
  grant_type: string
  client_id?: string | undefined
  code?: string | undefined
  code_verifier?: string | undefined
  redirect_uri?: string | undefined
  refresh_token?: string | undefined
}

/** @throws OAuthError */
export function exchangeToken(request: TokenRequest, address: string) {
  if (request.grant_type === 'authorization_code') return exchangeCode(request, address)
  if (request.grant_type === 'refresh_token') return exchangeRefreshToken(request)
  throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
}

const WRONG_CODE = 'The code is unknown, used, expired, or for another client.'
const WRONG_REFRESH_TOKEN = 'The refresh token is unknown, used or revoked.'

async function exchangeCode(request: TokenRequest, address: string) {
  const { code, code_verifier: verifier, client_id: clientId, redirect_uri: redirectUri } = request
  if (code === undefined || verifier === undefined || clientId === undefined)
    throw new OAuthError('invalid_request', 'code, code_verifier and client_id are required.')
  const found = await OAuthCodes.get(sha256(code))
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const matches =
    found &&
    found.expires * 1000 > Date.now() &&
    found.clientHash === sha256(clientId) &&
    (redirectUri === undefined || redirectUri === found.redirectUri) &&
    constantTimeEqual(challenge, found.challenge)
  if (!matches) throw new OAuthError('invalid_grant', WRONG_CODE)
  const { accountId, userId, environmentId, access } = found
  const tx = begin({ accountId, actorId: userId })
  await assertTokensLeft(userId)
  const key = generateKey('pat')
  const token = {
    id: key.id,
    accountId,
    userId,
    name: found.clientName,
    createdAt: tx.now,
    hash: key.hash,
    connection: { environmentId, access },
  }
  tx.write(OAuthCodes.remove(found), Tokens.create(token))
  AuditLog.add(tx, { action: 'oauth.token', role: 'user', address, resources: [token.id] })
  await commitOrRefuse(tx, WRONG_CODE)
  return issueTokens(token, key.value)
}

/** Conditional writes: a code and a refresh token work once, also at the same time. */
async function commitOrRefuse(tx: ReturnType<typeof begin>, text: string): Promise<void> {
  try {
    await tx.commit()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') throw new OAuthError('invalid_grant', text)
    throw error
  }
}

async function exchangeRefreshToken({ refresh_token: value = '' }: TokenRequest) {
  const found = await findConnection(value)
  if (!found) throw new OAuthError('invalid_grant', WRONG_REFRESH_TOKEN)
  const tx = begin({ accountId: found.accountId, actorId: found.userId })
  if (!matchesKeyHash(value, found.hash)) {
    // The client, or a thief, already used it: neither can continue.
    if (found.previousHash !== undefined && matchesKeyHash(value, found.previousHash)) {
      tx.write(Tokens.remove(found))
      await tx.commit()
    }
    throw new OAuthError('invalid_grant', WRONG_REFRESH_TOKEN)
  }
  const key = renewKey(found.id)
  const { rev: _, ...fields } = found
  tx.write(Tokens.replace(found, { ...fields, hash: key.hash, previousHash: found.hash }))
  await commitOrRefuse(tx, WRONG_REFRESH_TOKEN)
  return issueTokens(found, key.value)
}

async function findConnection(value: string): Promise<StoredToken | undefined> {
  const token = await Tokens.get(parseKey(value)?.id ?? '-')
  return token?.connection ? token : undefined
}

async function issueTokens(token: Omit<StoredToken, 'rev'>, refreshToken: string) {
  const { accountId, userId, id, connection } = token
  const claims = { sub: userId, acc: accountId, kind: 'user' as const, pat: id, aud: getMcpAddress() }
  const signed = await signToken(claims, ACCESS_TOKEN_SECONDS)
  return {
    access_token: signed.token,
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    scope: connection!.access,
  }
}

export async function revokeConnection(value: string): Promise<void> {
  const found = await findConnection(value)
  if (!found || !matchesKeyHash(value, found.hash)) return
  const tx = begin({ accountId: found.accountId, actorId: found.userId })
  tx.write(Tokens.remove(found))
  await tx.commit()
}
