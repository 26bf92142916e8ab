/** Converts counted usage into dollars and renders docs/cost.md. Pure. */
import { PRICES } from '../bench/prices.ts'
import type { Usage } from './metered-requests.ts'
import type { Counted } from './scenarios.ts'

const AGENT_GIGABYTE_SECONDS = 0.125 * 0.05

export interface Dollars {
  api: number
  table: number
  bucket: number
  functions: number
  bus: number
  live: number
  total: number
}

export function computeDollars({ usage, beside = {} }: Counted): Dollars {
  const agentRuns = beside.agentRuns ?? 0
  const parts = {
    api: usage.httpRequests * PRICES.httpRequest,
    table:
      usage.written * PRICES.writeUnit +
      usage.read * PRICES.readUnit +
      (beside.tableGigabytes ?? 0) * PRICES.tableGigabyteMonth,
    bucket: usage.puts * PRICES.s3Put + usage.gets * PRICES.s3Get + (beside.s3Gigabytes ?? 0) * PRICES.s3GigabyteMonth,
    functions:
      (usage.runs + agentRuns) * PRICES.lambdaRun +
      (usage.gigabyteSeconds + agentRuns * AGENT_GIGABYTE_SECONDS) * PRICES.lambdaGigabyteSecond,
    bus: usage.busEvents * PRICES.busEvent,
    live: (beside.socketMinutes ?? 0) * PRICES.socketMinute + (beside.socketMessages ?? 0) * PRICES.socketMessage,
  }
  return { ...parts, total: Object.values(parts).reduce((sum, one) => sum + one, 0) }
}

const MILLION = 1_000_000
const formatShort = (value: number): string =>
  value === 0 ? '' : value >= 100 ? value.toFixed(0) : value.toPrecision(3)
const formatDollars = (value: number): string =>
  value === 0 ? '' : `$${value >= 1 ? value.toFixed(2) : value.toPrecision(2)}`

const scaleForDisplay = (counted: Counted): { name: string; by: number } =>
  counted.per === 'call' || counted.per === 'event'
    ? { name: `a million times: ${counted.what}`, by: MILLION }
    : { name: `${counted.what}, ${counted.per === 'month' ? 'a month' : 'once'}`, by: 1 }

const renderTable = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const KINDS: [keyof Usage, string][] = [
  ['httpRequests', 'requests to the API'],
  ['runs', 'runs'],
  ['gigabyteSeconds', 'GB-seconds'],
  ['tableRequests', 'requests to the table'],
  ['written', 'WRU'],
  ['read', 'RRU'],
  ['puts', 'S3 PUT'],
  ['gets', 'S3 GET'],
  ['busEvents', 'events on the bus'],
]

export function renderCostPage(all: readonly Counted[], machine: string): string {
  const bills = all.map((one) => {
    const { name, by } = scaleForDisplay(one)
    const { total, ...parts } = computeDollars(one)
    return [
      name,
      ...Object.values(parts).map((part) => formatDollars(part * by)),
      `**${formatDollars(total * by) || '$0'}**`,
    ]
  })
  const counts = all.map((one) => [
    one.what,
    one.per,
    String(one.of),
    ...KINDS.map(([kind]) => formatShort(one.usage[kind])),
  ])
  const { region, asOf, ...prices } = PRICES
  return `# What it costs in AWS

Written by \`npm run cost\`; do not edit. Requests, capacity units and events are counted on the embedded cloud, on everything a thing
sets off, also behind the answer; dollars follow from the prices below, without free tiers, logs ($0.50 a GB) and transfer to the
internet ($0.09 a GB). Functions are charged by time: theirs is the time they took here (${machine}), with waiting for the cloud's
answers being shorter than in AWS, processors shared with the cloud itself, and no cold starts; take it as an order of magnitude. What is counted is exact.

## Bills

${renderTable(['what', 'API', 'table', 'bucket', 'functions', 'bus', 'live', 'all'], bills)}

An agent is taken to need 128 MB for 50 ms a run; its events are also looked at by the functions for webhooks and live listeners, which is counted.
A stack pays beside, whatever it does, $${PRICES.keyMonth.toFixed(2)} a month for its key; without \`WHARF_SECRET\` and \`ORIGIN_SECRET\` $${PRICES.secretMonth.toFixed(2)} for each secret it makes. Its ten
alarms and its dashboard are what an account has free; beyond that they are $${PRICES.alarmMonth.toFixed(2)} and $${PRICES.dashboardMonth.toFixed(2)} each.

## Counts

Of one of each; a million of it is a million times as much.

${renderTable(['what', 'of one', 'counted', ...KINDS.map(([, name]) => name)], counts)}

## Prices

Of ${region}, on-demand tables, Standard storage, arm64, in dollars, as of ${asOf}. They stand in [test/bench/prices.ts](../test/bench/prices.ts): change
them there and run \`npm run cost -- --prices\`, which counts nothing anew.

${renderTable(
  ['price', 'dollars'],
  Object.entries(prices).map(([name, price]) => [name, Number(price).toString()]),
)}
`
}
