/**
 * Runs inside an agent's function: calls the bundle for each event, captures its console and reports.
 * Also errors that no code handles, or that the public listener library only logs, fail the run: Lambda retries it.
 */
import { createRequire } from 'node:module'
import { format } from 'node:util'
import { newSpanId } from '../../core/trace-context.ts'
import { RunLog } from './log.ts'
import { countRequests, patchFetch } from './network.ts'
import { redact } from './redact.ts'
import { NO_ROUTE, REPORT_MARK, type Report } from './report.ts'
import { propagateTrace, traceRun } from './trace.ts'

interface Delivery {
  detail: unknown
  /** Sent instead of an event: loads the bundle and calls nothing. */
  check?: true
}
interface LambdaContext {
  getRemainingTimeInMillis(): number
}
type Route = (event: unknown) => unknown

/** Prefix the public listener library logs for an error it caught in a callback. */
const LISTENER_ERROR_PREFIX = 'Error in event listener:'
/** The report travels with its event; together they must fit Lambda's destination payload. */
const MAX_RECORD_BYTES = 240 * 1024
const LOG_LIMIT_BYTES = { least: 4 * 1024, most: 64 * 1024 }
/** A run is ended this long before its function times out, so that its log is not lost. */
const TIMEOUT_MARGIN_MS = 1_000
const BUNDLE = './bundle.cjs'

let log = new RunLog(LOG_LIMIT_BYTES.most)
let fail: (error: unknown) => void = () => {}
let bundle: Record<string, unknown> | undefined
let spanId = newSpanId()

process.setSourceMapsEnabled(true)
const require = createRequire(import.meta.url)
const traffic = countRequests()
patchFetch()
propagateTrace()
captureConsole()
captureUnhandledErrors()

export async function handler(delivery: Delivery, context: LambdaContext): Promise<Report> {
  const startedAt = new Date()
  log = new RunLog(computeLogLimit(delivery))
  traffic.reset()
  spanId = newSpanId()
  const failure = new Promise<never>((_, reject) => {
    fail = reject
  })
  const timer = setTimeout(failOnTimeout, context.getRemainingTimeInMillis() - TIMEOUT_MARGIN_MS)
  try {
    const run = () => (delivery.check ? checkBundle() : runEvent(delivery.detail))
    await Promise.race([traceRun(delivery.detail, spanId, run), failure])
    return buildReport(true, startedAt)
  } catch (error) {
    bundle = undefined
    log.add('ERROR', redact(format(error)))
    throw attachReport(error, buildReport(false, startedAt))
  } finally {
    clearTimeout(timer)
    fail = () => {}
  }
}

async function checkBundle(): Promise<void> {
  bundle = loadBundle()
  findRoute(bundle)
  await new Promise((resolve) => setImmediate(resolve))
}

async function runEvent(event: unknown): Promise<void> {
  bundle ??= loadBundle()
  const [owner, route] = findRoute(bundle)
  await route.call(owner, event)
  // Unhandled rejections are reported only when the event loop turns.
  await new Promise((resolve) => setImmediate(resolve))
  const failure = traffic.findFailure(String((event as { id?: unknown } | undefined)?.id))
  if (failure) throw new Error(`The records of the event were not read or written: ${failure}`)
}

/** Reloads the bundle, because its state cannot be trusted after a failure. */
function loadBundle(): Record<string, unknown> {
  delete require.cache[require.resolve(BUNDLE)]
  return require(BUNDLE) as Record<string, unknown>
}

function findRoute(exports: Record<string, unknown>): [owner: unknown, route: Route] {
  for (const owner of [exports, exports?.default] as (Record<string, unknown> | undefined)[]) {
    const route = owner?.routeEvent ?? owner?.dispatchEvent
    if (typeof route === 'function') return [owner, route as Route]
  }
  throw new NoRouteError('The bundle exports neither routeEvent(event) nor dispatchEvent(event).')
}

class NoRouteError extends TypeError {
  override name = NO_ROUTE
}

function captureConsole(): void {
  const levels = { log: 'INFO', info: 'INFO', debug: 'DEBUG', trace: 'TRACE', warn: 'WARN', error: 'ERROR' } as const
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, string][]) {
    const original = console[method].bind(console)
    console[method] = (...values: unknown[]) => {
      const text = redact(format(...values))
      original(text)
      const isCaughtError = method === 'error' && values[0] === LISTENER_ERROR_PREFIX
      if (isCaughtError) fail(values[1])
      else log.add(level, text)
    }
  }
}

/** Replaces the runtime's default of ending the process, which would lose the log. */
function captureUnhandledErrors(): void {
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(name)
    process.on(name, (error: unknown) => fail(error))
  }
}

const failOnTimeout = () => fail(new Error('The agent did not finish before its function timed out.'))

const computeLogLimit = (delivery: Delivery): number =>
  Math.max(
    LOG_LIMIT_BYTES.least,
    Math.min(LOG_LIMIT_BYTES.most, MAX_RECORD_BYTES - Buffer.byteLength(JSON.stringify(delivery))),
  )

const buildReport = (success: boolean, startedAt: Date): Report => ({
  success,
  log: log.text(),
  startedAt: startedAt.toISOString(),
  duration: Date.now() - startedAt.getTime(),
  memory: process.memoryUsage.rss(),
  requestCount: traffic.count,
  requestTime: Math.round(traffic.time),
  spanId,
  ...traffic.bytes(),
})

function attachReport(cause: unknown, runReport: Report): Error {
  const isError = cause instanceof Error
  const error = new Error(redact(isError ? cause.message : format('%s', cause)))
  error.name = isError ? cause.name : 'Error'
  error.stack = `${redact(String((isError && cause.stack) || error.message))}\n${REPORT_MARK}${JSON.stringify(runReport)}`
  return error
}
