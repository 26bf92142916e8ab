/** Secrets at rest: values are hashed; what an administrator may read again is sealed with the deployment's own secret. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
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

/** scrypt with its own salt, as `s1.<salt>.<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `s1.${salt.toString('base64url')}.${(await derive(password, salt, 32)).toString('base64url')}`
}

/** Takes as long for an unknown user (no hash) as for a wrong password. */
export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  const [, salt = 'AAAAAAAAAAAAAAAAAAAAAA', expected = ''] = (hash ?? '').split('.')
  const actual = await derive(password, Buffer.from(salt, 'base64url'), 32)
  return same(actual.toString('base64url'), expected)
}
