import type { MergedRange, Row } from '../workbook/sheet.ts'
import type { Format } from '../xlsx/dates.ts'
import { assertFormatCount, resolveFormats } from '../xlsx/parts.ts'
import type { CellContext } from '../xlsx/sheet.ts'
import { SharedStrings } from '../xlsx/strings.ts'
import type { Entry } from '../zip/archive.ts'
import { parseRecords, RECORDS, readPart, readText } from './records.ts'
import { SheetHandler } from './sheet.ts'

export async function readFormats(entry: Entry | undefined): Promise<Format[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let inCells = false
  if (entry)
    await readPart(entry, (type, body) => {
      if (type === RECORDS.cellFormatsStart) inCells = true
      else if (type === RECORDS.cellFormatsEnd) inCells = false
      else if (type === RECORDS.numberFormat) codes.set(body.readUInt16LE(0), readText(body, 2).text)
      else if (type === RECORDS.cellFormat && inCells) ids.push(body.readUInt16LE(2))
      assertFormatCount(codes, ids)
    })
  return resolveFormats(codes, ids)
}

export async function readSharedStrings(entry: Entry | undefined): Promise<SharedStrings> {
  const strings = new SharedStrings()
  try {
    if (entry)
      await readPart(entry, (type, body) => {
        if (type === RECORDS.sharedTextItem) strings.add(readText(body, 1).text)
      })
    strings.end()
    return strings
  } catch (error) {
    strings.close()
    throw error
  }
}

export function readSheet(entry: Entry, context: CellContext, row: Row): AsyncGenerator<number> {
  const handler = new SheetHandler(context, row)
  return parseRecords(entry, (type, body) => handler.record(type, body))
}

export async function* readMergedRanges({ entry }: { entry: Entry }): AsyncGenerator<MergedRange> {
  const ranges: MergedRange[] = []
  const records = parseRecords(entry, (type, body) => {
    if (type !== RECORDS.mergedCells) return
    const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => body.readUInt32LE(at)) as [
      number,
      number,
      number,
      number,
    ]
    if (bottom < top || right < left) throw new RangeError('The range is not valid.')
    ranges.push({ top: top + 1, bottom: bottom + 1, left, right })
  })
  for await (const _ of records) yield* ranges.splice(0)
}
