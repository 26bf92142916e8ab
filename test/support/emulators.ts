/** Emulators of AWS from package registries: installed once into a cache, started on 127.0.0.1 in a process group. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const run = promisify(execFile)
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wharf')
const START_MS = 120_000

/** Something it takes is not on this machine, or no registry answers. */
export class NoEmulator extends Error {}

export interface Emulator {
  endpoint: string
  /** The file it writes its output to. */
  log?: string
  stop(): Promise<void>
}

/**
 * Installs into a folder of the cache unless it is complete there.
 * @returns the folder
 * @throws NoEmulator with the reason
 */
export async function installOnce(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(CACHE, name)
  const marker = join(folder, 'installed')
  if (existsSync(marker)) return folder
  try {
    mkdirSync(folder, { recursive: true })
    await install(folder)
    mkdirSync(marker)
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new NoEmulator(`${name} could not be installed: ${(error as Error).message}`)
  }
}

/** A virtual environment with packages of PyPI. */
export const installPython = (name: string, python: string, pipArguments: readonly string[]): Promise<string> =>
  installOnce(name, async (folder) => {
    await run(python, ['-m', 'venv', folder])
    await run(join(folder, 'bin/python'), [
      '-m',
      'pip',
      'install',
      '-q',
      '--disable-pip-version-check',
      ...pipArguments,
    ])
  })

/** A Python of at least this minor version: of the path, or of pyenv. @throws NoEmulator */
export async function pythonFrom(minor: number): Promise<string> {
  const versions = join(homedir(), '.pyenv/versions')
  const ofPyenv = existsSync(versions) ? readdirSync(versions).map((each) => join(versions, each, 'bin/python')) : []
  const named = [16, 15, 14, 13, 12, 11, 10].map((each) => `python3.${each}`)
  for (const python of ['python3', ...named, ...ofPyenv]) {
    const version = await run(python, ['-c', 'import sys; print(*sys.version_info[:2])']).catch(() => undefined)
    const [major, found] = version?.stdout.trim().split(' ').map(Number) ?? []
    if (major === 3 && found! >= minor) return python
  }
  throw new NoEmulator(`There is no Python 3.${minor} or newer.`)
}

interface Server {
  command: string
  args: readonly string[]
  env: Record<string, string | undefined>
  endpoint: string
  /** Answers with a status below 500 once it is ready. */
  healthPath: string
  log: string
  /** Where it may leave files. */
  cwd?: string
}

/** @throws Error naming its log when it does not start */
export async function startServer({ command, args, env, endpoint, healthPath, log, cwd }: Server): Promise<Emulator> {
  const output = openSync(log, 'a')
  // A process group of its own: the functions' processes end with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  await isReady(endpoint + healthPath, child).catch(async (error) => {
    await end(child)
    throw new Error(`${command} did not start, see ${log}: ${error.message}`)
  })
  return { endpoint, log, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  if (child.exitCode !== null || child.pid === undefined) return
  signal(child.pid, 'SIGTERM')
  await Promise.race([ended, new Promise((late) => setTimeout(late, 5_000))])
  signal(child.pid, 'SIGKILL')
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name)
  } catch {
    // It has ended already.
  }
}

async function isReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  for (;;) {
    if (failure) throw failure
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const response = await fetch(url).catch(() => undefined)
    if (response && response.status < 500) return
    if (Date.now() > deadline) throw new Error(`no response in ${START_MS / 1000} s`)
    await new Promise((wait) => setTimeout(wait, 200))
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
