/**
 * The Invoke operation: synchronous, asynchronous and dry calls, with Lambda's payload limits. Knows nothing of how a
 * call is run or queued.
 */
import { randomUUID } from 'node:crypto'
import type { Outcome } from './invocation.ts'
import type { LambdaParts } from './operations.ts'
import type { LambdaRequest, Route } from './routes.ts'
import { type Answer, AwsError, validationError } from './wire.ts'

const SYNC_LIMIT_BYTES = 6 * 1024 * 1024
const ASYNC_LIMIT_BYTES = 1024 * 1024
const LOG_TAIL_BYTES = 4 * 1024

export const invokeRoute: Route = {
  method: 'POST',
  path: /^\/2015-03-31\/functions\/(?<name>[^/]+)\/invocations\/?$/,
  answer: invoke,
}

async function invoke(parts: LambdaParts, { name, headers, body }: LambdaRequest): Promise<Answer> {
  parts.functions.get(name)
  const type = headers['x-amz-invocation-type'] ?? 'RequestResponse'
  if (type === 'DryRun') return { status: 204 }
  if (type === 'Event') return invokeEvent(parts, name, body)
  if (type === 'RequestResponse') return invokeSync(parts, name, body, headers['x-amz-log-type'] === 'Tail')
  throw validationError(`Value '${type}' at 'invocationType' is not one of RequestResponse, Event, DryRun`)
}

function invokeEvent({ queue }: LambdaParts, name: string, body: Buffer): Answer {
  const payload = readPayload(body, ASYNC_LIMIT_BYTES, 'InvokeAsync')
  queue.accept(newInvocation(name, payload))
  return { status: 202 }
}

async function invokeSync(parts: LambdaParts, name: string, body: Buffer, withLog: boolean): Promise<Answer> {
  const payload = readPayload(body, SYNC_LIMIT_BYTES, 'InvokeFunction')
  const outcome = await runNow(parts, name, payload)
  return {
    status: 200,
    body: outcome.payload,
    headers: {
      'x-amz-executed-version': '$LATEST',
      ...(outcome.functionError && { 'x-amz-function-error': outcome.functionError }),
      ...(withLog && { 'x-amz-log-result': logTail(outcome.log) }),
    },
  }
}

/** Runs a synchronous call. Throws TooManyRequestsException when the function's reserved concurrency is used up. */
export function runNow({ functions, executor }: LambdaParts, name: string, payload: string): Promise<Outcome> {
  const { reservedConcurrency = Number.POSITIVE_INFINITY } = functions.get(name)
  if (executor.running(name) >= reservedConcurrency) {
    throw new AwsError(429, 'TooManyRequestsException', 'Rate Exceeded.')
  }
  return executor.execute(name, { requestId: randomUUID(), payload })
}

/** An asynchronous invocation accepted now. `payload` is JSON text. */
export const newInvocation = (functionName: string, payload: string) => ({
  id: randomUUID(),
  functionName,
  payload,
  acceptedAt: Date.now(),
})

/** The payload as JSON text; none is an empty object. */
function readPayload(body: Buffer, limitBytes: number, operation: string): string {
  if (body.length > limitBytes) {
    const message = `Request must be smaller than ${limitBytes} bytes for the ${operation} operation`
    throw new AwsError(413, 'RequestTooLargeException', message)
  }
  if (!body.length) return '{}'
  const text = body.toString('utf8')
  try {
    JSON.parse(text)
    return text
  } catch (error) {
    throw new AwsError(
      400,
      'InvalidRequestContentException',
      `Could not parse request body into json: ${(error as Error).message}`,
    )
  }
}

const logTail = (log: string) => Buffer.from(log).subarray(-LOG_TAIL_BYTES).toString('base64')
