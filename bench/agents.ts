/** Record hooks of deployed agents. `WHARF_BENCH_ROWS=1000000 npm run bench -- agents` for a million records. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Local } from '../localstack/seed.ts'
import { installTools } from '../scripts/install-tools.ts'
import { bundleRecordHook, OWN_HOOK, PUBLIC_HOOK } from '../test/support/bundle-hook.ts'
import { buildRow, FIELDS, measureHookTime } from './agents-hook.ts'
import type { BenchRow } from './row.ts'
import { withPlatform } from './start-server.ts'

const ROWS = Number(process.env.WHARF_BENCH_ROWS ?? 100_000)
const RECORDS_PER_EVENT = 1_000
const POLL_MS = 100
const LINES_PER_REQUEST = 100_000
const CALLBACK = `(record) => {
  record.set('name', String(record.get('name')).toUpperCase())
  record.set('done', 'yes')
  if (!record.get('city')) record.addWarning('city', 'no city')
}`

export async function bench(): Promise<BenchRow[]> {
  installTools('test/published')
  const publicSource = await bundleRecordHook(PUBLIC_HOOK, CALLBACK)
  const ownSource = await bundleRecordHook(OWN_HOOK, CALLBACK)
  return withPlatform(async (local) => {
    const whole = await measureAgent(local, publicSource, {})
    const inParts = await measureAgent(local, publicSource, { recordsPerEvent: RECORDS_PER_EVENT })
    const own = await measureAgent(local, ownSource, { ignoreOwnCommits: true })
    const reference = 'the public plugin for 10,000 records per event'
    return [
      { what: `the public plugin for ${RECORDS_PER_EVENT} records per event`, value: inParts, reference, target: 0.6 },
      { what: '@wharf/record-hook', value: own, reference, target: 0.5 },
    ]
      .map((row): BenchRow => ({ ...row, rows: ROWS, referenceValue: whole }))
      .concat(await measureHookTime(publicSource, ownSource))
  })
}

function* buildRequests(): Generator<string> {
  for (let from = 0; from < ROWS; from += LINES_PER_REQUEST) {
    const count = Math.min(LINES_PER_REQUEST, ROWS - from)
    const lines = Array.from({ length: count }, (_, i) => JSON.stringify(buildRow(from + i)))
    yield `${lines.join('\n')}\n`
  }
}

interface Reply {
  data: { id: string; workbookId: string; sheets: { id: string }[]; counts: { total: number } }
}

async function measureAgent(local: Local, source: string, settings: object): Promise<number> {
  const { id: environmentId, secretKey } = local.environments[0]!
  const call = async (method: string, path: string, body?: object | string, version = 'v1') => {
    const headers = {
      authorization: `Bearer ${secretKey}`,
      'content-type': typeof body === 'string' ? 'application/jsonl' : 'application/json',
    }
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(`${local.baseUrl}/${version}${path}`, { method, headers, ...content })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Reply
  }
  const slug = 'hook'
  const agent = (
    await call('POST', `/agents?environmentId=${environmentId}`, {
      slug,
      topics: ['commit:created'],
      source,
      ...settings,
    })
  ).data
  const space = (await call('POST', '/spaces', { name: 'bench' })).data
  const sheets = [{ name: 'People', slug: 'people', fields: FIELDS.map((key) => ({ key, type: 'string' })) }]
  const [sheet] = (await call('POST', '/workbooks', { spaceId: space.id, name: 'bench', sheets })).data.sheets
  const requests = [...buildRequests()]
  const startedAt = performance.now()
  for (const lines of requests) await call('POST', `/records.jsonl?sheetId=${sheet!.id}`, lines, 'v2-alpha')
  const countCorrected = async () => {
    const query = new URLSearchParams({ q: 'done eq "yes"', pageSize: '1', includeLength: 'true' })
    return (await call('GET', `/sheets/${sheet!.id}/records?${query}`)).data.counts.total
  }
  while ((await countCorrected()) < ROWS) await sleep(POLL_MS)
  const milliseconds = performance.now() - startedAt
  await call('DELETE', `/agents/${agent.id}`)
  await call('DELETE', `/workbooks/${(await call('GET', `/sheets/${sheet!.id}`)).data.workbookId}`)
  return milliseconds
}
