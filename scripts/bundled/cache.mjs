import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/wharf', import.meta.url))

/** Includes the path, because several checkouts may share one node_modules. */
export const buildName = (script) =>
  `${basename(script, '.ts')}-${createHash('sha256').update(script).digest('hex').slice(0, 8)}`

export const buildManifestPath = (script) => join(FOLDER, `${buildName(script)}.json`)

/** Changes with a file's content, and when a folder gains or loses a file. */
export function readStamp(path) {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}

export function findBundle(script) {
  try {
    const { bundle, stamps } = JSON.parse(readFileSync(buildManifestPath(script), 'utf8'))
    statSync(bundle)
    return Object.entries(stamps).every(([path, stamp]) => readStamp(path) === stamp) ? bundle : undefined
  } catch {
    return undefined
  }
}
