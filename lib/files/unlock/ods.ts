/** Opens ODS files that are encrypted by a password: entry by entry, or all in one as LibreOffice 24.8 and later do. */
import { createDecipheriv, pbkdf2, timingSafeEqual } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createInflateRaw } from 'node:zlib'
import { MAX_PROTECTED_BYTES, MAX_UNLOCKED_BYTES } from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { unprocessable } from '../../core/errors.ts'
import { escapeXml, XML_HEADER } from '../export/workbook/xml.ts'
import { createZip } from '../export/zip.ts'
import type { FileBytes } from '../extract/bytes.ts'
import { isOpenDocument } from '../extract/ods/index.ts'
import { type Archive, type Entry, openArchive } from '../extract/zip/archive.ts'
import {
  createEncryptionDamagedError,
  createNotProtectedError,
  createTooManyRoundsError,
  type Decrypt,
  decryptAes,
  digest,
} from './cipher.ts'
import { type KeyDerivation, type ManifestEntry, type OdsEncryption, readManifest } from './ods-manifest.ts'

const [MANIFEST, MIMETYPE, CONTENT, PACKAGE] = ['META-INF/manifest.xml', 'mimetype', 'content.xml', 'encrypted-package']
const MAX_ROUNDS_PER_FILE = 20_000_000
const CHECKED_BYTES = 1024
const GCM_TAG_BYTES = 16

type DecryptEntry = (entry: Entry, encryption: OdsEncryption) => Promise<Buffer | undefined>

export async function openProtectedOds(file: FileBytes): Promise<Decrypt> {
  const archive = await openArchive(file)
  const part = archive.entries.get(MANIFEST!)
  if (!part || !isOpenDocument(archive)) throw createNotProtectedError()
  const listed = await readManifest(part)
  const rounds = listed.reduce((sum, { encryption }) => sum + (encryption?.derivation.rounds ?? 0), 0)
  if (rounds > MAX_ROUNDS_PER_FILE) throw createTooManyRoundsError(rounds, MAX_ROUNDS_PER_FILE)
  const checked = findEncrypted(archive, listed, PACKAGE!) ?? findEncrypted(archive, listed, CONTENT!)
  if (!checked) throw createNotProtectedError()
  return async (password) => {
    const decrypt = createDecrypter(password)
    const packed = await decrypt(checked.entry, checked.encryption)
    if (!packed) return undefined
    if (checked.entry.name === PACKAGE) return buffer(inflate(packed, new SizeLimit()))
    return buffer(rebuild(archive, listed, decrypt))
  }
}

function findEncrypted({ entries }: Archive, listed: readonly ManifestEntry[], name: string) {
  const entry = entries.get(name)
  const encryption = listed.find(({ path }) => path === name)?.encryption
  return entry && encryption && { entry, encryption }
}

function createDecrypter(password: string): DecryptEntry {
  return async (entry, { mode, iv, checksum, derivation }) => {
    if (entry.size > MAX_PROTECTED_BYTES) throw createTooLargeError(MAX_PROTECTED_BYTES)
    const encrypted = await buffer(await entry.stream())
    const key = await deriveKey(derivation, password)
    return mode === 'gcm' ? decryptGcm(key, iv, encrypted) : decryptCbc(key, iv, encrypted, checksum)
  }
}

async function deriveKey(derivation: KeyDerivation, password: string): Promise<Buffer> {
  const { method, startHash, keyBytes, salt, rounds, kibibytes, lanes } = derivation
  const start = digest(startHash, Buffer.from(password))
  if (method === 'pbkdf2') return promisify(pbkdf2)(start, salt, rounds, keyBytes, 'sha1')
  const { argon2idAsync } = await import('@noble/hashes/argon2.js')
  return Buffer.from(await argon2idAsync(start, salt, { t: rounds, m: kibibytes, p: lanes, dkLen: keyBytes }))
}

/** The initialization vector comes first, the tag last (XML Encryption 1.1, 5.2.4). */
function decryptGcm(key: Buffer, iv: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < iv.length + GCM_TAG_BYTES || !bytes.subarray(0, iv.length).equals(iv))
    throw createEncryptionDamagedError()
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(bytes.subarray(-GCM_TAG_BYTES))
  const decrypted = decipher.update(bytes.subarray(iv.length, -GCM_TAG_BYTES))
  try {
    return Buffer.concat([decrypted, decipher.final()])
  } catch {
    return undefined
  }
}

/** The last byte counts the bytes that pad the last block (XML Encryption 1.1, 5.2.3). */
function decryptCbc(key: Buffer, iv: Buffer, bytes: Buffer, checksum: OdsEncryption['checksum']): Buffer | undefined {
  if (!checksum || bytes.length === 0) throw createEncryptionDamagedError()
  const padded = decryptAes('cbc', key, iv, bytes)
  const packed = padded.subarray(0, Math.max(0, padded.length - padded.at(-1)!))
  const actual = digest(checksum.hash, packed.subarray(0, CHECKED_BYTES))
  return actual.length === checksum.value.length && timingSafeEqual(actual, checksum.value) ? packed : undefined
}

function rebuild({ entries }: Archive, listed: readonly ManifestEntry[], decrypt: DecryptEntry) {
  const limit = new SizeLimit()
  const encryptions = new Map(listed.map(({ path, encryption }) => [path, encryption]))
  return createZip((archive) => {
    archive.put(MIMETYPE!, listed.find(({ path }) => path === '/')?.mediaType ?? '', { compress: false })
    archive.put(MANIFEST!, writeManifest(listed))
    for (const [name, entry] of entries)
      if (name !== MIMETYPE && name !== MANIFEST)
        archive.stream(name, () => unpack(entry, encryptions.get(name), decrypt, limit))
  })
}

async function* unpack(
  entry: Entry,
  encryption: OdsEncryption | undefined,
  decrypt: DecryptEntry,
  limit: SizeLimit,
): AsyncGenerator<Buffer> {
  if (!encryption) return yield* limit.apply(await entry.stream())
  const packed = await decrypt(entry, encryption)
  if (!packed) throw createEncryptionDamagedError()
  yield* inflate(packed, limit)
}

async function* inflate(packed: Buffer, limit: SizeLimit): AsyncGenerator<Buffer> {
  const stream = createInflateRaw()
  stream.end(packed)
  try {
    yield* limit.apply(stream)
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('Z_') ? createEncryptionDamagedError() : error
  }
}

class SizeLimit {
  #bytes = 0

  async *apply(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#bytes += piece.length
      if (this.#bytes > MAX_UNLOCKED_BYTES) throw createTooLargeError(MAX_UNLOCKED_BYTES)
      yield piece
    }
  }
}

const createTooLargeError = (count: number) => unprocessable(message('files.archiveTooLarge', { count }))

const writeManifest = (listed: readonly ManifestEntry[]): string => {
  const lines = listed.map(
    ({ path, mediaType }) =>
      `<manifest:file-entry manifest:full-path="${escapeXml(path)}" manifest:media-type="${escapeXml(mediaType)}"/>`,
  )
  return `${XML_HEADER}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">${lines.join('')}</manifest:manifest>`
}
