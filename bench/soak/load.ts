/** Load of several customers at a bounded rate, and an agent that receives every commit. Everything is counted. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Local } from '../../localstack/seed.ts'

const ROWS = 2_000
const BATCH = 10
const IMPORTERS = 2
const PAUSE_MS = 120
const WAIT_MS = 60_000

export interface Load {
  times: Map<string, number[]>
  errors: string[]
  counts: {
    imports: number
    rows: number
    expectedRows: number
    commits: number
    undelivered: number
    delivered: number
  }
}

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Reply = any

export async function runLoad(local: Local, until: number): Promise<Load> {
  const times: Load['times'] = new Map()
  const errors: string[] = []
  const call = createCaller(local, times)
  const received = await startCommitReceiver()
  const environmentId = local.environments[0]!.id
  await call('deploy', 'POST', `/agents?environmentId=${environmentId}`, createAgent(received.port))
  const space = await call('create', 'POST', '/spaces', { name: 'stays' })
  const sheets = [
    {
      name: 'S',
      slug: 's',
      fields: [
        { key: 'code', type: 'string' },
        { key: 'n', type: 'number' },
      ],
    },
  ]
  const { sheets: made } = await call('create', 'POST', '/workbooks', { spaceId: space.id, name: 'stays', sheets })
  const sheetId: string = made[0].id
  const commits = new Set<string>()
  const counts = { imports: 0, rows: 0, expectedRows: 0, commits: 0, undelivered: 0, delivered: 0 }
  const worker = async (work: () => Promise<unknown>): Promise<void> => {
    while (Date.now() < until) {
      await work().catch((error: Error) => errors.push(error.message))
      await pause()
    }
  }
  const runImports = async (): Promise<void> => {
    await importAndDelete(call)
    counts.imports++
  }
  const runWrites = async (): Promise<void> => {
    const from = counts.expectedRows
    const rows = Array.from({ length: BATCH }, (_, i) => ({ code: { value: `c${from + i}` }, n: { value: from + i } }))
    const { commitId, records } = await call('insert', 'POST', `/sheets/${sheetId}/records`, rows)
    counts.expectedRows += BATCH
    const edit = [{ id: records[0].id, values: { n: { value: -1 } } }]
    const edited = await call('edit', 'PUT', `/sheets/${sheetId}/records`, edit)
    const query = new URLSearchParams([['ids', records[1].id]])
    const removed = await call('delete records', 'DELETE', `/sheets/${sheetId}/records?${query}`)
    counts.expectedRows -= 1
    for (const id of [commitId, edited.commitId, removed?.commitId]) if (id) commits.add(id)
  }
  const runReads = async (): Promise<void> => {
    const page = 1 + Math.floor((Math.random() * counts.expectedRows) / 100)
    await call('page', 'GET', `/sheets/${sheetId}/records?pageSize=100&pageNumber=${page}`)
    await call('search', 'GET', `/sheets/${sheetId}/records?pageSize=20&searchValue=c1`)
    await call('counts', 'GET', `/sheets/${sheetId}/counts`)
    await call('events', 'GET', `/events?spaceId=${space.id}&pageSize=20`)
  }
  await Promise.all([...Array.from({ length: IMPORTERS }, () => runImports), runWrites, runReads].map(worker))

  counts.rows = await waitFor(() =>
    call('counts', 'GET', `/sheets/${sheetId}/counts`).then(
      (answer) => answer.counts.total as number,
      (error: Error) => void errors.push(error.message),
    ),
  )
  counts.commits = commits.size
  await waitFor(async () => [...commits].every((id) => received.commits.has(id)), 90_000).catch(() => undefined)
  counts.undelivered = [...commits].filter((id) => !received.commits.has(id)).length
  counts.delivered = received.commits.size
  received.close()
  return { times, errors, counts }
}

type Call = ReturnType<typeof createCaller>

async function importAndDelete(call: Call): Promise<void> {
  const space = await call('create', 'POST', '/spaces', { name: 'import' })
  const text = `code,name\n${Array.from({ length: ROWS }, (_, i) => `c${i},person ${i % 5}`).join('\n')}\n`
  const plan = { spaceId: space.id, name: 'people.csv', size: text.length }
  const { file, upload } = await call('upload', 'POST', '/files/uploads', plan)
  await fetch(upload.url, { method: 'PUT', body: text })
  await call('upload', 'POST', `/files/${file.id}/complete`)
  const began = performance.now()
  const workbookId = await waitFor(async () => (await call('file', 'GET', `/files/${file.id}`)).workbookId)
  const workbook = await call('workbook', 'GET', `/workbooks/${workbookId}`)
  const sheetId = workbook.sheets[0].id
  const countRecords = async (): Promise<number> =>
    (await call('counts', 'GET', `/sheets/${sheetId}/counts`)).counts.total as number
  await waitFor(async () => (await countRecords()) === ROWS)
  call.note(`import of ${ROWS} rows`, performance.now() - began)
  const { records } = await call('page', 'GET', `/sheets/${sheetId}/records?pageSize=20`)
  for (const { id } of records.slice(0, 5))
    await call('edit', 'PUT', `/sheets/${sheetId}/records`, [{ id, values: { name: { value: 'edited' } } }])
  const job = await call('job', 'POST', '/jobs', {
    ...{ type: 'workbook', operation: 'find-replace', source: workbookId, trigger: 'immediate' },
    config: { sheetId, fieldKey: 'name', find: 'person 3', replace: 'somebody' },
  })
  const ended = await waitFor(async () => {
    const { status } = await call('job', 'GET', `/jobs/${job.id}`)
    return status === 'completed' || status === 'failed' ? status : undefined
  })
  if (ended !== 'completed') throw new Error(`A job ${ended}.`)
  const total = await countRecords()
  if (total !== ROWS) throw new Error(`An import of ${ROWS} rows had ${total} after its edits.`)
  await call('delete', 'DELETE', `/spaces/${space.id}`)
}

function createCaller(local: Local, times: Load['times']) {
  const headers = { authorization: `Bearer ${local.environments[0]!.secretKey}`, 'content-type': 'application/json' }
  const recordTime = (what: string, ms: number): void => {
    const known = times.get(what)
    if (known) known.push(ms)
    else times.set(what, [ms])
  }
  const call = async (what: string, method: string, path: string, body?: unknown): Promise<Reply> => {
    await pause()
    const began = performance.now()
    const answer = await fetch(`${local.baseUrl}/v1${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    recordTime(what, performance.now() - began)
    if (answer.status !== 200)
      throw new Error(`${method} ${path.split('?')[0]}: ${answer.status} ${text.slice(0, 200)}`)
    return JSON.parse(text).data
  }
  return Object.assign(call, { note: recordTime })
}

async function startCommitReceiver() {
  const commits = new Set<string>()
  const server = createServer((req, res) => {
    commits.add(decodeURIComponent(req.url!.slice(1)))
    res.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { commits, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const createAgent = (port: number) => ({
  ...{ slug: 'soak', topics: ['commit:created'], compiler: 'js' },
  source: `exports.routeEvent = (event) => fetch('http://127.0.0.1:${port}/' + event.context.commitId)`,
})

const pause = (): Promise<void> => sleep(PAUSE_MS)

async function waitFor<T>(check: () => Promise<T | undefined | false>, ms = WAIT_MS): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await check()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Nothing came in ${ms / 1000} s.`)
    await pause()
  }
}
