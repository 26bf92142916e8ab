/**
 * Hands values from one who makes them to one who takes them, one at a time: `send` comes back when the value has been used,
 * so that its memory can be used again.
 */
export class Channel<T> {
  #waiting: { value: T; used: () => void } | undefined
  #ended = false
  #failure: { error: unknown } | undefined
  #wake: () => void = () => {}
  /** Ends when the taker does: well when it needs no more, or with its error. */
  readonly #taker: Promise<unknown>
  #isOver = false

  /** @param taking what takes the values, to its end; it may come to it before all are sent */
  constructor(taking: (values: AsyncGenerator<T>) => Promise<unknown>) {
    this.#taker = taking(this.#values()).finally(() => {
      this.#isOver = true
    })
    // A failure is met when something is sent, or the end is awaited.
    this.#taker.catch(() => {})
  }

  /** @throws what the taker failed with */
  async send(value: T): Promise<void> {
    if (this.#isOver) return void (await this.#taker)
    const used = new Promise<void>((resolve) => {
      this.#waiting = { value, used: resolve }
    })
    this.#wake()
    await Promise.race([used, this.#taker])
  }

  /** No more will come. */
  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** The taker gets this error instead of more values. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake()
  }

  async *#values(): AsyncGenerator<T> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      const waiting = this.#waiting
      if (waiting) {
        this.#waiting = undefined
        yield waiting.value
        waiting.used()
      } else if (this.#ended) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
