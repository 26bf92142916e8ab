/** Steps of an import that both files share, by HTTP requests only. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Progress } from './progress.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export interface Counts {
  total: number
  valid: number
  error: number
  errorsByField?: Record<string, number>
}

const STEP_SECONDS = 120

export async function waitUntil<T>(description: string, check: () => Promise<T | undefined>): Promise<T> {
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
