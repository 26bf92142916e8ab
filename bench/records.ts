/** Benchmarks the record engine on sheets of 10k, 100k and 1M rows, or of `BENCH_ROWS`. */
import { newSheetId, type RecordCloud, startRecordCloudProcess } from '../test/support/records.ts'
import { type Case, compareGrowth, measureCase } from './cases.ts'
import { measureExportPeak, measureImportPeak } from './peaks.ts'
import { bulkCases, fileCases } from './records-bulk.ts'
import { createBenchSheet } from './records-data.ts'
import { computeImportCost, importCases, importInto } from './records-import.ts'
import { readCases } from './records-read.ts'
import { versionCases } from './records-versions.ts'
import { writeCases } from './records-write.ts'
import type { BenchRow } from './row.ts'
import { measureStreams } from './streams.ts'
import { comparePrototype } from './study.ts'

const SIZES = process.env.BENCH_ROWS?.split(',').map(Number) ?? [10_000, 100_000, 1_000_000]
const MAX_EDITED = 2000

export async function bench(): Promise<BenchRow[]> {
  const cloud = await startRecordCloudProcess()
  try {
    const rows: BenchRow[] = []
    const cases: Case[] = []
    for (const size of SIZES) {
      const sheetResults = await measureSheet(cloud, size)
      rows.push(...sheetResults.rows)
      cases.push(...sheetResults.cases)
    }
    const first = cases.filter(({ what }, i) => cases.findIndex((other) => other.what === what) === i)
    rows.push(...(await measureStreams()), ...(await comparePrototype(rows)))
    return [...rows, ...compareGrowth(first, rows, Math.min(...SIZES), Math.max(...SIZES))]
  } finally {
    await cloud.close()
  }
}

async function measureSheet(cloud: RecordCloud, size: number): Promise<{ rows: BenchRow[]; cases: Case[] }> {
  const { storeFile } = await import('./csv-object.ts')
  const bytes = await storeFile(size)
  const sheet = createBenchSheet(newSheetId())
  cloud.meter.reset()
  const { ids } = await importInto(sheet, size)
  const rows = [computeImportCost(cloud, size), await measureImportPeak(size), await measureExportPeak(sheet, size)]
  const cases: Case[] = []
  const measureCases = async (batch: readonly Case[]): Promise<void> => {
    for (const benchCase of batch) {
      cases.push(benchCase)
      const row = await measureCase(benchCase, size, cloud.meter)
      rows.push(row)
      process.stderr.write(`${size} ${row.what}: ${(row.value / row.referenceValue).toPrecision(3)}\n`)
    }
  }
  const sampleIds = takeEveryNth(ids, Math.ceil(size / MAX_EDITED))
  await measureCases(importCases(bytes, size))
  await measureCases(await readCases(sheet, size))
  await measureCases(await fileCases(sheet, size))
  await measureCases(await versionCases(sheet, sampleIds))
  await measureCases(await writeCases(sheet, sampleIds))
  await measureCases(await bulkCases(sheet, bytes, size))
  return { rows, cases }
}

function takeEveryNth(ids: Iterable<string>, step: number): string[] {
  const chosen: string[] = []
  let at = 0
  for (const id of ids) if (at++ % step === 0) chosen.push(id)
  return chosen
}
