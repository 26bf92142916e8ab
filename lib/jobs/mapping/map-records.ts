import { message } from '../../../schemas/messages/index.ts'
import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { countParts } from '../../core/count-parts.ts'
import { processEnv } from '../../core/env.ts'
import { MIN_RECORDS_FOR_THREADS, runTask } from '../../core/threads/threads.ts'
import {
  type ColumnBatch,
  type PackedBatch,
  processStore,
  type RowRange,
  type SegmentsPart,
  type StoredPart,
  toPlainSheet,
} from '../../records/index.ts'
import type { MappedPart, MapRequest, StoreMappedParts } from './map-request.ts'
import { type MappedBatches, type MappingSetup, mapTask } from './map-task.ts'
import type { MappedSheets } from './mapped-sheets.ts'
import { createOtherLineList } from './skip-lines.ts'
import { countSourceRecords, scanSource } from './source-records.ts'

export interface Mapping {
  rules: readonly Rule[]
  reads: readonly string[]
  sheets: MappedSheets
  commitId: string | undefined
  rows?: RowRange
  progress(part: number, info: string): Promise<void>
  storeParts?: StoreMappedParts
}

/** `readColumns` and `readRows` can be called again; `summarize` is about the last reading. */
export interface MappedRecords {
  readColumns(): AsyncIterable<ColumnBatch>
  readRows(): AsyncIterable<ColumnBatch | SegmentsPart>
  summarize(): { changedCells: ReadonlyMap<number, number> | undefined; otherLines: LineGroup[] }
  storeParts: (() => Promise<StoredPart[]>) | undefined
}

export async function mapRecords(mapping: Mapping): Promise<MappedRecords> {
  const { rules, reads, sheets, commitId, rows, progress } = mapping
  const source = toSheetRef(sheets.source)
  const total = rows ? rows.to - rows.from : await countSourceRecords(source, commitId)
  const inThreads = total >= MIN_RECORDS_FOR_THREADS
  const { segmentRows } = processStore
  const report = (done: number) => progress(done / total, message('mappings.progress', { done, count: total }))
  let summary = createSummary()

  async function* read(form: 'columns' | 'segments'): AsyncGenerator<ColumnBatch | SegmentsPart> {
    summary = createSummary()
    const batches = groupBatches(scanSource(source, commitId, reads, rows), segmentRows)
    const setup = { rules, ...toPlainSheets(sheets), segmentRows: form === 'segments' ? segmentRows : undefined }
    let done = 0
    for await (const mapped of runTask(mapTask, setup, batches, { inThreads })) {
      summary.add(mapped)
      yield* mapped.parts
      done += mapped.length
      await report(done)
    }
    summary.finish()
  }

  return {
    readColumns: () => read('columns') as AsyncGenerator<ColumnBatch>,
    readRows: () => read(inThreads ? 'segments' : 'columns'),
    summarize: () => summary.take(),
    storeParts: chooseParts(mapping, total, report, (mapped) => {
      summary = createSummary()
      for (const part of mapped) summary.addPart(part)
      summary.finish()
    }),
  }
}

function chooseParts(
  { rules, reads, sheets, commitId, storeParts }: Mapping,
  total: number,
  report: (done: number) => Promise<void>,
  onMapped: (parts: readonly MappedPart[]) => void,
): MappedRecords['storeParts'] {
  const size = processEnv().PART_RECORDS
  const count = countParts(total, size)
  if (!storeParts || commitId === undefined || count === 1) return undefined
  const requests = Array.from(
    { length: count },
    (_, part): MapRequest => ({
      ...{ rules, reads, commitId, sourceId: sheets.source.id, destinationId: sheets.destination.id },
      rows: { from: part * size, to: Math.min(total, (part + 1) * size) },
    }),
  )
  return async () => {
    let done = 0
    const mapped = await storeParts(requests, async ({ length }) => {
      done += length
      await report(done)
    })
    onMapped(mapped)
    return mapped.map(({ stored }) => stored)
  }
}

/** Small segments of the source become one of the destination. */
async function* groupBatches(
  batches: AsyncIterable<PackedBatch>,
  maxRows: number,
): AsyncGenerator<readonly PackedBatch[]> {
  let group: PackedBatch[] = []
  let rows = 0
  for await (const batch of batches) {
    if (group.length > 0 && rows + batch.length > maxRows) {
      yield group
      group = []
      rows = 0
    }
    group.push(batch)
    rows += batch.length
  }
  if (group.length > 0) yield group
}

const toPlainSheets = ({ source, destination }: MappedSheets): Pick<MappingSetup, 'sides' | 'destination'> => ({
  sides: { source: source.config.fields, destination: destination.config.fields },
  destination: toPlainSheet(toSheetRef(destination)),
})

function createSummary() {
  const changedCells = new Map<number, number>()
  const lines = createOtherLineList()
  let isComplete = false
  return {
    add(batch: MappedBatches): void {
      for (const [rule, cells] of batch.changedCells) changedCells.set(rule, (changedCells.get(rule) ?? 0) + cells)
      lines.addBatch(batch.otherLines, batch.length)
    },
    addPart({ changedCells: changed, otherLines, length }: MappedPart): void {
      for (const [rule, cells] of changed) changedCells.set(rule, (changedCells.get(rule) ?? 0) + cells)
      lines.addGroups(otherLines, length)
    },
    finish(): void {
      isComplete = true
    },
    take: (): ReturnType<MappedRecords['summarize']> => ({
      changedCells: isComplete ? changedCells : undefined,
      otherLines: lines.listGroups(),
    }),
  }
}
