/** No credential is found in the table, the bucket, the logs or the events of accounts with activity of every kind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Local } from '../../localstack/seed.ts'
import { createTestAccount, responseListeners, useServer, waitUntil } from '../support/api.ts'
import { clientConfig } from '../support/conformance.ts'
import { createServerInfo } from '../support/own-platform.ts'
import { readFilesBelow, SECRET_PATTERN, scanTable } from '../support/secret-patterns.ts'
import { getCredentials } from '../support/signed-request.ts'
import { runTour } from '../support/tour.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-lived-'))
let child: ChildProcess
let local: Local
let logs = ''
const handedOut = new Map<string, string>()

beforeAll(async () => {
  // The secret of the shared platform would hide the one in this platform's folder.
  delete process.env.WHARF_SECRET
  child = spawn(process.execPath, ['scripts/run-bundled.mjs', 'localstack/start.ts'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: folder,
      PORT: '0',
      CLOUD_PORT: '0',
      LOG_LEVEL: 'DEBUG',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout!.on('data', (chunk) => (printed += chunk))
  child.stderr!.on('data', (chunk) => (logs += chunk))
  await waitUntil(async () => /^ready$/m.test(printed), 60)
  child.stdout!.on('data', (chunk) => (logs += chunk))
  local = JSON.parse(readFileSync(join(folder, 'local.json'), 'utf8'))
}, 90_000)
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
async function call(method: string, path: string, body?: unknown, bearer?: string, more: object = {}): Promise<any> {
  const response = await fetch(`${local.baseUrl}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  collect(text)
  return JSON.parse(text)
}

function collect(text: string): void {
  for (const [found] of text.matchAll(SECRET_PATTERN))
    handedOut.set(`${found.slice(0, 12)}...${found.slice(-6)} in an answer`, found)
}

async function everythingHappens(): Promise<void> {
  useServer(createServerInfo(folder, local))
  responseListeners.push(collect)
  const account = await createTestAccount()
  for (const { secret, publishable } of account.environments) {
    handedOut.set(`secret key of ${secret.environmentId}`, secret.rawKey!)
    handedOut.set(`publishable key of ${secret.environmentId}`, publishable.rawKey!)
  }
  expect((await runTour(account)).length).toBeGreaterThan(80)
}

async function agentsKey(environmentId: string, token: string): Promise<string> {
  const source = 'module.exports = { routeEvent: async () => console.log("seen") }'
  const config = { topics: ['space:created'], slug: 'lived-in', source }
  const { data: agent } = await call('POST', `/agents?environmentId=${environmentId}`, config, token)
  await call('POST', '/spaces', { environmentId, name: 'Seen by the agent' }, token)
  const lambda = new LambdaClient(clientConfig(local.cloud, getCredentials(local.aws)))
  const FunctionName = `wharf-agents-dev-${agent.id}`
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))
  return Object.values(Environment!.Variables!).find((value) => value.startsWith('agk_'))!
}

async function live(): Promise<string> {
  const addSecret = (what: string, secret: string) => {
    expect(secret, what).toBeTruthy()
    handedOut.set(what, secret)
    return secret
  }
  const [{ id: environmentId, secretKey, publishableKey }] = local.environments as [Local['environments'][0]]
  const { email, password } = local.admin
  addSecret('secret key', secretKey)
  addSecret('publishable key', publishableKey)
  addSecret('password', password)
  const token = addSecret('access token', (await call('POST', '/auth', { email, password })).accessToken)
  addSecret('refreshed token', (await call('POST', '/auth/refresh-token', token)).accessToken)
  const repeated = { 'idempotency-key': 'lived-in' }
  const made = await call('POST', '/auth/personal-access-tokens', { name: 'lived' }, token, repeated)
  addSecret('personal access token', made.data.token)
  const { userId } = local.admin
  const pair = await call('POST', `/users/${userId}/api-token?tenantId=${local.accountId}`, undefined, token)
  addSecret('secret of the legacy pair', pair.data.secret)
  const key = await call('POST', `/auth/api-key?environmentId=${environmentId}&type=SECRET`, undefined, token)
  addSecret('new key', key.data[0].rawKey)
  await call('DELETE', `/auth/api-key?environmentId=${environmentId}&key=${key.data[0].rawKey}`, undefined, token)
  const embedded = await call('POST', '/spaces', { name: 'E', guestAuthentication: 'magic_link' }, publishableKey)
  addSecret('embedded token', embedded.data.accessToken)
  const config = { environmentId, email: 'guest@example.com', name: 'G', spaces: [{ id: embedded.data.id }] }
  const [guest] = (await call('POST', '/guests', config, token)).data
  addSecret("guest's token", (await call('GET', `/guests/${guest.id}/token`, undefined, token)).data.token)
  await call('POST', '/invitations', [{ guestId: guest.id, spaceId: embedded.data.id }], token)
  await call('POST', '/users/invite', { email: 'grace@example.com', name: 'Grace' }, token)
  const mails = (await call('GET', '/invitations', undefined, token)).data as { text: string; to: string }[]
  for (const { text, to } of mails) addSecret(`link to ${to}`, /#token=(\S+)/.exec(text)![1]!)
  const link = handedOut.get('link to grace@example.com')!
  await call('POST', '/users/accept-invite', {
    token: link,
    password: addSecret('chosen password', 'correct zebra staple'),
  })
  await call('POST', '/auth', {
    email: 'grace@example.com',
    password: addSecret('wrong password', 'wrong zebra staple'),
  })
  await call('POST', '/invitations/exchange', { token: handedOut.get('link to guest@example.com') })
  await call('POST', '/secrets', { environmentId, name: 'DEEP', value: addSecret('secret', 'deep zebra value') }, token)
  await call('GET', `/secrets?environmentId=${environmentId}`, undefined, token)
  const webhook = { environmentId, url: 'http://127.0.0.1:9/', topics: ['**'] }
  addSecret("webhook's secret", (await call('POST', '/webhooks', webhook, token)).data.secret)
  const subscription = await call('GET', `/subscription?scope=${environmentId}`, undefined, token)
  addSecret('subscription token', subscription.data.token)
  addSecret("agent's key", await agentsKey(environmentId, token))
  await call('GET', '/spaces', undefined, `${secretKey}x`)
  await call(
    'PUT',
    '/auth/sso',
    { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: addSecret('client secret', 'oidc zebra') },
    token,
  )
  return token
}

it('an active account has no key, token, password or secret in plain text', async () => {
  const token = await live()
  expect(new Set(handedOut.values()).size).toBeGreaterThanOrEqual(19)
  const before = handedOut.size
  await everythingHappens()
  expect(handedOut.size).toBeGreaterThan(before + 5)
  const events = JSON.stringify(await call('GET', '/events?pageSize=1000&includeAcknowledged=true', undefined, token))
  const audit = JSON.stringify(await call('GET', '/audit?pageSize=1000', undefined, token))
  let table = ''
  for await (const page of scanTable(local.aws)) table += page
  expect(table.length).toBeGreaterThan(10_000)
  expect(JSON.parse(audit).data.length).toBeGreaterThan(5)
  const bucket = [...readFilesBelow(join(folder, 's3'))].join('\n')
  expect(bucket.length).toBeGreaterThan(1000)
  for (const [what, secret] of handedOut)
    for (const [where, dump] of Object.entries({ table, bucket, events, audit, logs })) {
      expect(dump.includes(secret), `the ${what} is in the ${where}`).toBe(false)
      expect(dump.includes(Buffer.from(secret).toString('base64').slice(0, -4)), `${what} in ${where}`).toBe(false)
    }
}, 300_000)
