import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../examples/airports/client.ts'
import type { Local } from '../../localstack/seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export const createClient = (local: Local): Client => new Client(local.baseUrl, local.environments[0]!.secretKey)

const JOB_SECONDS = 900
const POLL_MS = 250

export async function waitForResult<T>(
  what: string,
  check: () => Promise<T | undefined>,
  pollMs = POLL_MS,
): Promise<T> {
  const deadline = Date.now() + JOB_SECONDS * 1000
  for (;;) {
    const found = await check()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${JOB_SECONDS} s`)
    await sleep(pollMs)
  }
}

export async function uploadFile(
  client: Pick<Client, 'post'>,
  { spaceId, name = 'rows.csv', bytes }: { spaceId: string; name?: string; bytes: Buffer },
): Promise<{ fileId: string; puts: number }> {
  const { file, upload } = await client.post('/files/uploads', { spaceId, name, size: bytes.length })
  const parts: { partNumber: number; etag: string }[] = []
  const put = async (url: string, body: Buffer): Promise<string> => {
    const response = await fetch(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer> })
    if (!response.ok) throw new Error(`PUT: ${response.status} ${await response.text()}`)
    return response.headers.get('etag')!
  }
  if (upload.type === 'single') await put(upload.url, bytes)
  else
    for (const { partNumber, url } of upload.parts) {
      const from = (partNumber - 1) * upload.partSize
      parts.push({ partNumber, etag: await put(url, bytes.subarray(from, from + upload.partSize)) })
    }
  await client.post(`/files/${file.id}/complete`, parts.length > 0 ? { parts } : undefined)
  return { fileId: file.id, puts: Math.max(1, parts.length) }
}

export async function uploadAndExtract(
  client: Client,
  spaceId: string,
  bytes: Buffer,
  name = 'rows.csv',
): Promise<Sheet> {
  const { fileId } = await uploadFile(client, { spaceId, name, bytes })
  return (await waitForExtraction(client, fileId)).sheet
}

export async function waitForExtraction(
  client: Client,
  fileId: string,
  pollMs = POLL_MS,
): Promise<{ job: Json; sheet: Sheet }> {
  const findJob = async () =>
    (await client.get(`/jobs?fileId=${fileId}`)).find(({ operation }: Json) => operation === 'extract')
  const { id } = await waitForResult('the extraction', findJob, pollMs)
  const job = await waitForJob(client, id, pollMs)
  const { workbookId } = await client.get(`/files/${fileId}`)
  const { sheets } = await client.get(`/workbooks/${workbookId}`)
  return { job, sheet: { workbookId, sheetId: sheets[0].id } }
}

export interface Sheet {
  workbookId: string
  sheetId: string
}

export async function createSheet(client: Client, spaceId: string, fields: object[]): Promise<Sheet> {
  const sheets = [{ name: 'Rows', slug: 'rows', fields }]
  const { id, sheets: made } = await client.post('/workbooks', { spaceId, name: 'Rows', sheets })
  return { workbookId: id, sheetId: made[0].id }
}

const workbookJob = ({ workbookId }: Sheet, operation: string, config: object) => ({
  ...{ type: 'workbook', operation, source: workbookId, managed: true, trigger: 'immediate', config },
})

export const jobs = {
  map: (source: Sheet, destination: Sheet, more: object = {}) => ({
    ...workbookJob(source, 'map', { sourceSheetId: source.sheetId, destinationSheetId: destination.sheetId, ...more }),
    destination: destination.workbookId,
  }),
  mutate: (sheet: Sheet, mutateRecord: string, more: object = {}) =>
    workbookJob(sheet, 'mutate-records', { sheetId: sheet.sheetId, mutateRecord, ...more }),
  findReplace: (sheet: Sheet, fieldKey: string, find: string, replace: string) =>
    workbookJob(sheet, 'find-replace', { sheetId: sheet.sheetId, fieldKey, find, replace }),
  remove: (sheet: Sheet, q: string) => workbookJob(sheet, 'delete-records', { sheet: sheet.sheetId, q }),
  export: (sheet: Sheet, format: string) => ({
    ...{ type: 'sheet', operation: 'export', source: sheet.sheetId, managed: true, trigger: 'immediate' },
    config: { options: { format } },
  }),
}

export const startJob = async (client: Client, body: object): Promise<string> => (await client.post('/jobs', body)).id

export async function waitForJob(client: Client, jobId: string, pollMs = POLL_MS): Promise<Json> {
  const job = await waitForResult(
    `the end of ${jobId}`,
    async () => {
      const seen = await client.get(`/jobs/${jobId}`)
      return ['completed', 'failed', 'canceled'].includes(seen.status) ? seen : undefined
    },
    pollMs,
  )
  if (job.status !== 'completed') throw new Error(`${job.type}:${job.operation} is ${job.status}: ${job.info}`)
  return job
}

export const runJob = async (client: Client, body: object, pollMs = POLL_MS): Promise<Json> =>
  waitForJob(client, await startJob(client, body), pollMs)

export const countCommits = async (client: Client, { sheetId }: Sheet): Promise<number> =>
  (await client.get(`/sheets/${sheetId}/commits`)).length

export async function* downloadFile(local: Local, fileId: string): AsyncGenerator<Uint8Array> {
  const response = await fetch(`${local.baseUrl}/v1/files/${fileId}/download`, {
    headers: { authorization: `Bearer ${local.environments[0]!.secretKey}` },
  })
  if (!response.ok) throw new Error(`${fileId}: ${response.status} ${await response.text()}`)
  yield* response.body as unknown as AsyncIterable<Uint8Array>
}

export async function* readSheetRows(local: Local, sheet: Sheet): AsyncGenerator<Json> {
  const job = await runJob(createClient(local), jobs.export(sheet, 'jsonl'))
  yield* readFileRows(local, job.result.fileId)
}

export const readFileRows = (local: Local, fileId: string): AsyncGenerator<Json> =>
  parseJsonLines(downloadFile(local, fileId))

async function* parseJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder()
  let remaining = ''
  for await (const piece of bytes) {
    const lines = (remaining + decoder.decode(piece, { stream: true })).split('\n')
    remaining = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
}
