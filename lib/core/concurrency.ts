/** After a failure it starts nothing new, awaits what is running and throws the failure of the earliest item. */
export async function mapConcurrent<T, R>(
  limit: number,
  list: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const items = list[Symbol.iterator]()
  const results: R[] = []
  const failures: { index: number; error: unknown }[] = []
  let started = 0
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = items.next()
      if (next.done) return
      const index = started++
      try {
        results[index] = await work(next.value)
      } catch (error) {
        failures.push({ index, error })
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures.reduce((first, next) => (next.index < first.index ? next : first)).error
  return results
}

/** Continues after failures. @returns the failures in the order they occurred */
export async function forEachSettled<T>(
  limit: number,
  list: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  await mapConcurrent(limit, list, async (item) => {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  })
  return failures
}
