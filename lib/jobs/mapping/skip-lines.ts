import type { LineGroup, LineKind } from '../../../schemas/programs/other-lines.ts'
import { createLineCounter } from '../../mapping/other-lines/count.ts'
import type { Program } from '../../mapping/rules/compile.ts'
import { type JsonBatch, readValues, selectRows } from '../../records/index.ts'

export interface OtherLine {
  kind: LineKind
  /** In the batch. */
  row: number
  cells: unknown[]
}

export function skipOtherLines(
  { findOtherLines }: Pick<Program, 'findOtherLines'>,
  batch: JsonBatch,
): { records: JsonBatch; otherLines: OtherLine[] } {
  const { columns, length } = batch
  const lines = findOtherLines?.(columns, length)
  if (!lines || lines.size === 0) return { records: batch, otherLines: [] }
  const values = [...columns.values()].map(readValues)
  const otherLines = [...lines].map(([row, kind]) => ({ kind, row, cells: values.map((column) => column[row]) }))
  const rows = Array.from({ length }, (_, row) => row).filter((row) => !lines.has(row))
  const records = new Map([...columns].map(([key, column]) => [key, selectRows(column, rows)]))
  return { records: { columns: records, length: rows.length }, otherLines }
}

export interface OtherLineList {
  addBatch(lines: readonly OtherLine[], length: number): void
  addGroups(groups: readonly LineGroup[], length: number): void
  listGroups(): LineGroup[]
}

export function createOtherLineList(): OtherLineList {
  const counter = createLineCounter()
  let rowsBefore = 0
  return {
    addBatch(lines, length) {
      for (const { kind, row, cells } of lines) counter.add(kind, rowsBefore + row + 1, cells)
      rowsBefore += length
    },
    addGroups(groups, length) {
      for (const group of groups) counter.addGroup(group, rowsBefore)
      rowsBefore += length
    },
    listGroups: () => counter.listGroups(),
  }
}
