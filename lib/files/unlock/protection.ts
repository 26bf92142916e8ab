/** Opens workbooks that are encrypted by a password. Those of Excel 2007 and later are compound files with an encrypted ZIP. */
import { MAX_PROTECTED_BYTES } from '../../../schemas/files/shape.ts'
import { message } from '../../../schemas/messages/index.ts'
import { ApiError, unprocessable } from '../../core/errors.ts'
import type { FileBytes } from '../extract/bytes.ts'
import { COMPOUND_FILE_SIGNATURE, ZIP_SIGNATURE } from '../extract/signatures.ts'
import { type CompoundStream, openCompoundFile } from '../extract/xls/compound.ts'
import { parseAgile } from './agile.ts'
import {
  createEncryptionDamagedError,
  createEncryptionUnsupportedError,
  createNotProtectedError,
  type Decrypt,
  type Protection,
} from './cipher.ts'
import { parseStandard } from './standard.ts'

const MAX_INFO_BYTES = 64 * 1024

export async function openProtected(file: FileBytes): Promise<Decrypt> {
  const head = (await file.range(0, COMPOUND_FILE_SIGNATURE.length)).toString('latin1')
  if (head === ZIP_SIGNATURE) return (await import('./ods.ts')).openProtectedOds(file)
  if (head !== COMPOUND_FILE_SIGNATURE) throw createNotProtectedError()
  const { streams } = await openCompoundFile(file)
  const [info, encryptedPackage] = [streams.get('EncryptionInfo'), streams.get('EncryptedPackage')]
  if (info && encryptedPackage) return openProtectedXlsx(info, encryptedPackage)
  const workbook = streams.get('Workbook')
  if (!workbook) throw createNotProtectedError()
  return (await import('./xls.ts')).openProtectedXls(file, workbook)
}

async function openProtectedXlsx(info: CompoundStream, encryptedPackage: CompoundStream): Promise<Decrypt> {
  if (info.size < 8 || info.size > MAX_INFO_BYTES) throw createEncryptionDamagedError()
  const protection = await parseInfo(await info.readAll())
  return async (password) => {
    const key = await protection.deriveKey(password)
    return key && decryptPackage(protection, key, await encryptedPackage.readAll())
  }
}

/** Excel encrypts workbooks with a protected structure by this password, and opens them without asking. */
const DEFAULT_PASSWORD = 'VelvetSweatshop'

export async function decryptWithDefault(file: FileBytes): Promise<Buffer | undefined> {
  if (file.size > MAX_PROTECTED_BYTES) return undefined
  try {
    return await (await openProtected(file))(DEFAULT_PASSWORD)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

export function assertProtectedSize(size: number): void {
  if (size > MAX_PROTECTED_BYTES)
    throw unprocessable(message('files.protectedTooLarge', { count: MAX_PROTECTED_BYTES }))
}

function parseInfo(info: Buffer): Protection | Promise<Protection> {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)]
  if (major === 4 && minor === 4) return parseAgile(info.subarray(8))
  if (major >= 2 && major <= 4 && minor === 2) return parseStandard(info.subarray(4))
  throw createEncryptionUnsupportedError(`${major}.${minor}`)
}

function decryptPackage(protection: Protection, key: Buffer, encryptedPackage: Buffer): Buffer {
  if (encryptedPackage.length < 8) throw createEncryptionDamagedError()
  const size = encryptedPackage.readBigUInt64LE(0)
  const decrypted = protection.decrypt(key, encryptedPackage)
  if (size > decrypted.length || !decrypted.subarray(0, 4).equals(Buffer.from(ZIP_SIGNATURE, 'latin1')))
    throw createEncryptionDamagedError()
  return decrypted.subarray(0, Number(size))
}
