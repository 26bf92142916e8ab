/** Signs and verifies access tokens (ES256) with the deployment's key set. */
import { decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { IssuerCredential } from './session.ts'
import { ALGORITHM, decryptPrivateJwk, getSigningKeys, type SigningKey } from './signing-keys.ts'

const ISSUER = 'wharf'
const CLOCK_SKEW_SECONDS = 30

type Key = Awaited<ReturnType<typeof importJWK>>

/** Never stale: the key of an id does not change. */
const publicKeyCache = new Map<string, Key>()

async function getPublicKey(kid: string): Promise<Key | undefined> {
  if (publicKeyCache.has(kid)) return publicKeyCache.get(kid)
  const found = (await getSigningKeys()).find((key) => key.kid === kid)
  if (!found) return undefined
  const key = await importJWK(found.publicJwk as JWK, ALGORITHM)
  publicKeyCache.set(kid, key)
  return key
}

/** Not cached, so that removing a key ends its tokens immediately. */
export const isCurrentKey = async (kid: string): Promise<boolean> =>
  (await getSigningKeys()).some((key) => key.kid === kid)

let signer: { kid: string; key: Promise<Key> } | undefined

async function getPrivateKey(): Promise<{ kid: string; key: Key }> {
  const [newest] = (await getSigningKeys()) as [SigningKey, ...SigningKey[]]
  const { kid } = newest
  if (signer?.kid !== kid) signer = { kid, key: importJWK(decryptPrivateJwk(newest), ALGORITHM) }
  return { kid, key: await signer.key }
}

function parseKid(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

export interface Claims extends JWTPayload {
  sub: string
  acc: string
  kind: 'user' | 'embedded' | 'guest' | 'subscription'
  env?: string
  space?: string
  key?: string
  /** Users: the personal access token or session it was exchanged from. */
  pat?: string
  ses?: string
  madeBy?: IssuerCredential
  link?: number
  channel?: string
  role?: string
  by?: object
  fixed?: boolean
  /** Sign-in time in seconds since 1970; refreshed tokens keep it. */
  auth_time?: number
  clip?: string
}

export async function signToken(claims: Claims, seconds: number): Promise<{ token: string; expires: Date }> {
  const { kid, key } = await getPrivateKey()
  const now = Math.floor(Date.now() / 1000)
  const expires = now + seconds
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid })
    .setIssuer(ISSUER)
    .setIssuedAt(now)
    .setExpirationTime(expires)
    .sign(key)
  return { token, expires: new Date(expires * 1000) }
}

export interface SignedToken {
  claims: Claims
  kid: string
}

/** Checks signature and expiry; {@link isCurrentKey} checks that the key was not removed. */
export async function verifySignature(token: string): Promise<SignedToken | undefined> {
  try {
    const kid = parseKid(token)
    const key = kid === undefined ? undefined : await getPublicKey(kid)
    if (kid === undefined || !key) return undefined
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      algorithms: [ALGORITHM],
      clockTolerance: CLOCK_SKEW_SECONDS,
    })
    return { claims: payload as Claims, kid }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return undefined
    throw error
  }
}

export async function verifyToken(token: string): Promise<SignedToken | undefined> {
  const signed = await verifySignature(token)
  return signed && (await isCurrentKey(signed.kid)) ? signed : undefined
}
