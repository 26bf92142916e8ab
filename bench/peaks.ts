import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SheetRef } from '../lib/records/index.ts'
import { bundleScript } from '../test/support/bundle-agent.ts'
import type { BenchRow } from './row.ts'

const LIMIT_MB = 256

export const measureImportPeak = (rows: number): Promise<BenchRow> =>
  measurePeak('memory of a process that imports the file', './import-process.ts', rows, [String(rows)])

export const measureExportPeak = ({ sheetId }: SheetRef, rows: number): Promise<BenchRow> =>
  measurePeak('memory of a process that writes JSON lines of all', './export-process.ts', rows, [String(rows), sheetId])

export const measureWorkbookPeak = (rows: number, size: number): Promise<BenchRow> =>
  measurePeak('memory of a process that imports a workbook', './workbook-process.ts', rows, [
    String(rows),
    String(size),
  ])

async function measurePeak(what: string, module: string, rows: number, args: string[]): Promise<BenchRow> {
  const { script, remove } = await bundleScript(fileURLToPath(new URL(module, import.meta.url)))
  try {
    const child = fork(script, args, { execArgv: [] })
    const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number | { peak: number }]
    if (typeof result !== 'object') throw new Error(`${module} failed.`)
    return { what, rows, unit: 'MB', target: 1, value: result.peak, reference: 'limit', referenceValue: LIMIT_MB }
  } finally {
    remove()
  }
}
