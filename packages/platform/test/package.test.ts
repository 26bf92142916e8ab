import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../../../test/support/api.ts'
import { installPackages } from '../../../test/support/install-packages.ts'
import { Wharf } from '../../sdk/src/index.ts'

let root: string
let project: string
let remove: () => void
let env: Record<string, string>
let bin: string

beforeAll(async () => {
  ;({ root, project, remove } = await installPackages(['platform', 'cli']))
  bin = join(project, 'node_modules/.bin/wharf')
  env = { PATH: process.env.PATH!, HOME: root, XDG_CONFIG_HOME: join(root, 'config') }
  writeFileSync(join(project, 'people.csv'), 'Name,Born\nAda,1815-12-10\nGrace,1906-12-09\n')
}, 240_000)
afterAll(() => remove())

interface Started {
  url: string
  environments: { id: string; secretKey: string }[]
}

const wharf = (...args: string[]) => spawnSync(bin, args, { cwd: project, env, encoding: 'utf8' })

async function runUp(work: (started: Started, child: ChildProcess) => Promise<void>, ...more: string[]): Promise<void> {
  const child = spawn(bin, ['up', '--port', '0', '--json', ...more], { cwd: project, env })
  try {
    const line = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
    await work(JSON.parse(String(line[0])), child)
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
}

const FIELDS = [
  { key: 'name', type: 'string' },
  { key: 'born', type: 'date' },
] as const

describe('wharf up', () => {
  it('runs a platform that the other commands find, with jobs and agents, and whose data stays', async () => {
    let sheetId = ''
    await runUp(async ({ url, environments: [environment] }) => {
      const sdk = new Wharf({ token: environment!.secretKey, baseUrl: `${url}/api` })
      expect(await (await fetch(url)).text()).toContain('<!doctype html>')
      const space = await sdk.spaces.create({ name: 'First', environmentId: environment!.id })
      const sheets = [{ name: 'People', slug: 'people', fields: [...FIELDS] }]
      const workbook = await sdk.workbooks.create({ name: 'Book', spaceId: space.id, sheets })
      sheetId = workbook.sheets![0]!.id
      const source = "exports.routeEvent = async (event) => console.log('saw', event.topic)"
      await sdk.agents.create({ topics: ['commit:created'], source }, { environmentId: environment!.id })
      expect(wharf('doctor').stdout).toMatch(/token +ok/)
      expect(wharf('import', 'people.csv', '--sheet', sheetId).status).toBe(0)
      await waitUntil(async () => wharf('logs').stdout.includes('saw commit:created'))
      const mutateRecord = `record => record.set('name', record.get('name') + '!')`
      const config = { sheetId, mutateRecord }
      const job = { type: 'workbook', operation: 'mutate-records', trigger: 'immediate', managed: true } as const
      await sdk.jobs.create({ ...job, source: workbook.id, config })
      await waitUntil(async () => wharf('query', sheetId).stdout.includes('Ada!'))
    })
    expect(existsSync(join(root, 'config/wharf/running.json'))).toBe(false)
    expect(wharf('query', sheetId)).toMatchObject({ status: 2, stderr: expect.stringContaining('wharf up') })
    await runUp(async () => expect(wharf('query', sheetId).stdout).toContain('Ada!'))
    expect(readFileSync(join(project, '.wharf/.gitignore'), 'utf8')).toBe('*\n')
  }, 120_000)

  it('names a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { status, stderr } = wharf('up', '--port', String(port), '--data', 'other')
    server.close()
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(String(port)) })
    expect(wharf('up', '--port', 'many').status).toBe(2)
  })
})

const START_TWO = `
const both = await Promise.all([startPlatform(), startPlatform()])
const spaces = []
for (const { url, environments } of both) {
  const headers = { authorization: 'Bearer ' + environments[0].secretKey, 'content-type': 'application/json' }
  const response = await fetch(url + '/api/v1/spaces', { method: 'POST', headers, body: '{"name":"S"}' })
  spaces.push((await response.json()).data.name)
}
await Promise.all(both.map((platform) => platform.waitUntilIdle()))
console.log(JSON.stringify({ spaces, folders: both.map(({ dataDir }) => dataDir) }))
`

describe('startPlatform', () => {
  it.each([
    [
      'an ES module',
      'two.mjs',
      `import { startPlatform } from '@wharf/platform'${START_TWO}for (const { stop } of both) await stop()`,
    ],
    [
      'a CommonJS module',
      'two.cjs',
      `const { startPlatform } = require('@wharf/platform');(async () => {${START_TWO}for (const { stop } of both) await stop()})()`,
    ],
    [
      'a program that does not stop them',
      'left.mjs',
      `import { startPlatform } from '@wharf/platform'${START_TWO}process.exit()`,
    ],
  ])('runs two platforms in %s, and leaves nothing behind', async (_, name, text) => {
    writeFileSync(join(project, name), text)
    const output = execFileSync(process.execPath, [name], { cwd: project, env, encoding: 'utf8' })
    const { spaces, folders } = JSON.parse(output.trim().split('\n').at(-1)!)
    expect(spaces).toEqual(['S', 'S'])
    await waitUntil(async () => folders.every((folder: string) => !existsSync(folder)))
  })
})

describe('the package', () => {
  it('contains the licences of the packages in its bundles', () => {
    const read = (file: string) => readFileSync(join(project, 'node_modules/@wharf/platform/dist', file), 'utf8')
    const licences = read('LICENCES.txt')
    for (const name of ['@aws-sdk/client-dynamodb', 'zod', 'swagger-ui-dist']) expect(licences).toContain(`\n${name} `)
    const webLicences = read('root/web/dist/licences.md')
    for (const name of ['react', 'react-aria-components']) expect(webLicences).toContain(`## ${name} `)
  })

  it('runs in a folder whose path has spaces and signs of URLs', () => {
    const folder = join(root, 'a ü #%20')
    renameSync(project, folder)
    try {
      const script = `import('@wharf/platform').then(async ({ startPlatform }) => {
        const platform = await startPlatform({ dataDir: 'data?' })
        console.log((await fetch(platform.url + '/docs/errors')).status)
        await platform.stop()
      })`
      expect(execFileSync(process.execPath, ['-e', script], { cwd: folder, env, encoding: 'utf8' })).toBe('200\n')
    } finally {
      renameSync(folder, project)
    }
  })
})

describe('the README', () => {
  it('names the commands to pack and install it', () => {
    const readme = readFileSync('packages/platform/README.md', 'utf8')
    expect(readme).toContain('npm pack ./packages/platform')
    expect(readme).toContain('wharf-platform-0.1.0.tgz')
  })
})
