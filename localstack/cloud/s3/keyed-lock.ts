/**
 * Mutual exclusion by key inside one process: work on the same key runs one after another, in the order asked.
 */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** True while any work runs or waits. */
  get busy(): boolean {
    return this.#tails.size > 0
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#tails.get(key) ?? Promise.resolve()
    const current = previous.then(work, work)
    this.#tails.set(key, current)
    try {
      return await current
    } finally {
      if (this.#tails.get(key) === current) this.#tails.delete(key)
    }
  }
}
