/** Creates and protects the data folder, which contains records, secrets and credentials. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CannotStartError } from './cannot-start.ts'

const OWNER_ONLY = 0o700
const OTHER_USERS = 0o077
/** Every data folder contains one of these from its first start on. */
const MARKER_FILES = ['lock.json', 'secret', 'dynamodb']

export function openDataFolder(folder: string): void {
  try {
    createFolder(resolve(folder))
    if (process.platform !== 'win32' && statSync(folder).mode & OTHER_USERS) restrictToOwner(folder)
  } catch (error) {
    throw toDataFolderError(folder, error)
  }
}

export function toDataFolderError(folder: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof CannotStartError || !code || !syscall) return error
  const reason = REASONS[code] ?? `the system returned ${code} for ${syscall}`
  return new CannotStartError(`The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to another folder.`)
}

const REASONS: Record<string, string> = {
  EACCES: 'this user has no write permission there',
  EPERM: 'this user has no write permission there',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'it is a file, or inside a path that is a file',
  EEXIST: 'it is a file',
  ENOENT: 'no folder can be created there',
  ENOSPC: 'the disk is full',
}

/** One level at a time: Node's `recursive` option never returns for paths such as /proc/x/y. */
function createFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error
    createFolder(dirname(path))
    mkdirSync(path, { mode: OWNER_ONLY })
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Only data folders and empty ones, because DATA_DIR may be a shared folder such as /tmp. */
function restrictToOwner(folder: string): void {
  const names = readdirSync(folder)
  if (names.length > 0 && !MARKER_FILES.some((marker) => names.includes(marker)))
    throw new CannotStartError(
      `The folder ${folder} contains other files and is accessible to other users: set DATA_DIR to a dedicated folder.`,
    )
  chmodSync(folder, OWNER_ONLY)
}
