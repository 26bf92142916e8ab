/** CSV lines of whole columns, written by worker threads while this thread reads and uploads. */
import { restoreBytes, type Task } from '../../core/threads/task.ts'
import { countThreads, runTask } from '../../core/threads/threads.ts'
import { type ByteWriter, createByteWriter, openByteWriter, takeBytes, writeBytes } from '../columns/byte-writer.ts'
import { unpackInThread } from '../format/chunk.ts'
import { processStore, type Store } from '../log/store.ts'
import { type PackedBatch, restoreBatch, type ScannedColumns, scanColumns, unpackBatch } from '../read/scan-columns.ts'
import type { SheetRef } from '../sheet.ts'
import { type CsvOptions, encodeHead, writeColumns } from './csv.ts'

interface CsvSetup {
  keys: readonly string[]
  neutralize: boolean
}

interface CsvInput {
  batch: PackedBatch
  memory: ArrayBufferLike | undefined
}

/** In shared memory that is used again: new memory in this thread makes it collect garbage. */
interface CsvLines {
  raw: Buffer
}

const FIRST_BYTES = 1024 * 1024
const SPARE_SHARE = 0.2

export const csvTask: Task<CsvSetup, CsvInput, CsvLines> = {
  name: 'csv',
  isMainBusy: true,
  async start({ keys, neutralize }) {
    return async ({ batch, memory }) => {
      const { columns, length } = await unpackBatch(batch, unpackInThread)
      const raws = keys.map((key) => columns.get(key)!.raw)
      const out = memory ? openByteWriter(Buffer.from(memory)) : createByteWriter(FIRST_BYTES)
      writeColumns(out, raws, length, neutralize)
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

export const canWriteCsvInThreads = (): boolean => countThreads(csvTask) > 0

type ThreadOptions = Omit<CsvOptions, 'messages'> & { bufferBytes: number }

/** Streams records in their order, in buffers of `bufferBytes`. */
export async function* streamCsvInThreads(
  sheet: SheetRef,
  scanned: ScannedColumns,
  options: ThreadOptions,
  store: Store = processStore,
): AsyncGenerator<Buffer> {
  const { bufferBytes } = options
  const fields = sheet.fields.filter(({ key }) => scanned.fields.includes(key))
  const setup = { keys: fields.map(({ key }) => key), neutralize: options.neutralizeFormulas !== false }
  const out = createByteWriter(bufferBytes)
  writeBytes(out, encodeHead(fields, options))
  const unused: ArrayBufferLike[] = []
  async function* scanInputs(): AsyncGenerator<CsvInput> {
    for await (const batch of scanColumns(sheet, scanned, store)) yield { batch, memory: unused.pop() }
  }
  for await (const { raw } of runTask(csvTask, setup, scanInputs(), { inThreads: true })) {
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
