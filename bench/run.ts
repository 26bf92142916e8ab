/**
 * `npm run bench [-- name ...]`: prints ratios to references measured in the same run; `--record` rewrites the figures
 * in bench/figures. `npm run bench -- cost` and the other programs write a report each.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import Table from 'cli-table3'
import { runNamed } from '../scripts/run-named.ts'
import { COLUMNS, toCells } from './line.ts'
import { saveRows, writeFigures } from './record.ts'
import type { BenchRow } from './row.ts'

const RECORD = '--record'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const BENCHES: Record<string, () => Promise<{ bench(): Promise<BenchRow[]> }>> = {
  agents: () => import('./agents.ts'),
  api: () => import('./api.ts'),
  events: () => import('./events.ts'),
  mapping: () => import('./mapping.ts'),
  files: () => import('./files.ts'),
  jobs: () => import('./jobs.ts'),
  large: () => import('./large.ts'),
  quality: () => import('./quality.ts'),
  records: () => import('./records.ts'),
  start: () => import('./start.ts'),
  web: () => import('./web.ts'),
  whole: () => import('./whole.ts'),
}

const PROGRAMS: Record<string, () => Promise<unknown>> = {
  corpus: () => import('./corpus.ts'),
  cost: () => import('./cost/run.ts'),
  newcomer: () => import('./newcomer.ts'),
  options: async () => (await import('./options.ts')).run(),
  pollock: () => import('./pollock/run.ts'),
  quickstart: () => import('./cost/quickstart-time.ts'),
  scores: async () => (await import('./scores.ts')).writeScoresPage(),
  simulate: () => import('./cost/simulate.ts'),
  soak: () => import('./soak/run.ts'),
  valentine: () => import('./valentine/run.ts'),
}

/** In its own process, because the AWS clients of a process belong to one cloud. */
async function runBench(name: string): Promise<BenchRow[]> {
  const loader = new URL('./loader.mjs', import.meta.url).href
  const child = fork(new URL(import.meta.url).pathname, [name], { execArgv: ['--import', loader] })
  const [rows] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [BenchRow[]]
  if (!Array.isArray(rows)) throw new Error(`The bench ${name} failed.`)
  return rows
}

async function runBenches(names: readonly string[], keep: boolean): Promise<void> {
  const table = new Table({ head: COLUMNS, style: { head: [], border: [], compact: true } })
  for (const name of names) {
    const rows = await runBench(name)
    for (const row of rows) table.push(toCells(row))
    if (keep) saveRows(name, rows)
  }
  console.log(table.toString())
  if (keep) writeFigures()
}

async function runChosen(): Promise<void> {
  const chosen = process.argv.slice(2).filter((argument) => argument !== RECORD)
  const unknown = chosen.filter((name) => !BENCHES[name])
  if (unknown.length > 0)
    throw new Error(
      `There is no bench ${unknown.join(', ')}: ${[...Object.keys(BENCHES), ...Object.keys(PROGRAMS)].join(', ')}`,
    )
  if (process.send) {
    const { bench } = await BENCHES[chosen[0]!]!()
    process.send(await bench())
    process.disconnect()
  } else await runBenches(chosen.length > 0 ? chosen : Object.keys(BENCHES), process.argv.includes(RECORD))
}

if (PROGRAMS[process.argv[2] ?? '']) await runNamed('bench', PROGRAMS)
else await runChosen()
