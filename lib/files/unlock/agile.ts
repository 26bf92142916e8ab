/** Agile encryption (MS-OFFCRYPTO 2.3.4.10), which Excel 2010 and later write: AES-CBC in segments with an HMAC. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { MAX_PASSWORD_ROUNDS } from '../../../schemas/files/shape.ts'
import { type Attributes, localName, parseXml } from '../extract/xml.ts'
import {
  AES_BLOCK_BYTES,
  createEncryptionDamagedError,
  createEncryptionUnsupportedError,
  createTooManyRoundsError,
  decryptAes,
  digest,
  type Protection,
  parseHashName,
  parseKeyBytes,
  stretchPassword,
  toUint32,
} from './cipher.ts'

const SEGMENT_BYTES = 4096
const PADDING = 0x36
const BLOCK_KEYS = {
  verifier: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  packageKey: Buffer.from('146e0be7abacd0d6', 'hex'),
  hmacKey: Buffer.from('5fb2ad010cb9e1f6', 'hex'),
  hmac: Buffer.from('a0677f02b22c8433', 'hex'),
}

export async function parseAgile(info: Buffer): Promise<Protection> {
  const { keyData, dataIntegrity, encryptedKey } = await readElements(info)
  if (!keyData || !dataIntegrity || !encryptedKey) throw createEncryptionDamagedError()
  const passwordCipher = parseCipher(encryptedKey)
  const packageCipher = parseCipher(keyData)
  const rounds = Number(encryptedKey.spinCount)
  if (!Number.isInteger(rounds) || rounds < 0) throw createEncryptionDamagedError()
  if (rounds > MAX_PASSWORD_ROUNDS) throw createTooManyRoundsError(rounds, MAX_PASSWORD_ROUNDS)
  const verifier = decodeBytes(encryptedKey.encryptedVerifierHashInput)
  const verifierHash = decodeBytes(encryptedKey.encryptedVerifierHashValue)
  const encryptedPackageKey = decodeBytes(encryptedKey.encryptedKeyValue)
  const integrity = {
    key: decodeBytes(dataIntegrity.encryptedHmacKey),
    value: decodeBytes(dataIntegrity.encryptedHmacValue),
  }
  return {
    async deriveKey(password) {
      const { hash, keyBytes, salt } = passwordCipher
      const stretched = await stretchPassword(hash, salt, password, rounds)
      const decrypt = (blockKey: Buffer, bytes: Buffer) =>
        decryptAes('cbc', resize(digest(hash, stretched, blockKey), keyBytes), resize(salt, AES_BLOCK_BYTES), bytes)
      const expected = digest(hash, decrypt(BLOCK_KEYS.verifier, verifier))
      const actual = resize(decrypt(BLOCK_KEYS.verifierHash, verifierHash), expected.length)
      if (!timingSafeEqual(expected, actual)) return undefined
      return resize(decrypt(BLOCK_KEYS.packageKey, encryptedPackageKey), packageCipher.keyBytes)
    },
    decrypt(key, encryptedPackage) {
      assertIntact(packageCipher, integrity, key, encryptedPackage)
      return decryptSegments(packageCipher, key, encryptedPackage.subarray(8))
    },
  }
}

async function readElements(info: Buffer): Promise<Record<string, Attributes | undefined>> {
  const elements: Record<string, Attributes | undefined> = {}
  const handler = {
    open(qualified: string, attributes: Attributes) {
      const name = localName(qualified)
      if (name !== 'encryptedKey' || attributes.spinCount !== undefined) elements[name] ??= attributes
    },
    close() {},
    text() {},
  }
  for await (const _ of parseXml(Readable.from([info]), handler));
  return elements
}

interface Cipher {
  hash: string
  keyBytes: number
  salt: Buffer
}

function parseCipher(attributes: Attributes): Cipher {
  const { cipherAlgorithm = '', cipherChaining = '', hashAlgorithm = '' } = attributes
  if (cipherAlgorithm !== 'AES' || Number(attributes.blockSize) !== AES_BLOCK_BYTES)
    throw createEncryptionUnsupportedError(cipherAlgorithm)
  if (cipherChaining !== 'ChainingModeCBC') throw createEncryptionUnsupportedError(cipherChaining)
  const keyBytes = parseKeyBytes(Number(attributes.keyBits))
  return { hash: parseHashName(hashAlgorithm), keyBytes, salt: decodeBytes(attributes.saltValue) }
}

function decodeBytes(base64: string | undefined): Buffer {
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (bytes.length === 0) throw createEncryptionDamagedError()
  return bytes
}

const resize = (bytes: Buffer, length: number): Buffer =>
  bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, PADDING)])

function assertIntact(
  { hash, salt }: Cipher,
  integrity: { key: Buffer; value: Buffer },
  key: Buffer,
  encryptedPackage: Buffer,
): void {
  const decrypt = (blockKey: Buffer, bytes: Buffer) =>
    decryptAes('cbc', key, resize(digest(hash, salt, blockKey), AES_BLOCK_BYTES), bytes)
  const hashBytes = digest(hash).length
  const hmacKey = decrypt(BLOCK_KEYS.hmacKey, integrity.key).subarray(0, hashBytes)
  const expected = createHmac(hash, hmacKey).update(encryptedPackage).digest()
  if (!timingSafeEqual(expected, resize(decrypt(BLOCK_KEYS.hmac, integrity.value), hashBytes)))
    throw createEncryptionDamagedError()
}

function decryptSegments({ hash, salt }: Cipher, key: Buffer, encrypted: Buffer): Buffer {
  const decrypted = Buffer.alloc(encrypted.length)
  for (let at = 0, segment = 0; at < encrypted.length; at += SEGMENT_BYTES, segment++) {
    const iv = resize(digest(hash, salt, toUint32(segment)), AES_BLOCK_BYTES)
    decryptAes('cbc', key, iv, encrypted.subarray(at, at + SEGMENT_BYTES)).copy(decrypted, at)
  }
  return decrypted
}
