/** Runs `work` over a list, at most `limit` at a time. */
export async function inFlight<T>(limit: number, list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < list.length) await work(list[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, worker))
}
