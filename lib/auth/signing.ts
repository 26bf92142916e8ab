/** Signs and checks access tokens (ES256) by the deployment's key set: the newest key signs, those before check what they signed. */
import { decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { MadeBy } from './session.ts'
import { ALGORITHM, privateJwkOf, type SigningKey, signingKeys } from './signing-keys.ts'

const ISSUER = 'wharf'
/** Clocks may differ by this many seconds. */
const CLOCK_SKEW_SECONDS = 30

type Key = Awaited<ReturnType<typeof importJWK>>

/** Public halves that this process has met, by their ids: what an id names never changes. */
const met = new Map<string, Key>()

/** The key a token names: of one that this process has met, a forged token costs no read. */
async function keyNamed(kid: string): Promise<Key | undefined> {
  if (met.has(kid)) return met.get(kid)
  const found = (await signingKeys()).find((key) => key.kid === kid)
  if (!found) return undefined
  const key = await importJWK(found.publicJwk as JWK, ALGORITHM)
  met.set(kid, key)
  return key
}

/** Does the key check tokens at this moment? Read at each use, so that keys that were dropped end all tokens at once. */
export const isCurrentKey = async (kid: string): Promise<boolean> =>
  (await signingKeys()).some((key) => key.kid === kid)

let signer: { kid: string; key: Promise<Key> } | undefined

/** The private half is imported once. */
async function newestKey(): Promise<{ kid: string; key: Key }> {
  const [newest] = (await signingKeys()) as [SigningKey, ...SigningKey[]]
  const { kid } = newest
  if (signer?.kid !== kid) signer = { kid, key: importJWK(privateJwkOf(newest), ALGORITHM) }
  return { kid, key: await signer.key }
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined // no token at all
  }
}

/** What an access token says: whose it is and what it is for. */
export interface Claims extends JWTPayload {
  sub: string
  /** account id */
  acc: string
  kind: 'user' | 'embedded' | 'guest' | 'subscription'
  env?: string
  space?: string
  /** The key it was got with: when that is deleted, the token is refused. */
  key?: string
  /** Of a user: the personal access token, or the session, it was exchanged from. */
  pat?: string
  ses?: string
  /** Of a guest: the credential of whoever made the token for it. */
  madeBy?: MadeBy
  /** The version of the shared link that the guest came by. */
  link?: number
  /** Of a subscription: the channel it opens, for whom, and what they came with. */
  channel?: string
  role?: string
  by?: object
  /** Opens its space alone, and no other is got by it. */
  fixed?: boolean
  /** When the credentials behind it were given, in seconds since 1970; tokens got by tokens carry it on. */
  auth_time?: number
  /** Opens this public data clip alone. */
  clip?: string
}

/** A signed token valid for `seconds` from now. */
export async function sign(claims: Claims, seconds: number): Promise<{ token: string; expires: Date }> {
  const { kid, key } = await newestKey()
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

export interface Signed {
  claims: Claims
  kid: string
}

/** A token that a key of ours signed and whose time is not over; whether that key is current, {@link isCurrentKey} tells. */
export async function signedToken(token: string): Promise<Signed | undefined> {
  try {
    const kid = kidOf(token)
    const key = kid === undefined ? undefined : await keyNamed(kid)
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

/** The same, of a current key. */
export async function verify(token: string): Promise<Signed | undefined> {
  const signed = await signedToken(token)
  return signed && (await isCurrentKey(signed.kid)) ? signed : undefined
}
