/** `npm start` as a newcomer meets it: quick, restartable, clear about what is in its way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Local } from '../../localstack/seed.ts'

const started: ChildProcess[] = []
const folders: string[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Start {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
}

function start(dataDir: string, ports: { PORT: string; CLOUD_PORT: string } = { PORT: '0', CLOUD_PORT: '0' }): Start {
  const child = spawn(process.execPath, ['--import', 'tsx', 'localstack/start.ts'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  child.stdout!.on('data', (chunk) => (text += chunk))
  child.stderr!.on('data', (chunk) => (text += chunk))
  return { child, output: () => text, ended: new Promise((resolve) => child.on('exit', resolve)) }
}

async function ready({ child, output }: Start): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!/^ready$/m.test(output())) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`not ready: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-start-'))
  folders.push(folder)
  return folder
}
const localOf = (folder: string): Local => JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8'))

async function call(local: Local, method: string, path: string, body?: object) {
  const response = await fetch(`${local.baseUrl}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${local.environments[0]!.secretKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as { data: { id: string; name: string } } }
}

describe('npm start', () => {
  it('prints what a newcomer needs, writes it for scripts with mode 600, and stops cleanly', async () => {
    const folder = newFolder()
    const running = start(folder)
    await ready(running)
    const local = localOf(folder)
    expect(statSync(join(folder, 'local.json')).mode & 0o777).toBe(0o600)
    expect(local).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
      cloud: expect.any(String),
      accountId: expect.any(String),
    })
    expect(local.environments.map(({ name }) => name)).toEqual(['development', 'production'])
    for (const part of [
      local.baseUrl,
      local.admin.email,
      local.admin.password,
      local.environments[0]!.secretKey,
      'curl -s ',
    ])
      expect(running.output()).toContain(part)
    expect((await call(local, 'GET', '/spaces')).status).toBe(200)
    running.child.kill('SIGINT')
    expect(await running.ended).toBe(0)
  })

  it('keeps what it acknowledged when it is killed, and seeds once', async () => {
    const folder = newFolder()
    const first = start(folder)
    await ready(first)
    const before = localOf(folder)
    const space = await call(before, 'POST', '/spaces', { name: 'survivor' })
    first.child.kill('SIGKILL')
    await first.ended
    const second = start(folder)
    await ready(second)
    const after = localOf(folder)
    expect({ ...after, baseUrl: '', cloud: '' }).toEqual({ ...before, baseUrl: '', cloud: '' })
    expect((await call(after, 'GET', `/spaces/${space.body.data.id}`)).body.data.name).toBe('survivor')
  })

  it('says in one line that a port or the folder is taken', async () => {
    const folder = newFolder()
    const running = start(folder)
    await ready(running)
    const { port } = new URL(localOf(folder).baseUrl)
    const taken = start(newFolder(), { PORT: port, CLOUD_PORT: '0' })
    expect(await taken.ended).toBe(1)
    expect(taken.output().trim()).toBe(`Port ${port} is taken: set PORT (API) or CLOUD_PORT (cloud) to a free one.`)
    const sameFolder = start(folder)
    expect(await sameFolder.ended).toBe(1)
    expect(sameFolder.output().trim().split('\n')).toHaveLength(1)
    expect(sameFolder.output()).toContain(String(running.child.pid))
  })
})
