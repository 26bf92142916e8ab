/** Leaves out the lines of a source that are not records, and counts them. */
import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import { createLineCounter } from '../../mapping/other-lines/count.ts'
import type { Columns, Program } from '../../mapping/rules/compile.ts'

export interface SourceRows {
  columns: Columns
  length: number
}

export interface LineSkipper {
  /** Before the rows are read again. */
  reset(): void
  skip(rows: SourceRows): SourceRows
  listGroups(): LineGroup[]
}

export function createLineSkipper({ findOtherLines }: Pick<Program, 'findOtherLines'>): LineSkipper {
  let counter = createLineCounter()
  let rowsBefore = 0
  return {
    reset() {
      counter = createLineCounter()
      rowsBefore = 0
    },
    skip({ columns, length }) {
      const lines = findOtherLines?.(columns, length)
      for (const [row, kind] of lines ?? [])
        counter.add(
          kind,
          rowsBefore + row + 1,
          [...columns.values()].map((column) => column[row]),
        )
      rowsBefore += length
      if (!lines || lines.size === 0) return { columns, length }
      const keepRecords = (column: readonly unknown[]) => column.filter((_, row) => !lines.has(row))
      const records = new Map([...columns].map(([key, column]) => [key, keepRecords(column)]))
      return { columns: records, length: length - lines.size }
    },
    listGroups: () => counter.listGroups(),
  }
}
