/** Hands values from a producer to a consumer; `send` resolves when the value's memory can be reused. */
export class Channel<T> {
  #pending: { value: T; used: () => void } | undefined
  #ended = false
  #failure: { error: unknown } | undefined
  #wake: () => void = () => {}
  readonly #consumer: Promise<unknown>
  #isOver = false

  constructor(consume: (values: AsyncGenerator<T>) => Promise<unknown>) {
    this.#consumer = consume(this.#values()).finally(() => {
      this.#isOver = true
    })
    // A failure surfaces in the next `send`, or when the consumer is awaited.
    this.#consumer.catch(() => {})
  }

  async send(value: T): Promise<void> {
    if (this.#isOver) return void (await this.#consumer)
    const consumed = new Promise<void>((resolve) => {
      this.#pending = { value, used: resolve }
    })
    this.#wake()
    await Promise.race([consumed, this.#consumer])
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake()
  }

  async *#values(): AsyncGenerator<T> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      const pending = this.#pending
      if (pending) {
        this.#pending = undefined
        yield pending.value
        pending.used()
      } else if (this.#ended) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
