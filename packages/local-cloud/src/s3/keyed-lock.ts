/** Mutual exclusion by key: work on the same key runs in the order of the calls. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>()

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
