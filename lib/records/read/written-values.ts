/** The distinct values of whole columns of a file, which show how each column is written. */
import { type Task, toBuffer } from '../../core/threads/task.ts'
import { MIN_RECORDS_FOR_THREADS, startTask } from '../../core/threads/threads.ts'
import { createPlainNumbers, listPlainNumbers, type PlainNumbers } from '../columns/plain-numbers.ts'
import {
  countColumn,
  createValueCounts,
  type FinishedCounts,
  listValueCounts,
  type ValueCounts,
} from '../columns/value-counts.ts'
import { processStore, type Store } from '../log/store.ts'
import { parseCellValue } from '../segments/cells.ts'
import type { SheetRef } from '../sheet.ts'
import { countRows } from '../state/state.ts'
import { type PackedBatch, restoreBatch, scanView, unpackBatch } from './scan-columns.ts'
import { openView } from './view.ts'

interface CountSetup {
  numberFields: ReadonlySet<string>
}

interface CountInput {
  batch?: PackedBatch
  fields: readonly string[]
}

interface WrittenColumn {
  tally: FinishedCounts
  numbers: string[]
}

interface ColumnCounts {
  tally: ValueCounts
  numbers: PlainNumbers | undefined
}

export const countTask: Task<CountSetup, CountInput, WrittenColumn[]> = {
  name: 'count values',
  isMainBusy: false,
  async start({ numberFields }) {
    const countsByField = new Map<string, ColumnCounts>()
    const getCounts = (field: string): ColumnCounts => {
      const counts = countsByField.get(field) ?? {
        ...{ tally: createValueCounts(), numbers: numberFields.has(field) ? createPlainNumbers() : undefined },
      }
      countsByField.set(field, counts)
      return counts
    }
    return async ({ batch, fields }) => {
      if (!batch) return fields.map((field) => toWrittenColumn(getCounts(field)))
      const { columns } = await unpackBatch(batch)
      if (batch.length > 0)
        for (const [field, { raw }] of columns) {
          const { tally, numbers } = getCounts(field)
          countColumn(tally, raw, undefined, numbers)
        }
      return []
    }
  },
  restoreInput: ({ batch, ...input }) => ({ ...input, ...(batch ? { batch: restoreBatch(batch) } : {}) }),
  restoreOutput: (columns) =>
    columns.map(({ tally, numbers }) => ({ numbers, tally: { ...tally, bytes: toBuffer(tally.bytes) } })),
}

function toWrittenColumn({ tally, numbers }: ColumnCounts): WrittenColumn {
  const { values, ends, counts, bytes } = tally
  const used = { ends: ends.slice(0, values), counts: counts.slice(0, values) }
  return {
    tally: { ...used, values, bytes: Buffer.from(bytes.subarray(0, ends[values - 1] ?? 0)) },
    numbers: numbers ? listPlainNumbers(numbers) : [],
  }
}

/** By frequency; of the plain numbers of `numberFields`, a sample. */
export async function listWrittenValuesByField(
  sheet: SheetRef,
  { fields, numberFields }: { fields: readonly string[]; numberFields: ReadonlySet<string> },
  store: Store = processStore,
): Promise<Map<string, unknown[]>> {
  const view = await openView(store, sheet)
  const inThreads = countRows(view.state) >= MIN_RECORDS_FOR_THREADS
  const { threads, capacity, run, end } = await startTask(countTask, { numberFields }, { inThreads })
  const distinct = [...new Set(fields)]
  const shares = Array.from({ length: threads }, (_, thread) => distinct.filter((_, i) => i % threads === thread))
  const running: Promise<unknown>[] = []
  try {
    for await (const batch of scanView(store, view, distinct))
      for (const [thread, share] of shares.entries()) {
        running.push(run({ batch: selectColumns(batch, share), fields: share }, thread))
        if (running.length > capacity) await running.shift()
      }
    await Promise.all(running)
    const counted = await Promise.all(shares.map((share, thread) => run({ fields: share }, thread)))
    return new Map(
      shares.flatMap((share, thread) => share.map((field, i) => [field, listValues(counted[thread]![i]!)] as const)),
    )
  } finally {
    end()
  }
}

const selectColumns = (batch: PackedBatch, fields: readonly string[]): PackedBatch => ({
  ...batch,
  columns: new Map(fields.map((field) => [field, batch.columns.get(field)!])),
})

function listValues({ tally, numbers }: WrittenColumn): unknown[] {
  const counted = [...listValueCounts(tally)].sort((a, b) => b.count - a.count)
  return [...counted.map(({ text }) => parseCellValue(text)), ...numbers]
}
