/** Hashing, constant-time comparison, and encryption with the deployment secret. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { deriveDeploymentKey } from './deployment-key.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const constantTimeEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export function randomText(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}

const getEncryptionKey = (): Buffer => deriveDeploymentKey('wharf sealing key 1')

/** AES-256-GCM, bound to the owner's id so that a value cannot be moved to another item. */
export function encrypt(plaintext: string, owner: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', getEncryptionKey(), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return `1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

export function decrypt(ciphertext: string, owner: string): string {
  const bytes = Buffer.from(ciphertext.slice(2), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', getEncryptionKey(), bytes.subarray(0, 12))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

const deriveKey = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/** The slow half, shared by all users of an address: timing does not reveal how many accounts have it. */
export function derivePasswordKey(email: string, password: string): Promise<Buffer> {
  const salt = createHmac('sha256', deriveDeploymentKey('wharf password salt 1'))
    .update(email.trim().toLowerCase())
    .digest()
  return deriveKey(password, salt, 32)
}

const computePasswordHash = (key: Buffer, salt: string): string =>
  createHmac('sha256', key).update(salt).digest('base64url')

/** A random salt hides equal passwords of an address: `s2.<salt>.<hash>`. */
export async function hashPassword(email: string, password: string): Promise<string> {
  const salt = randomBytes(16).toString('base64url')
  return `s2.${salt}.${computePasswordHash(await derivePasswordKey(email, password), salt)}`
}

export function matchesPasswordHash(key: Buffer, hash: string | undefined): boolean {
  const [version, salt = '', expected = ''] = (hash ?? '').split('.')
  return constantTimeEqual(computePasswordHash(key, salt), expected) && version === 's2'
}
