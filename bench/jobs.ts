/** Benchmarks jobs over HTTP, on a million rows or `BENCH_ROWS`: time, peak memory, and recovery after a kill. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inferSchema, initParser } from 'udsv'
import type { Client } from '../examples/airports/client.ts'
import {
  type ColumnKind,
  convertCell,
  getColumnKind,
  INVALID,
  toSchemaElement,
} from '../lib/files/export/parquet/columns.ts'
import { Field } from '../schemas/sheets/fields.ts'
import { createClient, createSheet, jobs, runJob, type Sheet, uploadAndExtract } from '../test/support/large-jobs.ts'
import { type Platform, startPlatform } from '../test/support/platform.ts'
import { getCredentials } from '../test/support/signed-request.ts'
import { createColdReader } from './columns.ts'
import { measureKilledJobs } from './jobs-killed.ts'
import { buildCsv, createBenchSheet, FIELDS, KEYS } from './records-data.ts'
import { parse } from './records-import.ts'
import type { BenchRow } from './row.ts'
import { withDataFolder } from './start-server.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const MEMORY_MEGABYTES = 2048

export interface JobsBench {
  platform: Platform
  start(): Promise<Platform>
  rows: number
  file: Buffer
  source: Sheet
  sheet: Sheet
  spaceId: string
  results: BenchRow[]
}

const measureMs = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const bench = (): Promise<BenchRow[]> =>
  withDataFolder(async (folder) => {
    const start = () => startPlatform(folder)
    const platform = await start()
    const file = buildCsv(ROWS)
    const client = createClient(platform.local)
    const { id: spaceId } = await client.post('/spaces', { name: 'Bench' })
    const source = await uploadAndExtract(client, spaceId, file)
    const sheet = await createSheet(client, spaceId, FIELDS)
    const world: JobsBench = { platform, start, rows: ROWS, file, source, sheet, spaceId, results: [] }
    try {
      await measureUndisturbed(world, client)
      const killedJobs = ['map', 'mutate', 'export, jsonl', 'delete half']
      const undisturbedMs = world.results
        .filter(({ what }) => killedJobs.includes(what))
        .reduce((sum, { value }) => sum + value, 0)
      return [...world.results, await measureKilledJobs(world, undisturbedMs)]
    } finally {
      await world.platform.stop()
    }
  })

async function measureUndisturbed(world: JobsBench, client: Client): Promise<void> {
  const { source, sheet, file, rows } = world
  const runParsing = () => parse(file, rows)
  await measureJob(world, 'map', jobs.map(source, sheet), runParsing, 'parsing only (uDSV)', 6)
  const buildPhoneScript = (text: string) =>
    `record => record.set('phone', ${JSON.stringify(text)} + record.get('customer_id'))`
  await measureJob(world, 'mutate', jobs.mutate(sheet, buildPhoneScript('a')), runParsing, 'parsing only (uDSV)', 6)
  await measureUpsert(world)
  const options = { snapshotLabel: 'Before' }
  await measureJob(
    world,
    'mutate, snapshot first',
    jobs.mutate(sheet, buildPhoneScript('b'), options),
    runParsing,
    'parsing only (uDSV)',
    6,
  )
  const replacement = jobs.findReplace(sheet, 'city', 'Springfield', 'Winterfell')
  await measureJob(world, 'find and replace', replacement, runParsing, 'parsing only (uDSV)', 3)
  const reading = await createColumnRead(world)
  for (const [format, target] of EXPORT_TARGETS)
    await measureJob(world, `export, ${format}`, jobs.export(sheet, format), reading, 'reading all columns', target)
  const writing = await createParquetWriting(rows)
  await measureJob(world, 'export, parquet', jobs.export(sheet, 'parquet'), writing, 'hyparquet-writer only', 1.5)
  await measureJob(world, 'delete half', jobs.remove(sheet, 'quantity lt 500'), runParsing, 'parsing only (uDSV)', 10)
  const { counts } = await client.get(`/sheets/${sheet.sheetId}/counts`)
  process.stderr.write(`left: ${counts.total}\n`)
}

const EXPORT_TARGETS = [
  ['csv', 2],
  ['jsonl', 4],
  ['jsonl.gz', 4],
  ['xlsx', 6],
  ['ods', 6],
] as const

const ROWS_PER_GROUP = 10_000

async function createParquetWriting(rows: number): Promise<() => void> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const csv = buildCsv(Math.min(rows, ROWS_PER_GROUP)).toString()
  const [, ...cells] = initParser(inferSchema(csv)).stringArrs(csv)
  const kinds = FIELDS.map((field) => getColumnKind(Field.parse(field)))
  const schema = [
    { name: 'root', num_children: KEYS.length },
    ...KEYS.map((key, at) => toSchemaElement(key, kinds[at]!)),
  ]
  const columnData = KEYS.map((name, at) => ({ name, data: cells.map((row) => toParquetValue(row[at]!, kinds[at]!)) }))
  return () => {
    for (let row = 0; row < rows; row += ROWS_PER_GROUP) parquetWriteBuffer({ columnData, schema })
  }
}

function toParquetValue(text: string, kind: ColumnKind): unknown {
  const value = kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text
  const converted = convertCell(value, kind)
  return text === '' || converted === INVALID || Number.isNaN(value) ? null : converted
}

/** Every row updates a record, then none does; last, the update is undone. The reference adds the same rows. */
async function measureUpsert(world: JobsBench): Promise<void> {
  const { platform, source, sheet, results } = world
  const { value: addingMs } = results.find(({ what }) => what === 'map')!
  const upsert = jobs.map(source, sheet, { importMode: 'upsert', keyFields: ['customer_id'] })
  const client = createClient(platform.local)
  const measure = async (what: string, work: () => Promise<unknown>, target: number): Promise<void> => {
    platform.resetPeak()
    const value = await measureMs(work)
    process.stderr.write(`${what}: ${Math.round(value)} ms, ${Math.round(platform.peak())} MB\n`)
    results.push({ what, rows: world.rows, value, reference: 'adding the same rows', referenceValue: addingMs, target })
  }
  let jobId = ''
  const runUpsert = async () => {
    jobId = (await runJob(client, upsert)).id
  }
  await measure('upsert, every record updated', runUpsert, 1.3)
  await measure('undo of the upsert', () => client.delete(`/jobs/${jobId}/import`), 1)
  await waitForSweep(world)
  await runUpsert()
  await measure('upsert, nothing changed', runUpsert, 1)
}

const SWEEP_MS = 60_000
const IDLE_SECONDS = 0.1

/** The next sweep publishes the events of the undo, and takes as long as the jobs that it would disturb. */
async function waitForSweep({ platform }: JobsBench): Promise<void> {
  await sleep(SWEEP_MS)
  for (let busy = -1; platform.cpuSeconds() - busy > IDLE_SECONDS; ) {
    busy = platform.cpuSeconds()
    await sleep(1000)
  }
}

async function createColumnRead({ platform, sheet }: JobsBench): Promise<() => Promise<void>> {
  const { readStack } = await import('../packages/local-cloud/src/stack.ts')
  const { buildFunctionEnvironment, setEnvironment } = await import('../packages/local-cloud/src/server/environment.ts')
  const { cloud: endpoint, aws } = platform.local
  const access = { endpoint, credentials: getCredentials(aws) }
  setEnvironment(buildFunctionEnvironment(readStack({ root: process.cwd(), secret: 'x'.repeat(32) }), access))
  return (await createColdReader(createBenchSheet(sheet.sheetId))).createRead(KEYS, true)
}

async function measureJob(
  { platform, rows, results }: JobsBench,
  what: string,
  body: object,
  runReference: () => unknown,
  reference: string,
  target: number,
): Promise<void> {
  const client = createClient(platform.local)
  platform.resetPeak()
  const busy = platform.cpuSeconds()
  const value = await measureMs(() => runJob(client, body))
  const peak = platform.peak()
  const referenceValue = await measureMs(runReference)
  process.stderr.write(
    `${what}: ${Math.round(value)} ms, ${(value / referenceValue).toPrecision(3)}, ${Math.round(peak)} MB, busy ${(platform.cpuSeconds() - busy).toFixed(1)} s\n`,
  )
  results.push({ what, rows, value, reference, referenceValue, target })
  const memory = {
    unit: 'MB',
    value: peak,
    reference: 'memory of its function',
    referenceValue: MEMORY_MEGABYTES,
  } as const
  results.push({ what: `memory of the platform: ${what}`, rows, ...memory, target: 1 })
}
