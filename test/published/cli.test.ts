/** The published CLI, unmodified, deploys a published plugin, which corrects records. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import {
  createCaller,
  createDataCaller,
  createTestAccount,
  getServer,
  type TestAccount,
  waitUntil,
} from '../support/api.ts'

const FOLDER = resolve(import.meta.dirname, 'deployed-listener')
const CLI = resolve(import.meta.dirname, 'node_modules/flatfile/dist/index.js')

vi.setConfig({ testTimeout: 120_000 })

let account: TestAccount
let call: ReturnType<typeof createCaller>

beforeAll(async () => {
  account = await createTestAccount()
  call = createCaller(account.secretKey)
})

const flatfile = (...args: string[]) => flatfileIn(FOLDER, args)

async function flatfileIn(cwd: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CI: 'true',
      FLATFILE_API_KEY: account.secretKey,
      FLATFILE_API_URL: getServer().baseUrl,
      FLATFILE_ENVIRONMENT_ID: account.environmentId,
      ...more,
    },
  })
  let output = ''
  const hear = (chunk: Buffer) => {
    output += chunk
    if (String(chunk).includes('(y/N)')) child.stdin.end('y')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const [code] = await once(child, 'close')
  expect(code, `flatfile ${args.join(' ')}: ${output}`).toBe(0)
  return output
}
const agents = async (): Promise<{ id: string; slug: string; topics: string[] }[]> =>
  (await call('GET', '/agents')).body.data
const must = createDataCaller(() => call)

it('deploys, and redeploys as a new version', async () => {
  await flatfile('deploy', 'listener.mjs', '--ci', '--slug', 'people-hook', '--namespace', 'space:people')
  const [agent, ...others] = await agents()
  expect(others).toEqual([])
  expect(agent).toMatchObject({ slug: 'people-hook', topics: expect.arrayContaining(['commit:created']) })
  await flatfile('deploy', 'listener.mjs', '--ci', '--slug', 'people-hook', '--namespace', 'space:people')
  expect((await agents()).map(({ id }) => id)).toEqual([agent!.id])
  const versions = await must('GET', `/agents/${agent!.id}/versions`)
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
})

it('deploys a plugin that corrects records and adds its messages', async () => {
  const space = await must('POST', '/spaces', { name: 'People' })
  const fields = [{ key: 'email', type: 'string' }]
  const sheets = [{ name: 'People', slug: 'people', fields }]
  const workbook = await must('POST', '/workbooks', { spaceId: space.id, name: 'People', sheets })
  const sheetId = workbook.sheets[0].id
  const emails = ['  ADA@Example.com ', 'nobody', 'grace@example.com']
  await must('POST', `/sheets/${sheetId}/records`, emails.map((value) => ({ email: { value } })) as never)
  const records = await waitUntil(async () => {
    const found = (await must('GET', `/sheets/${sheetId}/records`)).records
    return found[0].values.email.value === 'ada@example.com' && found
  }, 60)
  expect(records[1].values.email).toMatchObject({
    value: 'nobody',
    messages: [{ type: 'warn', source: 'custom-logic', message: 'has no @' }],
  })
  expect(records[2].values.email).toMatchObject({ value: 'grace@example.com', messages: [] })
  const [agent] = await agents()
  const runs = await waitUntil(async () => {
    const all = await must('GET', `/agents/${agent!.id}/executions`)
    return all[0] && all[0].status !== 'running' && all
  })
  expect(runs.every(({ success }: { success: boolean }) => success)).toBe(true)
})

it('downloads its sources', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'wharf-download-'))
  try {
    const output = await flatfileIn(scratch, ['download', '--slug', 'people-hook'])
    expect(output).toContain('Successfully extracted agent')
    const read = (path: string) => readFileSync(path, 'utf8')
    const folder = join(scratch, 'people-hook')
    expect(read(join(folder, 'listener.mjs'))).toBe(read(join(FOLDER, 'listener.mjs')))
    expect(JSON.parse(read(join(folder, 'package.json')))).toMatchObject(JSON.parse(read(join(FOLDER, 'package.json'))))
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})

it('lists and deletes', async () => {
  expect(await flatfile('list')).toContain('people-hook')
  await flatfile('delete', '--slug', 'people-hook')
  expect(await agents()).toEqual([])
})

it('deploys for all spaces without a prompt when the namespace variable is set', async () => {
  const output = await flatfileIn(FOLDER, ['deploy', 'listener.mjs', '--ci', '--slug', 'everywhere'], {
    FLATFILE_AGENT_NAMESPACE: 'none',
  })
  expect(output).not.toContain('Enter a namespace')
  const [agent, ...others] = await must('GET', '/agents')
  expect(others).toEqual([])
  expect(agent.slug).toBe('everywhere')
  expect(agent.namespace).toBeUndefined()
  await flatfile('delete', '--slug', 'everywhere')
})
