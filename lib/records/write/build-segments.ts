import { isMainThread } from 'node:worker_threads'
import { restoreBytes } from '../../core/threads/task.ts'
import type { Column } from '../columns/json-column.ts'
import type { CellBytes } from '../fields/cell-bytes.ts'
import { loadEngines } from '../fields/engines.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { packChunkSync } from '../format/chunk.ts'
import { countCells } from '../segments/added-cells.ts'
import {
  type BuiltSegment,
  createSegmentWriter,
  type RowExtras,
  type SegmentWriter,
  type WrittenSegment,
} from '../segments/segment-writer.ts'
import type { SheetRef } from '../sheet.ts'

export interface ColumnBatch {
  length: number
  columns: ReadonlyMap<string, Column>
}
export interface RowBatch {
  keys: readonly string[]
  rows: readonly (readonly unknown[])[]
}
export type CellsPart = (ColumnBatch | RowBatch | CellBytes) & { extras?: readonly RowExtras[] }
export interface SegmentsPart {
  segments: readonly BuiltSegment[]
  ignoredFields: readonly string[]
}
export type RowsPart = CellsPart | SegmentsPart

/** Wide rows get smaller segments of about this size. */
export const SEGMENT_BYTES = 8 * 1024 * 1024

export function* addCells(writer: SegmentWriter, part: CellsPart, segmentRows: number): Generator<WrittenSegment> {
  const length = countCells(part)
  for (let from = 0; from < length; ) {
    if (writer.rows === segmentRows || writer.bytes >= SEGMENT_BYTES) yield writer.take()
    const to = Math.min(length, from + segmentRows - writer.rows)
    writer.add(part, from, to, part.extras)
    from = to
  }
}

export function listIgnoredFields({ byKey }: SheetRules, part: CellsPart): string[] {
  const keys = [...('columns' in part ? part.columns.keys() : part.keys)]
  return keys.filter((key) => !byKey.has(key))
}

/** Builds segments of all rows of the parts, without storing them. */
export async function createSegmentBuilder(
  sheet: SheetRef,
  segmentRows: number,
): Promise<(parts: Iterable<CellsPart>) => SegmentsPart> {
  const rules = rulesOf(sheet)
  await loadEngines(rules.engines)
  const writer = createSegmentWriter(rules, segmentRows)
  return (parts) => {
    const segments: WrittenSegment[] = []
    const ignoredFields = new Set<string>()
    for (const part of parts) {
      segments.push(...addCells(writer, part, segmentRows))
      for (const key of listIgnoredFields(rules, part)) ignoredFields.add(key)
    }
    if (writer.rows > 0) segments.push(writer.take())
    return {
      segments: isMainThread ? segments : segments.map(packSegment),
      ignoredFields: [...ignoredFields],
    }
  }
}

/** Threads pack themselves, because zlib's own threads cost the main thread as much as they save. */
const packSegment = ({ chunks, ...written }: WrittenSegment): BuiltSegment => ({
  ...written,
  chunks: chunks.map(({ name, raw, packed }) => ({ name, packed: packed ?? packChunkSync(raw) })),
})

export const restoreSegments = ({ segments, ...part }: SegmentsPart): SegmentsPart => ({
  ...part,
  segments: segments.map(({ chunks, ...built }) => ({ ...built, chunks: chunks.map(restoreBytes) })),
})
