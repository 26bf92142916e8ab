/** Finds the name somebody most likely meant, for messages that suggest it. */

/** Edits between two texts (insertions, deletions, substitutions, swaps of neighbours), or more than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(substituted, row[j]! + 1, next[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[b.length]!
}

/** Longer names are not compared: they come from outside. */
const LONGEST = 100

/** The closest of the names, when it is at most a third of its letters away; case counts as no difference. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined
  const limit = name.length < 3 ? 0 : Math.floor(name.length / 3)
  let best: { name: string; distance: number } | undefined
  for (const one of names) {
    const distance = editDistance(name.toLowerCase(), one.toLowerCase(), limit)
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: one, distance }
  }
  return best?.name
}

/** ` Did you mean x?`, or nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const found = nearest(name, names)
  return found === undefined ? '' : ` Did you mean ${found}?`
}
