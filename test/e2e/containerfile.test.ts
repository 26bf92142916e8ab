import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const lines = readFileSync('Containerfile', 'utf8').split('\n')
const copied = lines.flatMap((line) => (line.startsWith('COPY ') ? line.split(' ').slice(1, -1) : []))
const [, command] = /^CMD (\[.*\])$/m.exec(lines.join('\n')) ?? []

const root = mkdtempSync(join(tmpdir(), 'wharf-container-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('Containerfile copies existing paths', () => {
  expect(copied.length).toBeGreaterThan(10)
  expect(copied.filter((path) => !existsSync(path))).toEqual([])
})

it('Containerfile copies everything that its command needs to serve the API and its reference', {
  timeout: 180_000,
}, async () => {
  const filter = (path: string) => !/node_modules|\/\.vitepress/.test(path)
  for (const path of copied) cpSync(path, join(root, path), { recursive: true, filter })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const [file, ...args] = JSON.parse(command!) as string[]
  const env = { PATH: process.env.PATH, HOME: root, PORT: '0', CLOUD_PORT: '0', DATA_DIR: join(root, 'data') }
  const child = spawn(file!, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let shown = ''
    child.stderr.on('data', (chunk: Buffer) => (shown += chunk))
    for await (const chunk of child.stdout) {
      shown += chunk
      if (/^ready$/m.test(shown)) break
    }
    const [, origin] = /Application +(\S+)/.exec(shown) ?? []
    expect(origin, shown).toBeDefined()
    for (const path of ['/health/ready', '/docs', '/docs/first-import', '/api/v1/openapi.json'])
      expect((await fetch(`${origin}${path}`)).status, path).toBe(200)
  } finally {
    const ended = once(child, 'exit')
    process.kill(-child.pid!, 'SIGINT')
    await ended
  }
})
