/** `npm run bench [name ...]`: measures against references in the same run and prints ratios. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import Table from 'cli-table3'
import type { BenchRow } from './row.ts'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const BENCHES: Record<string, () => Promise<{ bench(): Promise<BenchRow[]> }>> = {
  api: () => import('./api.ts'),
  records: () => import('./records.ts'),
  extract: () => import('./extract.ts'),
}

/** Each in a process of its own: the AWS clients of a process belong to one cloud. */
async function measured(name: string): Promise<BenchRow[]> {
  const child = fork(new URL(import.meta.url).pathname, [name], { execArgv: ['--import', 'tsx'] })
  const [rows] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [BenchRow[]]
  if (!Array.isArray(rows)) throw new Error(`The bench ${name} failed.`)
  return rows
}

async function report(names: string[]): Promise<void> {
  const head = ['what', 'ms', 'reference', 'ms', 'ratio', 'reach']
  const table = new Table({ head, style: { head: [], border: [] } })
  for (const name of names) {
    for (const row of await measured(name)) {
      const ratio = (row.milliseconds / row.referenceMilliseconds).toFixed(2)
      const [ours, theirs] = [row.milliseconds.toFixed(2), row.referenceMilliseconds.toFixed(2)]
      table.push([row.what, ours, row.reference, theirs, ratio, `<= ${row.reach}`])
    }
  }
  console.log(table.toString())
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !BENCHES[name])
if (unknown.length > 0) throw new Error(`There is no bench ${unknown.join(', ')}: ${Object.keys(BENCHES).join(', ')}`)

if (process.send) {
  const { bench } = await BENCHES[chosen[0]!]!()
  process.send(await bench())
  process.disconnect()
} else await report(chosen.length > 0 ? chosen : Object.keys(BENCHES))
