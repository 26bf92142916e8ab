import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createCaller, getServer, pluck } from '../support/api.ts'

const run = promisify(execFile)

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

const create = (...args: string[]): Promise<Outcome> =>
  run(process.execPath, ['scripts/run-bundled.mjs', 'scripts/admin.ts', 'create', ...args], {
    env: { ...process.env, ...getServer().environment },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

const email = `first-${process.pid}-${Date.now()}@example.com`

it('creates an account whose administrator can sign in and whose keys work', async () => {
  const { code, stdout, stderr } = await create('--account', 'Example', '--name', 'Ada', '--email', email)
  expect(code, stderr).toBe(0)
  const made = JSON.parse(stdout)
  const { status, body } = await createCaller(undefined)('POST', '/auth', { email, password: made.password })
  expect({ status, body }).toMatchObject({ status: 200, body: { accountId: made.accountId, userId: made.userId } })
  const users = await createCaller(body.accessToken)('GET', '/users')
  expect(users.body.data).toMatchObject([{ email, name: 'Ada' }])
  expect(pluck(made.environments, 'name')).toEqual(['development', 'production'])
  for (const { id, secretKey } of made.environments)
    expect((await createCaller(secretKey)('GET', `/environments/${id}`)).status).toBe(200)

  expect(stderr).toMatch(/password is shown only once.*keys/s)
  const keys = await createCaller(body.accessToken)('GET', `/auth/api-keys?environmentId=${made.environments[0].id}`)
  expect(pluck(keys.body.data, 'rawKey')).toContain(made.environments[0].secretKey)
  expect(JSON.stringify([users.body, keys.body])).not.toContain(made.password)

  const again = await create('--account', 'Other', '--name', 'Ada', '--email', email)
  expect(again.code, again.stderr).toBe(0)
  const other = JSON.parse(again.stdout)
  const signedIn = await createCaller(undefined)('POST', '/auth', { email, password: other.password })
  expect(signedIn.body.accountId).toBe(other.accountId)
  expect(other.accountId).not.toBe(made.accountId)
})

it('names every problem in one run', async () => {
  const { code, stderr } = await create('--account', ' ', '--email', 'nobody', '--password', 'short')
  expect(code).toBe(1)
  for (const key of ['account', 'name', 'email', 'password']) expect(stderr).toMatch(new RegExp(`^${key}: `, 'm'))
})
