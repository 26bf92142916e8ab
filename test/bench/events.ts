/** How soon an agent is called after a commit, beside the bus alone, and how many agents one event reaches in a second. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import type { Local } from '../../localstack/seed.ts'
import { clientConfig } from '../support/conformance.ts'
import { startPlatform } from '../support/platform.ts'
import { credentialsOf } from '../support/signed-request.ts'
import { type BenchRow, medianOf } from './row.ts'
import { withDataFolder } from './started.ts'

const ROUNDS = 60
const WARM = 200
const SETTLED_MS = 100
/** Calls of one round: the more agents, the fewer events. On one machine most of a hundred agents have to be started for each. */
const CALLS = 200
const CROWDS = [1, 10, 100]

interface Call {
  topic: string
  id: string
  /** Milliseconds since 1970. */
  at: number
}

const clock = (): number => performance.timeOrigin + performance.now()

/** Where agents tell that they were called. */
async function switchboard() {
  const calls: Call[] = []
  let heard = () => {}
  const server = createServer((req, res) => {
    const [, topic = '', id = ''] = decodeURIComponent(req.url ?? '').split('/')
    calls.push({ topic, id, at: clock() })
    res.end()
    heard()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      heard = () => calls.length >= count && resolve()
      heard()
    })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { calls, until, address, close: () => server.close() }
}

type Switchboard = Awaited<ReturnType<typeof switchboard>>

const callerSource = (address: string): string => `exports.routeEvent = (event) =>
  fetch('${address}/' + encodeURIComponent(event.topic) + '/' + event.id)`

export const bench = (): Promise<BenchRow[]> =>
  withDataFolder(async (folder) => {
    const acknowledged = acknowledgedIn(folder)
    const platform = await startPlatform(folder, new URL('./acknowledged.mjs', import.meta.url).href)
    const board = await switchboard()
    try {
      const api = apiOf(platform.local)
      return [await latency(platform.local, api, board, acknowledged), ...(await crowds(platform.local, api, board))]
    } finally {
      board.close()
      await platform.stop()
    }
  })

type Acknowledged = (after: number) => number

/** Tells when the platform had the answer to its first change of an item after a moment; milliseconds since 1970. */
function acknowledgedIn(folder: string): Acknowledged {
  const path = join(folder, 'acknowledged')
  process.env.ACKNOWLEDGED = path
  return (after) => {
    const times = readFileSync(path, 'utf8').split('\n').map(Number)
    const first = times.find((time) => time > after)
    if (!first) throw new Error('No change of an item was acknowledged.')
    return first
  }
}

type Api = ReturnType<typeof apiOf>

function apiOf(local: Local) {
  const { id, secretKey } = local.environments[0]!
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${local.baseUrl}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string; sheets: { id: string }[] } }).data
  }
  const deploy = (slug: string, topics: string[], source: string) =>
    post(`/agents?environmentId=${id}`, { slug, topics, compiler: 'js', source })
  return { environmentId: id, post, deploy }
}

/** One agent hears of a record's commit and of an event put on the bus by hand. */
async function latency(local: Local, api: Api, board: Switchboard, acknowledged: Acknowledged): Promise<BenchRow> {
  await api.deploy('listener', ['commit:created', 'bench:put'], callerSource(board.address))
  const space = await api.post('/spaces', { name: 'bench' })
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'k', type: 'string' }] }]
  const sheet = (await api.post('/workbooks', { spaceId: space.id, name: 'w', sheets })).sheets[0]!
  const commit = () => api.post(`/sheets/${sheet.id}/records`, [{ k: { value: 'v' } }] as never)
  const put = busOf(local, api.environmentId)
  /** From the moment given, or the change's acknowledgement after it, until the agent is called. */
  const until = async (work: () => Promise<unknown>, from = (begun: number) => begun): Promise<number> => {
    const before = board.calls.length
    const begun = clock()
    await work()
    await board.until(before + 1)
    return board.calls[before]!.at - from(begun)
  }
  for (let warm = 0; warm < WARM; warm++) for (const work of [commit, () => put('bench:put')]) await until(work)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    // What follows an agent's call is not to stand in the way of the next.
    await setTimeout(SETTLED_MS)
    ours.push(await until(commit, acknowledged))
    await setTimeout(SETTLED_MS)
    theirs.push(await until(() => put('bench:put')))
  }
  return {
    what: 'a change is committed until an agent is called',
    value: medianOf(ours),
    reference: 'PutEvents until an agent is called',
    referenceValue: medianOf(theirs),
    reach: 2,
  }
}

function busOf(local: Local, environmentId: string) {
  const bus = new EventBridgeClient(clientConfig(local.cloud, credentialsOf(local.aws)))
  let made = 0
  return (topic: string) => {
    const createdAt = new Date().toISOString()
    const domain = topic.split(':')[0]!
    const context = { accountId: 'us_acc_bench', environmentId }
    const detail = { id: `us_evt_bench${made++}`, topic, domain, context, payload: {}, createdAt }
    const entry = { EventBusName: 'wharf-dev', Source: 'wharf', DetailType: topic, Detail: JSON.stringify(detail) }
    return bus.send(new PutEventsCommand({ Entries: [entry] }))
  }
}

/** Milliseconds an event takes with some agents subscribed, from the first event made to the last agent called. */
async function crowds(local: Local, api: Api, board: Switchboard): Promise<BenchRow[]> {
  const times = new Map<number, number>()
  let agents = 0
  for (const crowd of CROWDS) {
    for (; agents < crowd; agents++) await api.deploy(`crowd-${agents}`, ['bench:burst'], callerSource(board.address))
    const put = busOf(local, api.environmentId)
    const round = async (events: number) => {
      const before = board.calls.length
      const begin = performance.now()
      await Promise.all(Array.from({ length: events }, () => put('bench:burst')))
      await board.until(before + events * crowd)
      return (performance.now() - begin) / events
    }
    await round(1)
    times.set(crowd, await round(Math.ceil(CALLS / crowd)))
  }
  return CROWDS.map((crowd) => ({
    what: `an event with ${crowd} agents subscribed`,
    value: times.get(crowd)!,
    reference: 'with one agent, times their number',
    referenceValue: times.get(1)! * crowd,
    reach: 1.5,
  }))
}
