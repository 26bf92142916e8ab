import { setTimeout as sleep } from 'node:timers/promises'
import { readStack } from '../../packages/local-cloud/src/stack.ts'
import { uploadFile } from '../../test/support/large-jobs.ts'
import { buildCsv, FIELDS } from '../records-data.ts'
import type { Metered, Usage } from './metered-requests.ts'

export interface Counted {
  what: string
  per: string
  usage: Usage
  of: number
  beside?: Partial<Record<'agentRuns' | 'socketMinutes' | 'socketMessages' | 's3Gigabytes' | 'tableGigabytes', number>>
}

export const IMPORT_SIZES = [1_000, 100_000, 1_000_000]
export const nameImport = (rows: number): string => `import of ${rows.toLocaleString('en')} rows`

const CALLS = 50
const EVENTS = 50
const IDLE_RUNS = 10
const GIGABYTE = 1024 ** 3
const MONTH_MINUTES = 30 * 24 * 60

const divideUsage = (usage: Usage, of: number): Usage =>
  Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, count / of])) as unknown as Usage

const repeat = async (count: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index++) await work(index)
}

export async function countScenarios(platform: Metered, rows: number): Promise<Counted[]> {
  const smaller: Counted[] = []
  for (const size of IMPORT_SIZES.filter((size) => size < rows))
    smaller.push((await countImport(platform, size)).imported)
  const { sheetId, imported, storage } = await countImport(platform, rows)
  return [
    ...[...smaller, imported, ...storage],
    ...(await countCalls(platform, sheetId)),
    ...(await countEvents(platform)),
    ...(await countIdle(platform)),
    await countPoll(platform),
  ]
}

async function countImport({ call, usageOf }: Metered, rows: number) {
  const space = await call('POST', '/spaces', { name: 'cost' })
  const text = buildCsv(rows)
  let sheetId = ''
  let clientPuts = 0
  const usage = await usageOf(async () => {
    const client = { post: (path: string, body?: unknown) => call('POST', path, body) }
    const { fileId, puts } = await uploadFile(client, { spaceId: space.id, name: 'cost.csv', bytes: text })
    clientPuts = puts
    for (let workbookId: string | undefined; !sheetId; ) {
      await sleep(2000)
      workbookId = (await call('GET', `/files/${fileId}`)).workbookId
      if (!workbookId) continue
      const [sheet] = (await call('GET', `/workbooks/${workbookId}`)).sheets
      const { counts } = await call('GET', `/sheets/${sheet.id}/counts`)
      if (counts.total === rows) sheetId = sheet.id
    }
  })
  usage.puts += clientPuts
  // An upper bound: at most what was written, in units of 1 KB.
  const stored = { s3Gigabytes: usage.putBytes / GIGABYTE, tableGigabytes: (usage.written * 1024) / GIGABYTE }
  const noUsage = divideUsage(usage, Number.POSITIVE_INFINITY)
  const imported: Counted = { what: `${nameImport(rows)} of ${FIELDS.length} fields`, per: 'import', usage, of: 1 }
  const storage: Counted[] = [
    { what: 'storage of its records', per: 'month', usage: noUsage, of: 1, beside: stored },
    {
      ...{ what: `storage of its file of ${Math.round(text.length / 1e6)} MB`, per: 'month', usage: noUsage, of: 1 },
      beside: { s3Gigabytes: text.length / GIGABYTE },
    },
  ]
  return { sheetId, imported, storage }
}

async function countCalls({ call, usageOf }: Metered, sheetId: string): Promise<Counted[]> {
  const { id } = await call('POST', '/spaces', { name: 'calls' })
  const { records } = await call('GET', `/sheets/${sheetId}/records?pageSize=${CALLS}`)
  const [field] = FIELDS
  const edit = (index: number) => [{ id: records[index].id, values: { [field!.key]: { value: `edited ${index}` } } }]
  const kinds: [string, (index: number) => Promise<unknown>][] = [
    ['reading a space', () => call('GET', `/spaces/${id}`)],
    ['creating a space', (index) => call('POST', '/spaces', { name: `space ${index}` })],
    [
      'reading a page of 100 records',
      (index) => call('GET', `/sheets/${sheetId}/records?pageSize=100&pageNumber=${index + 1}`),
    ],
    ['editing a record', (index) => call('PUT', `/sheets/${sheetId}/records`, edit(index))],
  ]
  const counted: Counted[] = []
  for (const [what, work] of kinds) {
    const usage = await usageOf(() => repeat(CALLS, work))
    counted.push({ what, per: 'call', usage: divideUsage(usage, CALLS), of: CALLS })
  }
  return counted
}

async function countEvents({ call, usageOf, local }: Metered): Promise<Counted[]> {
  const environmentId = local.environments[0]!.id
  const source = 'exports.routeEvent = async () => {}'
  const { id } = await call('POST', `/agents?environmentId=${environmentId}`, {
    ...{ slug: 'cost', topics: ['cost:counted'], compiler: 'js', source },
  })
  const createEvent = () =>
    call('POST', '/events', { topic: 'cost:counted', domain: 'cost', context: { environmentId }, payload: {} })
  const usage = await usageOf(() => repeat(EVENTS, createEvent))
  await call('DELETE', `/agents/${id}`)
  const beside = { agentRuns: 1 }
  return [{ what: 'an event to one agent', per: 'event', usage: divideUsage(usage, EVENTS), of: EVENTS, beside }]
}

function countMonthlyRuns(schedule: string): number {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule)
  if (rate) return MONTH_MINUTES / (Number(rate[1]) * { minute: 1, hour: 60, day: 1440 }[rate[2] as 'minute'])
  const [minute = '', hour, , , weekday] = schedule.slice('cron('.length).split(' ')
  if (minute.includes('/')) return MONTH_MINUTES / Number(minute.split('/')[1])
  if (hour === '*') return MONTH_MINUTES / 60
  return weekday === 'MON' ? 30 / 7 : 30
}

async function countIdle({ usageOf, cloud, local }: Metered): Promise<Counted[]> {
  const { functions } = readStack({ root: process.cwd(), secret: 'x'.repeat(32), apiUrl: local.baseUrl })
  const month: Record<string, number> = {}
  for (const { name, rules } of functions)
    for (const rule of rules) {
      if (rule.schedule === undefined) continue
      const runs = countMonthlyRuns(rule.schedule)
      const time = new Date().toISOString().replace(/\.\d+/, '')
      const topic = { 5: 'cron:5-minutes', 60: 'cron:hourly' }[MONTH_MINUTES / runs] ?? 'cron:daily'
      const invoke = () => cloud.lambda.invoke(name, { time, topic })
      await invoke() // loads its modules
      const usage = divideUsage(await usageOf(() => repeat(IDLE_RUNS, invoke)), IDLE_RUNS)
      for (const [kind, count] of Object.entries(usage)) month[kind] = (month[kind] ?? 0) + count * runs
    }
  return [{ what: 'an idle platform', per: 'month', usage: month as unknown as Usage, of: 1 }]
}

async function countPoll({ call, usageOf, local }: Metered): Promise<Counted> {
  const scope = local.environments[0]!.id
  const { token, subscribeKey } = await call('GET', `/subscription?scope=${scope}`)
  const sendPoll = (tt: string) =>
    call('GET', `/v2/subscribe/${subscribeKey}/environment.${scope}/0?tt=${tt}&auth=${encodeURIComponent(token)}`)
  const { t } = await sendPoll('0')
  const began = performance.now()
  const usage = await usageOf(() => sendPoll(t.t))
  const polls = (MONTH_MINUTES * 60_000) / (performance.now() - began)
  const month = Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, count * polls]))
  return { what: 'an idle long-poll listener', per: 'month', usage: month as unknown as Usage, of: 1 }
}
