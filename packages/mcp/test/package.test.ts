import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAccount, getServer, type TestAccount } from '../../../test/support/api.ts'
import { installPackages } from '../../../test/support/install-packages.ts'
import { createToolCaller, MODERN } from '../../../test/support/mcp.ts'

const COMMAND = 'npm pack ./packages/mcp'

let program: string
let bin: string
let remove: () => void
let account: TestAccount
beforeAll(async () => {
  ;({ project: program, remove } = await installPackages(['mcp']))
  bin = join(program, 'node_modules/.bin/wharf-mcp')
  account = await createTestAccount()
}, 120_000)
afterAll(() => remove())

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
