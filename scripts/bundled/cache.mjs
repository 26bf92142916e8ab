import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/wharf', import.meta.url))

/** Includes the path, because several checkouts may share one node_modules. */
export const buildName = (script) =>
  `${basename(script, '.ts')}-${createHash('sha256').update(script).digest('hex').slice(0, 8)}`

export const buildManifestPath = (script) => join(FOLDER, `${buildName(script)}.json`)

export function findBundle(script) {
  try {
    const { bundle, stamps } = JSON.parse(readFileSync(buildManifestPath(script), 'utf8'))
    return existsSync(bundle) && areCurrent(stamps) ? bundle : undefined
  } catch {
    return undefined
  }
}

/** A stamp changes with a file's content, and when a folder gains or loses a file. */
function readStamp(path) {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}

/** A source that changed since the build started gets a stamp that no file has. */
export const readStamps = (paths, startedAt) =>
  Object.fromEntries(
    paths
      .filter((path) => existsSync(path))
      .map((path) => [path, statSync(path).mtimeMs < startedAt ? readStamp(path) : 'changed']),
  )

export const areCurrent = (stamps) =>
  Object.entries(stamps).every(([path, stamp]) => existsSync(path) && readStamp(path) === stamp)

/** Other processes may be reading or writing the same file. */
export function writeAtomically(path, contents) {
  const part = `${path}.${process.pid}`
  writeFileSync(part, contents)
  renameSync(part, path)
}
