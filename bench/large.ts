/**
 * Benchmarks a file that several functions share: extraction, mapping with validation and export by two processes,
 * compared with one, and reads of the resulting sheet, by both. `BENCH_ROWS` chooses the number of rows, 10 million by default.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../examples/airports/client.ts'
import { buildFunctionEnvironment } from '../packages/local-cloud/src/server/environment.ts'
import { readStack } from '../packages/local-cloud/src/stack.ts'
import {
  createClient,
  createSheet,
  jobs,
  runJob,
  type Sheet,
  uploadFile,
  waitForExtraction,
} from '../test/support/large-jobs.ts'
import { startPlatform } from '../test/support/platform.ts'
import { getCredentials } from '../test/support/signed-request.ts'
import { SCANS } from './cost/large-sheet.ts'
import { HTTP_SECONDS, JOB_MEGABYTES } from './cost/quotas.ts'
import { createWorkers, type Workers } from './large-workers.ts'
import { buildCsv, COUNTRIES, FIELDS } from './records-data.ts'
import type { BenchRow } from './row.ts'
import { withDataFolder } from './start-server.ts'
import { measureDuckDb } from './whole-duckdb.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 10_000_000)
const STEPS = ['extraction', 'mapping', 'export'] as const
type Times = Record<(typeof STEPS)[number], number>

interface LargeImport {
  times: Times
  commits: Times
  invalid: number
  memory: number
  reads: Record<string, number>
}

export const bench = async (): Promise<BenchRow[]> => {
  const file = buildCsv(ROWS)
  const two = await importBy(2, file)
  const one = await importBy(1, file)
  const duckDb = await withDataFolder(async (folder) => {
    const path = join(folder, 'rows.csv')
    await writeFile(path, file)
    return measureDuckDb(path, { countries: COUNTRIES })
  })
  if (two.invalid !== duckDb.invalid || one.invalid !== duckDb.invalid)
    throw new Error(`${two.invalid} and ${one.invalid} records are invalid here, ${duckDb.invalid} in DuckDB.`)
  const compare = (what: string, value: number, reference: string, referenceValue: number, target: number) => ({
    ...{ what, rows: ROWS, value, reference, referenceValue, target },
  })
  const untilValid = ({ extraction, mapping }: Times): number => extraction + mapping
  const { read, validate } = duckDb.times
  return [
    ...STEPS.map((step) => compare(`${step}, two functions`, two.times[step], 'one function', one.times[step], 0.8)),
    ...STEPS.map((step) =>
      compare(`${step}, after the last part`, one.commits[step], 'one function', one.times[step], 0.25),
    ),
    compare('extracted and valid, two functions', untilValid(two.times), 'DuckDB', read + validate, 3),
    compare('memory of a function', two.memory, 'its memory (MB)', JOB_MEGABYTES, 0.5),
    ...Object.entries(one.reads).map(([what, ms]) =>
      compare(what, ms, 'time of a request', HTTP_SECONDS * 1000, HTTP_SECONDS_SHARE),
    ),
    ...SCANS.map((what) => compare(`${what}, two functions`, two.reads[what]!, 'one function', one.reads[what]!, 0.8)),
  ]
}

/** So that ten times as many rows fit into the time. */
const HTTP_SECONDS_SHARE = 0.1

const importBy = (count: number, file: Buffer): Promise<LargeImport> =>
  withDataFolder(async (folder) => {
    const workers = await createWorkers(count)
    const platform = await startPlatform(folder, {
      ...{ RECORDS_PER_SHEET: String(10 * ROWS), PARTS_AT_ONCE: String(count) },
      AWS_ENDPOINT_URL_LAMBDA: workers.endpoint,
    })
    try {
      const access = { endpoint: platform.local.cloud, credentials: getCredentials(platform.local.aws) }
      const stack = readStack({ root: process.cwd(), secret: 'x'.repeat(32) })
      workers.start({ ...buildFunctionEnvironment(stack, access), RECORDS_PER_SHEET: String(10 * ROWS) })
      const imported = await importFile(createClient(platform.local), file, workers)
      return { ...imported, memory: workers.peakMegabytes() }
    } finally {
      workers.close()
      await platform.stop()
    }
  })

async function importFile(client: Client, file: Buffer, workers: Workers): Promise<Omit<LargeImport, 'memory'>> {
  const [times, commits] = [{} as Times, {} as Times]
  async function measureStep<T>(step: keyof Times, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await work()
    times[step] = performance.now() - start
    commits[step] = performance.now() - workers.getLastResultTime()
    process.stderr.write(`${ROWS} rows, ${step}: ${Math.round(times[step])} ms\n`)
    return result
  }
  const { id: spaceId } = await client.post('/spaces', { name: 'Large' })
  const sheet = await createSheet(client, spaceId, FIELDS)
  const { fileId } = await uploadFile(client, { spaceId, bytes: file })
  const { sheet: source } = await measureStep('extraction', () => waitForExtraction(client, fileId))
  await measureStep('mapping', () => runJob(client, jobs.map(source, sheet)))
  await measureStep('export', () => runJob(client, jobs.export(sheet, 'csv')))
  const { counts } = await client.get(`/sheets/${sheet.sheetId}/counts`)
  if (counts.total !== ROWS) throw new Error(`${counts.total} records of ${ROWS} were imported.`)
  return { times, commits, invalid: counts.error, reads: await measureReads(client, sheet) }
}

async function measureReads(client: Client, { sheetId }: Sheet): Promise<Record<string, number>> {
  const path = `/sheets/${sheetId}`
  const lastPage = Math.floor(ROWS / 1000)
  const filter = `q=${encodeURIComponent('city eq "Springfield 07" and quantity gt 90')}`
  const reads: Record<string, string> = {
    'last page of 1,000 records': `${path}/records?pageSize=1000&pageNumber=${lastPage}`,
    'count with errors by field': `${path}/counts?byField=true`,
    'page of records with errors': `${path}/records?filter=error&pageSize=1000`,
    'count of records that match two fields': `${path}/counts?${filter}`,
    'page of records that match two fields': `${path}/records?${filter}&pageSize=100`,
    'search in all columns': `${path}/counts?searchValue=nobody`,
    'sort by a text, first 100 records': `${path}/records?sortField=last_name&sortDirection=asc&pageSize=100`,
  }
  const times: Record<string, number> = {}
  for (const [what, url] of Object.entries(reads)) {
    const start = performance.now()
    await client.get(url)
    times[what] = performance.now() - start
    process.stderr.write(`${what}: ${Math.round(times[what]!)} ms\n`)
  }
  return times
}
