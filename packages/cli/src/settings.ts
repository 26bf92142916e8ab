/** The address and token, from the environment or stored by `wharf login`. */
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

export const DEFAULT_URL = 'http://127.0.0.1:3000'
/** Only its owner can read a file with a token. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export const getSettingsPath = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'wharf', 'settings.json')

function readStored(): Settings | undefined {
  try {
    return JSON.parse(readFileSync(getSettingsPath(), 'utf8')) as Settings
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${getSettingsPath()} cannot be read: ${(error as Error).message}`)
  }
}

/** `WHARF_TOKEN` and `WHARF_URL` win, so that scripts need no login. */
export function readSettings(): Settings {
  const { WHARF_URL, WHARF_TOKEN } = process.env
  const stored = readStored()
  if (WHARF_TOKEN) return { url: WHARF_URL ?? stored?.url ?? DEFAULT_URL, token: WHARF_TOKEN }
  if (!stored) throw new UsageError('You are not signed in. Run `wharf login`, or set WHARF_TOKEN and WHARF_URL.')
  return WHARF_URL ? { ...stored, url: WHARF_URL } : stored
}

export function storeSettings(settings: Settings): void {
  const path = getSettingsPath()
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE })
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`, { mode: FILE_MODE })
  // The mode above is not applied to an existing file.
  chmodSync(path, FILE_MODE)
}

export const deleteSettings = (): void => rmSync(getSettingsPath(), { force: true })
