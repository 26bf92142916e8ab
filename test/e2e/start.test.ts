import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  const child = spawn(process.execPath, ['scripts/run-bundled.mjs', 'localstack/start.ts'], {
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
    await sleep(10)
  }
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-start-'))
  folders.push(folder)
  return folder
}
const modeOf = (path: string): number => statSync(path).mode & 0o777
const localOf = (folder: string): Local => JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8'))

async function call(local: Local, method: string, path: string, body?: object) {
  const response = await fetch(`${local.baseUrl}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${local.environments[0]!.secretKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as { data: { id: string; name: string } } }
}

describe('npm start', { timeout: 90_000 }, () => {
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

  it('keeps acknowledged data when it is killed, and seeds once', async () => {
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
    const ofTheAccount = ({ accountId, admin, environments }: Local) => ({ accountId, admin, environments })
    expect(ofTheAccount(after)).toEqual(ofTheAccount(before))
    expect(after.aws.AWS_ACCESS_KEY_ID).not.toBe(before.aws.AWS_ACCESS_KEY_ID)
    expect(after.aws.AWS_SECRET_ACCESS_KEY).not.toBe(before.aws.AWS_SECRET_ACCESS_KEY)
    expect((await call(after, 'GET', `/spaces/${space.body.data.id}`)).body.data.name).toBe('survivor')
  })

  it('keeps its data private: the folder is closed to other users, and so is each file with a secret', async () => {
    const parent = newFolder()
    const folder = join(parent, 'not', 'there', 'yet')
    const running = start(folder)
    await ready(running)
    const local = localOf(folder)
    const source = 'exports.routeEvent = () => {}'
    const agent = { slug: 'a', topics: ['a:b'], source }
    expect((await call(local, 'POST', `/agents?environmentId=${local.environments[0]!.id}`, agent)).status).toBe(200)
    running.child.kill('SIGINT')
    await running.ended
    expect(modeOf(folder)).toBe(0o700)
    const functions = join(folder, 'lambda', 'functions')
    const [name] = readdirSync(functions)
    const secret = ['local.json', 'secret', 'lambda/invocations.jsonl', `lambda/functions/${name}/function.json`]
    for (const file of secret) expect(modeOf(join(folder, file)), file).toBe(0o600)
  })

  it('closes a data folder of an older version, and leaves a shared folder unchanged', async () => {
    const earlier = newFolder()
    writeFileSync(join(earlier, 'secret'), 'a secret of thirty-two characters or more')
    chmodSync(earlier, 0o755)
    const running = start(earlier)
    await ready(running)
    expect(modeOf(earlier)).toBe(0o700)

    const shared = newFolder()
    writeFileSync(join(shared, 'letter.txt'), 'Dear')
    chmodSync(shared, 0o755)
    const refused = start(shared)
    expect(await refused.ended).toBe(1)
    expect(refused.output().trim()).toBe(
      `The folder ${shared} contains other files and is accessible to other users: set DATA_DIR to a dedicated folder.`,
    )
    expect([modeOf(shared), readdirSync(shared)]).toEqual([0o755, ['letter.txt']])
  })

  it.each([
    ['is a file', (folder: string) => join(folder, 'file'), 'it is a file'],
    ['is below a file', (folder: string) => join(folder, 'file', 'x'), 'it is a file, or inside a path that is a file'],
    ['cannot be made', () => '/proc/x', 'no folder can be created there'],
    ['cannot be made at any depth', () => '/proc/x/y/z', 'no folder can be created there'],
  ])(
    'reports in one line that the data folder %s',
    async (_, placeIn, reason) => {
      const folder = newFolder()
      writeFileSync(join(folder, 'file'), '')
      const place = placeIn(folder)
      const refused = start(place)
      expect(await refused.ended).toBe(1)
      const line = `The data folder ${place} cannot be used: ${reason}. Set DATA_DIR to another folder.`
      expect(refused.output().trim()).toBe(line)
    },
    10_000,
  )

  it.each(['abc', '-1', '65536', '3000.5'])('reports in one line that %s is not a port', async (PORT) => {
    const refused = start(newFolder(), { PORT, CLOUD_PORT: '0' })
    expect(await refused.ended).toBe(1)
    expect(refused.output().trim()).toBe(`PORT=${PORT} is not a port.`)
  })

  it('opens no debugger on a signal from another program', async () => {
    const running = start(newFolder())
    await ready(running)
    running.child.kill('SIGUSR1')
    await sleep(500)
    expect(running.output()).not.toContain('Debugger listening')
    expect(running.child.exitCode).toBeNull()
  })

  it('reports in one line that a port or the folder is in use', async () => {
    const folder = newFolder()
    const running = start(folder)
    await ready(running)
    const { port } = new URL(localOf(folder).baseUrl)
    const unused = join(newFolder(), 'data')
    const taken = start(unused, { PORT: port, CLOUD_PORT: '0' })
    expect(await taken.ended).toBe(1)
    expect(existsSync(unused)).toBe(false)
    expect(taken.output().trim()).toBe(`Port ${port} is taken: set PORT (API) or CLOUD_PORT (cloud) to a free one.`)
    const sameFolder = start(folder)
    expect(await sameFolder.ended).toBe(1)
    expect(sameFolder.output().trim().split('\n')).toHaveLength(1)
    expect(sameFolder.output()).toContain(String(running.child.pid))
  })
})
