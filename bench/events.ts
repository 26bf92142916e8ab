/** Latency from a commit to the agent call compared with the bus, and agents that one event reaches per second. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import type { Local } from '../localstack/seed.ts'
import { clientConfig } from '../test/support/conformance.ts'
import { startPlatform } from '../test/support/platform.ts'
import { getCredentials } from '../test/support/signed-request.ts'
import { type BenchRow, median } from './row.ts'
import { withDataFolder } from './start-server.ts'

const ROUNDS = 60
const WARM_UP_ROUNDS = 200
const SETTLE_MS = 100
const CALLS_PER_ROUND = 200
const AGENT_COUNTS = [1, 10, 100]

interface Call {
  topic: string
  id: string
  at: number
}

const now = (): number => performance.timeOrigin + performance.now()

async function startCallReceiver() {
  const calls: Call[] = []
  let notify = () => {}
  const server = createServer((req, res) => {
    const [, topic = '', id = ''] = decodeURIComponent(req.url ?? '').split('/')
    calls.push({ topic, id, at: now() })
    res.end()
    notify()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const waitForCalls = (count: number): Promise<void> =>
    new Promise((resolve) => {
      notify = () => calls.length >= count && resolve()
      notify()
    })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { calls, until: waitForCalls, address, close: () => server.close() }
}

type CallReceiver = Awaited<ReturnType<typeof startCallReceiver>>

const buildAgentSource = (address: string): string => `exports.routeEvent = (event) =>
  fetch('${address}/' + encodeURIComponent(event.topic) + '/' + event.id)`

export const bench = (): Promise<BenchRow[]> =>
  withDataFolder(async (folder) => {
    const findAcknowledgement = watchAcknowledgements(folder)
    const platform = await startPlatform(folder, {}, ['--import', new URL('./acknowledged.mjs', import.meta.url).href])
    const receiver = await startCallReceiver()
    try {
      const api = createApi(platform.local)
      return [
        await measureLatency(platform.local, api, receiver, findAcknowledgement),
        ...(await measureFanOut(platform.local, api, receiver)),
      ]
    } finally {
      receiver.close()
      await platform.stop()
    }
  })

type FindAcknowledgement = (after: number) => number

function watchAcknowledgements(folder: string): FindAcknowledgement {
  const path = join(folder, 'acknowledged')
  process.env.ACKNOWLEDGED = path
  return (after) => {
    const times = readFileSync(path, 'utf8').split('\n').map(Number)
    const first = times.find((time) => time > after)
    if (!first) throw new Error('No change of an item was acknowledged.')
    return first
  }
}

type Api = ReturnType<typeof createApi>

function createApi(local: Local) {
  const { id, secretKey } = local.environments[0]!
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${local.baseUrl}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: { id: string; sheets: { id: string }[] } }).data
  }
  const deploy = (slug: string, topics: string[], source: string) =>
    post(`/agents?environmentId=${id}`, { slug, topics, compiler: 'js', source })
  return { environmentId: id, post, deploy }
}

async function measureLatency(
  local: Local,
  api: Api,
  receiver: CallReceiver,
  findAcknowledgement: FindAcknowledgement,
): Promise<BenchRow> {
  await api.deploy('listener', ['commit:created', 'bench:put'], buildAgentSource(receiver.address))
  const space = await api.post('/spaces', { name: 'bench' })
  const sheets = [{ name: 'S', slug: 's', fields: [{ key: 'k', type: 'string' }] }]
  const sheet = (await api.post('/workbooks', { spaceId: space.id, name: 'w', sheets })).sheets[0]!
  const commit = () => api.post(`/sheets/${sheet.id}/records`, [{ k: { value: 'v' } }] as never)
  const put = createPublisher(local, api.environmentId)
  const timeUntilCall = async (
    work: () => Promise<unknown>,
    from = (startedAt: number) => startedAt,
  ): Promise<number> => {
    const before = receiver.calls.length
    const startedAt = now()
    await work()
    await receiver.until(before + 1)
    return receiver.calls[before]!.at - from(startedAt)
  }
  for (let warm = 0; warm < WARM_UP_ROUNDS; warm++)
    for (const work of [commit, () => put('bench:put')]) await timeUntilCall(work)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(SETTLE_MS)
    ours.push(await timeUntilCall(commit, findAcknowledgement))
    await sleep(SETTLE_MS)
    theirs.push(await timeUntilCall(() => put('bench:put')))
  }
  return {
    what: 'commit until an agent is invoked',
    value: median(ours),
    reference: 'PutEvents until an agent is invoked',
    referenceValue: median(theirs),
    target: 2,
  }
}

function createPublisher(local: Local, environmentId: string) {
  const bus = new EventBridgeClient(clientConfig(local.cloud, getCredentials(local.aws)))
  let published = 0
  return (topic: string) => {
    const createdAt = new Date().toISOString()
    const domain = topic.split(':')[0]!
    const context = { accountId: 'us_acc_bench', environmentId }
    const detail = { id: `us_evt_bench${published++}`, topic, domain, context, payload: {}, createdAt }
    const entry = { EventBusName: 'wharf-dev', Source: 'wharf', DetailType: topic, Detail: JSON.stringify(detail) }
    return bus.send(new PutEventsCommand({ Entries: [entry] }))
  }
}

async function measureFanOut(local: Local, api: Api, receiver: CallReceiver): Promise<BenchRow[]> {
  const times = new Map<number, number>()
  let agents = 0
  for (const agentCount of AGENT_COUNTS) {
    for (; agents < agentCount; agents++)
      await api.deploy(`crowd-${agents}`, ['bench:burst'], buildAgentSource(receiver.address))
    const put = createPublisher(local, api.environmentId)
    const runRound = async (events: number) => {
      const before = receiver.calls.length
      const begin = performance.now()
      await Promise.all(Array.from({ length: events }, () => put('bench:burst')))
      await receiver.until(before + events * agentCount)
      return (performance.now() - begin) / events
    }
    await runRound(1)
    times.set(agentCount, await runRound(Math.ceil(CALLS_PER_ROUND / agentCount)))
  }
  return AGENT_COUNTS.map((agentCount) => ({
    what: `one event, subscribed agents: ${agentCount}`,
    value: times.get(agentCount)!,
    reference: 'one agent, times the number of agents',
    referenceValue: times.get(1)! * agentCount,
    target: 1.5,
  }))
}
