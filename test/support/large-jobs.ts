/** Jobs over a large sheet, as a client has them: nothing but HTTP requests to a platform in a process of its own. */
import { Client } from '../../localstack/demo/client.ts'
import type { Local } from '../../localstack/seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
type Json = any

export const clientOf = (local: Local): Client => new Client(local.baseUrl, local.environments[0]!.secretKey)

/** No job of a million records may take longer. */
const JOB_SECONDS = 900
/** Seldom: asking costs the platform, too. */
const POLL_MS = 250

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Asks until `check` gives something. */
export async function untilSeen<T>(what: string, check: () => Promise<T | undefined>, pollMs = POLL_MS): Promise<T> {
  const deadline = Date.now() + JOB_SECONDS * 1000
  for (;;) {
    const found = await check()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${JOB_SECONDS} s`)
    await pause(pollMs)
  }
}

/** Uploads a file straight to the bucket, in parts where it is large. */
export async function uploaded(
  client: Pick<Client, 'post'>,
  { spaceId, name = 'rows.csv', bytes }: { spaceId: string; name?: string; bytes: Buffer },
): Promise<{ fileId: string; puts: number }> {
  const { file, upload } = await client.post('/files/uploads', { spaceId, name, size: bytes.length })
  const parts: { partNumber: number; etag: string }[] = []
  const put = async (url: string, body: Buffer): Promise<string> => {
    const answer = await fetch(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer> })
    if (!answer.ok) throw new Error(`PUT: ${answer.status} ${await answer.text()}`)
    return answer.headers.get('etag')!
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

/** Uploads a file and waits for its extraction. */
export async function extracted(client: Client, spaceId: string, bytes: Buffer): Promise<Sheet> {
  const { fileId } = await uploaded(client, { spaceId, bytes })
  const job = await untilSeen('the extraction', async () =>
    (await client.get(`/jobs?fileId=${fileId}`)).find(({ operation }: Json) => operation === 'extract'),
  )
  await completed(client, job.id)
  const { workbookId } = await client.get(`/files/${fileId}`)
  const { sheets } = await client.get(`/workbooks/${workbookId}`)
  return { workbookId, sheetId: sheets[0].id }
}

export interface Sheet {
  workbookId: string
  sheetId: string
}

export async function newSheet(client: Client, spaceId: string, fields: object[]): Promise<Sheet> {
  const sheets = [{ name: 'Rows', slug: 'rows', fields }]
  const { id, sheets: made } = await client.post('/workbooks', { spaceId, name: 'Rows', sheets })
  return { workbookId: id, sheetId: made[0].id }
}

const ofWorkbook = ({ workbookId }: Sheet, operation: string, config: object) => ({
  ...{ type: 'workbook', operation, source: workbookId, managed: true, trigger: 'immediate', config },
})

/** What `POST /jobs` is given. */
export const jobs = {
  map: (source: Sheet, destination: Sheet) => ({
    ...ofWorkbook(source, 'map', { sourceSheetId: source.sheetId, destinationSheetId: destination.sheetId }),
    destination: destination.workbookId,
  }),
  mutate: (sheet: Sheet, mutateRecord: string, more: object = {}) =>
    ofWorkbook(sheet, 'mutate-records', { sheetId: sheet.sheetId, mutateRecord, ...more }),
  findReplace: (sheet: Sheet, fieldKey: string, find: string, replace: string) =>
    ofWorkbook(sheet, 'find-replace', { sheetId: sheet.sheetId, fieldKey, find, replace }),
  remove: (sheet: Sheet, q: string) => ofWorkbook(sheet, 'delete-records', { sheet: sheet.sheetId, q }),
  export: (sheet: Sheet, format: string) => ({
    ...{ type: 'sheet', operation: 'export', source: sheet.sheetId, managed: true, trigger: 'immediate' },
    config: { options: { format } },
  }),
}

export const begun = async (client: Client, body: object): Promise<string> => (await client.post('/jobs', body)).id

/** The job at its end. @throws unless it went well */
export async function completed(client: Client, jobId: string): Promise<Json> {
  const job = await untilSeen(`the end of ${jobId}`, async () => {
    const seen = await client.get(`/jobs/${jobId}`)
    return ['completed', 'failed', 'canceled'].includes(seen.status) ? seen : undefined
  })
  if (job.status !== 'completed') throw new Error(`${job.type}:${job.operation} is ${job.status}: ${job.info}`)
  return job
}

export const done = async (client: Client, body: object): Promise<Json> => completed(client, await begun(client, body))

export const commitsOf = async (client: Client, { sheetId }: Sheet): Promise<number> =>
  (await client.get(`/sheets/${sheetId}/commits`)).length

/** The bytes of a job's file, or of any. */
async function* fileBytes(local: Local, fileId: string): AsyncGenerator<Uint8Array> {
  const answer = await fetch(`${local.baseUrl}/v1/files/${fileId}/download`, {
    headers: { authorization: `Bearer ${local.environments[0]!.secretKey}` },
  })
  if (!answer.ok) throw new Error(`${fileId}: ${answer.status} ${await answer.text()}`)
  yield* answer.body as unknown as AsyncIterable<Uint8Array>
}

/** Rows of a sheet, as they are read from its export. */
export async function* rowsIn(local: Local, sheet: Sheet): AsyncGenerator<Json> {
  const job = await done(clientOf(local), jobs.export(sheet, 'jsonl'))
  yield* fileRows(local, job.result.fileId)
}

/** Rows of a file of JSON lines. */
export const fileRows = (local: Local, fileId: string): AsyncGenerator<Json> => jsonLines(fileBytes(local, fileId))

async function* jsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
}
