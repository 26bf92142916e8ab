import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './exit-codes.ts'

export interface Settings {
  url: string
  token: string
  /** Id of the personal access token that `wharf login` created, which `wharf logout` deletes. */
  tokenId?: string
}

interface RunningPlatform {
  url: string
  token: string
  pid: number
}

const DEFAULT_URL = 'http://127.0.0.1:3000'
/** Only its owner can read a file with a token. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

const getPath = (name: string): string => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'wharf', name)
export const getSettingsPath = (): string => getPath('settings.json')
const getRunningPath = (): string => getPath('running.json')

function readStored<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** `WHARF_TOKEN` and `WHARF_URL` win, so that scripts need no login. A login wins over a local platform. */
export function readSettings(): Settings {
  const { WHARF_URL, WHARF_TOKEN } = process.env
  const stored = readStored<Settings>(getSettingsPath())
  const running = readRunning()
  if (WHARF_TOKEN) return { url: WHARF_URL ?? stored?.url ?? running?.url ?? DEFAULT_URL, token: WHARF_TOKEN }
  if (stored) return WHARF_URL ? { ...stored, url: WHARF_URL } : stored
  if (running && (!WHARF_URL || WHARF_URL === running.url)) return { url: running.url, token: running.token }
  throw new UsageError(
    'You are not signed in. Run `wharf login`, set WHARF_TOKEN and WHARF_URL, or start a platform with `wharf up`.',
  )
}

export const getDefaultUrl = (): string => process.env.WHARF_URL ?? readRunning()?.url ?? DEFAULT_URL

export const storeSettings = (settings: Settings): void => store(getSettingsPath(), settings)

function store(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: FILE_MODE })
  // The mode above is not applied to an existing file.
  chmodSync(path, FILE_MODE)
}

export const deleteSettings = (): void => rmSync(getSettingsPath(), { force: true })

/** The platform that was started last replaces others that run. */
export const storeRunning = (platform: Pick<RunningPlatform, 'url' | 'token'>): void =>
  store(getRunningPath(), { ...platform, pid: process.pid })

export function deleteRunning(): void {
  if (readRunning()?.pid === process.pid) rmSync(getRunningPath(), { force: true })
}

function readRunning(): RunningPlatform | undefined {
  const running = readStored<RunningPlatform>(getRunningPath())
  return running && isAlive(running.pid) ? running : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
