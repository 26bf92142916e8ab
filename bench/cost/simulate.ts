/**
 * `npm run bench -- simulate`: writes docs/operations/scale.md from the counted costs and benchmarks, to show where growth first reaches an
 * AWS quota.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { processEnv } from '../../lib/core/env.ts'
import { MAX_RECORDS_PER_SHEET } from '../../schemas/records/limits.ts'
import type { BenchRow } from '../row.ts'
import { estimateReads, estimateSteps } from './large-sheet.ts'
import type { Usage } from './metered-requests.ts'
import { type Outcome, simulate, type Work } from './model.ts'
import { FUNCTION_SECONDS, HTTP_SECONDS, LAMBDA_SCALING, QUOTAS, type Resource } from './quotas.ts'
import type { CostResult } from './run.ts'
import { nameImport } from './scenarios.ts'

const FIGURES = resolve(import.meta.dirname, '../figures')
const PAGE = resolve(import.meta.dirname, '../../docs/operations/scale.md')
const readFigures = <T>(name: string): T => JSON.parse(readFileSync(`${FIGURES}/${name}.json`, 'utf8')) as T
const { counted } = readFigures<CostResult>('cost')
const { rows: records } = readFigures<{ rows: BenchRow[] }>('records')

const MILLION = 1_000_000
const DAY = 86_400
const formatWhole = (value: number): string => Math.round(value).toLocaleString('en')
const formatNumber = (value: number): string =>
  value >= 100 ? formatWhole(value) : String(Number(value.toPrecision(3)))

function findUsage(start: string): Usage {
  const found = counted.find(({ what }) => what.startsWith(start))
  if (!found) throw new Error(`bench/figures/cost.json has no ${start}: npm run bench -- cost`)
  return found.usage
}

function findRow(what: string, rows: number): BenchRow {
  const found = records.find((one) => one.what === what && one.rows === rows)
  if (!found)
    throw new Error(`bench/figures/records.json has no ${what} at ${rows} rows: npm run bench -- records --record`)
  return found
}

function fitLine(what: string, of: (row: BenchRow) => number): (rows: number) => number {
  const [one, five] = [of(findRow(what, MILLION)), of(findRow(what, 5 * MILLION))]
  return (rows) => one + ((five - one) * (rows - MILLION)) / (4 * MILLION)
}

const IMPORT = 'CSV in S3 to records, 12 typed fields'
const toSeconds = (row: BenchRow): number => row.value / 1000

const formatDuration = (seconds: number): string =>
  seconds < 60 ? `${formatNumber(seconds)} seconds` : `${formatNumber(seconds / 60)} minutes`

const renderTable = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const { rows: large } = readFigures<{ rows: BenchRow[] }>('large')
const LARGE_ROWS = 10 * MILLION
const { PART_BYTES, PART_RECORDS, PARTS_AT_ONCE } = processEnv()
const sizes = {
  measuredRows: LARGE_ROWS,
  fileBytes: 124 * LARGE_ROWS,
  ...{ partBytes: PART_BYTES, partRecords: PART_RECORDS, partsAtOnce: PARTS_AT_ONCE },
}

function renderLargeSheet(rows: number): string {
  const steps = estimateSteps(large, rows, sizes)
  const reads = estimateReads(large, rows, sizes)
  const perRow = (cost: (row: BenchRow) => number) => fitLine(IMPORT, cost)(rows)
  const [puts, written] = [perRow(({ cost }) => cost!.puts), perRow(({ cost }) => cost!.written)]
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0)
  return `## ${formatWhole(rows)} rows in a sheet

A file of ${formatWhole((rows / LARGE_ROWS) * (sizes.fileBytes / 1e9))} GB is [shared by up to ${PARTS_AT_ONCE} functions](../reference/platform.md#large-files). Extracting,
mapping and exporting it takes **${formatDuration(total)}**, if a function computes as fast as one core of the measuring machine:

${renderTable(
  ['step', 'parts', 'each', 'commit', 'in all'],
  steps.map(({ step, parts, partSeconds, commitSeconds, seconds }) => [
    ...[step, formatWhole(parts), `${formatNumber(partSeconds)} s`],
    ...[`${formatNumber(commitSeconds)} s`, `${formatNumber(seconds)} s`],
  ]),
)}

The import writes ${formatWhole(puts)} objects and uses ${formatWhole(written)} WRU. A function can run for ${FUNCTION_SECONDS} s.
${rows > MAX_RECORDS_PER_SHEET ? `The default of \`RECORDS_PER_SHEET\` is ${formatWhole(MAX_RECORDS_PER_SHEET)}, so it must be raised.\n` : ''}
A request ends after ${HTTP_SECONDS} s. These requests read the sheet for the first time, [shared by up to ${PARTS_AT_ONCE}
functions](../reference/platform.md#large-sheets) where they read all of it. A function that did not read the sheet
before also loads its state, which is not included:

${renderTable(
  ['request', 'parts', 'each', 'in all'],
  reads.map(({ what, parts, partSeconds, seconds }) => [
    ...[what, formatWhole(parts), `${formatNumber(partSeconds)} s`, `${formatNumber(seconds)} s`],
  ]),
)}
`
}

function createImportWork(rows: number): Work {
  const usage = findUsage(nameImport(rows))
  const seconds = Math.max(1, fitLine(IMPORT, toSeconds)(rows))
  return {
    seconds,
    needs: {
      lambda: 1 + (usage.runs * 0.05) / seconds,
      api: usage.httpRequests,
      tableWrites: usage.written,
      tableReads: usage.read,
      puts: usage.puts,
      bus: usage.busEvents,
      marks: usage.busEvents,
    },
  }
}

function renderManyImports(count: number, sizes: readonly number[]): string {
  const lines = sizes.map((rows) => {
    const work = createImportWork(rows)
    const outcome = simulate(count, work)
    return { rows, work, outcome, first: outcome.throttled[0] }
  })
  const describeFirst = ({ throttled: [first] }: Outcome): string =>
    first
      ? `${QUOTAS[first.resource].name}: ${formatWhole(first.wanted)} needed, ${formatWhole(QUOTAS[first.resource].limit)} available`
      : 'none'
  return `## ${formatWhole(count)} simultaneous imports

All imports start in the same second. Each import makes the requests that were counted for one import over HTTP, from
the upload to the last event. Functions triggered by events are assumed to run for 50 ms.

Lambda adds ${formatWhole(LAMBDA_SCALING.runs)} concurrent runs of a function every ${LAMBDA_SCALING.seconds} s.

${renderTable(
  [
    'rows each',
    'WRU each',
    'S3 PUT each',
    'one import',
    `all ${formatWhole(count)}`,
    'first limit',
    'time limited by it',
  ],
  lines.map(({ rows, work, outcome, first }) => [
    ...[
      formatWhole(rows),
      formatNumber(work.needs.tableWrites!),
      formatNumber(work.needs.puts!),
      `${formatNumber(work.seconds)} s`,
    ],
    ...[`${formatNumber(outcome.seconds)} s`, describeFirst(outcome), first ? `${formatNumber(first.seconds)} s` : ''],
  ]),
)}

No data is lost when a quota is reached. Requests are attempted up to 10 times with growing delays. Runs that exceed
Lambda's concurrency wait in its queue for up to 6 hours, and events wait in the table for the sweep.
`
}

const CALLS_PER_DAY = [100, 1_000, 10_000]
const KINDS = ['reading a space', 'creating a space', 'reading a page', 'editing a record']

function renderManyEnvironments(count: number): string {
  const mean = (of: (usage: Usage) => number): number =>
    KINDS.map(findUsage).reduce((sum, usage) => sum + of(usage), 0) / KINDS.length
  const each: [Resource, number][] = [
    ['api', 1],
    ['lambda', mean(({ gigabyteSeconds }) => gigabyteSeconds)],
    ['tableWrites', mean(({ written }) => written)],
    ['tableReads', mean((usage) => usage.read)],
    ['gets', mean((usage) => usage.gets)],
    ['bus', mean(({ busEvents }) => busEvents)],
    ['marks', mean(({ busEvents }) => busEvents)],
  ]
  const lines = CALLS_PER_DAY.map((calls) => {
    const rate = (count * calls) / DAY
    const used = each.map(([resource, need]) => ({ resource, part: (rate * need) / QUOTAS[resource].limit, need }))
    const [first] = used.toSorted((a, b) => b.part - a.part)
    return { calls, rate, first: first! }
  })
  return `## ${formatWhole(count)} environments

Idle environments cost nothing, and no schedule checks them: cron events are created only for environments with an agent
that subscribes to them. Beyond 250 rules, the router calls the agents.

The load is the sum of all calls, spread evenly over the day: a quarter each of reading a space, creating a space, reading
a page of 100 records and editing a record, including everything these calls trigger:

${renderTable(
  [
    'calls per day and environment',
    'calls per second',
    'closest quota',
    'quota used',
    'quota reached at (environments)',
  ],
  lines.map(({ calls, rate, first }) => [
    ...[formatWhole(calls), formatNumber(rate), QUOTAS[first.resource].name],
    ...[
      `${formatNumber(first.part * 100)} %${first.part > 1 ? ', **exceeded**' : ''}`,
      formatWhole(count / first.part),
    ],
  ]),
)}

A new table's quota of 4,000 WRU grows automatically: on-demand tables handle twice their previous peak within 30 minutes.
The default quota of an account is 40,000.
`
}

const page = `# How far it scales

Generated by \`npm run bench -- simulate\`; do not edit. Nothing on this page was run in AWS. The figures are calculated
([bench/cost/model.ts](../../bench/cost/model.ts)) from the platform's counted usage ([cost.md](cost.md),
[figures.md](../../bench/figures.md)) and the published default quotas of AWS ([bench/cost/quotas.ts](../../bench/cost/quotas.ts)).

${renderLargeSheet(10 * MILLION)}
${renderLargeSheet(100 * MILLION)}
${renderManyImports(1_000, [1_000, 100_000, MILLION])}
${renderManyEnvironments(100_000)}
## Quotas

${renderTable(
  ['quota', 'default'],
  Object.values(QUOTAS).map(({ name, limit }) => [name, formatWhole(limit)]),
)}
`
writeFileSync(PAGE, page)
