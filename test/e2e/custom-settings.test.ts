import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCaller, useServer, waitUntil } from '../support/api.ts'
import { anybody, type Caller, signIn } from '../support/fresh-account.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { callCloud } from '../support/signed-request.ts'

const FROM = 'wharf@example.com'
const folder = mkdtempSync(join(tmpdir(), 'wharf-own-'))
let platform: Platform
let admin: Caller

beforeAll(async () => {
  const own = { MAIL_FROM: FROM, CONSOLE_URL: 'https://console.example/', RATE_LIMIT: '2', ADDRESS_RATE_LIMIT: '3' }
  platform = await startPlatform(folder, own)
  const { baseUrl, cloud, aws } = platform.local
  useServer({ baseUrl, cloud, environment: aws })
  admin = await signIn(platform.local.admin)
}, 90_000)

afterAll(async () => {
  await platform.kill()
  rmSync(folder, { recursive: true, force: true })
})

interface Mail {
  Source: string
  Destination: { ToAddresses: string[] }
  Body: { text_part: string }
}

describe('a deployment with its own settings', () => {
  it('sends the mail of an invitation immediately, and its link signs the user in', async () => {
    const email = 'grace@example.com'
    expect((await admin('POST', '/users/invite', { email, name: 'Grace' })).status).toBe(200)
    const mail = await waitUntil(async () => {
      const { messages } = (await callCloud(platform.local.aws, '/_aws/ses')) as { messages: Mail[] }
      return messages.find(({ Destination }) => Destination.ToAddresses.includes(email))
    })
    expect(mail.Source).toBe(FROM)
    const link = new URL(/^https:.*$/m.exec(mail.Body.text_part)![0])
    expect(link.origin + link.pathname).toBe('https://console.example/accept-invite')
    const outbox = await waitUntil(async () => {
      const { body } = await admin('GET', '/invitations')
      return body.data.find(({ to, sentAt }: { to: string; sentAt?: string }) => to === email && sentAt)
    })
    expect(outbox.text).toBeUndefined()
    const password = 'a password of some length'
    const accepted = { token: link.hash.replace('#token=', ''), password }
    expect((await anybody('POST', '/users/accept-invite', accepted)).status).toBe(200)
    expect((await anybody('POST', '/auth', { email, password })).status).toBe(200)
  })

  it('throttles one token, and says how long to wait', async () => {
    const call = createCaller(platform.local.environments[0]!.secretKey)
    const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/spaces')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(20) // At most two windows.
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answers.find(({ status }) => status === 200)!.headers.get('ratelimit-limit')).toBe('20')
  })

  it('revokes its signing keys by the script', async () => {
    const jwks = async () =>
      (await (await fetch(new URL('/.well-known/jwks.json', platform.local.baseUrl))).json()) as {
        keys: { kid: string }[]
      }
    const [before] = (await jwks()).keys
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['scripts/run-bundled.mjs', 'scripts/admin.ts', 'rotate-keys', '--revoke'],
      {
        env: {
          PATH: process.env.PATH,
          ...platform.local.aws,
        },
      },
    )
    const { keys } = await jwks()
    expect(keys).toHaveLength(1)
    expect(keys[0]!.kid).not.toBe(before!.kid)
    expect(stdout).toContain(keys[0]!.kid)
  }, 30_000)
})
