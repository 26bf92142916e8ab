/** Health over HTTP. */
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../lib/core/errors.ts'
import { log } from '../lib/core/log.ts'
import { takesEvents } from '../lib/events/reachable.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { headObject } from '../lib/objects/store.ts'
import { tally } from '../lib/table/counters.ts'
import * as health from '../schemas/health.ts'

/** Whoever asks more often is given the same answer: asking is public, and each question costs. */
const KEPT_MS = 5_000
const PATIENCE_MS = 3_000

/** Nothing is there by these names, and nothing has to be: an answer that says so is an answer. */
const CHECKS = {
  table: () => tally('health', Date.now()),
  bucket: () => headObject('health'),
  bus: takesEvents,
}
type Part = keyof typeof CHECKS

let last: { at: number; failed: Promise<Part[]> } | undefined

/** What did not answer. */
async function ask(): Promise<Part[]> {
  const parts = Object.keys(CHECKS) as Part[]
  const answers = await Promise.allSettled(parts.map((part) => soon(CHECKS[part]())))
  return parts.filter((part, index) => {
    const answer = answers[index]!
    if (answer.status === 'rejected') log.error('Not ready', { part, error: answer.reason as Error })
    return answer.status === 'rejected'
  })
}

async function soon(answer: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const late = wait(PATIENCE_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`It did not answer within ${PATIENCE_MS} ms.`)
  })
  await Promise.race([answer, late]).finally(() => timer.abort())
}

export const live = serve(health.live)(async () => ({ status: 'ok' as const }))

export const ready = serve(health.ready)(async () => {
  if (!last || Date.now() - last.at > KEPT_MS) last = { at: Date.now(), failed: ask() }
  const failed = await last.failed
  if (failed.length > 0)
    throw new ApiError(
      'unavailable',
      failed.map((key) => ({ key, message: `The ${key} does not answer.` })),
    )
  return { status: 'ready' as const, checks: { table: 'ok' as const, bucket: 'ok' as const, bus: 'ok' as const } }
})

export const handler = lambda(live, ready)
