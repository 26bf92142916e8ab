/** Published plugins, unmodified, work the same over both transports of this project's driver. */
import { Client, type FlatfileListener } from '@flatfile/listener'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Driver, type DriverOptions } from '../../packages/listener-driver/src/index.ts'
import { createCaller, createTestAccount, getServer, type TestAccount, waitUntil } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof createCaller>
let driver: Driver

beforeAll(async () => {
  account = await createTestAccount()
  call = createCaller(account.secretKey)
  const { baseUrl } = getServer()
  Object.assign(process.env, {
    FLATFILE_API_URL: baseUrl,
    AGENT_INTERNAL_URL: baseUrl,
    FLATFILE_API_KEY: account.secretKey,
    FLATFILE_BEARER_TOKEN: account.secretKey,
  })
})
afterEach(() => driver.close())

async function mountListener(transport: DriverOptions['transport'], setUp: (listener: FlatfileListener) => void) {
  driver = new Driver({ scope: account.environmentId, transport })
  Client.create(setUp).mount(driver)
  await driver.ready
}

const newSpace = async () => (await call('POST', '/spaces', { name: 'Driver' })).body.data.id as string

describe.each(['websocket', 'long-poll'] as const)('over %s', (transport) => {
  it('plugin-record-hook corrects a record', async () => {
    const { recordHook } = await import('@flatfile/plugin-record-hook')
    await mountListener(transport, (listener) => {
      listener.use(
        recordHook('people', (record) => {
          record.set('name', String(record.get('name')).toUpperCase())
          record.addInfo('name', 'in capitals')
        }),
      )
    })
    const spaceId = await newSpace()
    const sheets = [{ name: 'People', slug: 'people', fields: [{ key: 'name', type: 'string' }] }]
    const workbook = (await call('POST', '/workbooks', { spaceId, name: 'W', sheets })).body.data
    const path = `/sheets/${workbook.sheets[0].id}/records`
    await call('POST', path, [{ name: { value: 'ada' } }])
    const cell = await waitUntil(async () => {
      const { records } = (await call('GET', `${path}?includeMessages=true`)).body.data
      return records[0].values.name.value === 'ADA' && records[0].values.name
    }, 15)
    expect(cell.messages).toMatchObject([{ type: 'info', message: 'in capitals' }])
  })

  it('plugin-job-handler handles a job', async () => {
    const { jobHandler } = await import('@flatfile/plugin-job-handler')
    await mountListener(transport, (listener) => {
      listener.use(
        jobHandler('space:tidy', async (_event, tick) => {
          await tick(50, 'half')
          return { outcome: { message: 'all tidy' } }
        }),
      )
    })
    const job = { type: 'space', operation: 'tidy', source: await newSpace(), trigger: 'immediate' }
    const { id } = (await call('POST', '/jobs', job)).body.data
    const done = await waitUntil(async () => {
      const { data } = (await call('GET', `/jobs/${id}`)).body
      return data.status === 'completed' && data
    }, 15)
    expect(done.outcome.message).toBe('all tidy')
  })
})
