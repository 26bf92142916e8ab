/** Reads which entries of an OpenDocument file are encrypted, and how (OpenDocument 1.3, part 2, 3.4). */
import { MAX_ARGON2_KIBIBYTES, MAX_ENTRIES_PER_ARCHIVE, MAX_PASSWORD_ROUNDS } from '../../../schemas/files/shape.ts'
import { type Attributes, localName } from '../extract/xml.ts'
import type { Entry } from '../extract/zip/archive.ts'
import { readPart } from '../extract/zip/parse-entry.ts'
import {
  createEncryptionDamagedError,
  createEncryptionUnsupportedError,
  createTooManyRoundsError,
  digest,
  parseHashName,
} from './cipher.ts'

export interface KeyDerivation {
  method: 'pbkdf2' | 'argon2id'
  startHash: string
  keyBytes: number
  salt: Buffer
  rounds: number
  /** Only Argon2. */
  kibibytes: number
  lanes: number
}

export interface OdsEncryption {
  mode: 'cbc' | 'gcm'
  iv: Buffer
  checksum: { hash: string; value: Buffer } | undefined
  derivation: KeyDerivation
}

export interface ManifestEntry {
  path: string
  mediaType: string
  encryption: OdsEncryption | undefined
}

const createCipher = (mode: OdsEncryption['mode'], bits: number) => ({
  mode,
  keyBytes: bits / 8,
  ivBytes: mode === 'gcm' ? 12 : 16,
})
const CIPHERS = new Map([
  ['aes128-cbc', createCipher('cbc', 128)],
  ['aes192-cbc', createCipher('cbc', 192)],
  ['aes256-cbc', createCipher('cbc', 256)],
  ['aes256-gcm', createCipher('gcm', 256)],
])
const SALT_BYTES = 16

type Elements = Record<string, Attributes>

export async function readManifest(part: Entry): Promise<ManifestEntry[]> {
  const found: Elements[] = []
  await readPart(part, {
    open(qualified, attributes) {
      const name = localName(qualified)
      if (name === 'file-entry') found.push({ [name]: attributes })
      else if (found.length > 0) found.at(-1)![name] ??= attributes
      if (found.length > MAX_ENTRIES_PER_ARCHIVE) throw createEncryptionDamagedError()
    },
    close() {},
    text() {},
  })
  return found.map(toEntry)
}

const getAttribute = (attributes: Attributes | undefined, name: string): string | undefined =>
  Object.entries(attributes ?? {}).find(([key]) => localName(key) === name)?.[1]

function toEntry(elements: Elements): ManifestEntry {
  const entry = elements['file-entry']
  return {
    path: getAttribute(entry, 'full-path') ?? '',
    mediaType: getAttribute(entry, 'media-type') ?? '',
    encryption: elements['encryption-data'] && parseEncryption(elements),
  }
}

function parseEncryption(elements: Elements): OdsEncryption {
  const { algorithm, 'encryption-data': data, 'start-key-generation': startKey, 'key-derivation': key } = elements
  const name = toShortName(getAttribute(algorithm, 'algorithm-name') ?? '')
  const cipher = CIPHERS.get(name.toLowerCase())
  if (!cipher) throw createEncryptionUnsupportedError(name)
  return {
    mode: cipher.mode,
    iv: readBytes(algorithm, 'initialisation-vector', cipher.ivBytes),
    checksum: parseChecksum(data),
    derivation: {
      ...parseDerivation(key),
      keyBytes: cipher.keyBytes,
      salt: readBytes(key, 'salt', SALT_BYTES),
      startHash: parseHashName(toShortName(getAttribute(startKey, 'start-key-generation-name') ?? 'sha1')),
    },
  }
}

const toShortName = (uri: string): string => uri.slice(uri.lastIndexOf('#') + 1)

function parseChecksum(data: Attributes | undefined): OdsEncryption['checksum'] {
  const type = getAttribute(data, 'checksum-type')
  if (type === undefined) return undefined
  const [, hash] = /^(sha-?(?:1|256))[-/]1k$/i.exec(toShortName(type)) ?? []
  if (!hash) throw createEncryptionUnsupportedError(toShortName(type))
  return { hash: parseHashName(hash), value: readBytes(data, 'checksum', digest(parseHashName(hash)).length) }
}

function parseDerivation(
  key: Attributes | undefined,
): Pick<KeyDerivation, 'method' | 'rounds' | 'kibibytes' | 'lanes'> {
  const name = (getAttribute(key, 'key-derivation-name') ?? '').replace(/^.*[#:]/, '')
  switch (name.toLowerCase()) {
    case 'pbkdf2':
      return { method: 'pbkdf2', rounds: readRounds(key, 'iteration-count'), kibibytes: 0, lanes: 0 }
    case 'argon2id':
      return { method: 'argon2id', ...parseArgon2(key) }
    default:
      throw createEncryptionUnsupportedError(name)
  }
}

function parseArgon2(key: Attributes | undefined) {
  const [rounds, kibibytes, lanes] = ['iterations', 'memory', 'lanes'].map((name) => readCount(key, `argon2-${name}`))
  if (rounds! * kibibytes! > MAX_ARGON2_KIBIBYTES || kibibytes! < 8 * lanes!)
    throw createEncryptionUnsupportedError(`Argon2id ${rounds}, ${kibibytes}, ${lanes}`)
  return { rounds: rounds!, kibibytes: kibibytes!, lanes: lanes! }
}

function readRounds(key: Attributes | undefined, name: string): number {
  const rounds = readCount(key, name)
  if (rounds > MAX_PASSWORD_ROUNDS) throw createTooManyRoundsError(rounds, MAX_PASSWORD_ROUNDS)
  return rounds
}

function readCount(attributes: Attributes | undefined, name: string): number {
  const count = getAttribute(attributes, name) ?? ''
  if (!/^[1-9]\d{0,9}$/.test(count)) throw createEncryptionDamagedError()
  return Number(count)
}

function readBytes(attributes: Attributes | undefined, name: string, length: number): Buffer {
  const bytes = Buffer.from(getAttribute(attributes, name) ?? '', 'base64')
  if (bytes.length !== length) throw createEncryptionDamagedError()
  return bytes
}
