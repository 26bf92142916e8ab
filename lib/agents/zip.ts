/** Builds deployment packages; equal files give byte-identical zips. Pure. */
import { createHash } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'

const FILE_TIME = new Date('2000-01-01T00:00:00Z')

export interface Package {
  zip: Uint8Array
  sha256: string
}

export function zipFiles(files: Record<string, string | Uint8Array>): Package {
  const bytes = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
  )
  const zip = zipSync(bytes, { level: 6, mtime: FILE_TIME })
  return { zip, sha256: createHash('sha256').update(zip).digest('base64') }
}
