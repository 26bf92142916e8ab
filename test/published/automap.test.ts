/** The published automap plugin, unmodified, maps files by the platform's plans, or leaves them to people. */
import { resolve } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createCaller, createTestAccount, getServer, type TestAccount, waitUntil } from '../support/api.ts'
import { type Running, startListener } from './process.ts'

const AUTOMAP = resolve('test/published/listeners/automap.mjs')

let account: TestAccount
let call: ReturnType<typeof createCaller>
let spaceId: string
let sheetId: string
let running: Running | undefined

beforeAll(async () => {
  account = await createTestAccount()
  call = createCaller(account.secretKey)
  spaceId = (await call('POST', '/spaces', { name: 'Automap' })).body.data.id
  const fields = ['first_name', 'last_name', 'email', 'street', 'postal_code', 'city'].map((key) => ({
    key,
    type: 'string',
  }))
  const config = { spaceId, name: 'Contacts', sheets: [{ name: 'Contacts', slug: 'contacts', fields }] }
  sheetId = (await call('POST', '/workbooks', config)).body.data.sheets[0].id
})
afterEach(async () => {
  await running?.stop()
  running = undefined
})

async function upload(name: string, content: string): Promise<void> {
  const form = new FormData()
  form.append('spaceId', spaceId)
  form.append('environmentId', account.environmentId)
  form.append('file', new Blob([content]), name)
  const headers = { authorization: `Bearer ${account.secretKey}` }
  const response = await fetch(`${getServer().baseUrl}/v1/files`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(200)
}

const started = async (ACCURACY: string) => {
  running = startListener([AUTOMAP], { env: { SCOPE: spaceId, ACCURACY, FLATFILE_API_KEY: account.secretKey } })
  await running.waitForOutput('READY')
}
const mapping = () =>
  waitUntil(async () => {
    const jobs = (await call('GET', `/jobs?spaceId=${spaceId}`)).body.data
    return jobs.find(({ operation }: { operation: string }) => operation === 'map')
  }, 40)
const records = async () => (await call('GET', `/sheets/${sheetId}/records`)).body.data.records

it('imports a file with recognized columns into the sheet without user action', async () => {
  await started('confident')
  await upload(
    'Kunden contacts.csv',
    'Vorname;Nachname;E-Mail-Adresse;Straße;PLZ;Ort\nAda;Lovelace;ada@example.com;Am Markt 1;10115;Berlin\n',
  )
  const { id } = await mapping()
  const done = await waitUntil(async () => {
    const job = (await call('GET', `/jobs/${id}`)).body.data
    return job.status === 'completed' && job
  }, 40)
  expect(done.input).toEqual({ isAutomap: true })
  const [record] = await records()
  const values = Object.fromEntries(
    Object.entries(record.values as Record<string, { value: unknown }>).map(([key, { value }]) => [key, value]),
  )
  expect(values).toEqual({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    street: 'Am Markt 1',
    postal_code: '10115',
    city: 'Berlin',
  })
  const files = (await call('GET', `/files?spaceId=${spaceId}`)).body.data
  expect(files[0].name).toContain('🔁 Contacts')
}, 120_000)

it('leaves a file with uncertain columns waiting with its plan for people', async () => {
  await started('exact')
  const before = (await records()).length
  await upload('Odd contacts.csv', 'Work E-Mail;Col 2\nbob@example.com;x\n')
  await running!.waitForOutput('FAILED us_jb_')
  const jobId = /FAILED (us_jb_\w+)/.exec(running!.output())![1]
  const { job, plan } = (await call('GET', `/jobs/${jobId}/plan`)).body.data
  expect(job.status).toBe('planning')
  expect(plan.fieldMapping[0].metadata).toMatchObject({ certainty: 'moderate' })
  expect(await records()).toHaveLength(before)
}, 120_000)
