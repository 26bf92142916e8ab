/** One-to-one assignment with the best total (the Hungarian method with potentials, O(n²m)). Pure. */

/**
 * Pairs rows with columns so that the sum of the weights is largest.
 * @param weights one row each; not negative, all rows of one length.
 * @returns for each row its column, or -1. A pair of weight 0 is no pair.
 */
export function assign(weights: readonly (readonly number[])[]): number[] {
  const columns = weights[0]?.length ?? 0
  if (weights.length > columns) return transposed(assign(transposeOf(weights)), weights.length)
  const rowOf = match(weights, columns)
  const out = new Array<number>(weights.length).fill(-1)
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]!
    if (row > 0 && weights[row - 1]![column - 1]! > 0) out[row - 1] = column - 1
  }
  return out
}

const transposeOf = (weights: readonly (readonly number[])[]): number[][] =>
  (weights[0] ?? []).map((_, column) => weights.map((row) => row[column]!))

function transposed(rowOfColumn: number[], rows: number): number[] {
  const out = new Array<number>(rows).fill(-1)
  for (const [column, row] of rowOfColumn.entries()) if (row >= 0) out[row] = column
  return out
}

/** The row matched to each column, both counted from 1 (0: none). Rows are at most as many as columns. */
function match(weights: readonly (readonly number[])[], columns: number): Int32Array {
  const rowPotential = new Float64Array(weights.length + 1)
  const columnPotential = new Float64Array(columns + 1)
  const rowOf = new Int32Array(columns + 1)
  for (let row = 1; row <= weights.length; row++) {
    rowOf[0] = row
    const from = new Int32Array(columns + 1)
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY)
    const done = new Uint8Array(columns + 1)
    let column = 0
    do {
      done[column] = 1
      const current = rowOf[column]!
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let other = 1; other <= columns; other++) {
        if (done[other]) continue
        const cost = -weights[current - 1]![other - 1]! - rowPotential[current]! - columnPotential[other]!
        if (cost < slack[other]!) {
          slack[other] = cost
          from[other] = column
        }
        if (slack[other]! < delta) {
          delta = slack[other]!
          next = other
        }
      }
      for (let other = 0; other <= columns; other++) {
        if (done[other]) {
          rowPotential[rowOf[other]!]! += delta
          columnPotential[other]! -= delta
        } else slack[other]! -= delta
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const previous = from[column]!
      rowOf[column] = rowOf[previous]!
      column = previous
    }
  }
  return rowOf
}
