/**
 * Small JSON files that survive a killed process: a write is a new file renamed over the old one, so a reader finds
 * either the old text or the new one. They may hold keys, so only their owner reads them. Knows nothing of what they hold.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function writeState(path: string, state: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.new`
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 })
  renameSync(draft, path)
}

/** The state last written under `path`, as `T`: only `writeState` of this program writes these files. */
export function readState<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined
}
