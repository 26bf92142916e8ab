/** Signs and checks access tokens (ES256). The key set lives in the table, private keys sealed; one active key signs. */
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import { entity } from '../table/entity.ts'
import { ConditionFailed, transact } from '../table/transact.ts'
import { randomText, seal, unseal } from './secrets.ts'

const ALGORITHM = 'ES256'
const ISSUER = 'wharf'
/** Clocks may differ by this many seconds. */
const CLOCK_SKEW_SECONDS = 30

const SigningKeys = entity({
  name: 'signing-key',
  shape: z.object({ id: z.string(), publicJwk: z.unknown(), sealedPrivateJwk: z.string(), createdAt: z.string() }),
  by: {},
})
/** The one key of this deployment's set that signs now. */
const ACTIVE = 'active'

interface LoadedKey {
  kid: string
  sign: Awaited<ReturnType<typeof importJWK>>
  verify: Awaited<ReturnType<typeof importJWK>>
}
let loaded: Promise<LoadedKey> | undefined

async function load(): Promise<LoadedKey> {
  const key = (await SigningKeys.get(ACTIVE)) ?? (await make())
  const publicJwk = key.publicJwk as JWK
  return {
    kid: publicJwk.kid ?? ACTIVE,
    sign: await importJWK(JSON.parse(unseal(key.sealedPrivateJwk, ACTIVE)) as JWK, ALGORITHM),
    verify: await importJWK(publicJwk, ALGORITHM),
  }
}

/** Makes the key set; when another process was faster, its key is taken. */
async function make() {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const kid = randomText(12)
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: ALGORITHM, use: 'sig' }
  const sealedPrivateJwk = seal(JSON.stringify({ ...(await exportJWK(pair.privateKey)), kid }), ACTIVE)
  try {
    await transact([
      SigningKeys.create({ id: ACTIVE, publicJwk, sealedPrivateJwk, createdAt: new Date().toISOString() }),
    ])
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  return (await SigningKeys.get(ACTIVE))!
}

const keys = (): Promise<LoadedKey> => {
  loaded ??= load().catch((error) => {
    loaded = undefined
    throw error
  })
  return loaded
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
  /** Opens this public data clip alone. */
  clip?: string
}

/** A signed token valid for `seconds` from now. */
export async function sign(claims: Claims, seconds: number): Promise<{ token: string; expires: Date }> {
  const { kid, sign: key } = await keys()
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
    const { verify: key } = await keys()
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
