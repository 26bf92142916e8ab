/** The Invoke operation: synchronous and asynchronous calls, with Lambda's payload limits. */
import { randomUUID } from 'node:crypto'
import type { Outcome } from './invocation.ts'
import type { LambdaComponents } from './operations.ts'
import type { LambdaRequest, Route } from './routes.ts'
import { AwsError, type HttpResponse, validationError } from './wire.ts'

const MAX_SYNC_PAYLOAD_BYTES = 6 * 1024 * 1024
const MAX_ASYNC_PAYLOAD_BYTES = 1024 * 1024
const LOG_TAIL_BYTES = 4 * 1024

export const invokeRoute: Route = {
  method: 'POST',
  path: /^\/2015-03-31\/functions\/(?<name>[^/]+)\/invocations\/?$/,
  handle: handleInvoke,
}

async function handleInvoke(
  components: LambdaComponents,
  { name, headers, body }: LambdaRequest,
): Promise<HttpResponse> {
  components.functions.get(name)
  const type = headers['x-amz-invocation-type'] ?? 'RequestResponse'
  if (type === 'Event') return invokeEvent(components, name, body)
  if (type === 'RequestResponse') return invokeSync(components, name, body, headers['x-amz-log-type'] === 'Tail')
  throw validationError(`Value '${type}' at 'invocationType' is not one of RequestResponse, Event`)
}

function invokeEvent({ queue }: LambdaComponents, name: string, body: Buffer): HttpResponse {
  const payload = readPayload(body, MAX_ASYNC_PAYLOAD_BYTES, 'InvokeAsync')
  queue.accept(newInvocation(name, payload))
  return { status: 202 }
}

async function invokeSync(
  components: LambdaComponents,
  name: string,
  body: Buffer,
  withLog: boolean,
): Promise<HttpResponse> {
  const payload = readPayload(body, MAX_SYNC_PAYLOAD_BYTES, 'InvokeFunction')
  const outcome = await invokeNow(components, name, payload)
  return {
    status: 200,
    body: outcome.payload,
    headers: {
      'x-amz-executed-version': '$LATEST',
      ...(outcome.functionError && { 'x-amz-function-error': outcome.functionError }),
      ...(withLog && { 'x-amz-log-result': encodeLogTail(outcome.log) }),
    },
  }
}

export function invokeNow({ functions, executor }: LambdaComponents, name: string, payload: string): Promise<Outcome> {
  functions.get(name)
  return executor.execute(name, { requestId: randomUUID(), payload })
}

export const newInvocation = (functionName: string, payload: string) => ({
  id: randomUUID(),
  functionName,
  payload,
  acceptedAt: Date.now(),
})

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

const encodeLogTail = (log: string) => Buffer.from(log).subarray(-LOG_TAIL_BYTES).toString('base64')
