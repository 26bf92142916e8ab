import { type DeliveredEvent, dispatch, type HandlerRun, type Listener } from './adapt.ts'

export interface Handled {
  eventId: string
  topic: string
  context: Record<string, unknown>
  handlers: HandlerRun[]
}

export interface Mounted {
  readonly handled: readonly Handled[]
  unmount(): void
}

export class MountedListener implements Mounted {
  readonly handled: Handled[] = []
  readonly running = new Map<DeliveredEvent, Promise<void>>()
  readonly #listener: Listener
  readonly #since = new Date().toISOString()
  readonly #seen = new Set<string>()
  readonly #onUnmount: (mounted: MountedListener) => void
  #errors: unknown[] = []

  constructor(listener: Listener, onUnmount: (mounted: MountedListener) => void) {
    this.#listener = listener
    this.#onUnmount = onUnmount
  }

  deliver(event: DeliveredEvent): void {
    if (this.#seen.has(event.id) || event.createdAt < this.#since || this.#isReply(event)) return
    this.#seen.add(event.id)
    this.running.set(event, this.#handle(event))
  }

  get count(): number {
    return this.#seen.size
  }

  takeErrors(): unknown[] {
    const errors = this.#errors
    this.#errors = []
    return errors
  }

  unmount(): void {
    this.#onUnmount(this)
  }

  /** An agent is not called for the commit that it made in reply to an event either. */
  #isReply({ topic, context }: DeliveredEvent): boolean {
    return topic === 'commit:created' && this.#seen.has(String(context.precedingEventId))
  }

  async #handle(event: DeliveredEvent): Promise<void> {
    try {
      const handlers = await dispatch(this.#listener, event)
      const { id: eventId, topic, context } = event
      if (handlers.length > 0) this.handled.push({ eventId, topic, context, handlers })
      for (const { error, isJobFailure } of handlers) if (error && !isJobFailure) this.#errors.push(error)
    } catch (error) {
      this.#errors.push(error)
    } finally {
      this.running.delete(event)
    }
  }
}
