/** An account with data of every kind, for visits to all pages. */
import { getAccessToken } from '../support/api.ts'
import { createCaller, createTestAccount, FIELDS, mintSpace, type TestAccount, waitUntil } from './browser.ts'

export async function newActiveAccount(given?: TestAccount) {
  const account = given ?? (await createTestAccount())
  const action = { operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }
  const made = await mintSpace(account, 'Spring import', { actions: [action] })
  const { call, space, sheet, workbook } = made
  const { environmentId } = account
  const people = [
    { name: 'Ada Lovelace', email: 'ada@example.com', age: 36, status: 'active' },
    { name: 'Grace Hopper', email: 'grace@example.com', age: 'unknown', status: 'gone' },
    { email: 'ada@example.com', age: 41, status: 'moved' },
  ]
  const { records } = (await call('POST', `/sheets/${sheet.id}/records`, people)).body.data
  await call('POST', '/snapshots', { sheetId: sheet.id, label: 'Before the corrections' })
  await call('PUT', `/sheets/${sheet.id}/records`, [{ id: records[0].id, values: { age: { value: 37 } } }])
  await call('POST', '/views', { sheetId: sheet.id, name: 'What is wrong', config: { filter: 'error' } })
  const clip = (await call('POST', '/data-clips', { name: 'For Grace', sourceSheetId: sheet.id })).body
  await call('POST', `/data-clips/${clip.id}/add-records`, { recordIds: records.map(({ id }: { id: string }) => id) })
  const copies = (await call('GET', `/sheets/${clip.clipSheetId}/records`)).body.data.records
  await call('PUT', `/sheets/${clip.clipSheetId}/records`, [{ id: copies[0].id, values: { age: { value: 38 } } }])
  await call('PUT', `/sheets/${sheet.id}/records`, [{ id: records[0].id, values: { age: { value: 39 } } }])
  const body =
    '# Welcome\n\nDrop your file, look through the columns, correct what is red.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  const document = (await call('POST', `/spaces/${space.id}/documents`, { title: 'Read me', body })).body.data
  const spaces = [{ id: space.id }]
  for (const name of ['Grace', 'Joan'])
    await call('POST', '/guests', [{ environmentId, email: `${name.toLowerCase()}@example.com`, name, spaces }])

  const source = { name: 'people.csv', labels: ['file'], sheets: [{ name: 'people', fields: columns() }] }
  const file = (await call('POST', '/workbooks', { spaceId: space.id, ...source })).body.data
  await call('POST', `/sheets/${file.sheets[0].id}/records`, [
    { full_name: 'Ada', mail: 'ada@example.com', state: 'retired' },
  ])
  const config = { sourceSheetId: file.sheets[0].id, destinationSheetId: sheet.id }
  const map = { type: 'workbook', operation: 'map', source: file.id, destination: workbook.id, managed: true, config }
  const job = (await call('POST', '/jobs', map)).body.data
  await waitUntil(async () => (await call('GET', `/jobs/${job.id}/plan`)).status === 200)

  await uploadFile(account, space.id, 'people.csv', 'Full name,E-mail\nAda,ada@example.com\n')

  const failed = (await call('POST', '/jobs', { type: 'space', operation: 'submit', source: space.id })).body.data
  await call('POST', `/jobs/${failed.id}/fail`, { outcome: { message: 'The warehouse does not answer.' } })
  const done = (await call('POST', '/jobs', { type: 'space', operation: 'count', source: space.id })).body.data
  await call('POST', `/jobs/${done.id}/execute`, {})
  await call('POST', `/jobs/${done.id}/ack`, {})
  await call('POST', `/jobs/${done.id}/complete`, { outcome: { message: 'All counted.' } })
  await call('POST', '/agents', { slug: 'tidy', topics: ['commit:created'], source: 'exports.routeEvent = () => {}' })
  await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', topics: ['space:created'], environmentId })
  await call('POST', '/secrets', { name: 'CRM_KEY', value: 'nobody guesses this', environmentId })
  const admin = await signInAdministrator(account)
  await admin('POST', '/data-retention-policies', { type: 'lastActivity', period: 30, environmentId })
  await admin('POST', '/auth/personal-access-tokens', { name: 'nightly' })
  return { account, admin, clip, document, job, ...made }
}

const columns = () => [
  { key: 'full_name', label: 'Full name', type: 'string' },
  { key: 'mail', label: 'Mail', type: 'string' },
  ...FIELDS.slice(2, 3),
  { key: 'state', label: 'State', type: 'string' },
]

async function signInAdministrator({ email, password }: TestAccount) {
  const accessToken = await getAccessToken({ email, password })
  return createCaller(accessToken)
}

export async function uploadFile(account: TestAccount, spaceId: string, name: string, text: string): Promise<void> {
  const form = new FormData()
  form.set('spaceId', spaceId)
  form.set('environmentId', account.environmentId)
  form.set('file', new Blob([text]), name)
  const { baseUrl } = (await import('../support/api.ts')).getServer()
  const headers = { authorization: `Bearer ${account.secretKey}` }
  await fetch(`${baseUrl}/v1/files`, { method: 'POST', headers, body: form })
}
