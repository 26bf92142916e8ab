/** Pairs of a column and a field, and those that have no pair yet. Pure. */
export interface Match {
  row: number
  column: number
  confidence: number
}

export const MIN_TEXTS_LEFT = 3

export interface Left {
  rows: number[]
  columns: number[]
}

export function listLeft(columns: readonly unknown[], targets: readonly unknown[], matches: readonly Match[]): Left {
  const [usedColumns, usedRows] = [new Set(matches.map(({ column }) => column)), new Set(matches.map(({ row }) => row))]
  return {
    rows: [...targets.keys()].filter((at) => !usedRows.has(at)),
    columns: [...columns.keys()].filter((at) => !usedColumns.has(at)),
  }
}
