/**
 * The cloud to deploy to: any at AWS_ENDPOINT_URL, or MiniStack from PyPI in a virtual environment of its own. MiniStack
 * enforces IAM here: each function may do what its role allows, and nothing else.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')

/** Together they are known to work; their own dependencies are pinned by them. */
const PACKAGES = ['ministack==1.5.33', 'hypercorn==0.18.0', 'h11==0.16.0', 'PyYAML==6.0.3', 'defusedxml==0.7.1']
const VENV = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wharf', PACKAGES[0]!.replace('==', '-'))
const START_MS = 60_000

/** There is no Python, or no PyPI. */
export class NoEmulator extends Error {}

export interface Emulator {
  endpoint: string
  /** Where it writes what functions say. */
  log?: string
  stop(): Promise<void>
}

export async function emulator(): Promise<Emulator> {
  const given = process.env.AWS_ENDPOINT_URL
  if (given) return { endpoint: given, stop: async () => {} }
  await install()
  return start(await freePort())
}

async function install(): Promise<void> {
  const python = join(VENV, 'bin/python')
  if (existsSync(join(VENV, 'installed'))) return
  try {
    mkdirSync(VENV, { recursive: true })
    await run('python3', ['-m', 'venv', VENV])
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES])
    mkdirSync(join(VENV, 'installed'))
  } catch (error) {
    rmSync(VENV, { recursive: true, force: true })
    throw new NoEmulator(`${PACKAGES[0]} could not be installed: ${(error as Error).message}`)
  }
}

async function start(port: number): Promise<Emulator> {
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-ministack-'))
  const log = join(scratch, 'ministack.log')
  const output = openSync(log, 'a')
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    // Functions unpack there too.
    TMPDIR: scratch,
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    AUTH: 'true',
    LAMBDA_EXECUTOR: 'local',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  }
  const process_ = spawn(join(VENV, 'bin/python'), [join(ROOT, 'localstack/start-ministack.py')], {
    env,
    // A group of its own: the functions' processes end with it.
    detached: true,
    stdio: ['ignore', output, output],
  })
  const stop = async () => {
    await end(process_)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
  const endpoint = `http://127.0.0.1:${port}`
  await answers(`${endpoint}/_ministack/health`, process_).catch(async (error) => {
    await end(process_)
    throw new Error(`MiniStack did not start, see ${log}: ${error.message}`)
  })
  return { endpoint, log, stop }
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
    // It is gone already.
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > deadline) throw new Error(`no answer in ${START_MS / 1000} s`)
    await new Promise((wait) => setTimeout(wait, 200))
  }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}
