/** The input, outcome and error payloads of a function call, and its log. */
export interface Call {
  requestId: string
  payload: string
}

export interface Outcome {
  payload: string
  functionError?: 'Unhandled'
  log: string
}

/** Lambda's response limit, 6 MB and a little for its envelope. */
export const MAX_RESPONSE_BYTES = 6_291_556

export const createFailure = (errorType: string, errorMessage: string, trace?: string[]): Outcome => ({
  functionError: 'Unhandled',
  payload: JSON.stringify({ errorType, errorMessage, trace }),
  log: '',
})

export function toErrorOutcome(error: unknown): Outcome {
  if (!(error instanceof Error)) return createFailure(typeof error, String(error), [])
  return createFailure(error.name, error.message, error.stack?.split('\n') ?? [])
}

export const createTimeoutOutcome = (requestId: string, timeoutSeconds: number) =>
  createFailure(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
  )

export function enforceResponseLimit(outcome: Outcome): Outcome {
  if (outcome.payload.length <= MAX_RESPONSE_BYTES / 3) return outcome
  if (Buffer.byteLength(outcome.payload) <= MAX_RESPONSE_BYTES) return outcome
  const message = `Response payload size exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`
  return { ...createFailure('Function.ResponseSizeTooLarge', message), log: outcome.log }
}

export function formatCallLog(requestId: string, lines: string[], durationMs: number, memoryMegabytes: number): string {
  const duration = `Duration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${Math.ceil(durationMs)} ms`
  return [
    `START RequestId: ${requestId} Version: $LATEST`,
    ...lines,
    `END RequestId: ${requestId}`,
    `REPORT RequestId: ${requestId}\t${duration}\tMemory Size: ${memoryMegabytes} MB`,
    '',
  ].join('\n')
}
