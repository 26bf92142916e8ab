/** CSV lines of whole columns, written by worker threads while this thread reads and uploads. */
import { restoreBytes, type Task } from '../../core/threads/task.ts'
import { countThreads, runTask } from '../../core/threads/threads.ts'
import { createByteWriter, takeBytes, writeBytes } from '../columns/byte-writer.ts'
import { processStore, type Store } from '../log/store.ts'
import { type PackedBatch, restoreBatch, type ScannedColumns, scanColumns, unpackBatch } from '../read/scan-columns.ts'
import type { SheetRef } from '../sheet.ts'
import { type CsvOptions, encodeHead, writeColumns } from './csv.ts'

interface CsvSetup {
  keys: readonly string[]
  neutralize: boolean
}

interface CsvLines {
  raw: Buffer
}

const FIRST_BYTES = 1024 * 1024

export const csvTask: Task<CsvSetup, PackedBatch, CsvLines> = {
  name: 'csv',
  isMainBusy: true,
  async start({ keys, neutralize }) {
    const out = createByteWriter(FIRST_BYTES)
    return async (packed) => {
      const { columns, length } = await unpackBatch(packed)
      const raws = keys.map((key) => columns.get(key)!.raw)
      out.length = 0
      writeColumns(out, raws, length, neutralize)
      return { raw: takeBytes(out, Math.max(FIRST_BYTES, Math.ceil(out.length * 1.1))) }
    }
  },
  restoreInput: restoreBatch,
  restoreOutput: restoreBytes,
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
  for await (const { raw } of runTask(csvTask, setup, scanColumns(sheet, scanned, store), { inThreads: true }))
    for (let from = 0; from < raw.length; ) {
      const to = Math.min(raw.length, from + bufferBytes - out.length)
      writeBytes(out, raw.subarray(from, to))
      from = to
      if (out.length >= bufferBytes) yield takeBytes(out, bufferBytes)
    }
  if (out.length > 0) yield takeBytes(out, 0)
}
