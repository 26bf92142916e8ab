import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../lib/core/errors.ts'
import { log } from '../lib/core/log.ts'
import { pingBus } from '../lib/events/bus-health.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { headObject } from '../lib/objects/store.ts'
import { readCounter } from '../lib/table/counters.ts'
import * as health from '../schemas/health/endpoints.ts'
import { message } from '../schemas/messages/index.ts'

/** Cached for 5 s: the endpoint is public and each check costs a request. */
const CACHE_MS = 5_000
const TIMEOUT_MS = 3_000

/** These names do not exist; a "not found" reply proves the service is up. */
const CHECKS = {
  table: () => readCounter('health', Date.now()),
  bucket: () => headObject('health'),
  bus: pingBus,
}
type Dependency = keyof typeof CHECKS

let cached: { at: number; failed: Promise<Dependency[]> } | undefined

async function getFailedChecks(): Promise<Dependency[]> {
  const dependencies = Object.keys(CHECKS) as Dependency[]
  const results = await Promise.allSettled(dependencies.map((dependency) => withTimeout(CHECKS[dependency]())))
  return dependencies.filter((dependency, index) => {
    const result = results[index]!
    if (result.status === 'rejected') log.error('Not ready', { part: dependency, error: result.reason as Error })
    return result.status === 'rejected'
  })
}

async function withTimeout(check: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`No response within ${TIMEOUT_MS} ms.`)
  })
  await Promise.race([check, timeout]).finally(() => timer.abort())
}

export const live = serve(health.live)(async () => ({ status: 'ok' as const }))

export const ready = serve(health.ready)(async () => {
  if (!cached || Date.now() - cached.at > CACHE_MS) cached = { at: Date.now(), failed: getFailedChecks() }
  const failed = await cached.failed
  if (failed.length > 0)
    throw new ApiError(
      'unavailable',
      failed.map((key) => ({ key, message: message('requests.notResponding', { part: key }) })),
    )
  return { status: 'ready' as const, checks: { table: 'ok' as const, bucket: 'ok' as const, bus: 'ok' as const } }
})

export const handler = lambda(live, ready)
