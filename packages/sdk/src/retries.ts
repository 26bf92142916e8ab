import { ConnectionError, TimeoutError, WharfError } from './errors.ts'

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
/** The caller decides about longer waits. */
const MAX_RETRY_AFTER_SECONDS = 60
const TEMPORARY = new Set([502, 503, 504])

/** A request that was rejected with 429 did not run, so every method can be repeated. */
export function canRetry(error: unknown, isRepeatable: boolean): error is WharfError {
  if (!(error instanceof WharfError) || (error.retryAfterSeconds ?? 0) > MAX_RETRY_AFTER_SECONDS) return false
  if (error.status === 429) return true
  if (!isRepeatable) return false
  // With `Retry-After`, the first attempt is still running under the same Idempotency-Key.
  if (error.status === 409) return error.retryAfterSeconds !== undefined
  return TEMPORARY.has(error.status) || error instanceof ConnectionError || error instanceof TimeoutError
}

export function getDelayMs(attempt: number, { retryAfterSeconds = 0 }: Partial<WharfError> = {}): number {
  const backOff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return retryAfterSeconds * 1000 + backOff * (retryAfterSeconds > 0 ? Math.random() : 0.5 + Math.random() / 2)
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
