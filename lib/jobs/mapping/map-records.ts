import { message } from '../../../schemas/messages/index.ts'
import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import { toSheetRef } from '../../commits/sheet-ref.ts'
import { runTask } from '../../core/threads/threads.ts'
import { type ColumnBatch, type PackedBatch, processStore, type SegmentsPart } from '../../records/index.ts'
import { type MappedBatches, type MappingSetup, mapTask } from './map-task.ts'
import type { MappedSheets } from './mapped-sheets.ts'
import { createOtherLineList } from './skip-lines.ts'
import { countSourceRecords, scanSource } from './source-records.ts'

/** Starting threads costs more than they save below this number. */
const MIN_RECORDS_FOR_THREADS = 300_000

export interface Mapping {
  rules: readonly Rule[]
  reads: readonly string[]
  sheets: MappedSheets
  commitId: string | undefined
  progress(part: number, info: string): Promise<void>
}

/** `readColumns` and `readRows` can be called again; `summarize` is about the last reading. */
export interface MappedRecords {
  readColumns(): AsyncIterable<ColumnBatch>
  readRows(): AsyncIterable<ColumnBatch | SegmentsPart>
  summarize(): { changedCells: ReadonlyMap<number, number> | undefined; otherLines: LineGroup[] }
}

export async function mapRecords({ rules, reads, sheets, commitId, progress }: Mapping): Promise<MappedRecords> {
  const source = toSheetRef(sheets.source)
  const total = await countSourceRecords(source, commitId)
  const inThreads = total >= MIN_RECORDS_FOR_THREADS
  const { segmentRows } = processStore
  let summary = createSummary()

  async function* read(form: 'columns' | 'segments'): AsyncGenerator<ColumnBatch | SegmentsPart> {
    summary = createSummary()
    const batches = groupBatches(scanSource(source, commitId, reads), segmentRows)
    const setup = { rules, ...toPlainSheets(sheets), segmentRows: form === 'segments' ? segmentRows : undefined }
    let done = 0
    for await (const mapped of runTask(mapTask, setup, batches, { inThreads })) {
      summary.add(mapped)
      yield* mapped.parts
      done += mapped.length
      await progress(done / total, message('mappings.progress', { done, count: total }))
    }
    summary.finish()
  }

  return {
    readColumns: () => read('columns') as AsyncGenerator<ColumnBatch>,
    readRows: () => read(inThreads ? 'segments' : 'columns'),
    summarize: () => summary.take(),
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

/** Sheets without functions, which threads cannot get. */
function toPlainSheets({ source, destination }: MappedSheets): Pick<MappingSetup, 'sides' | 'destination'> {
  const { findLinkedSheet: _, ...ref } = toSheetRef(destination)
  return { sides: { source: source.config.fields, destination: destination.config.fields }, destination: ref }
}

function createSummary() {
  const changedCells = new Map<number, number>()
  const lines = createOtherLineList()
  let isComplete = false
  return {
    add(batch: MappedBatches): void {
      for (const [rule, cells] of batch.changedCells) changedCells.set(rule, (changedCells.get(rule) ?? 0) + cells)
      lines.addBatch(batch.otherLines, batch.length)
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
