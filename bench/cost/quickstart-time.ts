/**
 * `npm run bench -- quickstart`: measures clean checkout to first import, first agent and first local deploy, and writes
 * bench/figures/quickstart.json. `-- --no-deploy` skips the deploy, which needs Python and PyPI.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Local } from '../../localstack/seed.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FIGURE = join(ROOT, 'bench/figures/quickstart.json')
const LOG_LINE = 'hello from the custom agent'

interface Step {
  what: string
  seconds: number
  sinceStart: number
}

const folder = mkdtempSync(join(tmpdir(), 'wharf-quickstart-'))
const checkout = join(folder, 'wharf')
const environment = { ...process.env, PORT: '0', CLOUD_PORT: '0', DATA_DIR: join(folder, 'data') }
const steps: Step[] = []
const began = Date.now()

async function measureStep(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = Date.now()
  await work()
  const done = { what, seconds: roundSeconds(Date.now() - start), sinceStart: roundSeconds(Date.now() - began) }
  steps.push(done)
  console.log(`${done.what}: ${done.seconds} s (${done.sinceStart} s since the start)`)
}

const roundSeconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10

async function runCommand(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: checkout, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`)
}

async function waitForAgent(): Promise<void> {
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    await new Promise<void>((ready, fail) => {
      child.once('exit', () => fail(new Error('npm start ended.')))
      child.stdout.on('data', (chunk: Buffer) => /^ready$/m.test(chunk.toString()) && ready())
    })
    const { baseUrl, environments } = JSON.parse(
      readFileSync(join(environment.DATA_DIR, 'local.json'), 'utf8'),
    ) as Local
    const { id, secretKey } = environments[0]!
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
      const response = await fetch(`${baseUrl}/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return ((await response.json()) as { data: never }).data as { id: string; log?: string }[] & { id: string }
    }
    const source = `exports.routeEvent = async () => console.log('${LOG_LINE}')`
    const definition = { slug: 'mine', topics: ['space:created'], compiler: 'js', source }
    const agent = await call('POST', `/agents?environmentId=${id}`, definition)
    await call('POST', '/spaces', { name: 'first' })
    for (let isLogged = false; !isLogged; ) {
      await sleep(100)
      isLogged = (await call('GET', `/agents/${agent.id}/logs`)).some(({ log }) => log?.includes(LOG_LINE))
    }
  } finally {
    process.kill(-child.pid!, 'SIGINT')
    await once(child, 'exit')
  }
}

try {
  await measureStep('clone', async () => execFileSync('git', ['clone', '--quiet', ROOT, checkout]))
  await measureStep('npm ci', () => runCommand('npm', ['ci', '--no-audit', '--no-fund']))
  await measureStep('the first import (npm run demo)', () => runCommand('npm', ['run', 'demo']))
  await measureStep('the first custom agent (npm start, POST /agents)', waitForAgent)
  if (!process.argv.includes('--no-deploy'))
    await measureStep('the first deploy on the local stack (npm run test:deployed)', () =>
      runCommand('npm', ['run', 'test:deployed']),
    )
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  writeFileSync(FIGURE, `${JSON.stringify({ at: new Date(began).toISOString(), machine, steps }, null, 1)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
