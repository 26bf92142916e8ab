/** Finds the closest known name, for "did you mean" messages. */

/** The edit distance (insertions, deletions, substitutions, transpositions), or a number above `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previousRow: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(substitution, row[j]! + 1, next[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, previousRow[j - 2]! + 1)
      next.push(cost)
    }
    previousRow = row
    row = next
  }
  return row[b.length]!
}

/** Longer names are not compared: they come from the caller, and the cost is quadratic. */
const MAX_NAME_LENGTH = 100

/** The closest name within a third of its length, ignoring case. */
export function findNearest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const limit = name.length < 3 ? 0 : Math.floor(name.length / 3)
  let best: { name: string; distance: number } | undefined
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance }
  }
  return best?.name
}
