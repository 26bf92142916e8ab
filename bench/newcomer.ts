/** Measures from a clone with an empty cache up to the first import, agent, embedded importer and MCP call. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { chromium } from 'playwright-core'
import type { Local } from '../localstack/seed.ts'
import { readBlocks } from '../test/support/doc-blocks.ts'
import { saveRows, writeFigures } from './record.ts'
import type { BenchRow } from './row.ts'

const ROOT = resolve(import.meta.dirname, '..')
const LIMIT_SECONDS = 300

const folder = mkdtempSync(join(tmpdir(), 'wharf-newcomer-'))
const checkout = join(folder, 'wharf')
const environment = {
  ...{ ...process.env, PORT: '0', CLOUD_PORT: '0', DATA_DIR: join(folder, 'data') },
  npm_config_cache: join(folder, 'npm'),
}

async function measure(what: string, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  console.log(`${what}: ${seconds.toFixed(1)} s`)
  return seconds
}

async function runCommand(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(command, args, { cwd: checkout, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ').slice(0, 80)} ended with ${code}.`)
}

async function startPlatform(): Promise<ChildProcess> {
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  await new Promise<void>((ready, fail) => {
    child.once('exit', () => fail(new Error('npm start ended.')))
    child.stdout!.on('data', (chunk: Buffer) => /^ready$/m.test(chunk.toString()) && ready())
  })
  return child
}

function findLine(path: string, heading: string): number {
  const index = readFileSync(join(ROOT, path), 'utf8').split('\n').indexOf(heading)
  if (index < 0) throw new Error(`${path} has no heading ${heading}`)
  return index + 1
}

function runGuide(path: string, heading: string, { baseUrl, environments }: Local): Promise<void> {
  const end = findLine(path, heading)
  const blocks = readBlocks(path).filter(({ language, notRun, line }) => language === 'sh' && !notRun && line < end)
  const env = { ...environment, URL: `${baseUrl}/v1`, KEY: environments[0]!.secretKey }
  return runCommand('bash', ['-c', ['set -e\n', ...blocks.map(({ text }) => text)].join('')], env)
}

async function embed({ baseUrl, environments }: Local): Promise<void> {
  const path = 'docs/guides/application.md'
  const start = findLine(path, '## Embed the importer in your page')
  const block = readBlocks(path).find(({ language, line }) => language === 'html' && line > start)!
  const html = block.text
    .replaceAll('https://wharf.example.com', new URL(baseUrl).origin)
    .replace('pk_...', environments[0]!.publishableKey)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`)
    const frame = page.frameLocator('.wharf-importer iframe')
    await frame.getByRole('heading', { level: 1 }).waitFor({ timeout: LIMIT_SECONDS * 1000 })
  } finally {
    await browser.close()
    server.close()
  }
}

async function callTool({ baseUrl, environments }: Local): Promise<void> {
  const client = new Client({ name: 'newcomer', version: '1' })
  const headers = { authorization: `Bearer ${environments[0]!.secretKey}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/v1/mcp`), { requestInit: { headers } }))
  const { isError, content } = await client.callTool({ name: 'list_spaces', arguments: { pageSize: 5 } })
  if (isError) throw new Error(JSON.stringify(content))
  await client.close()
}

const FIRSTS: Record<string, (local: Local) => Promise<unknown>> = {
  'first import': (local) => runGuide('docs/guides/first-import.md', '## Files of more than 6 MB', local),
  'first agent deployed and called': (local) =>
    runGuide('docs/guides/agents.md', '## Deploy with the public command line', local),
  'first embedded importer in a browser': embed,
  'first tool call over MCP': callTool,
}

async function measureAll(): Promise<BenchRow[]> {
  const clone = await measure('git clone', async () => execFileSync('git', ['clone', '--quiet', ROOT, checkout]))
  const install = await measure('npm ci', () => runCommand('npm', ['ci'], environment))
  let platform: ChildProcess | undefined
  try {
    const start = await measure('npm start', async () => {
      platform = await startPlatform()
    })
    const local = JSON.parse(readFileSync(join(environment.DATA_DIR, 'local.json'), 'utf8')) as Local
    const toRow = (what: string, value: number): BenchRow => ({
      ...{ what, value, unit: 's', reference: 'limit', referenceValue: LIMIT_SECONDS, target: 1 },
    })
    const rows = [toRow('npm ci with an empty cache', install)]
    for (const [what, work] of Object.entries(FIRSTS)) {
      const seconds = await measure(what, () => work(local))
      rows.push(toRow(`clean checkout to ${what}`, clone + install + start + seconds))
    }
    return rows
  } finally {
    if (platform?.exitCode === null) {
      process.kill(-platform.pid!, 'SIGINT')
      await once(platform, 'exit')
    }
  }
}

try {
  const rows = await measureAll()
  for (const { what, value } of rows) console.log(`${what}: ${value.toFixed(1)} s of ${LIMIT_SECONDS} s`)
  if (process.argv.includes('--record')) {
    saveRows('newcomer', rows)
    writeFigures()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
