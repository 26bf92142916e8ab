/**
 * Benchmarks a whole import over HTTP next to the same work by DuckDB: upload, extraction, mapping and validation,
 * correction by an agent, export. `BENCH_ROWS` chooses the numbers of rows, such as `10000,1000000`.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../examples/airports/client.ts'
import type { JobTimings } from '../schemas/jobs/shape.ts'
import {
  createClient,
  createSheet,
  downloadFile,
  jobs,
  runJob,
  uploadFile,
  waitForExtraction,
} from '../test/support/large-jobs.ts'
import { type Platform, startPlatform } from '../test/support/platform.ts'
import { buildCsv, COUNTRIES, FIELDS } from './records-data.ts'
import { createTextSheet, importInto } from './records-import.ts'
import type { BenchRow } from './row.ts'
import { withDataFolder } from './start-server.ts'
import { correctByAgent } from './whole-agent.ts'
import { measureDuckDb } from './whole-duckdb.ts'

const SIZES = (process.env.BENCH_ROWS ?? '10000,100000').split(',').map(Number)
const WARM_UP_ROWS = 20_000
const MANY_ROWS = 500_000
const POLL_MS = { few: 20, many: 100 }

export const bench = (): Promise<BenchRow[]> =>
  withDataFolder(async (folder) => {
    const platform = await startPlatform(folder)
    try {
      await connectEngine(platform)
      const subject = { platform, folder, client: createClient(platform.local) }
      await importWhole(subject, WARM_UP_ROWS, buildCsv(WARM_UP_ROWS))
      const results: BenchRow[] = []
      for (const rows of SIZES) results.push(...(await compareWhole(subject, rows)))
      return results
    } finally {
      await platform.stop()
    }
  })

interface Subject {
  platform: Platform
  folder: string
  client: Client
}

const STEPS = ['upload', 'extraction', 'mapping', 'correction', 'export'] as const
type Step = (typeof STEPS)[number]

interface WholeImport {
  times: Record<Step, number>
  timings: Partial<Record<Step, JobTimings>>
  invalid: number
}

async function compareWhole(subject: Subject, rows: number): Promise<BenchRow[]> {
  const file = buildCsv(rows)
  const path = join(subject.folder, `${rows}.csv`)
  const writingMs = await measureMs(() => writeFile(path, file))
  const engineMs = await measureEngine(file, rows)
  const duckDb = await measureDuckDb(path, { countries: COUNTRIES })
  const { times, timings, invalid } = await importWhole(subject, rows, file)
  if (invalid !== duckDb.invalid) throw new Error(`${invalid} records are invalid here, ${duckDb.invalid} in DuckDB.`)
  const compare = (
    what: string,
    value: number,
    reference: string,
    referenceValue: number,
    target: number,
  ): BenchRow => ({
    ...{ what, rows, value, reference, referenceValue, target },
  })
  const { read, validate, correct } = duckDb.times
  const untilValidMs = times.extraction + times.mapping
  return [
    compare('upload', times.upload, 'writing the same file', writingMs, 10),
    compare('uploaded until extracted', times.extraction, 'DuckDB: read_csv as text', read, 1.5),
    compare('extracted until valid and queryable', times.mapping, 'DuckDB: typed, validated, unique', validate, 1.5),
    ...(
      [
        ['uploaded until valid and queryable', untilValidMs],
        ['file until valid and queryable', times.upload + untilValidMs],
      ] as const
    ).map(([what, ms]) => compare(what, ms, 'DuckDB: read, typed, validated, unique', read + validate, 1.5)),
    compare('extraction over HTTP', times.extraction, "the engine's import of the same file", engineMs, 1.3),
    compare('corrected by an agent', times.correction, 'DuckDB: UPDATE of every row', correct, 100),
    compare('exported as CSV', times.export, 'DuckDB: COPY TO CSV', duckDb.times.export, 3),
    ...STEPS.flatMap((step) =>
      Object.entries(timings[step] ?? {}).map(([part, ms]) =>
        compare(`${step}: ${part}`, ms, 'the whole step', times[step], 1),
      ),
    ),
  ]
}

async function importWhole({ platform, client }: Subject, rows: number, file: Buffer): Promise<WholeImport> {
  const pollMs = rows < MANY_ROWS ? POLL_MS.few : POLL_MS.many
  const times = {} as Record<Step, number>
  const timings: WholeImport['timings'] = {}
  async function measureStep<T>(step: Step, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await work()
    times[step] = performance.now() - start
    const job = (result as { job?: { timings: JobTimings } }).job
    if (job) timings[step] = job.timings
    process.stderr.write(`${rows} rows, ${step}: ${Math.round(times[step])} ms ${JSON.stringify(job?.timings ?? {})}\n`)
    return result
  }
  const { id: spaceId } = await client.post('/spaces', { name: `Whole ${rows}` })
  const sheet = await createSheet(client, spaceId, FIELDS)
  const { fileId } = await measureStep('upload', () => uploadFile(client, { spaceId, bytes: file }))
  const { sheet: source } = await measureStep('extraction', () => waitForExtraction(client, fileId, pollMs))
  await measureStep('mapping', async () => ({ job: await runJob(client, jobs.map(source, sheet), pollMs) }))
  const { counts } = await client.get(`/sheets/${sheet.sheetId}/counts`)
  if (counts.total !== rows) throw new Error(`${counts.total} records of ${rows} were imported.`)
  const correct = await correctByAgent(platform.local, client, { sheetId: sheet.sheetId, spaceId })
  await measureStep('correction', correct)
  const exported = await measureStep('export', async () => {
    const job = await runJob(client, jobs.export(sheet, 'csv'), pollMs)
    let bytes = 0
    for await (const piece of downloadFile(platform.local, job.result.fileId)) bytes += piece.length
    return { job, bytes }
  })
  if (exported.bytes < file.length / 2) throw new Error(`The export has ${exported.bytes} bytes.`)
  return { times, timings, invalid: counts.error }
}

async function connectEngine({ local }: Platform): Promise<void> {
  const { readStack } = await import('../packages/local-cloud/src/stack.ts')
  const { buildFunctionEnvironment, setEnvironment } = await import('../packages/local-cloud/src/server/environment.ts')
  const { getCredentials } = await import('../test/support/signed-request.ts')
  const access = { endpoint: local.cloud, credentials: getCredentials(local.aws) }
  setEnvironment(buildFunctionEnvironment(readStack({ root: process.cwd(), secret: 'x'.repeat(32) }), access))
}

async function measureEngine(file: Buffer, rows: number): Promise<number> {
  const { storeFile } = await import('./csv-object.ts')
  await storeFile(rows, file)
  await importInto(createTextSheet(), rows)
  return measureMs(() => importInto(createTextSheet(), rows))
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
