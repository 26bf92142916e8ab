/** Maps records of the source to records of the destination. Pure, so that threads can do it. */

import type { Rule } from '../../../schemas/programs/rules.ts'
import type { Task } from '../../core/threads/task.ts'
import type { Sides } from '../../mapping/rules/compile.ts'
import {
  type ColumnBatch,
  createSegmentBuilder,
  type JsonBatch,
  type PackedBatch,
  restoreBatch,
  restoreSegments,
  type SegmentsPart,
  type SheetRef,
  toJsonColumn,
  unpackBatch,
} from '../../records/index.ts'
import { compileValidRules } from './compile-program.ts'
import { type OtherLine, skipOtherLines } from './skip-lines.ts'

export interface MappingSetup {
  /** Validated. */
  rules: readonly Rule[]
  sides: Sides
  destination: SheetRef
  /** Records per segment; undefined if the records are needed as columns. */
  segmentRows: number | undefined
}

export interface MappedBatches {
  length: number
  parts: readonly (ColumnBatch | SegmentsPart)[]
  changedCells: ReadonlyMap<number, number>
  otherLines: readonly OtherLine[]
}

export const mapTask: Task<MappingSetup, readonly PackedBatch[], MappedBatches> = {
  name: 'map',
  isMainBusy: false,
  async start({ rules, sides, destination, segmentRows }) {
    const program = compileValidRules(rules, sides)
    const buildSegments = segmentRows === undefined ? undefined : await createSegmentBuilder(destination, segmentRows)
    return async (packed) => {
      const batches = await Promise.all(packed.map((batch) => unpackBatch(batch)))
      program.changedCells.clear()
      let length = 0
      const otherLines: OtherLine[] = []
      const mapped = batches.map((batch): ColumnBatch => {
        const { records, otherLines: lines } = skipOtherLines(program, batch)
        for (const line of lines) otherLines.push({ ...line, row: length + line.row })
        length += batch.length
        return { length: records.length, columns: program.mapColumns(records.columns, records.length) }
      })
      const parts = buildSegments ? [buildSegments(mapped)] : mapped.map(toJsonBatch)
      return { length, parts, changedCells: new Map(program.changedCells), otherLines }
    }
  },
  restoreInput: (batches) => batches.map(restoreBatch),
  restoreOutput: (output) => ({ ...output, parts: output.parts.map(restorePart) }),
}

const toJsonBatch = ({ length, columns }: ColumnBatch): JsonBatch => ({
  length,
  columns: new Map([...columns].map(([key, column]) => [key, toJsonColumn(column)])),
})

type Part = MappedBatches['parts'][number]

function restorePart(part: Part): Part {
  return 'segments' in part ? restoreSegments(part) : restoreBatch(part as JsonBatch)
}
