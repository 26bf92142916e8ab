/** Tools that few commands need have a separate package.json next to the code that imports them. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

export type ToolFolder =
  | 'bench/duckdb'
  | 'docs'
  | 'localstack/offline'
  | 'test/mutation'
  | 'test/packages'
  | 'test/published'

/** Installs the packages of a folder, unless its package-lock.json has not changed since the last time. */
export function installTools(folder: ToolFolder): void {
  const lock = resolve(ROOT, folder, 'package-lock.json')
  // npm writes this file last.
  const installed = resolve(ROOT, folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.log(`Installing the packages of ${folder}`)
  execFileSync('npm', ['ci', '--prefix', resolve(ROOT, folder), '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: resolve(ROOT, folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
