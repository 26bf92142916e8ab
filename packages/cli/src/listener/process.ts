/** Runs one version of a listener, in its own process so that a reload starts from nothing. */
import { createRequire } from 'node:module'
import { formatError, locate } from './error-lines.ts'
import type { ListenerReply, ListenerRequest, Outcome } from './messages.ts'

interface Result {
  handler: string
  registeredAt: string
  milliseconds: number
  error?: unknown
  isJobFailure?: true
}

interface Loaded {
  topics: string[]
  isFunction: boolean
  handle(event: object): Promise<Outcome[]>
}

interface PublicListener {
  listeners?: [string | string[], ...unknown[]][]
  nodes?: PublicListener[]
  dispatchEvent?(event: object): Promise<void>
  routeEvent?(event: object): Promise<void>
}

interface TypedListener {
  topics: string[]
  handleEvent(event: object): Promise<Result[]>
}

const CAUGHT_ERROR = 'Error in event listener:'

process.setSourceMapsEnabled(true)
const reply = (message: ListenerReply) => process.send?.(message)

let loaded: Loaded | undefined

process.on('message', async (request: ListenerRequest) => {
  if (request.type === 'load') load(request)
  else reply({ type: 'handled', id: request.event.id, outcomes: await loaded!.handle(request.event) })
})
process.on('disconnect', () => process.exit())
// The command decides when this process ends: it waits for running handlers.
process.on('SIGINT', () => {})
process.on('unhandledRejection', (error) => console.error(`Nothing handles this error:\n${formatError(error)}`))

function load({ bundle, file }: { bundle: string; file: string }): void {
  try {
    loaded = readListener(createRequire(bundle)(bundle), file)
    reply({ type: 'loaded', topics: loaded.topics, isFunction: loaded.isFunction })
  } catch (error) {
    reply({ type: 'not-loaded', error: formatError(error) })
  }
}

type Exported = Record<string, unknown> | ((listener: object) => void)

function readListener(module: Exported, file: string): Loaded {
  const candidates = [module, (module as { default?: Exported }).default].flatMap((each) =>
    each ? [each, (each as { default?: Exported }).default] : [],
  )
  for (const each of candidates) if (isTyped(each)) return readTyped(each)
  for (const each of candidates) if (isPublic(each)) return { ...readPublic(each), isFunction: false }
  const setup = candidates.find((each) => typeof each === 'function')
  if (!setup)
    throw new Error('It exports no listener: export the result of createListener(), or a function (listener) => {}.')
  const { FlatfileListener } = createRequire(file)('@flatfile/listener') as {
    FlatfileListener: { create(setup: Exported): PublicListener }
  }
  return { ...readPublic(FlatfileListener.create(setup)), isFunction: true }
}

const isTyped = (value: unknown): value is TypedListener =>
  typeof (value as Partial<TypedListener> | undefined)?.handleEvent === 'function'

const isPublic = (value: unknown): value is PublicListener =>
  typeof ((value as PublicListener | undefined)?.dispatchEvent ?? (value as PublicListener | undefined)?.routeEvent) ===
  'function'

const readTyped = (listener: TypedListener): Loaded => ({
  topics: listener.topics,
  isFunction: false,
  async handle(event) {
    const results = await measure('event', () => listener.handleEvent(event))
    if (!Array.isArray(results)) return [results]
    return results.map(({ handler, registeredAt, milliseconds, error, isJobFailure }) => ({
      ...{ handler, milliseconds, location: locate(registeredAt) },
      ...(error ? { error: formatError(error) } : {}),
      ...(isJobFailure ? { isJobFailure } : {}),
    }))
  },
})

function readPublic(listener: PublicListener): Omit<Loaded, 'isFunction'> {
  const route = (listener.dispatchEvent ?? listener.routeEvent)!.bind(listener)
  return {
    topics: [...new Set(listPatterns(listener))],
    async handle(event) {
      const caught: unknown[] = []
      const log = console.error
      console.error = (...values: unknown[]) => (values[0] === CAUGHT_ERROR ? caught.push(values[1]) : log(...values))
      const outcome = await measure('listener', () => route(event))
      console.error = log
      const errors = caught.map(formatError)
      return [{ ...(outcome as Outcome), ...(errors.length > 0 ? { error: errors.join('\n') } : {}) }]
    },
  }
}

const listPatterns = ({ listeners = [], nodes = [] }: PublicListener): string[] => [
  ...listeners.flatMap(([patterns]) => patterns),
  ...nodes.flatMap(listPatterns),
]

async function measure<T>(handler: string, run: () => Promise<T>): Promise<Outcome | NonNullable<T>> {
  const startedAt = performance.now()
  const finish = (error?: unknown): Outcome => ({
    ...{ handler, location: '', milliseconds: Math.round(performance.now() - startedAt) },
    ...(error === undefined ? {} : { error: formatError(error) }),
  })
  try {
    return (await run()) ?? finish()
  } catch (error) {
    return finish(error)
  }
}
