/**
 * Runs `work` over a list, at most `limit` at a time. After a failure nothing more is begun, what was begun is awaited, and of
 * several failures the one of the item that stands first is thrown.
 * @returns what came of each, in the list's order
 */
export async function inFlight<T, R>(limit: number, list: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const items = list[Symbol.iterator]()
  const results: R[] = []
  const failures: { at: number; error: unknown }[] = []
  let begun = 0
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = items.next()
      if (next.done) return
      const at = begun++
      try {
        results[at] = await work(next.value)
      } catch (error) {
        failures.push({ at, error })
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures.reduce((first, next) => (next.at < first.at ? next : first)).error
  return results
}

/** Tries `work` on all of a list, at most `limit` at a time, going on after failures. @returns these, in the order they came */
export async function tryEach<T>(
  limit: number,
  list: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  await inFlight(limit, list, async (item) => {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  })
  return failures
}
