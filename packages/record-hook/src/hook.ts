import type { FlatfileEvent } from '@flatfile/listener'
import { findChanges } from './changes.ts'
import { request } from './client.ts'
import { type ColumnReply, type Page, readPage } from './page.ts'
import { PageRecord } from './record.ts'
import type { BulkRecordCallback, BulkRecordHookOptions, RecordCallback, RecordHookOptions } from './types.ts'

const NAME = '@wharf/record-hook'
const CACHE_KEY = 'wharf-record-hook'
const DEFAULT_CONCURRENCY = 10
const DEFAULT_CHUNK_SIZE = 10_000

interface Batch {
  page: Page
  records: PageRecord[]
}

const logInfo = (text: string) => console.log(`[${NAME}]:[INFO] ${text}`)

export async function RecordHook(
  event: FlatfileEvent,
  callback: RecordCallback,
  options: RecordHookOptions = {},
): Promise<void> {
  const { concurrency = DEFAULT_CONCURRENCY } = options
  await BulkRecordHook(
    event,
    (records) => runEach(records as PageRecord[], concurrency, (one) => callback(one, event)),
    options,
  )
}

export async function BulkRecordHook(
  event: FlatfileEvent,
  callback: BulkRecordCallback,
  { chunkSize = DEFAULT_CHUNK_SIZE, parallel = 1, debug = false }: BulkRecordHookOptions = {},
): Promise<void> {
  try {
    const batch = await measure('fetch data', debug, () => event.cache.init(CACHE_KEY, () => readBatch(event)))
    if (batch.page.count === 0) {
      logInfo('No records to process')
      await completeCommit(event)
      return
    }
    const chunks = splitIntoChunks(batch.records, chunkSize)
    await measure('run handler', debug, () => runEach(chunks, parallel, (chunk) => callback(chunk, event)))
    event.afterAll(() => writeChanges(event, batch, debug), CACHE_KEY)
  } catch (error) {
    console.error(`[${NAME}]:[FATAL] ${(error as Error).message}`)
    throw error
  }
}

async function readBatch(event: FlatfileEvent): Promise<Batch> {
  const page = readPage(await request<ColumnReply>(event, getColumnPath(event)))
  return { page, records: Array.from({ length: page.count }, (_, row) => new PageRecord(page, row)) }
}

function getColumnPath({ src }: FlatfileEvent): string {
  const { dataUrl } = src as { dataUrl?: string }
  if (!dataUrl) throw new Error('The event has no dataUrl with records.')
  return dataUrl.replace(/\/records(?=\?|$)/, '/records/columns')
}

async function writeChanges(event: FlatfileEvent, { page, records }: Batch, debug: boolean): Promise<void> {
  const changes = await measure('filter modified records', debug, async () => findChanges(page, records))
  if (!changes) {
    logInfo('No records modified')
    await completeCommit(event)
    return
  }
  logInfo(`${changes.ids.length} modified records`)
  await measure('update modified records', debug, () =>
    request(event, getColumnPath(event), { method: 'PUT', body: changes }),
  )
}

async function completeCommit(event: FlatfileEvent): Promise<void> {
  if (event.payload?.trackChanges)
    await request(event, `v1/commits/${event.context.commitId}/complete`, { method: 'POST' })
}

async function runEach<T>(items: readonly T[], limit: number, run: (item: T) => unknown): Promise<void> {
  const pending = new Set<Promise<unknown>>()
  const failures: unknown[] = []
  for (const item of items) {
    const result = run(item)
    if (!isPromise(result)) continue
    const promise: Promise<unknown> = Promise.resolve(result)
      .catch((error: unknown) => failures.push(error))
      .finally(() => pending.delete(promise))
    pending.add(promise)
    if (pending.size >= limit) await Promise.race(pending)
    if (failures.length) throw failures[0]
  }
  await Promise.all(pending)
  if (failures.length) throw failures[0]
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | undefined)?.then === 'function'

function splitIntoChunks<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  if (size > 0) for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size))
  return chunks
}

async function measure<T>(label: string, debug: boolean, run: () => Promise<T>): Promise<T> {
  if (!debug) return run()
  const startedAt = Date.now()
  const result = await run()
  console.log(`[${NAME}]:[INFO] ${label}: ${Date.now() - startedAt} ms`)
  return result
}
