import type { LineGroup } from '../../../schemas/programs/other-lines.ts'
import { createLineCounter } from '../../mapping/other-lines/count.ts'
import type { Program } from '../../mapping/rules/compile.ts'
import { type JsonBatch, readValues, selectRows } from '../../records/index.ts'

export interface LineSkipper {
  reset(): void
  skip(rows: JsonBatch): JsonBatch
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
      const firstRow = rowsBefore + 1
      rowsBefore += length
      if (!lines || lines.size === 0) return { columns, length }
      const values = [...columns.values()].map(readValues)
      for (const [row, kind] of lines)
        counter.add(
          kind,
          firstRow + row,
          values.map((column) => column[row]),
        )
      const rows = Array.from({ length }, (_, row) => row).filter((row) => !lines.has(row))
      const records = new Map([...columns].map(([key, column]) => [key, selectRows(column, rows)]))
      return { columns: records, length: rows.length }
    },
    listGroups: () => counter.listGroups(),
  }
}
