import { type Connection, connect } from './connection.ts'
import { ListenerEvent, loadPayload } from './event.ts'
import { runJob } from './job.ts'
import { listTopics, matchesFilter, matchesTopic } from './match.ts'
import { createPluginTarget, type Plugin, PluginEvent } from './plugin.ts'
import type {
  DeliveredEvent,
  EventOf,
  Filter,
  Handler,
  JobHandler,
  Operation,
  RunningJob,
  TopicEvent,
  TopicPattern,
} from './types.ts'

export interface On {
  <const P extends string>(topic: TopicPattern<P> | readonly TopicPattern<P>[], handler: Handler<P>): void
  <const P extends string>(
    topic: TopicPattern<P> | readonly TopicPattern<P>[],
    filter: Filter<P>,
    handler: (event: EventOf<P>) => unknown,
  ): void
  job(operation: Operation, handler: JobHandler): void
  job(operation: Operation, filter: Filter<'job:ready'>, handler: (job: RunningJob) => ReturnType<JobHandler>): void
  use(plugin: Plugin): void
}

export interface HandlerResult {
  handler: string
  /** The stack of its registration, which names the line in the source. */
  registeredAt: string
  milliseconds: number
  error?: unknown
  /** The error is the outcome of the job, so the event itself has not failed. */
  isJobFailure?: true
}

interface Registration {
  name: string
  topics: readonly string[]
  filters: readonly object[]
  at: Error
  run(event: ListenerEvent, getPluginEvent: () => PluginEvent): unknown
}

export class Listener {
  readonly #registrations: Registration[] = []
  #given: { accessToken?: string | undefined; apiUrl?: string | undefined } = {}
  #connection: Connection | undefined

  constructor(setup: (on: On) => void) {
    setup(this.#createOn())
  }

  get topics(): string[] {
    const patterns = this.#registrations.flatMap(({ topics }) => topics)
    return [...new Set(patterns.flatMap(listTopics))].sort()
  }

  setVariables(variables: { accessToken?: string; apiUrl?: string }): void {
    this.#given = variables
    this.#connection = undefined
  }

  /** Called with each event by the platform. @throws the error of a handler, or all of several */
  async dispatchEvent(event: DeliveredEvent | { src: DeliveredEvent }): Promise<void> {
    const results = await this.handleEvent('src' in event ? event.src : event)
    const errors = results.filter(({ isJobFailure }) => !isJobFailure).flatMap(({ error }) => (error ? [error] : []))
    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) throw new AggregateError(errors, errors.map((error) => String(error)).join('\n'))
  }

  routeEvent(event: DeliveredEvent): Promise<void> {
    return this.dispatchEvent(event)
  }

  /** Runs the handlers one after another. One that fails does not keep the others from running. */
  async handleEvent(delivered: DeliveredEvent): Promise<HandlerResult[]> {
    const getClient = () => this.#connect().wharf
    const event = new ListenerEvent(await loadPayload(delivered, getClient), getClient)
    const matching = this.#registrations.filter(
      ({ topics, filters }) =>
        topics.some((pattern) => matchesTopic(event.topic, pattern)) &&
        filters.every((filter) => matchesFilter(event.src, filter)),
    )
    let pluginEvent: PluginEvent | undefined
    const getPluginEvent = () => (pluginEvent ??= new PluginEvent(event, this.#connect()))
    const results: HandlerResult[] = []
    for (const { name, at, run } of matching) results.push(await measure(name, at, () => run(event, getPluginEvent)))
    if (pluginEvent) {
      const { at } = matching.at(-1)!
      const finished = await measure('plugins', at, () => getPluginEvent().finish())
      if (finished.error) results.push(finished)
    }
    return results
  }

  #connect(): Connection {
    this.#connection ??= connect(this.#given)
    return this.#connection
  }

  #add(topics: string | readonly string[], filters: readonly object[], rest: Pick<Registration, 'name' | 'run'>): void {
    const list = [topics].flat() as string[]
    for (const pattern of list) listTopics(pattern)
    const stackLimit = Error.stackTraceLimit
    Error.stackTraceLimit = 20
    this.#registrations.push({ topics: list, filters, at: new Error('registered'), ...rest })
    Error.stackTraceLimit = stackLimit
  }

  #createOn(): On {
    const on = (topics: string | readonly string[], ...rest: [object, Handler<string>] | [Handler<string>]) => {
      const handler = rest.at(-1) as (event: unknown) => unknown
      this.#add(topics, rest.slice(0, -1), {
        name: handler.name || [topics].flat().join(', '),
        run: handler,
      })
    }
    const job = (operation: Operation, ...rest: [object, JobHandler] | [JobHandler]) => {
      const handler = rest.at(-1) as JobHandler
      this.#add('job:ready', [{ job: operation }, ...rest.slice(0, -1)], {
        name: handler.name || operation,
        async run(event) {
          const failure = await runJob(event as unknown as TopicEvent<'job:ready'>, handler)
          if (failure) throw new JobFailure(failure)
        },
      })
    }
    const use = (plugin: Plugin) => {
      const target = createPluginTarget((topics, filters, callback) =>
        this.#add(topics, filters, {
          name: callback.name || [topics].flat().join(', '),
          run: (_event, getPluginEvent) => callback(getPluginEvent()),
        }),
      )
      target.use(plugin)
    }
    return Object.assign(on, { job, use }) as unknown as On
  }
}

class JobFailure {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

async function measure(handler: string, at: Error, run: () => unknown): Promise<HandlerResult> {
  const startedAt = performance.now()
  let failure: Pick<HandlerResult, 'error' | 'isJobFailure'> = {}
  try {
    await run()
  } catch (error) {
    if (error instanceof JobFailure) failure = { error: error.cause, isJobFailure: true }
    else failure = { error: error ?? new Error('The handler failed without an error.') }
  }
  return {
    handler,
    milliseconds: Math.round(performance.now() - startedAt),
    ...failure,
    // Formatting a stack takes long with source maps, and only a log of handlers reads it.
    get registeredAt() {
      return at.stack ?? ''
    },
  }
}
