/** Splits a stream of a workbook into records. Their structure: MS-XLS. */
import { type CompoundStream, createDamagedError } from './compound.ts'

export const RECORDS = {
  formula: 0x0006,
  end: 0x000a,
  dateMode: 0x0022,
  password: 0x002f,
  continuation: 0x003c,
  sheet: 0x0085,
  numbers: 0x00bd,
  richText: 0x00d6,
  cellFormat: 0x00e0,
  mergedCells: 0x00e5,
  sharedTexts: 0x00fc,
  sharedText: 0x00fd,
  number: 0x0203,
  text: 0x0204,
  truthOrError: 0x0205,
  formulaText: 0x0207,
  compactNumber: 0x027e,
  numberFormat: 0x041e,
  start: 0x0809,
} as const

export const RECORD_HEADER_BYTES = 4

export interface RecordHandler {
  record(type: number, body: Buffer): void
}

/** Handles one substream, without those inside it such as charts. Yields how many bytes are read. */
export async function* parseRecords(
  stream: CompoundStream,
  from: number,
  handler: RecordHandler,
): AsyncGenerator<number> {
  let rest: Buffer = Buffer.alloc(0)
  let depth = 0
  let position = from
  for await (const chunk of stream.read(from)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (at + RECORD_HEADER_BYTES <= bytes.length) {
      const type = bytes.readUInt16LE(at)
      const end = at + RECORD_HEADER_BYTES + bytes.readUInt16LE(at + 2)
      if (end > bytes.length) break
      if (type === RECORDS.start) depth++
      if (depth === 0) throw createDamagedError(position + at)
      if (depth === 1) handle(handler, type, bytes.subarray(at + RECORD_HEADER_BYTES, end), position + at)
      if (type === RECORDS.end && --depth === 0) return
      at = end
    }
    rest = bytes.subarray(at)
    position += at
    yield position - from
  }
  throw createDamagedError(position)
}

function handle(handler: RecordHandler, type: number, body: Buffer, position: number): void {
  try {
    handler.record(type, body)
  } catch (error) {
    throw error instanceof RangeError ? createDamagedError(position) : error
  }
}
