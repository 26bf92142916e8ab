/** Signs and checks access tokens (ES256) by the deployment's key set: the newest key signs, those before check what they signed. */
import { decodeProtectedHeader, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { ALGORITHM, privateJwkOf, type SigningKey, signingKeys } from './signing-keys.ts'

const ISSUER = 'wharf'
/** Clocks may differ by this many seconds. */
const CLOCK_SKEW_SECONDS = 30
/** A process goes by the set as it read it, for so long; a key it does not know makes it read again. */
const REMEMBERED_MS = 60_000
const ASKED_AGAIN_MS = 2000

type Key = Awaited<ReturnType<typeof importJWK>>
interface LoadedKeys {
  kid: string
  sign: Key
  verify: Map<string, Key>
  loadedAt: number
}
let loading: Promise<LoadedKeys> | undefined

async function load(): Promise<LoadedKeys> {
  const loadedAt = Date.now()
  const keys = await signingKeys()
  const [newest] = keys as [SigningKey, ...SigningKey[]]
  const imported = await Promise.all(
    keys.map(async ({ kid, publicJwk }) => [kid, await importJWK(publicJwk as JWK, ALGORITHM)] as const),
  )
  return {
    kid: newest.kid,
    sign: await importJWK(privateJwkOf(newest), ALGORITHM),
    verify: new Map(imported),
    loadedAt,
  }
}

/** The set as it was at most `oldest` milliseconds ago. */
async function loaded(oldest: number): Promise<LoadedKeys> {
  const known = await loading
  if (known && Date.now() - known.loadedAt <= oldest) return known
  loading = load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** The key that made the token; undefined for one of no key of the set. */
async function keyOf(token: string): Promise<Key | undefined> {
  const kid = kidOf(token)
  if (kid === undefined) return undefined
  return (await loaded(REMEMBERED_MS)).verify.get(kid) ?? (await loaded(ASKED_AGAIN_MS)).verify.get(kid)
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
  /** Opens its space alone, and no other is got by it. */
  fixed?: boolean
  /** When the credentials behind it were given, in seconds since 1970; tokens got by tokens carry it on. */
  auth_time?: number
  /** Opens this public data clip alone. */
  clip?: string
}

/** A signed token valid for `seconds` from now. */
export async function sign(claims: Claims, seconds: number): Promise<{ token: string; expires: Date }> {
  const { kid, sign: key } = await loaded(REMEMBERED_MS)
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

/** The claims of a valid token; undefined for a forged, foreign or expired one. */
export async function verify(token: string): Promise<Claims | undefined> {
  try {
    const key = await keyOf(token)
    if (!key) return undefined
    const { payload } = await jwtVerify(token, key, {
      issuer: ISSUER,
      algorithms: [ALGORITHM],
      clockTolerance: CLOCK_SKEW_SECONDS,
    })
    return payload as Claims
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return undefined
    throw error
  }
}
