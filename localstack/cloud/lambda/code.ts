/**
 * A function's code: checks a deployment package (zip) and unpacks it. Refuses what could reach outside its folder
 * (symbolic links, absolute paths, `..`) and what exceeds Lambda's size limits. Knows nothing of functions.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { AwsError } from './wire.ts'

const UPLOAD_LIMIT_BYTES = 50 * 1024 * 1024
const UNPACKED_LIMIT_BYTES = 250 * 1024 * 1024

/** Zip file format, APPNOTE 4.3.12 (central directory header) and 4.3.16 (end of central directory record). */
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_HEADER_BYTES = 46
const END_OF_DIRECTORY = 0x06054b50
const END_OF_DIRECTORY_BYTES = 22
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_BYTES = 20
const LARGEST_COMMENT_BYTES = 0xffff
/** The high half of a Unix entry's external attributes is its st_mode. */
const FILE_TYPE_MASK = 0o170000
const SYMBOLIC_LINK = 0o120000

const refuse = (message: string) => new AwsError(400, 'InvalidParameterValueException', message)
const notAZip = () => refuse('Could not unzip uploaded file. Please check your file, then try to upload again.')

export interface CodeFacts {
  sha256: string
  sizeBytes: number
}

export const codeFacts = (zip: Buffer): CodeFacts => ({
  sha256: createHash('sha256').update(zip).digest('base64'),
  sizeBytes: zip.length,
})

/** Unpacks a deployment package into `dir`, a new folder. A package that is refused leaves nothing behind. */
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
    throw isNameClash(cause) ? notAZip() : cause
  }
}

/** True when a package names one path both as a file and as a folder. */
const isNameClash = (error: unknown) =>
  ['EEXIST', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')

function readPackage(zip: Buffer): [name: string, content: Uint8Array][] {
  if (!zip.length) throw refuse('Uploaded file must be a non-empty zip')
  if (zip.length > UPLOAD_LIMIT_BYTES) {
    throw new AwsError(
      413,
      'RequestEntityTooLargeException',
      `Request must be smaller than ${UPLOAD_LIMIT_BYTES} bytes`,
    )
  }
  checkEntries(listEntries(zip))
  const files = Object.entries(inflate(zip)).filter(([name]) => !name.endsWith('/'))
  if (!files.length) throw refuse('Uploaded file must be a non-empty zip')
  for (const [name] of files) checkPath(name)
  return files
}

function checkPath(name: string): void {
  const leavesFolder = /^(\/|[a-zA-Z]:)|(^|\/)\.\.(\/|$)|[\\\0]/.test(name)
  if (!name || leavesFolder) throw refuse(`The path of a file leaves its package: ${name}`)
}

function inflate(zip: Buffer): Record<string, Uint8Array> {
  try {
    return unzipSync(zip)
  } catch {
    throw notAZip()
  }
}

interface Entry {
  name: string
  mode: number
  bytes: number
}

function checkEntries(entries: Entry[]): void {
  const link = entries.find(({ mode }) => (mode & FILE_TYPE_MASK) === SYMBOLIC_LINK)
  if (link) throw refuse(`Symbolic links are not unpacked: ${link.name}`)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes > UNPACKED_LIMIT_BYTES) {
    throw refuse(`Unzipped size must be smaller than ${UNPACKED_LIMIT_BYTES} bytes`)
  }
}

/** Reads the central directory, which has what the inflater ignores: the file types and the declared sizes. */
function listEntries(zip: Buffer): Entry[] {
  const end = endOfDirectory(zip)
  const count = zip.readUInt16LE(end + 8)
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_HEADER_BYTES > zip.length || zip.readUInt32LE(at) !== CENTRAL_HEADER) throw notAZip()
    const nameBytes = zip.readUInt16LE(at + 28)
    entries.push({
      name: zip.toString('utf8', at + CENTRAL_HEADER_BYTES, at + CENTRAL_HEADER_BYTES + nameBytes),
      mode: zip.readUInt32LE(at + 38) >>> 16,
      // A stored entry is as long as its packed size says, an inflated one as its unpacked size says.
      bytes: Math.max(zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)),
    })
    at += CENTRAL_HEADER_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** Refuses zip64: the inflater would read another directory than the one checked here. */
function endOfDirectory(zip: Buffer): number {
  const earliest = Math.max(0, zip.length - END_OF_DIRECTORY_BYTES - LARGEST_COMMENT_BYTES)
  for (let at = zip.length - END_OF_DIRECTORY_BYTES; at >= earliest; at--) {
    if (zip.readUInt32LE(at) !== END_OF_DIRECTORY) continue
    const locator = at - ZIP64_LOCATOR_BYTES
    if (locator >= 0 && zip.readUInt32LE(locator) === ZIP64_LOCATOR) throw refuse('zip64 packages are not unpacked')
    return at
  }
  throw notAZip()
}
