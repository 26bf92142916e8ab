import { Lines } from './body.ts'
import type { RequestOptions } from './client.ts'
import { Records as RecordOperations } from './operations.generated.ts'
import { type RecordInput, type StreamedRecord, toBatches, toLine, toRecord } from './record-lines.ts'
import type { Query, Reply } from './types.ts'

const PATH = '/api/v2-alpha/records.jsonl'
/** Typical pages are below the 4 MB that the platform returns without a redirect. */
const RECORDS_PER_PAGE = 10_000

type Located = 'sheetId' | 'workbookId' | 'sheetSlug' | 'stream' | 'isStream'
export type StreamOptions = Omit<Query<'streams.readJsonl'>, Located | 'pageNumber' | 'noContext'> &
  Omit<RequestOptions, 'idempotencyKey'>

export interface WrittenCounts {
  created: number
  updated: number
  deleted: number
}

export type WriteOptions = Omit<Query<'streams.writeJsonl'>, Located> &
  RequestOptions & {
    /** Called after each batch, each of which is one commit, with the counts so far. */
    onProgress?: (counts: WrittenCounts) => void
  }

export class Records extends RecordOperations {
  /** All selected records of a sheet, as of one commit: changes that are made meanwhile do not show. */
  async *stream(
    sheetId: string,
    { signal, pageSize = RECORDS_PER_PAGE, ...options }: StreamOptions = {},
  ): AsyncGenerator<StreamedRecord, void, undefined> {
    const stop = new AbortController()
    const anySignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    const read = (pageNumber: number, asOfCommitId = options.asOfCommitId) =>
      this.#readPage({ ...options, sheetId, pageNumber, pageSize, asOfCommitId, signal: anySignal })
    try {
      let page = read(1)
      for (let pageNumber = 2; ; pageNumber++) {
        const lines = await page
        const version = lines.length > 0 ? (JSON.parse(lines[0]!) as { __v?: string }).__v : undefined
        if (lines.length === pageSize) page = read(pageNumber, version)
        for (const line of lines) yield toRecord(JSON.parse(line))
        if (lines.length < pageSize) return
        signal?.throwIfAborted()
      }
    } finally {
      stop.abort()
    }
  }

  /** Writes batches of up to 10,000 records, each in one commit. If one fails, those before it stay written. */
  async write(
    sheetId: string,
    records: Iterable<RecordInput> | AsyncIterable<RecordInput>,
    { onProgress, ...options }: WriteOptions = {},
  ): Promise<WrittenCounts> {
    const counts: WrittenCounts = { created: 0, updated: 0, deleted: 0 }
    const send = async (lines: string, number: number) => {
      const reply = await this.#writeBatch(sheetId, lines, number, options)
      counts.created += reply.created
      counts.updated += reply.updated
      counts.deleted += reply.deleted
      onProgress?.({ ...counts })
    }
    let sending: Promise<void> = Promise.resolve()
    let number = 0
    for await (const lines of toBatches(records, toLine)) {
      await sending
      sending = send(lines, number++)
      // A failure while the next batch is collected is thrown above.
      sending.catch(() => {})
    }
    await sending
    return counts
  }

  #readPage(options: Query<'streams.readJsonl'> & RequestOptions): Promise<string[]> {
    const page = this.client
      .text('GET', PATH, { ...options, noContext: true } as RequestOptions)
      .then((text) => text.split('\n').filter(Boolean))
    // A failure of a page that is read ahead is thrown when the page is needed.
    page.catch(() => {})
    return page
  }

  #writeBatch(
    sheetId: string,
    lines: string,
    number: number,
    options: WriteOptions,
  ): Promise<Reply<'streams.writeJsonl'>> {
    const { truncate, snapshot, idempotencyKey, ...rest } = options
    const query = { ...rest, sheetId, ...(number === 0 ? { truncate, snapshot } : {}) }
    const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}-${number}`
    return this.client.json('POST', PATH, { ...query, idempotencyKey: key } as RequestOptions, new Lines(lines))
  }
}
