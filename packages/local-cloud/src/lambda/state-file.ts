/** JSON files that survive a killed process, because writes are renamed into place. Readable by the owner only. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function writeState(path: string, state: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporaryPath = `${path}.new`
  writeFileSync(temporaryPath, JSON.stringify(state), { mode: 0o600 })
  renameSync(temporaryPath, path)
}

export function readState<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined
}
