/** Maps records of the source to records of the destination. Pure, so that threads can do it. */

import type { Rule } from '../../../schemas/programs/rules.ts'
import { listMemory, type Task, toBuffer } from '../../core/threads/task.ts'
import type { Sides } from '../../mapping/rules/compile.ts'
import {
  type ColumnBatch,
  createSegmentBuilder,
  type JsonBatch,
  type PackedBatch,
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

export interface MappedBatch {
  length: number
  part: ColumnBatch | SegmentsPart
  changedCells: ReadonlyMap<number, number>
  otherLines: readonly OtherLine[]
}

export const mapTask: Task<MappingSetup, PackedBatch, MappedBatch> = {
  name: 'map',
  async start({ rules, sides, destination, segmentRows }) {
    const program = compileValidRules(rules, sides)
    const buildSegments = segmentRows === undefined ? undefined : await createSegmentBuilder(destination, segmentRows)
    return async (batch) => {
      program.changedCells.clear()
      const { records, otherLines } = skipOtherLines(program, await unpackBatch(batch))
      const columns = program.mapColumns(records.columns, records.length)
      const mapped = { length: records.length, columns }
      return {
        length: batch.length,
        part: buildSegments?.(mapped) ?? toJsonBatch(mapped),
        changedCells: new Map(program.changedCells),
        otherLines,
      }
    }
  },
  restoreInput: (batch) => ({ ...batch, columns: restoreColumns(batch.columns) }),
  restoreOutput: (output) => ({ ...output, part: restorePart(output.part) }),
  listOutputMemory: ({ part }) => listMemory(listBytes(part)),
}

const toJsonBatch = ({ length, columns }: ColumnBatch): JsonBatch => ({
  length,
  columns: new Map([...columns].map(([key, column]) => [key, toJsonColumn(column)])),
})

interface Bytes {
  raw?: Buffer
  packed?: Buffer | undefined
}

const restoreBytes = <T extends Bytes>(item: T): T => ({
  ...item,
  ...(item.raw ? { raw: toBuffer(item.raw) } : {}),
  ...(item.packed ? { packed: toBuffer(item.packed) } : {}),
})

const restoreColumns = <T extends Bytes>(columns: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...columns].map(([key, column]) => [key, restoreBytes(column)]))

function restorePart(part: MappedBatch['part']): MappedBatch['part'] {
  return 'segments' in part ? restoreSegments(part) : { ...part, columns: restoreColumns((part as JsonBatch).columns) }
}

function listBytes(part: MappedBatch['part']): Uint8Array[] {
  if (!('segments' in part)) return [...(part as JsonBatch).columns.values()].map(({ raw }) => raw)
  return part.segments.flatMap(({ chunks }) => chunks.map(({ raw }) => raw))
}
