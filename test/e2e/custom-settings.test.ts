import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Local } from '../../localstack/seed.ts'
import { waitUntil } from '../support/api.ts'
import { callCloud } from '../support/signed-request.ts'

const FROM = 'wharf@example.com'
const folder = mkdtempSync(join(tmpdir(), 'wharf-own-'))
let child: ChildProcess
let local: Local
let token: string

beforeAll(async () => {
  const own = { MAIL_FROM: FROM, CONSOLE_URL: 'https://console.example/', RATE_LIMIT: '2', ADDRESS_RATE_LIMIT: '3' }
  child = spawn(process.execPath, ['--import', 'tsx', 'localstack/start.ts'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, PORT: '0', CLOUD_PORT: '0', ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout!.on('data', (chunk) => (text += chunk))
  await waitUntil(async () => /^ready$/m.test(text), 60)
  local = JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8'))
  const { email, password } = local.admin
  token = (await call('POST', '/auth', { email, password })).body.accessToken
}, 90_000)

afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
async function call(method: string, path: string, body?: object, bearer?: string): Promise<any> {
  const response = await fetch(`${local.baseUrl}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

interface Mail {
  Source: string
  Destination: { ToAddresses: string[] }
  Body: { text_part: string }
}

describe('a deployment with its own settings', () => {
  it('sends the mail of an invitation immediately, and its link signs the user in', async () => {
    const email = 'grace@example.com'
    expect((await call('POST', '/users/invite', { email, name: 'Grace' }, token)).status).toBe(200)
    const mail = await waitUntil(async () => {
      const { messages } = (await callCloud(local.aws, '/_aws/ses')) as { messages: Mail[] }
      return messages.find(({ Destination }) => Destination.ToAddresses.includes(email))
    })
    expect(mail.Source).toBe(FROM)
    const link = new URL(/^https:.*$/m.exec(mail.Body.text_part)![0])
    expect(link.origin + link.pathname).toBe('https://console.example/accept-invite')
    const outbox = await waitUntil(async () => {
      const { body } = await call('GET', '/invitations', undefined, token)
      return body.data.find(({ to, sentAt }: { to: string; sentAt?: string }) => to === email && sentAt)
    })
    expect(outbox.text).toBeUndefined()
    const password = 'a password of some length'
    const accepted = { token: link.hash.replace('#token=', ''), password }
    expect((await call('POST', '/users/accept-invite', accepted)).status).toBe(200)
    expect((await call('POST', '/auth', { email, password })).status).toBe(200)
  })

  it('throttles one token, and says how long to wait', async () => {
    const key = local.environments[0]!.secretKey
    const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/spaces', undefined, key)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(20) // At most two windows.
    expect(Number(refused[0].headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answers.find(({ status }) => status === 200).headers.get('ratelimit-limit')).toBe('20')
  })

  it('revokes its signing keys by the script', async () => {
    const jwks = async () =>
      (await (await fetch(new URL('/.well-known/jwks.json', local.baseUrl))).json()) as { keys: { kid: string }[] }
    const [before] = (await jwks()).keys
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'scripts/admin.ts', 'rotate-keys', '--revoke'],
      {
        env: {
          PATH: process.env.PATH,
          ...local.aws,
        },
      },
    )
    const { keys } = await jwks()
    expect(keys).toHaveLength(1)
    expect(keys[0]!.kid).not.toBe(before!.kid)
    expect(stdout).toContain(keys[0]!.kid)
  }, 30_000)
})
