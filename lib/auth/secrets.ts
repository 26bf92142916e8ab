/** Secrets at rest: values are hashed; what an administrator may read again is sealed with the deployment's own secret. */
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
import { deploymentKey } from './deployment-key.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Compares in constant time. */
export const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Random characters a-z A-Z 0-9, about 5.95 bits each. */
export function randomText(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}

const key = (): Buffer => deploymentKey('wharf sealing key 1')

/** AES-256-GCM; the owner's id is bound in, so that a sealed value cannot be moved to another item. */
export function seal(plain: string, owner: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

export function unseal(sealed: string, owner: string): string {
  const bytes = Buffer.from(sealed.slice(2), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, 12))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>

/**
 * The slow half of checking a password: by a salt of the address, so that it is worked out once for the users that several
 * accounts have of it. How many there are then makes no difference to the time.
 */
export function passwordKey(email: string, password: string): Promise<Buffer> {
  const salt = createHmac('sha256', deploymentKey('wharf password salt 1')).update(email.trim().toLowerCase()).digest()
  return derive(password, salt, 32)
}

const passwordCheck = (key: Buffer, salt: string): string => createHmac('sha256', key).update(salt).digest('base64url')

/** A salt of its own makes equal passwords of an address look different: `s2.<salt>.<hash>`. */
export async function hashPassword(email: string, password: string): Promise<string> {
  const salt = randomBytes(16).toString('base64url')
  return `s2.${salt}.${passwordCheck(await passwordKey(email, password), salt)}`
}

/** Does the key that was worked out from a password fit the user's hash, where there is one? */
export function passwordFits(key: Buffer, hash: string | undefined): boolean {
  const [form, salt = '', expected = ''] = (hash ?? '').split('.')
  return same(passwordCheck(key, salt), expected) && form === 's2'
}
