import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BenchRow, median } from './row.ts'

export const FIELDS = ['name', 'city', 'street', 'phone', 'email', 'a', 'b', 'c', 'd', 'e', 'f', 'done']

const RECORDS = 10_000
const ROUNDS = 7

export const buildRow = (row: number): Record<string, string | null> =>
  Object.fromEntries(FIELDS.slice(0, -1).map((key, i) => [key, i === 1 && row % 10 === 0 ? null : `${key} ${row}`]))

export async function measureHookTime(publicSource: string, ownSource: string): Promise<BenchRow> {
  const server = await startRecordServer()
  Object.assign(process.env, { AGENT_INTERNAL_URL: server.address, FLATFILE_BEARER_TOKEN: 'none' })
  const log = console.log
  console.log = () => {}
  try {
    const [ours, theirs] = [load(ownSource), load(publicSource)]
    const times: [own: number[], reference: number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      times[0].push(await measureRun(ours))
      times[1].push(await measureRun(theirs))
    }
    return {
      what: '@wharf/record-hook, processor time of its own',
      rows: RECORDS,
      value: median(times[0]),
      reference: 'the public plugin',
      referenceValue: median(times[1]),
      target: 0.23,
    }
  } finally {
    console.log = log
    server.close()
  }
}

type RouteEvent = (event: object) => Promise<void>

function load(source: string): RouteEvent {
  const module = { exports: {} as { routeEvent: RouteEvent } }
  new Function('module', 'exports', 'require', source)(
    module,
    module.exports,
    process.getBuiltinModule('module').createRequire(import.meta.url),
  )
  return module.exports.routeEvent
}

async function measureRun(routeEvent: RouteEvent): Promise<number> {
  const context = { sheetSlug: 'people', commitId: 'us_vr_1_0' }
  const event = { id: 'us_evt_1', topic: 'commit:created', domain: 'commit', context, payload: {} }
  const before = process.cpuUsage()
  await routeEvent({ ...event, dataUrl: 'v1/sheets/us_sh_1/records?commitId=us_vr_1_0&for=us_evt_1' })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function startRecordServer() {
  const rows = Array.from({ length: RECORDS }, (_, row) => buildRow(row))
  const cells = (row: Record<string, string | null>) =>
    Object.fromEntries(FIELDS.map((key) => [key, { value: row[key] ?? null, messages: [], valid: true }]))
  const records = rows.map((row, i) => ({
    id: `us_rc_1_0_0_${i}`,
    values: cells(row),
    valid: true,
    metadata: {},
    config: {},
  }))
  const lists = { messages: [], metadata: [], config: [], links: [] }
  const columns = Object.fromEntries(FIELDS.map((key) => [key, rows.map((row) => row[key] ?? null)]))
  const ids = [{ prefix: 'us_rc_1_0_0_', first: 0, count: RECORDS }]
  const replies = {
    records: Buffer.from(JSON.stringify({ data: { records } })),
    columns: Buffer.from(JSON.stringify({ data: { count: RECORDS, ids, columns, ...lists } })),
    written: Buffer.from('{"data":{}}'),
  }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const read = request.url!.includes('/columns') ? replies.columns : replies.records
      response.setHeader('content-type', 'application/json').end(request.method === 'GET' ? read : replies.written)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}
