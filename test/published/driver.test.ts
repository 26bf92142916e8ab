import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Event } from '../../schemas/events/shape.ts'
import { createCaller, createTestAccount, type TestAccount, waitUntil } from '../support/api.ts'
import { type Running, startListener } from './process.ts'

const DRIVER = resolve('test/published/listeners/driver.mjs')
const CLI = resolve('test/published/node_modules/flatfile/dist/index.js')
const DEVELOP = resolve('test/published/listeners/develop.cjs')

let account: TestAccount
let call: ReturnType<typeof createCaller>
let running: Running | undefined
let folder: string | undefined

beforeAll(async () => {
  account = await createTestAccount()
  call = createCaller(account.secretKey)
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const eventsIn = (output: string): Event[] =>
  [...output.matchAll(/^EVENT (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Event)

it.each(['environment', 'space'])(
  'the published driver delivers every event of its %s to a listener, once',
  async (scope) => {
    const space = (await call('POST', '/spaces', { name: 'Driver' })).body.data
    const SCOPE = scope === 'space' ? space.id : account.environmentId
    running = startListener([DRIVER], { env: { SCOPE, FLATFILE_API_KEY: account.secretKey } })
    await running.waitForOutput('READY')
    const made: string[] = []
    for (let round = 0; round < 3; round++) {
      const context = { spaceId: space.id }
      const event = { topic: 'shop:ordered', domain: 'shop', context, payload: { round } }
      const some = await Promise.all([1, 2, 3].map(() => call('POST', '/events', event)))
      made.push(...some.map(({ body }) => body.data.id))
    }
    const listSeenEvents = () => eventsIn(running!.output()).filter(({ topic }) => topic === 'shop:ordered')
    await waitUntil(async () => listSeenEvents().length >= made.length)
    expect(
      listSeenEvents()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(made.toSorted())
    expect(listSeenEvents()[0]!.context).toMatchObject({ accountId: account.accountId, spaceId: space.id })
  },
  60_000,
)

it("the CLI's develop runs a listener from its source", async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'wharf-develop-'))
  folder = cwd
  cpSync(DEVELOP, join(cwd, 'index.js'))
  symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'))
  const env = { FLATFILE_API_KEY: account.secretKey }
  running = startListener([CLI, 'develop', 'index.js'], { cwd, env })
  await running.waitForOutput('Connected to event stream')
  await running.waitForOutput('File change detected')
  const { id } = (await call('POST', '/spaces', { name: 'New' })).body.data
  const nameOf = async () => (await call('GET', `/spaces/${id}`)).body.data.name
  await waitUntil(async () => (await nameOf()) === 'Seen by develop', 20)
}, 90_000)
