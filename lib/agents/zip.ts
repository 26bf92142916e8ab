/** Deployment packages: files in a zip, equal byte for byte for equal files. Pure. */
import { createHash } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'

/** One time for every file: equal files make equal packages. */
const FILE_TIME = new Date('2000-01-01T00:00:00Z')

export interface Package {
  zip: Uint8Array
  /** SHA-256 in base64, as Lambda tells it of the code it runs. */
  sha256: string
}

export function zipOf(files: Record<string, string>): Package {
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))
  const zip = zipSync(bytes, { level: 6, mtime: FILE_TIME })
  return { zip, sha256: createHash('sha256').update(zip).digest('base64') }
}
