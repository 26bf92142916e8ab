/**
 * `npm run bench -- cost [rows]` (default 1,000,000): counts AWS usage and writes docs/operations/cost.md. `--prices` only rewrites it
 * from the last counts.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startMetered } from './metered-requests.ts'
import { renderCostPage } from './page.ts'
import { type Counted, countScenarios } from './scenarios.ts'

process.env.LOG_LEVEL ??= 'ERROR'
process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'

export interface CostResult {
  at: string
  machine: string
  counted: Counted[]
}

const FIGURES = resolve(import.meta.dirname, '../figures/cost.json')
const PAGE = resolve(import.meta.dirname, '../../docs/operations/cost.md')

async function countUsage(rows: number): Promise<CostResult> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-cost-'))
  const platform = await startMetered(folder)
  try {
    const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
    return { at: new Date().toISOString(), machine, counted: await countScenarios(platform, rows) }
  } finally {
    await platform.cloud.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [argument] = process.argv.slice(2)
const keepCounts = argument === '--prices'
const rows = keepCounts ? 0 : Number(argument ?? 1_000_000)
if (!keepCounts && !(Number.isInteger(rows) && rows >= 1000))
  throw new Error(`${argument} is not a number of rows of at least 1000.`)
const result = keepCounts ? (JSON.parse(readFileSync(FIGURES, 'utf8')) as CostResult) : await countUsage(rows)
if (!keepCounts) writeFileSync(FIGURES, `${JSON.stringify(result, null, 1)}\n`)
writeFileSync(PAGE, renderCostPage(result.counted, result.machine))
process.exit()
