/** The steps of the demo import, by HTTP requests only. */
import type { Local } from '../../localstack/seed.ts'
import { importMessyFile, type MessyImport } from '../movies/import.ts'
import { bundleSampleAgent } from './agent/bundle.ts'
import { AIRPORTS_SHEET } from './airports.ts'
import { Client } from './client.ts'
import { Progress } from './progress.ts'
import { type Counts, extractFile, followJob, startMapping, waitUntil } from './steps.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export interface Result {
  spaceId: string
  sheetId: string
  rows: number
  before: Counts
  after: Counts
  events: Json[]
  runs: Json[]
  seconds: Record<string, number>
  messy: MessyImport
}

export async function importFiles(local: Local, path: string, messyPath: string): Promise<Result> {
  const environment = local.environments.find(({ isProd }) => !isProd)!
  const client = new Client(local.baseUrl, environment.secretKey)
  const seconds: Record<string, number> = {}

  const deploying = new Progress('Deploying the agent')
  const agent = await client.post(`/agents?environmentId=${environment.id}`, {
    topics: ['commit:created'],
    compiler: 'js',
    slug: 'airports',
    source: await bundleSampleAgent(),
  })
  seconds['deploy the agent'] = deploying.done()
  try {
    const result = await runImport(client, environment.id, path, seconds)
    return { ...result, messy: await importMessyFile(client, environment.id, messyPath) }
  } finally {
    // A remaining agent would also correct the next import, and `flatfile develop` would ask about it.
    await client.delete(`/agents/${agent.id}`)
  }
}

async function runImport(
  client: Client,
  environmentId: string,
  path: string,
  seconds: Record<string, number>,
): Promise<Omit<Result, 'messy'>> {
  const space = await client.post('/spaces', { environmentId, name: 'Airports' })
  const workbook = await client.post('/workbooks', { spaceId: space.id, name: 'Airports', sheets: [AIRPORTS_SHEET] })
  const sheet = workbook.sheets[0]

  const extracting = new Progress('Uploading and extracting')
  const { source } = await extractFile(client, space.id, environmentId, path, extracting)
  const { counts: raw } = await client.get(`/sheets/${source.id}/counts`)
  seconds['upload and extract'] = extracting.done(`${raw.total} rows`)

  const mapping = new Progress('Mapping columns to fields')
  const { job: map, plan } = await startMapping(client, source, { ...sheet, workbookId: workbook.id }, mapping)
  await client.post(`/jobs/${map.id}/execute`)
  await followJob(client, map.id, mapping)
  const { counts: before } = await client.get(`/sheets/${sheet.id}/counts?byField=true`)
  seconds['map and validate'] = mapping.done(
    `${plan.fieldMapping.length} of ${AIRPORTS_SHEET.fields.length} fields mapped automatically`,
  )

  const correcting = new Progress('Running the agent')
  const runs = await waitUntil("the agent's run", async () => {
    const executions = await client.get(
      `/agents/executions?environmentId=${environmentId}&spaceId=${space.id}&pageSize=100`,
    )
    const agentRuns = executions.filter((run: Json) => run.topic === 'commit:created')
    return agentRuns.length >= 2 ? agentRuns : undefined
  })
  const { counts: after } = await client.get(`/sheets/${sheet.id}/counts?byField=true`)
  seconds['agent corrects and flags'] = correcting.done()

  const events = await client.get(`/events?spaceId=${space.id}&pageSize=1000`)
  return { spaceId: space.id, sheetId: sheet.id, rows: after.total, before, after, events, runs, seconds }
}
