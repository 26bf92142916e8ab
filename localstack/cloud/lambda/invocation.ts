/**
 * One call of a function as seen from outside: what goes in, what comes out, and the error payloads that Lambda itself
 * writes. Knows nothing of processes or queues.
 */
export interface Call {
  requestId: string
  /** JSON text. */
  payload: string
}

export interface Outcome {
  /** JSON text: the result, or the error payload when `functionError` is set. */
  payload: string
  functionError?: 'Unhandled'
  /** What the call wrote, between Lambda's START, END and REPORT lines. */
  log: string
}

/** Lambda's limit for a response, 6 MB and a little for its envelope. */
export const RESPONSE_LIMIT_BYTES = 6_291_556

export const failure = (errorType: string, errorMessage: string, trace?: string[]): Outcome => ({
  functionError: 'Unhandled',
  payload: JSON.stringify({ errorType, errorMessage, trace }),
  log: '',
})

/** A thrown value as Lambda reports it. */
export function thrown(error: unknown): Outcome {
  if (!(error instanceof Error)) return failure(typeof error, String(error), [])
  return failure(error.name, error.message, error.stack?.split('\n') ?? [])
}

export const timedOut = (requestId: string, timeoutSeconds: number) =>
  failure(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
  )

/** The outcome, unless its response is larger than Lambda carries. */
export function withinResponseLimit(outcome: Outcome): Outcome {
  if (outcome.payload.length <= RESPONSE_LIMIT_BYTES / 3) return outcome
  if (Buffer.byteLength(outcome.payload) <= RESPONSE_LIMIT_BYTES) return outcome
  const message = `Response payload size exceeded maximum allowed payload size (${RESPONSE_LIMIT_BYTES} bytes).`
  return { ...failure('Function.ResponseSizeTooLarge', message), log: outcome.log }
}

/** A call's log as CloudWatch would hold it. Durations in milliseconds. */
export function callLog(requestId: string, lines: string[], durationMs: number, memoryMegabytes: number): string {
  const duration = `Duration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${Math.ceil(durationMs)} ms`
  return [
    `START RequestId: ${requestId} Version: $LATEST`,
    ...lines,
    `END RequestId: ${requestId}`,
    `REPORT RequestId: ${requestId}\t${duration}\tMemory Size: ${memoryMegabytes} MB`,
    '',
  ].join('\n')
}
