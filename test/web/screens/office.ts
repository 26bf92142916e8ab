import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newActiveAccount, uploadFile } from '../active-account.ts'
import { createCaller, createTestAccount, FIELDS, mintSpace, type TestAccount, waitUntil } from '../browser.ts'
import { CSV, newAddress, RECORDS, toEmail } from './people.ts'

const CHAPTERS = ['Berlin', 'Cairo', 'Lima', 'London', 'Madrid']
const GUESTS = ['Alan Turing', 'Barbara Liskov', 'Donald Knuth', 'Frances Allen', 'Katherine Johnson', 'Radia Perlman']
const CHECK_ADDRESSES = `exports.routeEvent = async () => {
  console.log('Checking the new addresses')
  const found = ['exmaple.com', 'gmial.com']
  for (const domain of found) console.warn('No mail server:', domain)
  console.log('Done,', found.length, 'warnings')
}`
const TELL_CRM = `exports.routeEvent = async (event) => {
  console.log('Sending', event.payload.title, 'to the CRM')
  throw new Error('The CRM answered 503 Service Unavailable.')
}`

type Call = ReturnType<typeof createCaller>
// biome-ignore lint/suspicious/noExplicitAny: the objects are only opened
type Found = any

async function startListener() {
  const server = createServer((_request, response) => response.end('{"received":true}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/members`
  return { url, close: () => void server.close() }
}

async function addDevelopment(call: Call, environmentId: string, url: string) {
  const topics = ['space:created', 'job:failed', 'job:completed']
  const webhook = (await call('POST', '/webhooks', { url, topics, environmentId, description: 'CRM' })).body.data
  await call('POST', '/agents', { slug: 'tell-crm', topics: ['document:created'], source: TELL_CRM })
  const config = { slug: 'check-addresses', topics: ['commit:created'] }
  await call('POST', '/agents', { ...config, source: 'exports.routeEvent = async () => {}' })
  const agent = (await call('POST', '/agents', { ...config, source: CHECK_ADDRESSES })).body.data
  for (const name of ['CRM_TOKEN', 'MAIL_PASSWORD']) {
    const secret = { name, value: 'nobody guesses this', environmentId }
    await call('POST', '/secrets', secret)
  }
  return { webhook, agent }
}

async function addPeople(admin: Call, environmentId: string) {
  const roles = [{ roleId: 'us_rol_administrator', resourceId: environmentId }]
  await admin('POST', '/users/invite', { name: 'Grace Hopper', email: 'grace@harbor.example', actorRoles: roles })
  await admin('POST', '/users/invite', { name: 'Edsger Dijkstra', email: 'edsger@harbor.example' })
  await admin('POST', '/environments', { name: 'staging', isProd: false })
  await admin('POST', '/auth/personal-access-tokens', { name: 'reports on Monday' })
  await admin('POST', '/data-retention-policies', { type: 'sinceCreated', period: 365, environmentId })
  const sheets = ['Members', 'Chapters'].map((name) => ({ name, slug: name.toLowerCase(), fields: FIELDS }))
  const action = { operation: 'submit', label: 'Submit', mode: 'foreground', primary: true }
  const workbooks = [{ name: 'Members of a chapter', sheets, actions: [action] }]
  await admin('POST', `/environments/${environmentId}/autobuilds`, { workbooks })
}

function addChapters(account: TestAccount) {
  const { environmentId } = account
  const addChapter = async (chapter: string, at: number) => {
    const { call, space, sheet } = await mintSpace(account, `Members of ${chapter}`)
    await call('POST', `/sheets/${sheet.id}/records`, RECORDS.slice(at * 3, at * 3 + 12 + 5 * at))
    const names = GUESTS.slice(at, at + 2)
    const guests = names.map((name) => ({ environmentId, name, email: toEmail(name), spaces: [{ id: space.id }] }))
    await call('POST', '/guests', guests)
    if (at < 3) await uploadFile(account, space.id, `${chapter.toLowerCase()}.csv`, CSV)
    return space
  }
  return Promise.all(CHAPTERS.map(addChapter))
}

async function inviteGrace(call: Call, spaces: readonly { id: string }[]) {
  const grace = (await call('GET', '/guests?email=grace@example.com')).body.data[0]
  await call('PATCH', `/guests/${grace.id}`, { name: 'Grace Hopper', spaces: spaces.map(({ id }) => ({ id })) })
  for (const { id } of spaces.slice(0, 2)) await call('POST', '/invitations', [{ guestId: grace.id, spaceId: id }])
  return grace
}

export async function newOffice() {
  const listener = await startListener()
  const person = { name: 'Harbor', userName: 'Ada Lovelace', email: newAddress() }
  const account = await createTestAccount(person)
  const { environmentId } = account
  const early = createCaller(account.secretKey)
  const { webhook, agent } = await addDevelopment(early, environmentId, listener.url)
  const { admin, call, job, space } = await newActiveAccount(account)
  await addPeople(admin, environmentId)
  const chapters = await addChapters(account)
  const guest = await inviteGrace(call, [space, ...chapters.slice(0, 3)])
  await call('POST', `/jobs/${job.id}/execute`, {})
  const find = (path: string, check: (found: Found) => unknown): Promise<Found> =>
    waitUntil(async () => (await call('GET', path)).body.data.find(check), 60)
  await find(`/jobs?spaceId=${space.id}&operation=map`, ({ status }) => status === 'completed')
  await find(`/webhooks/${webhook.id}/deliveries`, ({ status }) => status === 'delivered')
  await find(`/agents/${agent.id}/logs`, ({ success }) => success)
  const file = await find(`/files?spaceId=${chapters[0]!.id}`, ({ workbookId }) => workbookId)
  const event = await find(`/events?environmentId=${environmentId}&pageSize=100`, ({ topic }) => topic === 'job:failed')
  const ids: Record<string, string> = {
    spaces: space.id,
    files: file.id,
    jobs: job.id,
    guests: guest.id,
    users: account.userId,
    agents: agent.id,
    events: event.id,
    webhooks: webhook.id,
    environments: environmentId,
  }
  return { account, call, ids, spaceId: space.id, chapters, close: listener.close }
}
