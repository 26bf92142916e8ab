/** The steps of the demo import, by HTTP requests only. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Local } from '../../localstack/seed.ts'
import { importMessyFile, type MessyImport } from '../movies/import.ts'
import { bundleSampleAgent } from './agent/bundle.ts'
import { AIRPORTS_SHEET } from './airports.ts'
import { Client } from './client.ts'
import { Progress } from './progress.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export interface Counts {
  total: number
  valid: number
  error: number
  errorsByField?: Record<string, number>
}

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

const STEP_SECONDS = 120

async function waitUntil<T>(description: string, check: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + STEP_SECONDS * 1000
  for (;;) {
    const value = await check()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`${description} did not happen within ${STEP_SECONDS} s`)
    await sleep(50)
  }
}

export async function followJob(client: Client, id: string, progress: Progress, status = 'completed'): Promise<Json> {
  return waitUntil(`job ${id}`, async () => {
    const job = await client.get(`/jobs/${id}`)
    if (job.status === 'failed')
      throw new Error(`job ${job.type}:${job.operation} failed: ${job.info ?? JSON.stringify(job.outcome)}`)
    progress.show((job.progress ?? 0) / 100, job.info)
    return job.status === status ? job : undefined
  })
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

/** Uploads a file, which extracts it into a workbook. */
export async function extractFile(
  client: Client,
  spaceId: string,
  environmentId: string,
  path: string,
  progress: Progress,
): Promise<{ source: Json }> {
  const file = await upload(client, spaceId, environmentId, path)
  const extraction = await waitUntil('the extraction', async () => {
    const jobs = await client.get(`/jobs?fileId=${file.id}`)
    return jobs.find((job: Json) => job.operation === 'extract')
  })
  await followJob(client, extraction.id, progress)
  const extracted = await client.get(`/files/${file.id}`)
  const [source] = (await client.get(`/workbooks/${extracted.workbookId}`)).sheets
  return { source }
}

export async function startMapping(
  client: Client,
  source: Json,
  destination: Json,
  progress: Progress,
): Promise<{ job: Json; plan: Json }> {
  const job = await client.post('/jobs', {
    type: 'workbook',
    operation: 'map',
    source: source.workbookId,
    destination: destination.workbookId,
    managed: true,
    config: { sourceSheetId: source.id, destinationSheetId: destination.id },
  })
  await followJob(client, job.id, progress, 'planning')
  const { plan } = await client.get(`/jobs/${job.id}/plan`)
  return { job, plan }
}

async function upload(client: Client, spaceId: string, environmentId: string, path: string): Promise<Json> {
  const form = new FormData()
  form.append('spaceId', spaceId)
  form.append('environmentId', environmentId)
  form.append('file', new Blob([readFileSync(path)]), basename(path))
  return client.post('/files', form)
}
