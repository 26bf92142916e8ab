/** `npm run admin:create`, as who deploys runs it after `serverless deploy`. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { callerOf, server } from '../support/api.ts'

const run = promisify(execFile)

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

const create = (...args: string[]): Promise<Outcome> =>
  run(process.execPath, ['--import', 'tsx', 'scripts/create-admin.ts', ...args], {
    env: { ...process.env, ...server().environment },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

const email = `first-${process.pid}-${Date.now()}@example.com`

it('makes an account whose administrator can sign in and whose keys work', async () => {
  const { code, stdout, stderr } = await create('--account', 'Example', '--name', 'Ada', '--email', email)
  expect(code, stderr).toBe(0)
  const made = JSON.parse(stdout)
  const { status, body } = await callerOf(undefined)('POST', '/auth', { email, password: made.password })
  expect({ status, body }).toMatchObject({ status: 200, body: { accountId: made.accountId, userId: made.userId } })
  const users = await callerOf(body.accessToken)('GET', '/users')
  expect(users.body.data).toMatchObject([{ email, name: 'Ada' }])
  expect(made.environments.map(({ name }: { name: string }) => name)).toEqual(['development', 'production'])
  for (const { id, secretKey } of made.environments)
    expect((await callerOf(secretKey)('GET', `/environments/${id}`)).status).toBe(200)

  const again = await create('--account', 'Other', '--name', 'Eve', '--email', email)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/is the address of a user already/)
})

it('names every problem at once', async () => {
  const { code, stderr } = await create('--account', ' ', '--email', 'nobody', '--password', 'short')
  expect(code).toBe(1)
  for (const key of ['account', 'name', 'email', 'password']) expect(stderr).toMatch(new RegExp(`^${key}: `, 'm'))
})
