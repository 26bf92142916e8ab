import { setTimeout as sleep } from 'node:timers/promises'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import type { Event } from '../../schemas/events/shape.ts'
import { createCaller, createTestAccount, getAccessToken, getServer, type TestAccount, waitUntil } from './api.ts'
import { runRetentionLater } from './retention.ts'

type Must = <T = { id: string }>(method: string, path: string, body?: unknown) => Promise<T>

interface TourScope {
  must: Must
  token: string
  environmentId: string
  spaceId: string
}

const FIELDS = [
  { key: 'email', type: 'string' },
  { key: 'age', type: 'number' },
]

export async function runTour(account?: TestAccount): Promise<Event[]> {
  const { email, password, environmentId, secretKey } = account ?? (await createTestAccount())
  const token = await getAccessToken({ email, password })
  const must = mustOf(token)
  const settings = { extraction: 'listener' }
  const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Tour', namespace: 'tour', settings })
  const place = { must, token, environmentId, spaceId }
  const gone = await tourEnvironments(place)
  await tourAgents(place)
  await tourSpaces(place)
  await tourWorkbooks(place)
  await tourRecords(place, secretKey)
  await tourFiles(place)
  await tourJobs(place)
  await tourSecrets(place)
  await tourDiscussions(place)
  await tourPrograms(place)
  await tourGuests(place)
  await tourClips(place)
  await tourClock(place)
  await tourRetention(place)
  return [...(await listAllEvents(token)), ...(await listDeletedEnvironmentEvents(gone))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

const mustOf =
  (token: string): Must =>
  async (method, path, body) => {
    const response = await createCaller(token)(method, path, body)
    if (response.status !== 200)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body.data
  }

async function tourEnvironments({ must }: TourScope): Promise<string> {
  const { id } = await must('POST', '/environments', { name: 'Short-lived', isProd: false })
  await must('PATCH', `/environments/${id}`, { name: 'Short' })
  await must('POST', `/environments/${id}/autobuilds`, { workbooks: [{ name: 'First' }] })
  await must('DELETE', `/environments/${id}`)
  return id
}

async function tourAgents({ must, environmentId }: TourScope): Promise<void> {
  const source = 'module.exports = { routeEvent: async () => {} }'
  const config = { topics: ['space:created'], compiler: 'js', slug: 'tour', source }
  const { id } = await must('POST', `/agents?environmentId=${environmentId}`, config)
  await must('POST', `/agents?environmentId=${environmentId}`, { ...config, topics: ['space:updated'] })
  await must('DELETE', `/agents/${id}?environmentId=${environmentId}`)
}

async function tourSpaces({ must, environmentId }: TourScope): Promise<void> {
  const { id } = await must('POST', '/spaces', { environmentId, name: 'Archived' })
  const primary = await must('POST', '/workbooks', { spaceId: id, name: 'Primary' })
  await must('PATCH', `/spaces/${id}`, { name: 'Renamed', primaryWorkbookId: primary.id })
  await must('POST', `/spaces/${id}/archive`)
  await must('POST', `/spaces/${id}/unarchive`)
  await must('DELETE', `/spaces/${id}`)
}

interface Workbook {
  id: string
  sheets: { id: string; slug: string }[]
}

const createWorkbook = (must: Must, spaceId: string, settings: object = {}): Promise<Workbook> =>
  must('POST', '/workbooks', {
    spaceId,
    name: 'People',
    sheets: [
      { name: 'People', slug: 'people', fields: FIELDS },
      { name: 'Other', slug: 'other', fields: FIELDS },
    ],
    settings,
  })

async function tourWorkbooks({ must, spaceId }: TourScope): Promise<void> {
  const { id, sheets } = await createWorkbook(must, spaceId)
  await must('PATCH', `/workbooks/${id}`, { name: 'Renamed' })
  await must('POST', `/sheets/${sheets[0]!.id}/fields`, { key: 'name', type: 'string' })
  await must('DELETE', `/sheets/${sheets[1]!.id}`)
  await must('DELETE', `/workbooks/${id}`)
}

async function tourRecords({ must, token, spaceId }: TourScope, secretKey: string): Promise<void> {
  const [sheet] = (await createWorkbook(must, spaceId, { trackChanges: true })).sheets
  const path = `/sheets/${sheet!.id}/records`
  const inserted = await must<{ commitId: string; records: { id: string }[] }>('POST', path, [
    { email: { value: 'ada@example.com' }, age: { value: 36 } },
    { email: { value: 'grace@example.com' } },
  ])
  const [first, second] = inserted.records.map(({ id }) => id)
  const called = (await listAllEvents(token)).find(
    ({ topic, context }) => topic === 'commit:created' && context.sheetId === sheet!.id,
  )!
  const response = await fetch(`${getServer().baseUrl}/${called.dataUrl}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json', 'x-disable-hooks': 'true' },
    body: JSON.stringify([{ id: first, values: { age: { value: 37 } } }]),
  })
  if (response.status !== 200) throw new Error(`PUT ${called.dataUrl}: ${response.status} ${await response.text()}`)
  await must('DELETE', `${path}?ids=${second}`)
  await must('POST', '/snapshots', { sheetId: sheet!.id, label: 'Tour' })
}

async function upload({ token, environmentId, spaceId }: TourScope): Promise<string> {
  const form = new FormData()
  form.append('spaceId', spaceId)
  form.append('environmentId', environmentId)
  form.append('file', new Blob(['name\nAda\n'], { type: 'application/octet-stream' }), 'people.bin')
  const sent = await fetch(`${getServer().baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  return ((await sent.json()) as { data: { id: string } }).data.id
}

async function tourFiles(place: TourScope): Promise<void> {
  const { must } = place
  const id = await upload(place)
  await must('PATCH', `/files/${id}`, { name: 'renamed.bin', status: 'complete' })
  await must('DELETE', `/files/${id}`)
}

async function tourJobs({ must, token, spaceId }: TourScope): Promise<void> {
  const config = { type: 'space', operation: 'tour', source: spaceId, mode: 'foreground', input: { any: 'thing' } }
  const job = (more: object) => must('POST', '/jobs', { ...config, ...more })
  const { id } = await job({ trigger: 'immediate' })
  await must('POST', `/jobs/${id}/ack`, { info: 'Begun', progress: 10 })
  await must('POST', `/jobs/${id}/complete`, { outcome: { message: 'Done', acknowledge: true } })
  await must('POST', `/jobs/${id}/outcome/ack`)
  await must('DELETE', `/jobs/${id}`)
  const failing = await job({ trigger: 'immediate' })
  await must('POST', `/jobs/${failing.id}/fail`, { info: 'No' })
  const later = await job({})
  await must('PATCH', `/jobs/${later.id}`, { status: 'scheduled' })
  const divided = await job({ trigger: 'immediate' })
  await must('POST', `/jobs/${divided.id}/split`, { parts: 1 })
  const part = await waitUntil(async () =>
    (await listAllEvents(token)).find(({ topic, context }) => topic === 'job:ready' && context.parentId === divided.id),
  )
  await must('POST', `/jobs/${part.context.jobId}/complete`)
}

async function tourSecrets({ must, environmentId, spaceId }: TourScope): Promise<void> {
  const upsert = (value: string) =>
    must<{ id: string }[]>('POST', '/secrets', { environmentId, spaceId, name: 'TOUR', value })
  const [secret] = await upsert('sealed')
  await upsert('encrypted again')
  await must('DELETE', `/secrets/${secret!.id}`)
}

async function tourDiscussions({ must, spaceId }: TourScope): Promise<void> {
  const documents = `/spaces/${spaceId}/documents`
  const document = await must('POST', documents, { title: 'Tour', body: '# Tour' })
  await must('PATCH', `${documents}/${document.id}`, { body: '# Grand tour' })
  await must('DELETE', `${documents}/${document.id}`)
  const { id: sheetId } = (await createWorkbook(must, spaceId)).sheets[0]!
  const action = await must('POST', `/actions?spaceId=${spaceId}`, { targetId: sheetId, operation: 'tour', label: 'T' })
  await must('PATCH', `/actions/${action.id}`, { label: 'Tour' })
  await must('DELETE', `/actions/${action.id}`)
  const thread = await must('POST', '/threads', { resourceId: sheetId, status: 'ready' })
  await must('PUT', `/threads/${thread.id}`, { status: 'active' })
  await must('DELETE', `/threads/${thread.id}`)
  const canvas = await must('POST', '/canvases', { spaceId, name: 'Tour' })
  await must('PATCH', `/canvases/${canvas.id}`, { name: 'Grand tour' })
  const area = await must('POST', '/canvas-areas', {
    canvasId: canvas.id,
    type: 'sheet',
    position: 'middle',
    config: { sheetId },
  })
  await must('PATCH', `/canvas-areas/${area.id}`, { position: 'left' })
  await must('DELETE', `/canvas-areas/${area.id}`)
  await must('DELETE', `/canvases/${canvas.id}`)
}

async function tourPrograms({ must, environmentId, spaceId }: TourScope): Promise<void> {
  const [source, destination] = (await createWorkbook(must, spaceId)).sheets
  const ends = { sourceSheetId: source!.id, destinationSheetId: destination!.id }
  const { id } = await must('POST', `/mapping?environmentId=${environmentId}`, { ...ends, save: true })
  await must('PATCH', `/mapping/${id}`, { source: { name: 'File', fields: [{ key: 'E-Mail', type: 'string' }] } })
}

async function tourGuests({ must, environmentId, spaceId }: TourScope): Promise<void> {
  const names = ['one', 'two']
  const config = names.map((name) => ({ environmentId, email: `${name}@example.com`, name, spaces: [{ id: spaceId }] }))
  const [one, two] = await must<{ id: string }[]>('POST', '/guests', config)
  await must('DELETE', `/guests/${one!.id}?spaceId=${spaceId}`)
  await must('DELETE', `/guests/${two!.id}`)
}

async function tourClips({ must, token, spaceId }: TourScope): Promise<void> {
  const call = createCaller(token)
  const [sheet] = (await createWorkbook(must, spaceId)).sheets
  const source = `/sheets/${sheet!.id}/records`
  const inserted = await must<{ records: { id: string }[] }>('POST', source, [{ email: { value: 'ada@example.com' } }])
  const made = await call('POST', '/data-clips', {
    name: 'Tour',
    sourceSheetId: sheet!.id,
    collaborators: ['clip@example.com'],
  })
  const { id, clipSheetId } = made.body as { id: string; clipSheetId: string }
  const path = `/data-clips/${id}`
  await call('POST', `${path}/add-records`, { recordIds: inserted.records.map((record) => record.id) })
  const { records: copies } = await must<{ records: { id: string }[] }>('GET', `/sheets/${clipSheetId}/records`)
  const changeEmail = (recordId: string, value: string) => [{ id: recordId, values: { email: { value } } }]
  await must('PUT', `/sheets/${clipSheetId}/records`, changeEmail(copies[0]!.id, 'clip@example.com'))
  await must('PUT', source, changeEmail(inserted.records[0]!.id, 'source@example.com'))
  for (const resolveTo of ['main', 'clip'])
    await must('PATCH', `${path}/resolutions`, {
      resolvedRecords: [{ recordId: copies[0]!.id, resolves: [{ field: 'email', resolveTo }] }],
    })
  await must('PATCH', `${path}/refresh-resolutions`)
  await must('PATCH', path, { status: 'merged' })
  await must('DELETE', path)
}

async function tourClock({ must, environmentId }: TourScope): Promise<void> {
  const topics = ['cron:5-minutes', 'cron:hourly', 'cron:daily', 'cron:weekly']
  const source = 'module.exports = { routeEvent: async () => {} }'
  await must('POST', `/agents?environmentId=${environmentId}`, { topics, compiler: 'js', slug: 'clock', source })
  const lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
  for (const topic of topics) {
    const FunctionName = `${getServer().environment.PLATFORM_PREFIX}cron`
    const Payload = JSON.stringify({ topic, time: new Date().toISOString() })
    const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload }))
    if (FunctionError) throw new Error(`${topic}: ${FunctionError}`)
  }
}

async function tourRetention(place: TourScope): Promise<void> {
  const { must } = place
  const { id: environmentId } = await must('POST', '/environments', { name: 'Retention', isProd: false })
  const { id: spaceId } = await must('POST', '/spaces', { environmentId, name: 'Old' })
  await createWorkbook(must, spaceId)
  await upload({ ...place, environmentId, spaceId })
  await must('POST', '/data-retention-policies', { type: 'sinceCreated', period: 30, environmentId })
  await runRetentionLater(environmentId, 31)
}

async function listAllEvents(token: string): Promise<Event[]> {
  const list = async () => {
    const all: Event[] = []
    for (let page = 1; ; page++) {
      const query = `includeAcknowledged=true&pageSize=100&pageNumber=${page}`
      const { data } = (await createCaller(token)<{ data: Event[] }>('GET', `/events?${query}`)).body
      all.push(...data)
      if (data.length < 100) return all
    }
  }
  let before = -1
  return waitUntil(async () => {
    const all = await list()
    if (all.length === before) return all
    before = all.length
    await sleep(100)
    return undefined
  })
}

async function listDeletedEnvironmentEvents(environmentId: string): Promise<Event[]> {
  const { readEventsPage } = await import('../../lib/events/list.ts')
  const { toEvent } = await import('../../lib/events/store.ts')
  const page = { pageNumber: 1, pageSize: 100 }
  const found = await readEventsPage([{ environmentId }], { includeAcknowledged: true }, page)
  return found.filter(({ topic }) => topic !== 'environment:deleted').map(toEvent)
}
