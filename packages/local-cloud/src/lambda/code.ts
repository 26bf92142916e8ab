/** Validates and unpacks deployment packages: no links or outside paths, within Lambda's size limits. */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { AwsError } from './wire.ts'

const MAX_UPLOAD_BYTES = 50 * 1024 * 1024
const MAX_UNPACKED_BYTES = 250 * 1024 * 1024

/** Zip file format, APPNOTE 4.3.12 (central directory header) and 4.3.16 (end of central directory record). */
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_HEADER_BYTES = 46
const END_OF_DIRECTORY = 0x06054b50
const END_OF_DIRECTORY_BYTES = 22
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_BYTES = 20
const MAX_COMMENT_BYTES = 0xffff
/** The high half of a Unix entry's external attributes is its st_mode. */
const FILE_TYPE_MASK = 0o170000
const SYMBOLIC_LINK = 0o120000

const createPackageError = (message: string) => new AwsError(400, 'InvalidParameterValueException', message)
const createNotAZipError = () =>
  createPackageError('Could not unzip uploaded file. Please check your file, then try to upload again.')

export interface CodeInfo {
  sha256: string
  sizeBytes: number
}

export const describeCode = (zip: Buffer): CodeInfo => ({
  sha256: createHash('sha256').update(zip).digest('base64'),
  sizeBytes: zip.length,
})

export function unpackCode(zip: Buffer, dir: string): void {
  const files = readPackage(zip)
  try {
    for (const [name, content] of files) {
      const path = join(dir, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
  } catch (cause) {
    rmSync(dir, { recursive: true, force: true })
    throw isNameClash(cause) ? createNotAZipError() : cause
  }
}

const isNameClash = (error: unknown) =>
  ['EEXIST', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

function readPackage(zip: Buffer): [name: string, content: Uint8Array][] {
  if (!zip.length) throw createPackageError('Uploaded file must be a non-empty zip')
  if (zip.length > MAX_UPLOAD_BYTES) {
    throw new AwsError(413, 'RequestEntityTooLargeException', `Request must be smaller than ${MAX_UPLOAD_BYTES} bytes`)
  }
  checkEntries(listEntries(zip))
  const files = Object.entries(inflate(zip)).filter(([name]) => !name.endsWith('/'))
  if (!files.length) throw createPackageError('Uploaded file must be a non-empty zip')
  for (const [name] of files) checkPath(name)
  return files
}

function checkPath(name: string): void {
  const leavesFolder = /^(\/|[a-zA-Z]:)|(^|\/)\.\.(\/|$)|[\\\0]/.test(name)
  if (!name || leavesFolder) throw createPackageError(`A file path points outside the package: ${name}`)
}

function inflate(zip: Buffer): Record<string, Uint8Array> {
  try {
    return unzipSync(zip)
  } catch {
    throw createNotAZipError()
  }
}

interface Entry {
  name: string
  mode: number
  bytes: number
}

function checkEntries(entries: Entry[]): void {
  const link = entries.find(({ mode }) => (mode & FILE_TYPE_MASK) === SYMBOLIC_LINK)
  if (link) throw createPackageError(`Symbolic links are not supported: ${link.name}`)
  const bytes = entries.reduce((total, entry) => total + entry.bytes, 0)
  if (bytes > MAX_UNPACKED_BYTES) {
    throw createPackageError(`Unzipped size must be smaller than ${MAX_UNPACKED_BYTES} bytes`)
  }
}

/** Reads the central directory for the file types and declared sizes, which the inflater ignores. */
function listEntries(zip: Buffer): Entry[] {
  const end = findEndOfDirectory(zip)
  const count = zip.readUInt16LE(end + 8)
  const entries: Entry[] = []
  let offset = zip.readUInt32LE(end + 16)
  for (let i = 0; i < count; i++) {
    if (offset + CENTRAL_HEADER_BYTES > zip.length || zip.readUInt32LE(offset) !== CENTRAL_HEADER)
      throw createNotAZipError()
    const nameBytes = zip.readUInt16LE(offset + 28)
    entries.push({
      name: zip.toString('utf8', offset + CENTRAL_HEADER_BYTES, offset + CENTRAL_HEADER_BYTES + nameBytes),
      mode: zip.readUInt32LE(offset + 38) >>> 16,
      // The packed size is the length of a stored entry, the unpacked size that of an inflated one.
      bytes: Math.max(zip.readUInt32LE(offset + 20), zip.readUInt32LE(offset + 24)),
    })
    offset += CENTRAL_HEADER_BYTES + nameBytes + zip.readUInt16LE(offset + 30) + zip.readUInt16LE(offset + 32)
  }
  return entries
}

/** Rejects zip64, for which the inflater would read a different directory than the one checked here. */
function findEndOfDirectory(zip: Buffer): number {
  const earliest = Math.max(0, zip.length - END_OF_DIRECTORY_BYTES - MAX_COMMENT_BYTES)
  for (let offset = zip.length - END_OF_DIRECTORY_BYTES; offset >= earliest; offset--) {
    if (zip.readUInt32LE(offset) !== END_OF_DIRECTORY) continue
    const locator = offset - ZIP64_LOCATOR_BYTES
    if (locator >= 0 && zip.readUInt32LE(locator) === ZIP64_LOCATOR)
      throw createPackageError('zip64 packages are not supported')
    return offset
  }
  throw createNotAZipError()
}
