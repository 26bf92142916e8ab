/** Standard encryption (MS-OFFCRYPTO 2.3.4.5), which Excel 2007 writes: AES-ECB without a check of the content. */
import { timingSafeEqual } from 'node:crypto'
import {
  createEncryptionDamagedError,
  createEncryptionUnsupportedError,
  decryptAes,
  digest,
  type Protection,
  parseKeyBytes,
  stretchPassword,
  toUint32,
} from './cipher.ts'

const ROUNDS = 50_000
const HASH = 'sha1'
const SHA1_BYTES = 20
const SHA1_BLOCK_BYTES = 64
const SALT_BYTES = 16
const VERIFIER_BYTES = 16
const ENCRYPTED_HASH_BYTES = 32
const MIN_HEADER_BYTES = 32
const AES_FLAG = 0x20
const HASH_IDS = new Set([0, 0x8004])

export function parseStandard(info: Buffer): Protection {
  try {
    return parse(info)
  } catch (error) {
    throw error instanceof RangeError ? createEncryptionDamagedError() : error
  }
}

function parse(info: Buffer): Protection {
  const headerBytes = info.readUInt32LE(4)
  if (headerBytes < MIN_HEADER_BYTES || headerBytes > info.length) throw createEncryptionDamagedError()
  const header = info.subarray(8, 8 + headerBytes)
  if ((header.readUInt32LE(0) & AES_FLAG) === 0) throw createEncryptionUnsupportedError('RC4')
  const hashId = header.readUInt32LE(12)
  if (!HASH_IDS.has(hashId)) throw createEncryptionUnsupportedError(`0x${hashId.toString(16)}`)
  const keyBytes = parseKeyBytes(header.readUInt32LE(16))
  const verifier = info.subarray(8 + headerBytes)
  if (verifier.readUInt32LE(0) !== SALT_BYTES) throw createEncryptionDamagedError()
  const salt = verifier.subarray(4, 4 + SALT_BYTES)
  const encrypted = verifier.subarray(4 + SALT_BYTES, 4 + SALT_BYTES + VERIFIER_BYTES)
  const hashAt = 4 + SALT_BYTES + VERIFIER_BYTES + 4
  const encryptedHash = verifier.subarray(hashAt, hashAt + ENCRYPTED_HASH_BYTES)
  if (encryptedHash.length < ENCRYPTED_HASH_BYTES) throw createEncryptionDamagedError()
  return {
    async deriveKey(password) {
      const stretched = await stretchPassword(HASH, salt, password, ROUNDS)
      const key = expandKey(digest(HASH, stretched, toUint32(0)), keyBytes)
      const expected = digest(HASH, decryptAes('ecb', key, null, encrypted))
      const actual = decryptAes('ecb', key, null, encryptedHash).subarray(0, SHA1_BYTES)
      return timingSafeEqual(expected, actual) ? key : undefined
    },
    decrypt: (key, encryptedPackage) => decryptAes('ecb', key, null, encryptedPackage.subarray(8)),
  }
}

function expandKey(base: Buffer, keyBytes: number): Buffer {
  const expand = (pad: number) => {
    const block = Buffer.alloc(SHA1_BLOCK_BYTES, pad)
    for (const [at, byte] of base.entries()) block[at]! ^= byte
    return digest(HASH, block)
  }
  return Buffer.concat([expand(0x36), expand(0x5c)]).subarray(0, keyBytes)
}
