/** RC4 as XLS workbooks use it (MS-OFFCRYPTO 2.3.5 and 2.3.6). OpenSSL 3 does not offer it by default. */
import { timingSafeEqual } from 'node:crypto'
import {
  createEncryptionDamagedError,
  createEncryptionUnsupportedError,
  digest,
  type Protection,
  toUint32,
} from './cipher.ts'

export const BLOCK_BYTES = 1024
const SALT_BYTES = 16
const VERIFIER_BYTES = 16

export type BlockKeys = (workbookKey: Buffer, block: number) => Buffer

interface Rc4Protection extends Pick<Protection, 'deriveKey'> {
  getBlockKey: BlockKeys
}

/** XORs bytes in place. */
export function createRc4(key: Uint8Array): (bytes: Uint8Array) => void {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const swap = (a: number, b: number): void => {
    const value = state[a]!
    state[a] = state[b]!
    state[b] = value
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      i = (i + 1) & 255
      j = (j + state[i]!) & 255
      swap(i, j)
      bytes[at]! ^= state[(state[i]! + state[j]!) & 255]!
    }
  }
}

export function parseRc4(info: Buffer): Rc4Protection {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  if (major === 1 && minor === 1) return parseOffice97(info.subarray(4))
  if (major >= 2 && major <= 4 && minor === 2) return parseCryptoApi(info.subarray(8))
  throw createEncryptionUnsupportedError(`${major}.${minor}`)
}

const OFFICE_97 = { hash: 'md5', hashBytes: 16, secretBytes: 5, repetitions: 16, keyBytes: 16 }

function parseOffice97(info: Buffer): Rc4Protection {
  const { hash, hashBytes, secretBytes, repetitions, keyBytes } = OFFICE_97
  const salt = readBytes(info, 0, SALT_BYTES)
  const verifier = readBytes(info, SALT_BYTES, VERIFIER_BYTES + hashBytes)
  const getBlockKey: BlockKeys = (secret, block) => digest(hash, secret, toUint32(block)).subarray(0, keyBytes)
  return {
    getBlockKey,
    async deriveKey(password) {
      const first = digest(hash, Buffer.from(password, 'utf16le')).subarray(0, secretBytes)
      const repeated = Array.from({ length: repetitions }, () => [first, salt]).flat()
      const secret = digest(hash, ...repeated).subarray(0, secretBytes)
      return isRight(hash, getBlockKey(secret, 0), verifier) ? secret : undefined
    },
  }
}

const CRYPTO_API = { hash: 'sha1', hashBytes: 20 }
const RC4_ID = 0x6801
const HASH_IDS = new Set([0, 0x8004])
const MIN_HEADER_BYTES = 32
const DEFAULT_KEY_BITS = 40
const MAX_KEY_BITS = 128

function parseCryptoApi(info: Buffer): Rc4Protection {
  const { hash, hashBytes } = CRYPTO_API
  const headerBytes = info.readUInt32LE(0)
  if (headerBytes < MIN_HEADER_BYTES || headerBytes > info.length) throw createEncryptionDamagedError()
  const header = info.subarray(4, 4 + headerBytes)
  const cipherId = header.readUInt32LE(8)
  if (cipherId !== RC4_ID) throw createEncryptionUnsupportedError(`0x${cipherId.toString(16)}`)
  const hashId = header.readUInt32LE(12)
  if (!HASH_IDS.has(hashId)) throw createEncryptionUnsupportedError(`0x${hashId.toString(16)}`)
  const bits = header.readUInt32LE(16) || DEFAULT_KEY_BITS
  if (bits < DEFAULT_KEY_BITS || bits > MAX_KEY_BITS || bits % 8 > 0)
    throw createEncryptionUnsupportedError(`RC4-${bits}`)
  const rest = info.subarray(4 + headerBytes)
  if (rest.readUInt32LE(0) !== SALT_BYTES) throw createEncryptionDamagedError()
  const salt = readBytes(rest, 4, SALT_BYTES)
  const hashAt = 4 + SALT_BYTES + VERIFIER_BYTES + 4
  const verifier = Buffer.concat([readBytes(rest, 4 + SALT_BYTES, VERIFIER_BYTES), readBytes(rest, hashAt, hashBytes)])
  const getBlockKey: BlockKeys = (secret, block) => {
    const key = digest(hash, secret, toUint32(block)).subarray(0, bits / 8)
    return bits === DEFAULT_KEY_BITS ? Buffer.concat([key, Buffer.alloc(MAX_KEY_BITS / 8 - key.length)]) : key
  }
  return {
    getBlockKey,
    async deriveKey(password) {
      const secret = digest(hash, salt, Buffer.from(password, 'utf16le'))
      return isRight(hash, getBlockKey(secret, 0), verifier) ? secret : undefined
    },
  }
}

function isRight(hash: string, key: Buffer, encrypted: Buffer): boolean {
  const verifier = Buffer.from(encrypted)
  createRc4(key)(verifier)
  const expected = digest(hash, verifier.subarray(0, VERIFIER_BYTES))
  return timingSafeEqual(expected, verifier.subarray(VERIFIER_BYTES))
}

function readBytes(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw createEncryptionDamagedError()
  return bytes.subarray(at, at + length)
}
