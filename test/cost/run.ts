/**
 * `npm run cost [rows]` (1,000,000): counts what the platform asks of AWS and writes docs/cost.md; `-- --prices` writes it anew from
 * what was counted before.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { metered } from './metered.ts'
import { costPage } from './page.ts'
import { type Counted, scenarios } from './scenarios.ts'

process.env.LOG_LEVEL ??= 'ERROR'
process.env.POWERTOOLS_METRICS_DISABLED ??= 'true'

export interface CostResult {
  at: string
  machine: string
  counted: Counted[]
}

const DOCS = resolve(import.meta.dirname, '../../docs')
const FIGURES = join(DOCS, 'figures/cost.json')

async function count(rows: number): Promise<CostResult> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-cost-'))
  const platform = await metered(folder)
  try {
    const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
    return { at: new Date().toISOString(), machine, counted: await scenarios(platform, rows) }
  } finally {
    await platform.cloud.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [argument] = process.argv.slice(2)
const keepCounts = argument === '--prices'
const rows = keepCounts ? 0 : Number(argument ?? 1_000_000)
if (!keepCounts && !(Number.isInteger(rows) && rows >= 1000))
  throw new Error(`${argument} is no number of rows from 1000 on.`)
const result = keepCounts ? (JSON.parse(readFileSync(FIGURES, 'utf8')) as CostResult) : await count(rows)
if (!keepCounts) writeFileSync(FIGURES, `${JSON.stringify(result, null, 1)}\n`)
writeFileSync(join(DOCS, 'cost.md'), costPage(result.counted, result.machine))
process.exit()
