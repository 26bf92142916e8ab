import { Client, type FlatfileListener } from '@flatfile/listener'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Driver } from '../../packages/listener-driver/src/index.ts'
import { createCaller, createDataCaller, createTestAccount, getServer, waitUntil } from '../support/api.ts'

let call: ReturnType<typeof createCaller>
let driver: Driver

const FIELDS = [
  { key: 'email', type: 'string' as const, label: 'E-mail' },
  { key: 'name', type: 'string' as const, label: 'Name' },
]

beforeAll(async () => {
  const account = await createTestAccount()
  call = createCaller(account.secretKey)
  const { baseUrl } = getServer()
  Object.assign(process.env, {
    FLATFILE_API_URL: baseUrl,
    AGENT_INTERNAL_URL: baseUrl,
    FLATFILE_API_KEY: account.secretKey,
    FLATFILE_BEARER_TOKEN: account.secretKey,
  })
  const { configureSpace } = await import('@flatfile/plugin-space-configure')
  const { dedupePlugin } = await import('@flatfile/plugin-dedupe')
  const actions = [{ operation: 'dedupe', label: 'Remove duplicates', mode: 'foreground' as const, primary: true }]
  const setup = {
    workbooks: [
      {
        name: 'Contacts',
        namespace: 'contacts',
        sheets: [{ name: 'People', slug: 'people', fields: FIELDS, actions }],
      },
    ],
    documents: [{ title: 'Welcome', body: '# Hello' }],
    space: { metadata: { theme: { root: { primaryColor: 'red' } } } },
  }
  driver = new Driver({ scope: account.environmentId })
  Client.create((listener) => {
    listener.use(configureSpace(setup))
    const dedupe = (operation: string, options: object) =>
      dedupePlugin(operation, options) as unknown as (listener: FlatfileListener) => void
    listener.use(dedupe('dedupe', { on: 'email', keep: 'last' }))
    listener.use(dedupe('dedupe-first', { on: 'email', keep: 'first' }))
  }).mount(driver)
  await driver.ready
})
afterAll(() => driver.close())

const must = createDataCaller(() => call)
const findJob = async (spaceId: string, operation: string) =>
  (await must('GET', `/jobs?spaceId=${spaceId}&operation=${operation}`))[0]
const waitForCompletion = (spaceId: string, operation: string) =>
  waitUntil(async () => {
    const job = await findJob(spaceId, operation)
    expect(job?.status, job?.info).not.toBe('failed')
    return job?.status === 'completed' && job
  }, 30)

it('plugin-space-configure configures a space on request, once, with all its parts', async () => {
  const { id } = await must('POST', '/spaces', { name: 'Asked', autoConfigure: true })
  const job = await waitForCompletion(id, 'configure')
  expect(job).toMatchObject({ type: 'space', source: id, progress: 100, trigger: 'immediate' })
  const space = await must('GET', `/spaces/${id}`)
  const [workbook, ...more] = await must('GET', `/workbooks?spaceId=${id}`)
  expect(more).toEqual([])
  expect(space).toMatchObject({
    primaryWorkbookId: workbook.id,
    metadata: { theme: { root: { primaryColor: 'red' } } },
  })
  expect(workbook).toMatchObject({ name: 'Contacts', namespace: 'contacts', sheets: [{ slug: 'people' }] })
  expect(await must('GET', `/spaces/${id}/documents`)).toMatchObject([{ title: 'Welcome' }])
  const { id: plain } = await must('POST', '/spaces', { name: 'Not asked' })
  expect(await findJob(plain, 'configure')).toBeUndefined()
})

it.each([
  ['dedupe', ['grace', 'ada again', 'linus']],
  ['dedupe-first', ['ada', 'grace', 'linus']],
])('plugin-dedupe removes duplicates, requested by a job (%s)', async (operation, left) => {
  const { id } = await must('POST', '/spaces', { name: 'Repeating', autoConfigure: true })
  await waitForCompletion(id, 'configure')
  const [workbook] = await must('GET', `/workbooks?spaceId=${id}`)
  const [sheet] = workbook.sheets
  const row = (email: string, name: string) => ({ email, name })
  const rows = [row('a', 'ada'), row('g', 'grace'), row('a', 'ada again'), row('l', 'linus')]
  await must('POST', `/sheets/${sheet.id}/records`, rows)
  await must('POST', '/jobs', { type: 'sheet', operation, source: sheet.id, trigger: 'immediate' })
  await waitForCompletion(id, operation)
  await waitUntil(async () => (await must('GET', `/sheets/${sheet.id}/records`)).records.length === 3, 30)
  const { records } = await must('GET', `/sheets/${sheet.id}/records`)
  expect(records.map(({ values }: { values: { name: { value: string } } }) => values.name.value)).toEqual(left)
  expect((await findJob(id, operation)).info).toBe('Successfully removed records')
})
