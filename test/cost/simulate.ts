/**
 * `npm run simulate`: docs/scale.md from what was counted (docs/figures/cost.json by `npm run cost`, docs/figures/records.json by
 * `npm run bench records`), against AWS's quotas: where each growth ends first, and at which figure.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { RECORDS_PER_SHEET } from '../../schemas/records.ts'
import type { BenchRow } from '../bench/row.ts'
import type { Usage } from './metered.ts'
import { type Outcome, simulate, type Work } from './model.ts'
import { FUNCTION_SECONDS, HTTP_SECONDS, JOB_MEGABYTES, LAMBDA_SCALING, QUOTAS, type Resource } from './quotas.ts'
import type { CostResult } from './run.ts'

const DOCS = resolve(import.meta.dirname, '../../docs')
const read = <T>(name: string): T => JSON.parse(readFileSync(`${DOCS}/figures/${name}.json`, 'utf8')) as T
const { counted } = read<CostResult>('cost')
const { rows: records } = read<{ rows: BenchRow[] }>('records')

const MILLION = 1_000_000
const DAY = 86_400
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const figure = (value: number): string => (value >= 100 ? whole(value) : String(Number(value.toPrecision(3))))

function usageOf(start: string): Usage {
  const found = counted.find(({ what }) => what.startsWith(start))
  if (!found) throw new Error(`docs/figures/cost.json has no ${start}: npm run cost`)
  return found.usage
}

function rowOf(what: string, rows: number): BenchRow {
  const found = records.find((one) => one.what === what && one.rows === rows)
  if (!found)
    throw new Error(`docs/figures/records.json has no ${what} at ${rows} rows: npm run bench records -- --record`)
  return found
}

/** The line through what was measured at one and at five million rows. */
function lineOf(what: string, of: (row: BenchRow) => number): (rows: number) => number {
  const [one, five] = [of(rowOf(what, MILLION)), of(rowOf(what, 5 * MILLION))]
  return (rows) => one + ((five - one) * (rows - MILLION)) / (4 * MILLION)
}

/** The rows at which a line reaches a limit. */
function rowsAt(line: (rows: number) => number, limit: number): number {
  const [one, two] = [line(MILLION), line(2 * MILLION)]
  return MILLION * (1 + (limit - one) / (two - one))
}

const IMPORT = 'CSV in S3 to records, 12 typed fields'
const secondsOf = (row: BenchRow): number => row.value / 1000

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function largeSheet(rows: number): string {
  const seconds = lineOf(IMPORT, secondsOf)
  const memory = lineOf('memory of a process that imports the file', ({ value }) => value)
  const written = lineOf(IMPORT, ({ cost }) => cost!.written)
  const puts = lineOf(IMPORT, ({ cost }) => cost!.puts)
  const search = lineOf('search in all columns', secondsOf)
  const sort = lineOf('sort by a text, first 100 records', secondsOf)
  const perSecond = (line: (rows: number) => number) => line(rows) / seconds(rows)
  const limits: [string, string, string, number][] = [
    ['`RECORDS_PER_SHEET`, as deployed', whole(RECORDS_PER_SHEET), '', RECORDS_PER_SHEET],
    [
      'memory of the function that imports',
      `${figure(memory(rows))} MB`,
      `${JOB_MEGABYTES} MB`,
      rowsAt(memory, JOB_MEGABYTES),
    ],
    [
      'a search in all columns within one request',
      `${figure(search(rows))} s`,
      `${HTTP_SECONDS} s`,
      rowsAt(search, HTTP_SECONDS),
    ],
    ['a sort within one request', `${figure(sort(rows))} s`, `${HTTP_SECONDS} s`, rowsAt(sort, HTTP_SECONDS)],
    [
      'an import within one run',
      `${figure(seconds(rows))} s`,
      `${FUNCTION_SECONDS} s`,
      rowsAt(seconds, FUNCTION_SECONDS),
    ],
  ]
  const rates: [Resource, (rows: number) => number][] = [
    ['partitionWrites', written],
    ['puts', puts],
  ]
  const [first] = limits.toSorted((a, b) => a[3] - b[3])
  const [next] = limits.slice(1).toSorted((a, b) => a[3] - b[3])
  return `## ${whole(rows)} rows in a sheet

First met: **${first![0]}, at ${whole(first![3])} rows**. Where it is raised (\`RECORDS_PER_SHEET=${rows}\`), the next is ${next![0]}, at ${whole(next![3])} rows.
The import of them makes ${whole(puts(rows))} S3 PUT and ${whole(written(rows))} WRU, all of these in the sheet's own partition. Lines through
what was measured at 1 and at 5 million rows:

${table(
  ['limit', `at ${whole(rows)} rows`, 'limit of AWS or of the stack', 'reached at rows'],
  limits.map(([name, at, limit, reached]) => [name, at, limit, whole(reached)]),
)}

Rates stay far from the quotas, however large the sheet, because one process writes it:

${table(
  ['quota', 'limit', 'an import asks for'],
  rates.map(([resource, line]) => [QUOTAS[resource].name, whole(QUOTAS[resource].limit), figure(perSecond(line))]),
)}
`
}

/** An import over HTTP: what the counted one asked for beside its rows, and what this many rows ask for. */
function importWork(rows: number): Work {
  const usage = usageOf('import of')
  const countedRows = Number(
    counted
      .find(({ what }) => what.startsWith('import of'))!
      .what.replace(/\D+/, '')
      .replace(/ .*/, '')
      .replaceAll(',', ''),
  )
  const engine = (name: 'written' | 'read' | 'puts') => lineOf(IMPORT, ({ cost }) => cost![name])
  const of = (name: 'written' | 'read' | 'puts'): number =>
    Math.max(0, usage[name] - Math.max(0, engine(name)(countedRows))) + Math.max(1, engine(name)(rows))
  const seconds = Math.max(1, lineOf(IMPORT, secondsOf)(rows))
  const events = usage.busEvents * Math.max(1, rows / countedRows)
  return {
    seconds,
    needs: {
      // The one that imports, and beside it the runs that events set off.
      lambda: 1 + (usage.runs * 0.05) / seconds,
      api: usage.httpRequests,
      tableWrites: of('written'),
      tableReads: of('read'),
      puts: of('puts'),
      bus: events,
      marks: events,
    },
  }
}

function manyImports(count: number, sizes: readonly number[]): string {
  const lines = sizes.map((rows) => {
    const work = importWork(rows)
    const outcome = simulate(count, work)
    return { rows, work, outcome, first: outcome.held[0] }
  })
  const firstOf = ({ held: [first] }: Outcome): string =>
    first
      ? `${QUOTAS[first.resource].name}: ${whole(first.wanted)} wanted, ${whole(QUOTAS[first.resource].limit)} there`
      : 'none'
  return `## ${whole(count)} imports at once

All begin in the same second. An import asks for what one was counted to ask for over HTTP, from the upload to the last event; functions'
runs that events set off are taken to last 50 ms. Lambda adds ${whole(LAMBDA_SCALING.runs)} runs of a function in ${LAMBDA_SCALING.seconds} s.

${table(
  ['rows each', 'WRU each', 'S3 PUT each', 'alone', `all ${whole(count)}`, 'met first', 'held back by it'],
  lines.map(({ rows, work, outcome, first }) => [
    ...[whole(rows), figure(work.needs.tableWrites!), figure(work.needs.puts!), `${figure(work.seconds)} s`],
    ...[`${figure(outcome.seconds)} s`, firstOf(outcome), first ? `${figure(first.seconds)} s` : ''],
  ]),
)}

Nothing is lost where a quota is met: requests are tried up to 10 times with growing pauses, runs that Lambda has no room for wait in its
own queue for up to 6 hours, and events in the table for the sweep.
`
}

/** The calls an environment makes a day on the average, equally of the four kinds that are counted. */
const CALLS_A_DAY = [100, 1_000, 10_000]
const KINDS = ['reading a space', 'creating a space', 'reading a page', 'editing a record']

function manyEnvironments(count: number): string {
  const mean = (of: (usage: Usage) => number): number =>
    KINDS.map(usageOf).reduce((sum, usage) => sum + of(usage), 0) / KINDS.length
  const each: [Resource, number][] = [
    ['api', 1],
    ['lambda', mean(({ gigabyteSeconds }) => gigabyteSeconds)],
    ['tableWrites', mean(({ written }) => written)],
    ['tableReads', mean((usage) => usage.read)],
    ['gets', mean((usage) => usage.gets)],
    ['bus', mean(({ busEvents }) => busEvents)],
    ['marks', mean(({ busEvents }) => busEvents)],
  ]
  const lines = CALLS_A_DAY.map((calls) => {
    const rate = (count * calls) / DAY
    const used = each.map(([resource, need]) => ({ resource, part: (rate * need) / QUOTAS[resource].limit, need }))
    const [first] = used.toSorted((a, b) => b.part - a.part)
    return { calls, rate, first: first! }
  })
  return `## ${whole(count)} environments

Environments that do nothing cost nothing and are looked at by no schedule: cron events are made for those alone that have an agent for
them, and beyond 250 rules agents are called by the router. What counts is what they ask for together, here a quarter each of reading a space,
creating one, reading a page of 100 records and editing one, with all that it sets off, evenly over the day:

${table(
  ['calls a day each', 'a second in all', 'nearest quota', 'of it used', 'met at environments'],
  lines.map(({ calls, rate, first }) => [
    ...[whole(calls), figure(rate), QUOTAS[first.resource].name],
    ...[`${figure(first.part * 100)} %${first.part > 1 ? ', **beyond it**' : ''}`, whole(count / first.part)],
  ]),
)}

A table's first quota of 4,000 WRU grows by itself: on-demand tables take twice their last peak within half an hour, and the account's default is 40,000.
`
}

const page = `# How far it scales

Written by \`npm run simulate\`; do not edit. Nothing here was run in AWS: what the platform asks for is counted
([cost.md](cost.md), [figures.md](figures.md)), what AWS gives is its published default quotas
([test/cost/quotas.ts](../test/cost/quotas.ts)), and where the two meet is calculated ([test/cost/model.ts](../test/cost/model.ts)).

${largeSheet(10 * MILLION)}
${manyImports(1_000, [1_000, 100_000, MILLION])}
${manyEnvironments(100_000)}
## Quotas

${table(
  ['quota', 'default'],
  Object.values(QUOTAS).map(({ name, limit }) => [name, whole(limit)]),
)}
`
writeFileSync(`${DOCS}/scale.md`, page)
