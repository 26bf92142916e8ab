/** Changed cells as JSON bytes: an object for each would take most of the time of a large commit's events. */
import { copyRange, createByteWriter, writeByte, writeString } from '../columns/byte-writer.ts'
import { type Coordinate, createRecordIdPrefixer } from '../format/ids.ts'
import type { CellChange } from '../sheet.ts'
import { parseCellValue } from './cells.ts'
import type { CellRanges } from './open.ts'

export type IdRun = [prefix: string, first: number, count: number]

/** JSON of values, separated by commas. */
export interface ValueList {
  readonly bytes: Buffer
  ends: number[]
}

/** Changes in the order of their records, `counts` of each, with positions in `keys`. Iterating makes the objects. */
export interface ChangeBatch extends Iterable<CellChange> {
  runs: IdRun[]
  counts: number[]
  keys: readonly string[]
  fields: number[]
  previous: ValueList
  next: ValueList
}

export function addToRuns(runs: IdRun[], prefix: string, number: number): void {
  const last = runs[runs.length - 1]
  if (last && last[0] === prefix && last[1] + last[2] === number) last[2]++
  else runs.push([prefix, number, 1])
}

export interface ChangeWriter {
  batch: ChangeBatch
  /** A record without changes is left out. */
  startRecord(at: Coordinate): void
  addTexts(field: number, previous: string, next: string): void
  addCells(field: number, previous: CellRanges, next: CellRanges, position: number): void
}

export function createChangeWriter(sheetId: string, keys: readonly string[]): ChangeWriter {
  const [runs, counts, fields]: [IdRun[], number[], number[]] = [[], [], []]
  const [previousValues, nextValues] = [createValueWriter(), createValueWriter()]
  const batch: ChangeBatch = {
    ...{ runs, counts, keys, fields, previous: previousValues.list, next: nextValues.list },
    [Symbol.iterator]: () => iterateChanges(batch),
  }
  const getPrefix = createRecordIdPrefixer(sheetId)
  let unwritten: Coordinate | undefined
  const addRecord = ({ key, row }: Coordinate): void => {
    addToRuns(runs, getPrefix(key), row)
    counts.push(0)
    unwritten = undefined
  }
  const addChange = (field: number): void => {
    if (unwritten) addRecord(unwritten)
    counts[counts.length - 1]!++
    fields.push(field)
  }
  return {
    batch,
    startRecord(at) {
      unwritten = at
    },
    addTexts(field, previous, next) {
      addChange(field)
      previousValues.addText(previous)
      nextValues.addText(next)
    },
    addCells(field, previous, next, position) {
      addChange(field)
      previousValues.addCell(previous, position)
      nextValues.addCell(next, position)
    },
  }
}

const COMMA = 44

function createValueWriter() {
  const out = createByteWriter(64 * 1024)
  const ends: number[] = []
  const startValue = (): void => {
    if (ends.length > 0) writeByte(out, COMMA)
  }
  return {
    list: {
      ends,
      get bytes() {
        return out.bytes.subarray(0, out.length)
      },
    },
    addText(text: string): void {
      startValue()
      writeString(out, text)
      ends.push(out.length)
    },
    addCell({ bytes, starts, ends: cellEnds }: CellRanges, position: number): void {
      startValue()
      copyRange(out, bytes, starts[position]!, cellEnds[position]!)
      ends.push(out.length)
    },
  }
}

/** The values [from, to) of a list, separated by commas. */
export const sliceValues = ({ bytes, ends }: ValueList, from: number, to: number): Buffer =>
  bytes.subarray(from === 0 ? 0 : ends[from - 1]! + 1, ends[to - 1])

function* iterateChanges({ runs, counts, keys, fields, previous, next }: ChangeBatch): Generator<CellChange> {
  const getValue = (list: ValueList, at: number): unknown => parseCellValue(sliceValues(list, at, at + 1).toString())
  let record = 0
  let change = 0
  for (const [prefix, first, count] of runs)
    for (let number = first; number < first + count; number++) {
      const end = change + counts[record++]!
      for (; change < end; change++)
        yield {
          recordId: prefix + number,
          fieldKey: keys[fields[change]!]!,
          previousValue: getValue(previous, change),
          newValue: getValue(next, change),
        }
    }
}
