/** The deployment's signing keys. The newest signs; older ones verify until their last token expires. */
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import * as z from 'zod'
import { TOKEN_SECONDS } from '../../schemas/auth/token.ts'
import { DAY_MS, HOUR_SECONDS } from '../../schemas/kit/time.ts'
import { decrypt, encrypt, randomText } from '../core/crypto.ts'
import { entity, type Stored } from '../table/entity.ts'
import { retryOnConflict, transact, tryCommit } from '../table/transact.ts'

export const ALGORITHM = 'ES256'
/** The longest token lifetime and an hour of clock skew. */
const RETIRED_KEY_MS = (Math.max(...Object.values(TOKEN_SECONDS)) + HOUR_SECONDS) * 1000
const KEY_SET_ID = 'current'

const Key = z.object({
  kid: z.string(),
  publicJwk: z.unknown(),
  sealedPrivateJwk: z.string(),
  createdAt: z.string(),
  retiredAt: z.string().optional(),
})
export type SigningKey = z.infer<typeof Key>

const KeySet = z.object({ id: z.string(), keys: z.array(Key) })
const KeySets = entity({ name: 'signing-keys', shape: KeySet, by: {} })

/** The signing key is first. Created on first use. */
export async function getSigningKeys(now = Date.now()): Promise<SigningKey[]> {
  const set = (await KeySets.get(KEY_SET_ID)) ?? (await createFirstSet())
  return set.keys.filter((key) => canVerify(key, now))
}

const canVerify = ({ retiredAt }: SigningKey, now: number): boolean =>
  retiredAt === undefined || Date.parse(retiredAt) + RETIRED_KEY_MS > now

/** If another process was faster, its set is used. */
async function createFirstSet(): Promise<Stored<typeof KeySet>> {
  await tryCommit(transact([KeySets.create({ id: KEY_SET_ID, keys: [await createSigningKey(new Date())] })]))
  return (await KeySets.get(KEY_SET_ID))!
}

async function createSigningKey(now: Date): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const kid = randomText(12)
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: ALGORITHM, use: 'sig' }
  const sealedPrivateJwk = encrypt(JSON.stringify({ ...(await exportJWK(pair.privateKey)), kid }), kid)
  return { kid, publicJwk, sealedPrivateJwk, createdAt: now.toISOString() }
}

export const decryptPrivateJwk = ({ kid, sealedPrivateJwk }: SigningKey): JWK =>
  JSON.parse(decrypt(sealedPrivateJwk, kid)) as JWK

export const getPublicKeys = async (): Promise<JWK[]> =>
  (await getSigningKeys()).map(({ publicJwk }) => publicJwk as JWK)

/** @returns the id of the signing key; concurrent rotations return the same one */
export async function rotateSigningKeys({ revoke = false, now = new Date() } = {}): Promise<string> {
  return retryOnConflict(Number.POSITIVE_INFINITY, async (attemptNumber) => {
    const set = (await KeySets.get(KEY_SET_ID)) ?? (await createFirstSet())
    const [newest] = set.keys
    if (attemptNumber > 1 && !revoke && newest) return newest.kid
    const retired = set.keys.map((key) => ({ ...key, retiredAt: key.retiredAt ?? now.toISOString() }))
    const remaining = revoke ? [] : retired.filter((key) => canVerify(key, now.getTime()))
    const created = await createSigningKey(now)
    await transact([KeySets.replace(set, { id: KEY_SET_ID, keys: [created, ...remaining] })])
    return created.kid
  })
}

/** 0 days disables rotation. Returns whether it rotated. */
export async function rotateIfOlderThan(days: number, now: Date): Promise<boolean> {
  const [newest] = await getSigningKeys(now.getTime())
  if (days === 0 || !newest || Date.parse(newest.createdAt) + days * DAY_MS > now.getTime()) return false
  await rotateSigningKeys({ now })
  return true
}
