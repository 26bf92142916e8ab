/** The store's locks: one per key for writes, and a gate that table changes take exclusively. */

/** Work on the same key runs in the order of the calls; work on other keys is not blocked. */
export class KeyLocks {
  readonly #tails = new Map<string, Promise<void>>()

  /** Queues for all keys in the same step, so that two holders of several keys cannot deadlock. */
  async runLocked<Result>(keys: string[], work: () => Promise<Result>): Promise<Result> {
    const { promise: lock, resolve: release } = createSignal()
    const distinctKeys = new Set(keys)
    const predecessors = [...distinctKeys].flatMap((key) => this.#tails.get(key) ?? [])
    for (const key of distinctKeys) this.#tails.set(key, lock)
    await Promise.all(predecessors)
    try {
      return await work()
    } finally {
      release()
      for (const key of distinctKeys) if (this.#tails.get(key) === lock) this.#tails.delete(key)
    }
  }
}

/** A read-write lock: an exclusive holder waits for current holders, and later callers wait for it. */
export class Gate {
  #holders = 0
  #closed: Promise<void> | undefined
  #onEmpty: (() => void) | undefined

  async runShared<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#closed) await this.#closed
    this.#holders += 1
    try {
      return await work()
    } finally {
      this.#holders -= 1
      if (this.#holders === 0) this.#onEmpty?.()
    }
  }

  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#closed) await this.#closed
    const { promise, resolve: reopen } = createSignal()
    this.#closed = promise
    try {
      if (this.#holders > 0) await this.#waitUntilEmpty()
      return await work()
    } finally {
      this.#closed = undefined
      reopen()
    }
  }

  async #waitUntilEmpty(): Promise<void> {
    const { promise, resolve } = createSignal()
    this.#onEmpty = resolve
    await promise
    this.#onEmpty = undefined
  }
}

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}
