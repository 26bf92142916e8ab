/**
 * The platform's own operations as jobs over HTTP, on an embedded cloud in a process of its own; on a sheet of a million rows,
 * or of `BENCH_ROWS`. Each beside parsing a file of the rows, or reading the sheet's columns, with the most memory the
 * platform's process had; then each killed (-9) in its middle, started again on the same data and looked at row by row.
 */
import type { Client } from '../../localstack/demo/client.ts'
import { clientOf, done, extracted, jobs, newSheet, type Sheet } from '../support/large-jobs.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { credentialsOf } from '../support/signed-request.ts'
import { coldReads } from './columns.ts'
import { killedRow } from './jobs-killed.ts'
import { benchSheet, csvOf, FIELDS, KEYS } from './records-data.ts'
import { parse } from './records-import.ts'
import type { BenchRow } from './row.ts'
import { AS_BUNDLED, withDataFolder } from './started.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
/** What the function that performs jobs has in AWS (serverless.yml); here the whole cloud is in the process. */
const MEMORY_MEGABYTES = 2048

export interface JobsBench {
  /** Another one after each kill. */
  platform: Platform
  start(): Promise<Platform>
  rows: number
  file: Buffer
  source: Sheet
  sheet: Sheet
  spaceId: string
  found: BenchRow[]
}

const timed = async (work: () => unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

export const bench = (): Promise<BenchRow[]> =>
  withDataFolder(async (folder) => {
    const start = () => startPlatform(folder, AS_BUNDLED)
    const platform = await start()
    const file = csvOf(ROWS)
    const client = clientOf(platform.local)
    const { id: spaceId } = await client.post('/spaces', { name: 'Bench' })
    const source = await extracted(client, spaceId, file)
    const sheet = await newSheet(client, spaceId, FIELDS)
    const world: JobsBench = { platform, start, rows: ROWS, file, source, sheet, spaceId, found: [] }
    try {
      await undisturbed(world, client)
      const alone = ['map', 'mutate', 'export, jsonl', 'delete half']
      const took = world.found.filter(({ what }) => alone.includes(what)).reduce((sum, { value }) => sum + value, 0)
      return [...world.found, await killedRow(world, took)]
    } finally {
      await world.platform.stop()
    }
  })

/** Each operation once, on rows that the ones before left behind. */
async function undisturbed(world: JobsBench, client: Client): Promise<void> {
  const { source, sheet, file, rows } = world
  const parsing = () => parse(file, rows)
  await measure(world, 'map', jobs.map(source, sheet), parsing, 'parsing alone (uDSV)', 6)
  const note = (text: string) => `record => record.set('phone', ${JSON.stringify(text)} + record.get('customer_id'))`
  await measure(world, 'mutate', jobs.mutate(sheet, note('a')), parsing, 'parsing alone (uDSV)', 20)
  const kept = { snapshotLabel: 'Before' }
  await measure(
    world,
    'mutate, snapshot first',
    jobs.mutate(sheet, note('b'), kept),
    parsing,
    'parsing alone (uDSV)',
    20,
  )
  const replacement = jobs.findReplace(sheet, 'city', 'Springfield', 'Winterfell')
  await measure(world, 'find and replace', replacement, parsing, 'parsing alone (uDSV)', 10)
  const reading = await columnsOf(world)
  for (const format of ['csv', 'jsonl', 'xlsx'])
    await measure(world, `export, ${format}`, jobs.export(sheet, format), reading, 'reading all columns', 15)
  await measure(world, 'delete half', jobs.remove(sheet, 'quantity lt 500'), parsing, 'parsing alone (uDSV)', 10)
  const { counts } = await client.get(`/sheets/${sheet.sheetId}/counts`)
  process.stderr.write(`left: ${counts.total}\n`)
}

/** Read by this process from the platform's cloud. */
async function columnsOf({ platform, sheet }: JobsBench): Promise<() => Promise<void>> {
  const { readStack } = await import('../../localstack/cloud/stack.ts')
  const { functionEnvironment, setEnvironment } = await import('../../localstack/cloud/server/environment.ts')
  const { cloud: endpoint, aws } = platform.local
  const access = { endpoint, credentials: credentialsOf(aws), ownPorts: [] }
  setEnvironment(functionEnvironment(readStack({ root: process.cwd(), secret: 'x'.repeat(32) }), access))
  return (await coldReads(benchSheet(sheet.sheetId))).reading(KEYS, true)
}

async function measure(
  { platform, rows, found }: JobsBench,
  what: string,
  body: object,
  beside: () => unknown,
  reference: string,
  reach: number,
): Promise<void> {
  const client = clientOf(platform.local)
  platform.beginPeak()
  const busy = platform.busy()
  const value = await timed(() => done(client, body))
  const peak = platform.peak()
  const referenceValue = await timed(beside)
  process.stderr.write(
    `${what}: ${Math.round(value)} ms, ${(value / referenceValue).toPrecision(3)}, ${Math.round(peak)} MB, busy ${(platform.busy() - busy).toFixed(1)} s\n`,
  )
  found.push({ what, rows, value, reference, referenceValue, reach })
  const memory = {
    unit: 'MB',
    value: peak,
    reference: 'what its function has',
    referenceValue: MEMORY_MEGABYTES,
  } as const
  found.push({ what: `memory of the platform: ${what}`, rows, ...memory, reach: 1 })
}
