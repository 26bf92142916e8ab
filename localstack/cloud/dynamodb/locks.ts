/**
 * The two locks of the store: one per key, held by every write, and a gate that writes share and changes of a table
 * take alone. Knows nothing of what is guarded.
 */

/** Work on the same key runs one after another, in the order it asked; work on other keys is not held up. */
export class KeyLocks {
  readonly #tails = new Map<string, Promise<void>>()

  /**
   * Runs `work` holding all `keys`. The keys are queued for in one go, so that two holders of several keys can never
   * wait for each other.
   */
  async hold<Result>(keys: string[], work: () => Promise<Result>): Promise<Result> {
    const { promise: held, resolve: release } = signal()
    const wanted = new Set(keys)
    const before = [...wanted].flatMap((key) => this.#tails.get(key) ?? [])
    for (const key of wanted) this.#tails.set(key, held)
    await Promise.all(before)
    try {
      return await work()
    } finally {
      release()
      for (const key of wanted) if (this.#tails.get(key) === held) this.#tails.delete(key)
    }
  }
}

/** Any number may share the gate; who takes it alone waits until they have left, and those who come later wait. */
export class Gate {
  #inside = 0
  #closed: Promise<void> | undefined
  #onEmpty: (() => void) | undefined

  async shared<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#closed) await this.#closed
    this.#inside += 1
    try {
      return await work()
    } finally {
      this.#inside -= 1
      if (this.#inside === 0) this.#onEmpty?.()
    }
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#closed) await this.#closed
    const { promise, resolve: open } = signal()
    this.#closed = promise
    try {
      if (this.#inside > 0) await this.#empty()
      return await work()
    } finally {
      this.#closed = undefined
      open()
    }
  }

  async #empty(): Promise<void> {
    const { promise, resolve } = signal()
    this.#onEmpty = resolve
    await promise
    this.#onEmpty = undefined
  }
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
