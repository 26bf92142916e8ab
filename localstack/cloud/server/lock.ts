/**
 * One process at a time may have a data folder open: its id stands in a lock file there. The lock of a process that is no
 * more (killed, or its id given to another since) is taken over. Knows nothing of what is in the folder.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotStartError } from './cannot-start.ts'

interface Holder {
  pid: number
  /** When the process began, in the kernel's ticks since boot; absent where /proc is not to be had. */
  began?: string
}

const LOCK_FILE = 'lock.json'
const TAKEOVER_ATTEMPTS = 3
const heldHere = new Set<string>()

/**
 * Locks a data folder.
 * @returns what gives the lock back
 * @throws CannotStartError naming the process that holds it
 */
export function lockDataFolder(folder: string): () => void {
  const path = join(resolve(folder), LOCK_FILE)
  for (let attempt = 0; attempt < TAKEOVER_ATTEMPTS; attempt++) {
    if (tryToTake(path)) return () => release(path)
    const holder = readHolder(path)
    if (holder && isAlive(holder, path)) {
      throw new CannotStartError(
        `The data folder ${folder} is in use by process ${holder.pid}: stop it first, or name another folder.`,
      )
    }
    rmSync(path, { force: true })
  }
  throw new CannotStartError(`The data folder ${folder} cannot be locked: other processes keep taking it.`)
}

function tryToTake(path: string): boolean {
  const holder: Holder = { pid: process.pid, began: beginOf(process.pid) }
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  heldHere.add(path)
  return true
}

function release(path: string): void {
  if (!heldHere.delete(path)) return
  rmSync(path, { force: true })
}

/** Undefined for a lock whose writer died half way. */
function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function isAlive({ pid, began }: Holder, path: string): boolean {
  if (pid === process.pid) return heldHere.has(path)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return began === undefined || began === beginOf(pid)
}

/** Field 22 of /proc/<pid>/stat; the command before it may hold spaces, so counting begins behind its bracket. */
function beginOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
