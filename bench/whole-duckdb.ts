import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { installTools } from '../scripts/install-tools.ts'

interface DuckDbResult {
  times: Record<'read' | 'validate' | 'correct' | 'export', number>
  invalid: number
}

export async function measureDuckDb(path: string, options: { countries: readonly string[] }): Promise<DuckDbResult> {
  installTools('bench/duckdb')
  const [database, exported] = [`${path}.duckdb`, `${path}.exported`]
  const module = resolve(import.meta.dirname, 'duckdb/measure.mjs')
  const child = fork(module, [path, database, exported, JSON.stringify(options)], { execArgv: [] })
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [DuckDbResult | number]
  for (const file of [database, exported]) rmSync(file, { force: true })
  if (typeof result !== 'object') throw new Error('DuckDB failed.')
  return result
}
