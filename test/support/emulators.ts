/** AWS emulators from package registries, installed once into a cache and started on 127.0.0.1. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export const runFile = promisify(execFile)
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wharf')
const START_MS = 120_000
/** Longer than an installation takes, for locks of processes that were killed. */
const MAX_LOCKED_MS = 600_000

export class EmulatorUnavailableError extends Error {}

export interface Emulator {
  endpoint: string
  log?: string
  stop(): Promise<void>
}

export async function installOnce(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(CACHE, name)
  const marker = join(folder, 'installed')
  if (existsSync(marker)) return folder
  const unlock = await lock(`${folder}.lock`)
  try {
    if (existsSync(marker)) return folder
    mkdirSync(folder, { recursive: true })
    await install(folder)
    mkdirSync(marker)
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new EmulatorUnavailableError(`${name} could not be installed: ${(error as Error).message}`)
  } finally {
    unlock()
  }
}

async function lock(path: string): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true })
  const remove = () => rmSync(path, { recursive: true, force: true })
  for (;;) {
    try {
      mkdirSync(path)
      return remove
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > MAX_LOCKED_MS) remove()
    }
    await sleep(200)
  }
}

export const installPython = (name: string, python: string, pipArguments: readonly string[]): Promise<string> =>
  installOnce(name, async (folder) => {
    await runFile(python, ['-m', 'venv', folder])
    await runFile(join(folder, 'bin/python'), [
      '-m',
      'pip',
      'install',
      '-q',
      '--disable-pip-version-check',
      ...pipArguments,
    ])
  })

export async function findPython(minor: number): Promise<string> {
  const versions = join(homedir(), '.pyenv/versions')
  const pyenvPythons = existsSync(versions)
    ? readdirSync(versions).map((each) => join(versions, each, 'bin/python'))
    : []
  const namedPythons = [16, 15, 14, 13, 12, 11, 10].map((each) => `python3.${each}`)
  for (const python of ['python3', ...namedPythons, ...pyenvPythons]) {
    const version = await runFile(python, ['-c', 'import sys; print(*sys.version_info[:2])']).catch(() => undefined)
    const [major, found] = version?.stdout.trim().split(' ').map(Number) ?? []
    if (major === 3 && found! >= minor) return python
  }
  throw new EmulatorUnavailableError(`Python 3.${minor} or newer is not installed.`)
}

interface Server {
  command: string
  args: readonly string[]
  env: Record<string, string | undefined>
  endpoint: string
  healthPath: string
  log: string
  cwd?: string
}

export async function startServer({ command, args, env, endpoint, healthPath, log, cwd }: Server): Promise<Emulator> {
  const output = openSync(log, 'a')
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  await waitUntilReady(endpoint + healthPath, child).catch(async (error) => {
    await endProcess(child)
    throw new Error(`${command} did not start, see ${log}: ${error.message}`)
  })
  return { endpoint, log, stop: () => endProcess(child) }
}

async function endProcess(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  if (child.exitCode !== null || child.pid === undefined) return
  signalGroup(child.pid, 'SIGTERM')
  await Promise.race([ended, sleep(5_000)])
  signalGroup(child.pid, 'SIGKILL')
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name)
  } catch {}
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  for (;;) {
    if (failure) throw failure
    if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response && response.status < 500) return
    if (Date.now() > deadline) throw new Error(`no response in ${START_MS / 1000} s`)
    await sleep(200)
  }
}

export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}
