/** The most memory a process has that does one thing and loads nothing else; bundled, as functions are when deployed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { SheetRef } from '../../lib/records/index.ts'
import type { BenchRow } from './row.ts'

/** Megabytes. */
const LIMIT = 256

export const importPeak = (rows: number): Promise<BenchRow> =>
  peakOf('memory of a process that imports the file', './import-process.ts', rows, [String(rows)])

export const exportPeak = ({ sheetId }: SheetRef, rows: number): Promise<BenchRow> =>
  peakOf('memory of a process that writes JSON lines of all', './export-process.ts', rows, [String(rows), sheetId])

/** @param size of the workbook's file, in bytes */
export const workbookPeak = (rows: number, size: number): Promise<BenchRow> =>
  peakOf('memory of a process that imports a workbook', './workbook-process.ts', rows, [String(rows), String(size)])

/** @param module what the process runs; it sends its `peak` in megabytes */
async function peakOf(what: string, module: string, rows: number, args: string[]): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  try {
    const script = join(folder, 'process.mjs')
    await build({
      ...{ entryPoints: [fileURLToPath(new URL(module, import.meta.url))], outfile: script },
      ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    })
    const child = fork(script, args, { execArgv: [] })
    const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number | { peak: number }]
    if (typeof answer !== 'object') throw new Error(`${module} failed.`)
    return { what, rows, unit: 'MB', reach: 1, value: answer.peak, reference: 'limit', referenceValue: LIMIT }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
