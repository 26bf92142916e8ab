/** Optimal one-to-one assignment (the Hungarian algorithm with potentials, O(n²m)). Pure. */

/** Maximizes the sum of the non-negative weights, one row each. Returns the column of each row, or -1. */
export function assign(weights: readonly (readonly number[])[]): number[] {
  const columns = weights[0]?.length ?? 0
  if (weights.length > columns) return invert(assign(transpose(weights)), weights.length)
  const rowOf = match(weights, columns)
  const assignment = new Array<number>(weights.length).fill(-1)
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]!
    if (row > 0 && weights[row - 1]![column - 1]! > 0) assignment[row - 1] = column - 1
  }
  return assignment
}

const transpose = (weights: readonly (readonly number[])[]): number[][] =>
  (weights[0] ?? []).map((_, column) => weights.map((row) => row[column]!))

function invert(rowOfColumn: number[], rows: number): number[] {
  const assignment = new Array<number>(rows).fill(-1)
  for (const [column, row] of rowOfColumn.entries()) if (row >= 0) assignment[row] = column
  return assignment
}

function match(weights: readonly (readonly number[])[], columns: number): Int32Array {
  const rowPotential = new Float64Array(weights.length + 1)
  const columnPotential = new Float64Array(columns + 1)
  const rowOf = new Int32Array(columns + 1)
  for (let row = 1; row <= weights.length; row++) {
    rowOf[0] = row
    const previousColumn = new Int32Array(columns + 1)
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY)
    const done = new Uint8Array(columns + 1)
    let column = 0
    do {
      done[column] = 1
      const current = rowOf[column]!
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let candidate = 1; candidate <= columns; candidate++) {
        if (done[candidate]) continue
        const cost = -weights[current - 1]![candidate - 1]! - rowPotential[current]! - columnPotential[candidate]!
        if (cost < slack[candidate]!) {
          slack[candidate] = cost
          previousColumn[candidate] = column
        }
        if (slack[candidate]! < delta) {
          delta = slack[candidate]!
          next = candidate
        }
      }
      for (let candidate = 0; candidate <= columns; candidate++) {
        if (done[candidate]) {
          rowPotential[rowOf[candidate]!]! += delta
          columnPotential[candidate]! -= delta
        } else slack[candidate]! -= delta
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const previous = previousColumn[column]!
      rowOf[column] = rowOf[previous]!
      column = previous
    }
  }
  return rowOf
}
