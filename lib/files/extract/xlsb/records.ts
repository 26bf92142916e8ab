/** Splits a part of a binary workbook into records. Their structure: MS-XLSB. */
import { message } from '../../../../schemas/messages/index.ts'
import { ApiError, unprocessable } from '../../../core/errors.ts'
import { createDamagedError } from '../xls/compound.ts'
import type { Entry } from '../zip/archive.ts'

export const RECORDS = {
  row: 0,
  compactNumber: 2,
  error: 3,
  truth: 4,
  number: 5,
  text: 6,
  sharedText: 7,
  formulaText: 8,
  formulaNumber: 9,
  formulaTruth: 10,
  formulaError: 11,
  shortBlank: 12,
  shortCompactNumber: 13,
  shortError: 14,
  shortTruth: 15,
  shortNumber: 16,
  shortText: 17,
  shortSharedText: 18,
  sharedTextItem: 19,
  numberFormat: 44,
  cellFormat: 47,
  richText: 62,
  sheetDataEnd: 146,
  workbookProperties: 153,
  sheet: 156,
  mergedCells: 176,
  cellFormatsStart: 617,
  cellFormatsEnd: 618,
} as const

const KNOWN = new Set<number>(Object.values(RECORDS))
const MAX_RECORD_BYTES = 1024 * 1024

type HandleRecord = (type: number, body: Buffer) => void

interface Header {
  type: number
  from: number
  to: number
}

function readHeader(bytes: Buffer, start: number): Header | undefined {
  let at = start
  const readGroups = (most: number): number | undefined => {
    let value = 0
    for (let group = 0; group < most; group++) {
      if (at >= bytes.length) return undefined
      const byte = bytes[at++]!
      value += (byte & 127) * 128 ** group
      if (byte < 128) break
    }
    return value
  }
  const type = readGroups(2)
  const length = type === undefined ? undefined : readGroups(4)
  return length === undefined ? undefined : { type: type!, from: at, to: at + length }
}

/** Yields how many bytes are read. Bodies of other records are not collected. */
export async function* parseRecords(entry: Entry, handle: HandleRecord): AsyncGenerator<number> {
  const stream = await entry.stream()
  let rest: Buffer = Buffer.alloc(0)
  let position = 0
  let skipped = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let at = Math.min(skipped, bytes.length)
      skipped -= at
      while (skipped === 0 && at < bytes.length) {
        const header = readHeader(bytes, at)
        if (!header) break
        const { type, from, to } = header
        if (KNOWN.has(type)) {
          if (to - from > MAX_RECORD_BYTES) throw createDamagedError(position + at)
          if (to > bytes.length) break
          handleRecord(handle, type, bytes.subarray(from, to), position + at)
        }
        skipped = Math.max(0, to - bytes.length)
        at = Math.min(to, bytes.length)
      }
      rest = bytes.subarray(at)
      position += at
      yield position
    }
    if (rest.length > 0 || skipped > 0) throw createDamagedError(position)
  } finally {
    stream.destroy()
  }
}

function handleRecord(handle: HandleRecord, type: number, body: Buffer, position: number): void {
  try {
    handle(type, body)
  } catch (error) {
    throw error instanceof RangeError ? createDamagedError(position) : error
  }
}

export async function readPart(entry: Entry, handle: HandleRecord): Promise<void> {
  try {
    for await (const _ of parseRecords(entry, handle));
  } catch (error) {
    throw error instanceof ApiError
      ? unprocessable(message('files.reason', { file: entry.name, reason: error.message }))
      : error
  }
}

const NO_TEXT = 0xffffffff
const COUNT_BYTES = 4

export function readText(body: Buffer, at: number): { text: string; end: number } {
  const length = body.readUInt32LE(at)
  if (length === NO_TEXT) return { text: '', end: at + COUNT_BYTES }
  const end = at + COUNT_BYTES + 2 * length
  if (end > body.length) throw new RangeError('The text ends early.')
  return { text: body.toString('utf16le', at + COUNT_BYTES, end), end }
}
