/** The most memory a process has that does one thing and loads nothing else; bundled, as functions are when deployed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SheetRef } from '../../lib/records/index.ts'
import { bundled } from '../support/bundled.ts'
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
  const { script, remove } = await bundled(fileURLToPath(new URL(module, import.meta.url)))
  try {
    const child = fork(script, args, { execArgv: [] })
    const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number | { peak: number }]
    if (typeof answer !== 'object') throw new Error(`${module} failed.`)
    return { what, rows, unit: 'MB', reach: 1, value: answer.peak, reference: 'limit', referenceValue: LIMIT }
  } finally {
    remove()
  }
}
