/** Attributes the time of a run to what it waits for. Everything else counts as computing. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** If several are awaited at the same time, the first of these counts. */
const AWAITED = ['events', 'writing', 'reading'] as const
export type Awaited = (typeof AWAITED)[number]

/** Milliseconds. */
export type SpentTime = Record<Awaited | 'computing', number>

export class Stopwatch {
  readonly #spent: SpentTime = { events: 0, writing: 0, reading: 0, computing: 0 }
  readonly #active: Record<Awaited, number> = { events: 0, writing: 0, reading: 0 }
  #since = performance.now()

  async measure<T>(activity: Awaited, work: () => Promise<T>): Promise<T> {
    this.#change(activity, 1)
    try {
      return await work()
    } finally {
      this.#change(activity, -1)
    }
  }

  read(): SpentTime {
    this.#attribute()
    return { ...this.#spent }
  }

  #change(activity: Awaited, count: number): void {
    this.#attribute()
    this.#active[activity] += count
  }

  #attribute(): void {
    const now = performance.now()
    const activity = AWAITED.find((awaited) => this.#active[awaited] > 0) ?? 'computing'
    this.#spent[activity] += now - this.#since
    this.#since = now
  }
}

const running = new AsyncLocalStorage<Stopwatch>()

export const withStopwatch = <T>(stopwatch: Stopwatch, work: () => Promise<T>): Promise<T> =>
  running.run(stopwatch, work)

/** Awaits `work`; within a job, this time counts as `activity`. */
export function measure<T>(activity: Awaited, work: () => Promise<T>): Promise<T> {
  const stopwatch = running.getStore()
  return stopwatch ? stopwatch.measure(activity, work) : work()
}

/** Reads groups of `size` items in their order, and the next one while the last one is used. */
export async function* readInGroups<T, R>(
  items: readonly T[],
  size: number,
  read: (group: T[]) => Promise<R[]>,
): AsyncGenerator<R> {
  const start = (from: number): Promise<R[]> => {
    const reading = read(items.slice(from, from + size))
    // A failed prefetch surfaces when it is awaited, not as an unhandled rejection.
    reading.catch(() => {})
    return reading
  }
  let next = start(0)
  for (let from = size; ; from += size) {
    const group = await measure('reading', () => next)
    if (from >= items.length) return yield* group
    next = start(from)
    yield* group
  }
}

export async function* measureEach<T>(activity: Awaited, items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await measure(activity, () => iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}
