/**
 * What runs inside an agent's function, around its bundle: calls it for each event, keeps its console, and reports.
 * Bundled into one file (`../runtime.generated.ts`) and packed with every agent; knows the platform only by the report.
 *
 * Whatever goes wrong fails the run, so that Lambda tries it again: a thrown error, a rejection nobody handled, and an
 * error that the public listener library caught in a callback and only wrote to the console.
 */
import { createRequire } from 'node:module'
import { format } from 'node:util'
import { RunLog } from './log.ts'
import { countRequests, guardFetch } from './network.ts'
import { redacted } from './redact.ts'
import { NO_ROUTE, REPORT_MARK, type Report } from './report.ts'

interface Delivery {
  detail: unknown
  /** In place of an event: the bundle is loaded, and nothing is called. */
  check?: true
}
interface LambdaContext {
  getRemainingTimeInMillis(): number
}
type Route = (event: unknown) => unknown

/** How the public listener library begins the line of an error it caught in a callback. */
const CAUGHT_BY_LISTENER = 'Error in event listener:'
/** The record of a run travels with its event; together they stay below what Lambda carries to a destination. */
const RECORD_BYTES = 240 * 1024
const LOG_BYTES = { least: 4 * 1024, most: 64 * 1024 }
/** A run that would be cut off by its function's timeout is ended this much earlier, so that its log is kept. */
const LAST_WORD_MS = 1_000
const BUNDLE = './bundle.cjs'

/** The run at hand; what is written between runs belongs to the next. */
let log = new RunLog(LOG_BYTES.most)
let fail: (error: unknown) => void = () => {}
let bundle: Record<string, unknown> | undefined

process.setSourceMapsEnabled(true)
const require = createRequire(import.meta.url)
const traffic = countRequests()
guardFetch()
captureConsole()
takeOverFailures()

/** The function's handler. @throws the run's first error, its report at the end of the trace */
export async function handler(delivery: Delivery, context: LambdaContext): Promise<Report> {
  const startedAt = new Date()
  log = new RunLog(logBytes(delivery))
  traffic.reset()
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })
  const timer = setTimeout(outOfTime, context.getRemainingTimeInMillis() - LAST_WORD_MS)
  try {
    await Promise.race([delivery.check ? check() : run(delivery.detail), failure])
    return report(true, startedAt)
  } catch (error) {
    bundle = undefined
    log.add('ERROR', redacted(format(error)))
    throw withReport(error, report(false, startedAt))
  } finally {
    clearTimeout(timer)
    fail = () => {}
  }
}

/** Loads the bundle as for an event, and finds what an event would be handed to. */
async function check(): Promise<void> {
  bundle = load()
  routeOf(bundle)
  await new Promise((resolve) => setImmediate(resolve))
}

async function run(event: unknown): Promise<void> {
  bundle ??= load()
  const [owner, route] = routeOf(bundle)
  await route.call(owner, event)
  // A rejection that nobody handles is told only once the event loop turns.
  await new Promise((resolve) => setImmediate(resolve))
}

/** Loads the bundle anew: after a failure nothing of its earlier state is trusted. */
function load(): Record<string, unknown> {
  delete require.cache[require.resolve(BUNDLE)]
  return require(BUNDLE) as Record<string, unknown>
}

function routeOf(exports: Record<string, unknown>): [owner: unknown, route: Route] {
  for (const owner of [exports, exports?.default] as (Record<string, unknown> | undefined)[]) {
    const route = owner?.routeEvent ?? owner?.dispatchEvent
    if (typeof route === 'function') return [owner, route as Route]
  }
  throw new NoRoute('The bundle exports neither routeEvent(event) nor dispatchEvent(event).')
}

class NoRoute extends TypeError {
  override name = NO_ROUTE
}

function captureConsole(): void {
  const levels = { log: 'INFO', info: 'INFO', debug: 'DEBUG', trace: 'TRACE', warn: 'WARN', error: 'ERROR' } as const
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, string][]) {
    const original = console[method].bind(console)
    console[method] = (...values: unknown[]) => {
      const text = redacted(format(...values))
      original(text)
      const isCaughtError = method === 'error' && values[0] === CAUGHT_BY_LISTENER
      if (isCaughtError) fail(values[1])
      else log.add(level, text)
    }
  }
}

/** Takes the place of what the runtime itself would do, end the process: that would lose the log. */
function takeOverFailures(): void {
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(name)
    process.on(name, (error: unknown) => fail(error))
  }
}

const outOfTime = () => fail(new Error('The agent did not finish in the time its function has.'))

const logBytes = (delivery: Delivery): number =>
  Math.max(LOG_BYTES.least, Math.min(LOG_BYTES.most, RECORD_BYTES - Buffer.byteLength(JSON.stringify(delivery))))

const report = (success: boolean, startedAt: Date): Report => ({
  success,
  log: log.text(),
  startedAt: startedAt.toISOString(),
  duration: Date.now() - startedAt.getTime(),
  memory: process.memoryUsage.rss(),
  requestCount: traffic.count,
  requestTime: Math.round(traffic.time),
  ...traffic.bytes(),
})

/** The error as Lambda reports it, name, message and trace, with the report as the trace's last line. */
function withReport(cause: unknown, told: Report): Error {
  const isError = cause instanceof Error
  const error = new Error(redacted(isError ? cause.message : format('%s', cause)))
  error.name = isError ? cause.name : 'Error'
  error.stack = `${redacted(String((isError && cause.stack) || error.message))}\n${REPORT_MARK}${JSON.stringify(told)}`
  return error
}
