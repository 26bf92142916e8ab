/**
 * What several customers do at once, at a bounded rate and for as long as told: files come in and are corrected and deleted, a
 * sheet that stays is written to and read, jobs run, an agent is told of every commit. Everything is counted.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Local } from '../../localstack/seed.ts'

const ROWS = 2_000
const BATCH = 10
const IMPORTERS = 2
/** Between two requests of one worker. */
const PAUSE_MS = 120
const WAIT_MS = 60_000

export interface Load {
  /** Milliseconds each request took, by what was asked. */
  times: Map<string, number[]>
  /** What did not go as it must. */
  errors: string[]
  /** Files imported, rows of the sheet that stays, commits, and commits the agent was not told of. */
  counts: { imports: number; rows: number; expectedRows: number; commits: number; untold: number; told: number }
}

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Reply = any

/** @param until milliseconds of the epoch: what is begun by then is ended */
export async function load(local: Local, until: number): Promise<Load> {
  const times: Load['times'] = new Map()
  const errors: string[] = []
  const call = callerOf(local, times)
  const told = await listenForTold()
  const environmentId = local.environments[0]!.id
  await call('deploy', 'POST', `/agents?environmentId=${environmentId}`, agent(told.port))
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
  const counts = { imports: 0, rows: 0, expectedRows: 0, commits: 0, untold: 0, told: 0 }
  const worker = async (work: () => Promise<unknown>): Promise<void> => {
    while (Date.now() < until) {
      await work().catch((error: Error) => errors.push(error.message))
      await pause()
    }
  }
  const importing = async (): Promise<void> => {
    await importOne(call)
    counts.imports++
  }
  const writing = async (): Promise<void> => {
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
  const reading = async (): Promise<void> => {
    const page = 1 + Math.floor((Math.random() * counts.expectedRows) / 100)
    await call('page', 'GET', `/sheets/${sheetId}/records?pageSize=100&pageNumber=${page}`)
    await call('search', 'GET', `/sheets/${sheetId}/records?pageSize=20&searchValue=c1`)
    await call('counts', 'GET', `/sheets/${sheetId}/counts`)
    await call('events', 'GET', `/events?spaceId=${space.id}&pageSize=20`)
  }
  await Promise.all([...Array.from({ length: IMPORTERS }, () => importing), writing, reading].map(worker))

  counts.rows = await waitFor(() =>
    call('counts', 'GET', `/sheets/${sheetId}/counts`).then(
      (answer) => answer.counts.total as number,
      (error: Error) => void errors.push(error.message),
    ),
  )
  counts.commits = commits.size
  // What the bus refused would come by the sweep, once a minute.
  await waitFor(async () => [...commits].every((id) => told.commits.has(id)), 90_000).catch(() => undefined)
  counts.untold = [...commits].filter((id) => !told.commits.has(id)).length
  counts.told = told.commits.size
  told.close()
  return { times, errors, counts }
}

type Call = ReturnType<typeof callerOf>

/** A file becomes a sheet of records, some are corrected, a job changes all, and everything is deleted. */
async function importOne(call: Call): Promise<void> {
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
  const counted = async (): Promise<number> =>
    (await call('counts', 'GET', `/sheets/${sheetId}/counts`)).counts.total as number
  await waitFor(async () => (await counted()) === ROWS)
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
  const total = await counted()
  if (total !== ROWS) throw new Error(`An import of ${ROWS} rows had ${total} after its edits.`)
  await call('delete', 'DELETE', `/spaces/${space.id}`)
}

function callerOf(local: Local, times: Load['times']) {
  const headers = { authorization: `Bearer ${local.environments[0]!.secretKey}`, 'content-type': 'application/json' }
  const note = (what: string, ms: number): void => {
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
    note(what, performance.now() - began)
    if (answer.status !== 200)
      throw new Error(`${method} ${path.split('?')[0]}: ${answer.status} ${text.slice(0, 200)}`)
    return JSON.parse(text).data
  }
  return Object.assign(call, { note })
}

/** Where the agent tells which commits it was called for. */
async function listenForTold() {
  const commits = new Set<string>()
  const server = createServer((req, res) => {
    commits.add(decodeURIComponent(req.url!.slice(1)))
    res.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { commits, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const agent = (port: number) => ({
  ...{ slug: 'soak', topics: ['commit:created'], compiler: 'js' },
  source: `exports.routeEvent = (event) => fetch('http://127.0.0.1:${port}/' + event.context.commitId)`,
})

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))

async function waitFor<T>(look: () => Promise<T | undefined | false>, ms = WAIT_MS): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Nothing came in ${ms / 1000} s.`)
    await pause()
  }
}
