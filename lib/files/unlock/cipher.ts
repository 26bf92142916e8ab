/** AES and key derivation as both kinds of encrypted workbooks use them (MS-OFFCRYPTO 2.3.4). */
import { createDecipheriv, createHash, type Hash, hash as hashBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { message } from '../../../schemas/messages/index.ts'
import { conflict, unprocessable } from '../../core/errors.ts'

export interface Protection {
  /** Undefined if the password is wrong. */
  deriveKey(password: string): Promise<Buffer | undefined>
  decrypt(key: Buffer, encryptedPackage: Buffer): Buffer
}

/** Undefined if the password is wrong. */
export type Decrypt = (password: string) => Promise<Buffer | undefined>

export const AES_BLOCK_BYTES = 16
const HASHES = new Set(['sha1', 'sha256', 'sha384', 'sha512'])
const KEY_BITS = new Set([128, 192, 256])
/** Other requests of the process get their turn in between. */
const ROUNDS_PER_TURN = 20_000

export const createNotProtectedError = () => conflict(message('files.notProtected'))
export const createEncryptionDamagedError = () => unprocessable(message('files.encryptionDamaged'))
export const createEncryptionUnsupportedError = (method: string) =>
  unprocessable(message('files.encryptionUnsupported', { method: method.slice(0, 40) }))
export const createTooManyRoundsError = (count: number, maximum: number) =>
  unprocessable(message('files.tooManyPasswordRounds', { count, maximum }))

export function parseHashName(name: string): string {
  const hash = name.replace('-', '').toLowerCase()
  if (!HASHES.has(hash)) throw createEncryptionUnsupportedError(name)
  return hash
}

export function parseKeyBytes(bits: number): number {
  if (!KEY_BITS.has(bits)) throw createEncryptionUnsupportedError(`AES-${bits}`)
  return bits / 8
}

export function digest(hash: string, ...parts: readonly Uint8Array[]): Buffer {
  return parts.reduce<Hash>((sum, part) => sum.update(part), createHash(hash)).digest()
}

export function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export async function stretchPassword(hash: string, salt: Buffer, password: string, rounds: number): Promise<Buffer> {
  const first = digest(hash, salt, Buffer.from(password, 'utf16le'))
  const input = Buffer.concat([Buffer.alloc(4), first])
  for (let round = 0; round < rounds; round++) {
    input.writeUInt32LE(round)
    hashBytes(hash, input, 'buffer').copy(input, 4)
    if (round % ROUNDS_PER_TURN === ROUNDS_PER_TURN - 1) await setImmediate()
  }
  return input.subarray(4)
}

export function decryptAes(mode: 'cbc' | 'ecb', key: Buffer, iv: Buffer | null, bytes: Buffer): Buffer {
  if (bytes.length % AES_BLOCK_BYTES !== 0) throw createEncryptionDamagedError()
  const decipher = createDecipheriv(`aes-${8 * key.length}-${mode}`, key, iv).setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}
