/**
 * The deployment's signing keys, one item in the table with the private halves sealed. The newest signs. When it is
 * replaced, it still checks what it signed until the last of that is over.
 */
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import * as z from 'zod'
import { TOKEN_SECONDS } from '../../schemas/token.ts'
import { entity, type Stored } from '../table/entity.ts'
import { committed, transact } from '../table/transact.ts'
import { randomText, seal, unseal } from './secrets.ts'

export const ALGORITHM = 'ES256'
/** After its replacement: the longest token, and an hour for clocks that differ. */
const KEPT_MS = (Math.max(...Object.values(TOKEN_SECONDS)) + 3600) * 1000
const SET = 'current'

const Key = z.object({
  kid: z.string(),
  publicJwk: z.unknown(),
  sealedPrivateJwk: z.string(),
  createdAt: z.string(),
  /** When another one took its place. */
  retiredAt: z.string().optional(),
})
export type SigningKey = z.infer<typeof Key>

const Shape = z.object({ id: z.string(), keys: z.array(Key) })
const Sets = entity({ name: 'signing-keys', shape: Shape, by: {} })

/** The keys that tokens may be of, the one that signs first. Made when there are none yet. */
export async function signingKeys(now = Date.now()): Promise<SigningKey[]> {
  const set = (await Sets.get(SET)) ?? (await firstSet())
  return set.keys.filter((key) => isKept(key, now))
}

const isKept = ({ retiredAt }: SigningKey, now: number): boolean =>
  retiredAt === undefined || Date.parse(retiredAt) + KEPT_MS > now

/** When another process was faster, its set is taken. */
async function firstSet(): Promise<Stored<typeof Shape>> {
  await committed(transact([Sets.create({ id: SET, keys: [await newKey(new Date())] })]))
  return (await Sets.get(SET))!
}

async function newKey(now: Date): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const kid = randomText(12)
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: ALGORITHM, use: 'sig' }
  const sealedPrivateJwk = seal(JSON.stringify({ ...(await exportJWK(pair.privateKey)), kid }), kid)
  return { kid, publicJwk, sealedPrivateJwk, createdAt: now.toISOString() }
}

export const privateJwkOf = ({ kid, sealedPrivateJwk }: SigningKey): JWK =>
  JSON.parse(unseal(sealedPrivateJwk, kid)) as JWK

/** The public halves, for whoever checks tokens elsewhere. */
export const publicKeys = async (): Promise<JWK[]> => (await signingKeys()).map(({ publicJwk }) => publicJwk as JWK)

/**
 * A new key signs from now on.
 * @param revoke the old ones check nothing any more: all tokens end
 * @returns the id of the key that signs; of two who do this at once both get one and the same
 */
export async function rotateSigningKeys({ revoke = false, now = new Date() } = {}): Promise<string> {
  for (;;) {
    const set = (await Sets.get(SET)) ?? (await firstSet())
    const retired = set.keys.map((key) => ({ ...key, retiredAt: key.retiredAt ?? now.toISOString() }))
    const kept = revoke ? [] : retired.filter((key) => isKept(key, now.getTime()))
    const made = await newKey(now)
    if (await committed(transact([Sets.replace(set, { id: SET, keys: [made, ...kept] })]))) return made.kid
    if (!revoke) return (await signingKeys())[0]!.kid
  }
}

/** Replaces a key that is older than so many days; 0 for never. Answers whether it did. */
export async function rotateWhenOld(days: number, now: Date): Promise<boolean> {
  const [newest] = await signingKeys(now.getTime())
  if (days === 0 || !newest || Date.parse(newest.createdAt) + days * 86_400_000 > now.getTime()) return false
  await rotateSigningKeys({ now })
  return true
}
