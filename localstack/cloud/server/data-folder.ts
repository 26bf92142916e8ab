/**
 * The folder of everything the cloud keeps, for its owner's eyes alone: records, secrets and the credentials of each start are in it.
 * Knows nothing of what is in it but how to tell it from another folder.
 */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CannotStartError } from './cannot-start.ts'

const OWNER_ONLY = 0o700
const OTHERS = 0o077
/** One of these is in every data folder, from its first start on. */
const MARKS = ['lock.json', 'secret', 'dynamodb']

/**
 * Makes the folder where it is missing, and closes one that is open to other users.
 * @throws CannotStartError when it cannot be used
 */
export function openDataFolder(folder: string): void {
  try {
    makeFolder(resolve(folder))
    if (process.platform !== 'win32' && statSync(folder).mode & OTHERS) closeToOthers(folder)
  } catch (error) {
    throw dataFolderProblem(folder, error)
  }
}

/** A system error in the folder, in words its user can do something about; any other error as it is. */
export function dataFolderProblem(folder: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof CannotStartError || !code || !syscall) return error
  const reason = REASONS[code] ?? `the system answers ${code} to ${syscall}`
  return new CannotStartError(`The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to another folder.`)
}

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a file system that is only read',
  ENOTDIR: 'it is a file, or below one',
  EEXIST: 'it is a file',
  ENOENT: 'no folder can be made there',
  ENOSPC: 'the disk is full',
}

/** One level at a time: Node's own `recursive` never ends below folders where nothing can be made, as in /proc. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: OWNER_ONLY })
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Only what is a data folder, or empty: DATA_DIR may be a folder that others need, as /tmp. */
function closeToOthers(folder: string): void {
  const names = readdirSync(folder)
  if (names.length > 0 && !MARKS.some((mark) => names.includes(mark)))
    throw new CannotStartError(
      `The folder ${folder} holds other files and is open to other users: set DATA_DIR to a folder for Wharf alone.`,
    )
  chmodSync(folder, OWNER_ONLY)
}
