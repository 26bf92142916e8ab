/** CSV lines or JSON objects of whole columns, written by worker threads while this thread reads and uploads. */
import { restoreBytes, type Task } from '../../core/threads/task.ts'
import { countThreads, runTask } from '../../core/threads/threads.ts'
import { type ByteWriter, createByteWriter, openByteWriter, takeBytes, writeBytes } from '../columns/byte-writer.ts'
import { unpackInThread } from '../format/chunk.ts'
import { processStore, type Store } from '../log/store.ts'
import { type PackedBatch, restoreBatch, type ScannedColumns, scanColumns, unpackBatch } from '../read/scan-columns.ts'
import type { SheetRef } from '../sheet.ts'
import { type CsvOptions, encodeHead, writeColumns } from './csv.ts'
import { type ObjectMarks, writeObjects } from './json-objects.ts'

type Format = { type: 'csv'; neutralize: boolean } | ({ type: 'json' } & ObjectMarks)

interface LineSetup {
  keys: readonly string[]
  format: Format
}

interface LineInput {
  batch: PackedBatch
  memory: ArrayBufferLike | undefined
}

/** In shared memory that is used again: new memory in this thread makes it collect garbage. */
interface Lines {
  raw: Buffer
}

const FIRST_BYTES = 1024 * 1024
const SPARE_SHARE = 0.2

export const lineTask: Task<LineSetup, LineInput, Lines> = {
  name: 'lines',
  isMainBusy: true,
  async start({ keys, format }) {
    return async ({ batch, memory }) => {
      const { columns, length } = await unpackBatch(batch, unpackInThread)
      const raws = keys.map((key) => columns.get(key)!.raw)
      const out = memory ? openByteWriter(Buffer.from(memory)) : createByteWriter(FIRST_BYTES)
      if (format.type === 'csv') writeColumns(out, raws, length, format.neutralize)
      else writeObjects(out, keys, raws, length, format)
      return { raw: shareBytes(out) }
    }
  },
  restoreInput: (input) => ({ ...input, batch: restoreBatch(input.batch) }),
  restoreOutput: restoreBytes,
}

function shareBytes({ bytes, length }: ByteWriter): Buffer {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes.subarray(0, length)
  const shared = Buffer.from(new SharedArrayBuffer(Math.ceil(length * (1 + SPARE_SHARE))))
  bytes.copy(shared, 0, 0, length)
  return shared.subarray(0, length)
}

export const canWriteLinesInThreads = (): boolean => countThreads(lineTask) > 0

export type CsvThreadOptions = Omit<CsvOptions, 'messages'> & { bufferBytes: number }

/** Streams records in their order, in buffers of `bufferBytes`. */
export function streamCsvInThreads(
  sheet: SheetRef,
  scanned: ScannedColumns,
  options: CsvThreadOptions,
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const fields = sheet.fields.filter(({ key }) => scanned.fields.includes(key))
  const keys = fields.map(({ key }) => key)
  const format = { type: 'csv', neutralize: options.neutralizeFormulas !== false } as const
  const head = encodeHead(fields, options)
  return streamLinesInThreads(scanColumns(sheet, scanned, store), { keys, format }, head, options.bufferBytes)
}

/** Streams records in their order as JSON objects by field key, in buffers of `bufferBytes`. */
export function streamObjectsInThreads(
  sheet: SheetRef,
  scanned: ScannedColumns,
  { bufferBytes, ...marks }: ObjectMarks & { bufferBytes: number },
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const keys = sheet.fields.map(({ key }) => key).filter((key) => scanned.fields.includes(key))
  const format = { type: 'json', ...marks } as const
  return streamLinesInThreads(scanColumns(sheet, scanned, store), { keys, format }, Buffer.alloc(0), bufferBytes)
}

async function* streamLinesInThreads(
  batches: AsyncIterable<PackedBatch>,
  setup: LineSetup,
  head: Buffer,
  bufferBytes: number,
): AsyncGenerator<Buffer> {
  const out = createByteWriter(bufferBytes)
  writeBytes(out, head)
  const unused: ArrayBufferLike[] = []
  async function* pairInputs(): AsyncGenerator<LineInput> {
    for await (const batch of batches) yield { batch, memory: unused.pop() }
  }
  for await (const { raw } of runTask(lineTask, setup, pairInputs(), { inThreads: true })) {
    for (let from = 0; from < raw.length; ) {
      const to = Math.min(raw.length, from + bufferBytes - out.length)
      writeBytes(out, raw.subarray(from, to))
      from = to
      if (out.length >= bufferBytes) yield takeBytes(out, bufferBytes)
    }
    unused.push(raw.buffer)
  }
  if (out.length > 0) yield takeBytes(out, 0)
}
