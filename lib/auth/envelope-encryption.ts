/**
 * Envelope encryption of environment secrets: AES-256-GCM under data keys wrapped by KMS.
 * KMS unwraps a key only for its environment and logs it in CloudTrail, so a copied table is useless.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { decrypt } from '../core/crypto.ts'
import { type DataKey, generateDataKey, unwrapDataKey } from '../kms/data-keys.ts'

const CACHE_MS = 5 * MINUTE_MS
const MAX_VALUES_PER_KEY = 1000
const MAX_CACHED_KEYS = 200

/** Values starting with `1.` are read by {@link decrypt}. */
const VERSION = '2.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface CacheEntry<T> {
  value: Promise<T>
  expiresAt: number
  remainingUses: number
}

class KeyCache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>()

  get(name: string, uses: number, load: () => Promise<T>): Promise<T> {
    const found = this.#entries.get(name)
    if (found && found.expiresAt > Date.now() && found.remainingUses > 0) {
      found.remainingUses--
      return found.value
    }
    const entry: CacheEntry<T> = { value: load(), expiresAt: Date.now() + CACHE_MS, remainingUses: uses - 1 }
    entry.value.catch(() => this.#entries.get(name) === entry && this.#entries.delete(name))
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    if (this.#entries.size > MAX_CACHED_KEYS) this.#entries.delete(this.#entries.keys().next().value!)
    return entry.value
  }
}

const encryptionKeys = new KeyCache<DataKey>()
const decryptionKeys = new KeyCache<Buffer>()

const buildAssociatedData = (environmentId: string, owner: string): Buffer => Buffer.from(`${environmentId} ${owner}`)

/** @param owner id of the item that holds the value, which cannot be moved to another item */
export async function encryptForEnvironment(environmentId: string, plaintext: string, owner: string): Promise<string> {
  const key = await encryptionKeys.get(environmentId, MAX_VALUES_PER_KEY, () => generateDataKey(environmentId))
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.plaintext, nonce).setAAD(buildAssociatedData(environmentId, owner))
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(key.wrapped.length)
  return VERSION + Buffer.concat([length, key.wrapped, nonce, cipher.getAuthTag(), body]).toString('base64url')
}

export async function decryptForEnvironment(environmentId: string, ciphertext: string, owner: string): Promise<string> {
  if (!ciphertext.startsWith(VERSION)) return decrypt(ciphertext, owner)
  const bytes = Buffer.from(ciphertext.slice(VERSION.length), 'base64url')
  const end = 2 + bytes.readUInt16BE()
  const wrapped = bytes.subarray(2, end)
  const name = `${environmentId} ${wrapped.toString('base64url')}`
  const key = await decryptionKeys.get(name, Number.POSITIVE_INFINITY, () => unwrapDataKey(environmentId, wrapped))
  const payload = bytes.subarray(end)
  const decipher = createDecipheriv('aes-256-gcm', key, payload.subarray(0, NONCE_BYTES))
    .setAAD(buildAssociatedData(environmentId, owner))
    .setAuthTag(payload.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(payload.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
