import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAccount, getServer, type TestAccount } from '../../../test/support/api.ts'
import { createToolCaller, MODERN } from '../../../test/support/mcp.ts'

const root = mkdtempSync(join(tmpdir(), 'wharf-mcp-'))
const folder = join(root, 'packages/mcp')
const program = join(root, 'program')
const COMMAND = 'npm pack ./packages/mcp'
const bin = join(program, 'node_modules/.bin/wharf-mcp')

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, encoding: 'utf8', stdio: 'pipe' })

let account: TestAccount
beforeAll(async () => {
  cpSync('packages/mcp', folder, { recursive: true, filter: (path) => !/\/(dist|test)$/.test(path) })
  cpSync('tsconfig.json', join(root, 'tsconfig.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  npm(root, ...COMMAND.split(' ').slice(1))
  mkdirSync(program)
  writeFileSync(join(program, 'package.json'), '{ "name": "program", "private": true }')
  npm(program, 'install', join(root, 'wharf-mcp-0.1.0.tgz'))
  account = await createTestAccount()
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function connect(options: ClientOptions, environment: object = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options)
  const origin = new URL(getServer().baseUrl).origin
  const env = { PATH: process.env.PATH!, WHARF_URL: origin, WHARF_TOKEN: account.secretKey, ...environment }
  await client.connect(new StdioClientTransport({ command: bin, env }))
  return client
}

describe('the installed program', () => {
  it.each([
    ['2026-07-28', MODERN],
    ['2025-11-25', {}],
  ])('serves the protocol of %s', async (version, options) => {
    const client = await connect(options)
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(30)
    const tool = createToolCaller(client)
    const { previewId } = await tool('preview_space', { name: version, environmentId: account.environmentId })
    await tool('apply_change', { previewId })
    expect((await tool('list_spaces', { search: version })).data).toMatchObject([{ name: version }])
    await client.close()
  })

  it('explains a refused token and an address without a platform', async () => {
    await expect(connect({}, { WHARF_TOKEN: 'sk_wrong' })).rejects.toThrow(/Unauthorized|401|access token/i)
    await expect(connect({}, { WHARF_URL: 'http://127.0.0.1:9' })).rejects.toThrow(/fetch failed|ECONNREFUSED/)
  })

  it('names the missing token', () => {
    const { status, stderr } = spawnSync(bin, { env: { PATH: process.env.PATH }, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('WHARF_TOKEN')
  })

  it('contains the skill, which names existing tools only', async () => {
    const skill = readFileSync(join(program, 'node_modules/@wharf/mcp/skills/wharf/SKILL.md'), 'utf8')
    const client = await connect(MODERN)
    const { tools } = await client.listTools()
    await client.close()
    const named = [...skill.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([])
  })

  it('is described by the README', () => {
    const readme = readFileSync('packages/mcp/README.md', 'utf8')
    expect(readme).toContain(COMMAND)
    expect(readme).toContain('wharf-mcp-0.1.0.tgz')
  })
})
