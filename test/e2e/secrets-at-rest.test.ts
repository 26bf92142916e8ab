/**
 * Nothing that lets anybody in is found in the table, the bucket, the logs or the events of accounts that were lived in: in one of
 * them everything happened that tells of itself by an event.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Local } from '../../localstack/seed.ts'
import { listeners, mintAccount, until, useServer } from '../support/api.ts'
import { clientConfig } from '../support/conformance.ts'
import { filesBelow, LETS_IN, tableOf } from '../support/lets-in.ts'
import { serverOf } from '../support/own-platform.ts'
import { credentialsOf } from '../support/signed-request.ts'
import { tour } from '../support/tour.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-lived-'))
let child: ChildProcess
let local: Local
let logs = ''
/** Everything that was handed out, by what it is. */
const handedOut = new Map<string, string>()

beforeAll(async () => {
  // The secret of the shared platform would hide the one in this platform's folder.
  delete process.env.WHARF_SECRET
  child = spawn(process.execPath, ['--import', 'tsx', 'localstack/start.ts'], {
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
  await until(async () => /^ready$/m.test(printed), 60)
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
  for (const [found] of text.matchAll(LETS_IN))
    handedOut.set(`${found.slice(0, 12)}...${found.slice(-6)} in an answer`, found)
}

/** Everything happens in an account of its own, and what its answers hand out is collected. */
async function everythingHappens(): Promise<void> {
  useServer(serverOf(folder, local))
  listeners.push(collect)
  const account = await mintAccount()
  for (const { secret, publishable } of account.environments) {
    handedOut.set(`secret key of ${secret.environmentId}`, secret.rawKey!)
    handedOut.set(`publishable key of ${secret.environmentId}`, publishable.rawKey!)
  }
  expect((await tour(account)).length).toBeGreaterThan(80)
}

/** The key an agent has is in its function's variables, and nowhere else. */
async function agentsKey(environmentId: string, token: string): Promise<string> {
  const source = 'module.exports = { routeEvent: async () => console.log("seen") }'
  const config = { topics: ['space:created'], slug: 'lived-in', source }
  const { data: agent } = await call('POST', `/agents?environmentId=${environmentId}`, config, token)
  await call('POST', '/spaces', { environmentId, name: 'Seen by the agent' }, token)
  const lambda = new LambdaClient(clientConfig(local.cloud, credentialsOf(local.aws)))
  const FunctionName = `wharf-agents-dev-${agent.id}`
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))
  return Object.values(Environment!.Variables!).find((value) => value.startsWith('agk_'))!
}

async function live(): Promise<string> {
  const hand = (what: string, secret: string) => {
    expect(secret, what).toBeTruthy()
    handedOut.set(what, secret)
    return secret
  }
  const [{ id: environmentId, secretKey, publishableKey }] = local.environments as [Local['environments'][0]]
  const { email, password } = local.admin
  hand('secret key', secretKey)
  hand('publishable key', publishableKey)
  hand('password', password)
  const token = hand('access token', (await call('POST', '/auth', { email, password })).accessToken)
  hand('refreshed token', (await call('POST', '/auth/refresh-token', token)).accessToken)
  const repeated = { 'idempotency-key': 'lived-in' }
  const made = await call('POST', '/auth/personal-access-tokens', { name: 'lived' }, token, repeated)
  hand('personal access token', made.data.token)
  const { userId } = local.admin
  const pair = await call('POST', `/users/${userId}/api-token?tenantId=${local.accountId}`, undefined, token)
  hand('secret of the legacy pair', pair.data.secret)
  const key = await call('POST', `/auth/api-key?environmentId=${environmentId}&type=SECRET`, undefined, token)
  hand('new key', key.data[0].rawKey)
  await call('DELETE', `/auth/api-key?environmentId=${environmentId}&key=${key.data[0].rawKey}`, undefined, token)
  const embedded = await call('POST', '/spaces', { name: 'E', guestAuthentication: 'magic_link' }, publishableKey)
  hand('embedded token', embedded.data.accessToken)
  const config = { environmentId, email: 'guest@example.com', name: 'G', spaces: [{ id: embedded.data.id }] }
  const [guest] = (await call('POST', '/guests', config, token)).data
  hand("guest's token", (await call('GET', `/guests/${guest.id}/token`, undefined, token)).data.token)
  await call('POST', '/invitations', [{ guestId: guest.id, spaceId: embedded.data.id }], token)
  await call('POST', '/users/invite', { email: 'grace@example.com', name: 'Grace' }, token)
  const mails = (await call('GET', '/invitations', undefined, token)).data as { text: string; to: string }[]
  for (const { text, to } of mails) hand(`link to ${to}`, /#token=(\S+)/.exec(text)![1]!)
  const link = handedOut.get('link to grace@example.com')!
  await call('POST', '/users/accept-invite', { token: link, password: hand('chosen password', 'correct zebra staple') })
  await call('POST', '/auth', { email: 'grace@example.com', password: hand('wrong password', 'wrong zebra staple') })
  await call('POST', '/invitations/exchange', { token: handedOut.get('link to guest@example.com') })
  await call('POST', '/secrets', { environmentId, name: 'DEEP', value: hand('secret', 'deep zebra value') }, token)
  await call('GET', `/secrets?environmentId=${environmentId}`, undefined, token)
  const webhook = { environmentId, url: 'http://127.0.0.1:9/', topics: ['**'] }
  hand("webhook's secret", (await call('POST', '/webhooks', webhook, token)).data.secret)
  const subscription = await call('GET', `/subscription?scope=${environmentId}`, undefined, token)
  hand('subscription token', subscription.data.token)
  hand("agent's key", await agentsKey(environmentId, token))
  await call('GET', '/spaces', undefined, `${secretKey}x`)
  await call(
    'PUT',
    '/auth/sso',
    { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: hand('client secret', 'oidc zebra') },
    token,
  )
  return token
}

it('an account that was lived in keeps no key, token, password or secret as it is', async () => {
  const token = await live()
  expect(new Set(handedOut.values()).size).toBeGreaterThanOrEqual(19)
  const before = handedOut.size
  await everythingHappens()
  expect(handedOut.size).toBeGreaterThan(before + 5)
  const events = JSON.stringify(await call('GET', '/events?pageSize=1000&includeAcknowledged=true', undefined, token))
  const audit = JSON.stringify(await call('GET', '/audit?pageSize=1000', undefined, token))
  let table = ''
  for await (const page of tableOf(local.aws)) table += page
  expect(table.length).toBeGreaterThan(10_000)
  expect(JSON.parse(audit).data.length).toBeGreaterThan(5)
  const bucket = [...filesBelow(join(folder, 's3'))].join('\n')
  expect(bucket.length).toBeGreaterThan(1000)
  for (const [what, secret] of handedOut)
    for (const [where, dump] of Object.entries({ table, bucket, events, audit, logs })) {
      expect(dump.includes(secret), `the ${what} is in the ${where}`).toBe(false)
      expect(dump.includes(Buffer.from(secret).toString('base64').slice(0, -4)), `${what} in ${where}`).toBe(false)
    }
}, 300_000)
