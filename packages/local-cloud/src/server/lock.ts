/** Locks a data folder for one process by its id. The lock of a process that has died is taken over. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotStartError } from './cannot-start.ts'

interface Holder {
  pid: number
  /** In the kernel's ticks since boot, to detect a reused process id; undefined without /proc. */
  began?: string
}

const LOCK_FILE = 'lock.json'
const MAX_TAKEOVER_ATTEMPTS = 3
const ownLocks = new Set<string>()

export function lockDataFolder(folder: string): () => void {
  const path = join(resolve(folder), LOCK_FILE)
  for (let attempt = 0; attempt < MAX_TAKEOVER_ATTEMPTS; attempt++) {
    if (tryLock(path)) return () => release(path)
    const holder = readHolder(path)
    if (holder && isAlive(holder, path)) {
      throw new CannotStartError(
        `The data folder ${folder} is in use by process ${holder.pid}: stop it first, or choose another folder.`,
      )
    }
    rmSync(path, { force: true })
  }
  throw new CannotStartError(`The data folder ${folder} cannot be locked: other processes keep locking it.`)
}

function tryLock(path: string): boolean {
  const holder: Holder = { pid: process.pid, began: readStartTime(process.pid) }
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  ownLocks.add(path)
  return true
}

function release(path: string): void {
  if (!ownLocks.delete(path)) return
  rmSync(path, { force: true })
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function isAlive({ pid, began }: Holder, path: string): boolean {
  if (pid === process.pid) return ownLocks.has(path)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return began === undefined || began === readStartTime(pid)
}

/** Field 22 of /proc/<pid>/stat, counted from the end of the command, which may contain spaces. */
function readStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
