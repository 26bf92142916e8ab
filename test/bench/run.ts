/** `npm run bench [name ...]`: measures against references in the same run and prints ratios. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import Table from 'cli-table3'
import type { BenchRow } from './row.ts'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const BENCHES: Record<string, () => Promise<{ bench(): Promise<BenchRow[]> }>> = {
  api: () => import('./api.ts'),
  events: () => import('./events.ts'),
  mapping: () => import('./mapping.ts'),
  files: () => import('./files.ts'),
  jobs: () => import('./jobs.ts'),
  records: () => import('./records.ts'),
}

/** Each in a process of its own: the AWS clients of a process belong to one cloud. */
async function measured(name: string): Promise<BenchRow[]> {
  const loader = new URL('./loader.mjs', import.meta.url).href
  const child = fork(new URL(import.meta.url).pathname, [name], { execArgv: ['--import', loader] })
  const [rows] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [BenchRow[]]
  if (!Array.isArray(rows)) throw new Error(`The bench ${name} failed.`)
  return rows
}

const HEAD = 'what,rows,ours,reference,,ratio (spread),reach,requests,WRU,RRU,S3 PUT,GET'.split(',')

async function report(names: string[]): Promise<void> {
  const table = new Table({ head: HEAD, style: { head: [], border: [], compact: true } })
  for (const name of names) for (const row of await measured(name)) table.push(lineOf(row))
  console.log(table.toString())
}

function lineOf(row: BenchRow): string[] {
  const { unit = 'ms', spread, cost } = row
  const amount = (value: number): string => (unit === '$' ? `$${value.toFixed(6)}` : `${value.toFixed(1)} ${unit}`)
  const ratio = (row.value / row.referenceValue).toPrecision(3)
  const rounds = spread ? ` (${spread.map((one) => one.toFixed(1)).join('-')})` : ''
  const costs = cost ? [cost.requests, cost.written, cost.read, cost.puts, cost.gets] : []
  return [
    ...[row.what, row.rows ? String(row.rows) : '', amount(row.value), row.reference, amount(row.referenceValue)],
    ...[
      ratio + rounds,
      `${row.atLeast ? '>=' : '<='} ${row.reach}`,
      ...costs.map((count) => String(Math.round(count * 10) / 10)),
    ],
  ]
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !BENCHES[name])
if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(', ')}: ${Object.keys(BENCHES).join(', ')}`)

if (process.send) {
  const { bench } = await BENCHES[chosen[0]!]!()
  process.send(await bench())
  process.disconnect()
} else await report(chosen.length > 0 ? chosen : Object.keys(BENCHES))
