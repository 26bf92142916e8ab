/**
 * The record engine beside what it cannot do without: parsing, JSON.stringify, one conditional update. On sheets of 10k,
 * 100k and 1M rows, or of `BENCH_ROWS` (e.g. `BENCH_ROWS=5000000`); against an embedded cloud in a process of its own.
 */
import { newSheetId, type RecordCloud, recordCloudApart } from '../support/records.ts'
import { type Case, growthOf, measured } from './cases.ts'
import { exportPeak, importPeak } from './peaks.ts'
import { bulkCases, fileCases } from './records-bulk.ts'
import { benchSheet } from './records-data.ts'
import { importCases, importCost, importInto } from './records-import.ts'
import { readCases } from './records-read.ts'
import { versionCases } from './records-versions.ts'
import { writeCases } from './records-write.ts'
import type { BenchRow } from './row.ts'
import { streamRows } from './streams.ts'
import { studyRows } from './study.ts'

const SIZES = process.env.BENCH_ROWS?.split(',').map(Number) ?? [10_000, 100_000, 1_000_000]
/** Records edited, spread over the sheet. */
const EDITED = 2000

/** Takes about five minutes on an idle machine. */
export async function bench(): Promise<BenchRow[]> {
  const cloud = await recordCloudApart()
  try {
    const rows: BenchRow[] = []
    const cases: Case[] = []
    for (const size of SIZES) {
      const of = await sheetBench(cloud, size)
      rows.push(...of.rows)
      cases.push(...of.cases)
    }
    const first = cases.filter(({ what }, i) => cases.findIndex((other) => other.what === what) === i)
    rows.push(...(await streamRows()), ...(await studyRows(rows)))
    return [...rows, ...growthOf(first, rows, Math.min(...SIZES), Math.max(...SIZES))]
  } finally {
    await cloud.close()
  }
}

async function sheetBench(cloud: RecordCloud, size: number): Promise<{ rows: BenchRow[]; cases: Case[] }> {
  const { storeFile } = await import('./csv-object.ts')
  const bytes = await storeFile(size)
  const sheet = benchSheet(newSheetId())
  cloud.meter.reset()
  const { ids } = await importInto(sheet, size)
  const rows = [importCost(cloud, size), await importPeak(size), await exportPeak(sheet, size)]
  const cases: Case[] = []
  const measure = async (more: readonly Case[]): Promise<void> => {
    for (const one of more) {
      cases.push(one)
      const row = await measured(one, size, cloud.meter)
      rows.push(row)
      process.stderr.write(`${size} ${row.what}: ${(row.value / row.referenceValue).toPrecision(3)}\n`)
    }
  }
  const some = everyNth(ids, Math.ceil(size / EDITED))
  await measure(importCases(bytes, size))
  await measure(await readCases(sheet, size))
  await measure(await fileCases(sheet, size))
  await measure(await versionCases(sheet, some))
  await measure(await writeCases(sheet, some))
  await measure(await bulkCases(sheet, bytes, size))
  return { rows, cases }
}

function everyNth(ids: Iterable<string>, step: number): string[] {
  const chosen: string[] = []
  let at = 0
  for (const id of ids) if (at++ % step === 0) chosen.push(id)
  return chosen
}
