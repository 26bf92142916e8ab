/**
 * Secrets of an environment at rest, by envelope: AES-256-GCM under a data key that KMS made and wrapped. The wrapped key stands
 * beside the value, and KMS opens it for this environment alone (its id is the encryption context), so that a copy of the table
 * is worth nothing without the right to ask, and every opening stands in CloudTrail. What was sealed with the deployment's own
 * secret before is still read.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type DataKey, newDataKey, openedDataKey } from '../kms/data-keys.ts'
import { unseal } from './secrets.ts'

/** A data key is at hand for so long, and seals at most so many values: KMS is asked again then. */
const KEPT_MS = 5 * 60_000
const VALUES_A_KEY = 1000
/** Data keys at hand. */
const KEYS_KEPT = 200

/** Begins what is sealed here; `1.` begins what {@link unseal} reads. */
const VERSION = '2.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface Kept<T> {
  value: Promise<T>
  until: number
  left: number
}

/** What was asked for lately; what failed is asked for again. */
class Lately<T> {
  readonly #kept = new Map<string, Kept<T>>()

  get(name: string, uses: number, ask: () => Promise<T>): Promise<T> {
    const found = this.#kept.get(name)
    if (found && found.until > Date.now() && found.left > 0) {
      found.left--
      return found.value
    }
    const kept: Kept<T> = { value: ask(), until: Date.now() + KEPT_MS, left: uses - 1 }
    kept.value.catch(() => this.#kept.get(name) === kept && this.#kept.delete(name))
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    if (this.#kept.size > KEYS_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return kept.value
  }
}

const sealingKeys = new Lately<DataKey>()
const openedKeys = new Lately<Buffer>()

const boundTo = (environmentId: string, owner: string): Buffer => Buffer.from(`${environmentId} ${owner}`)

/**
 * Seals a value of an environment.
 * @param owner the id of what holds it: a sealed value cannot be moved to another item
 */
export async function sealIn(environmentId: string, plain: string, owner: string): Promise<string> {
  const key = await sealingKeys.get(environmentId, VALUES_A_KEY, () => newDataKey(environmentId))
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.plain, nonce).setAAD(boundTo(environmentId, owner))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(key.wrapped.length)
  return VERSION + Buffer.concat([length, key.wrapped, nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** @throws Error for a value of another environment or owner, and for one that was changed */
export async function unsealIn(environmentId: string, sealed: string, owner: string): Promise<string> {
  if (!sealed.startsWith(VERSION)) return unseal(sealed, owner)
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
  const end = 2 + bytes.readUInt16BE()
  const wrapped = bytes.subarray(2, end)
  const name = `${environmentId} ${wrapped.toString('base64url')}`
  const key = await openedKeys.get(name, Number.POSITIVE_INFINITY, () => openedDataKey(environmentId, wrapped))
  const rest = bytes.subarray(end)
  const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, NONCE_BYTES))
    .setAAD(boundTo(environmentId, owner))
    .setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
