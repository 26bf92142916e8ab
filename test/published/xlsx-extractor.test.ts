/** The published XLSX extractor, unmodified, extracts in spaces that leave extraction to listeners. */
import { Client } from '@flatfile/listener'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Driver } from '../../packages/listener-driver/src/index.ts'
import { createCaller, createTestAccount, getServer, type TestAccount, waitUntil } from '../support/api.ts'
import { uploadFile } from '../support/upload.ts'
import { buildWorkbookByHand } from '../support/xlsx-by-hand.ts'

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
  const { ExcelExtractor } = await import('@flatfile/plugin-xlsx-extractor')
  driver = new Driver({ scope: account.environmentId })
  Client.create((listener) => void listener.use(ExcelExtractor())).mount(driver)
  await driver.ready
})
afterAll(() => driver.close())

const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const workbook = buildWorkbookByHand({
  sheets: [
    {
      name: 'People',
      data: `<row r="1">${text('A1', 'Name')}${text('B1', 'Age')}</row><row r="2">${text('A2', 'Ada')}<c r="B2"><v>36</v></c></row>`,
    },
    { name: 'Empty', data: '' },
  ],
})

it('extracts a workbook, once', async () => {
  const space = { name: 'Listeners', settings: { extraction: 'listener' } }
  const spaceId = (await call('POST', '/spaces', space)).body.data.id
  const fileId = await uploadFile(account, spaceId, 'people.xlsx', workbook)
  const file = await waitUntil(async () => {
    const { data } = (await call('GET', `/files/${fileId}`)).body
    return data.status === 'complete' && data.workbookId && data
  }, 30)
  const jobs = await waitUntil(async () => {
    const { data } = (await call('GET', `/jobs?fileId=${fileId}`)).body
    return data[0]?.status === 'completed' && data
  }, 10)
  expect(jobs.map(({ operation }: { operation: string }) => operation)).toEqual(['extract-plugin-excel'])
  const extracted = (await call('GET', `/workbooks/${file.workbookId}`)).body.data
  expect(extracted).toMatchObject({ name: '[file] people.xlsx', treatments: ['EXTRACTED_FROM_SOURCE'] })
  expect(extracted.sheets.map(({ name }: { name: string }) => name)).toEqual(['People'])
  const { records } = (await call('GET', `/sheets/${extracted.sheets[0].id}/records`)).body.data
  expect(
    records.map(({ values }: { values: Record<string, { value: unknown }> }) =>
      Object.entries(values).map(([key, { value }]) => [key, value]),
    ),
  ).toEqual([
    [
      ['name', 'Ada'],
      ['age', '36'],
    ],
  ])
}, 60_000)
